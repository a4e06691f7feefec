#pragma once
// Commands that a document shows with what they print, so that a test can hold the one to the other, and write it anew.
//
// A command is a block of its own (```sh) that starts with `ringsim`; a backslash continues its line. The ```text block below it is
// what it prints. Of long reports parts are shown, named by a comment between the two blocks, with `...` for what is left out:
//
//   <!-- shown: answer, Explained, Next -->    the lines before the first section, and sections by their headings
//   <!-- shown: 1-4, 9-12 -->                  lines by their numbers
//   <!-- shown: line overlap, line MFU -->     lines that begin so, their indentation aside
//   <!-- shown: status 4, answer -->           a command that ends with another exit status than 0
//   <!-- shown: status 3, error -->            all that it says on standard error, instead of what it prints
//   <!-- shown: nothing -->                    it is run, and no block follows

#include "tests/golden/program.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ringsim::golden {

struct ShownCommand {
  std::size_t line = 0;  // of the document, from 1
  std::vector<std::string> arguments;
  std::vector<std::string> shown;  // parts; empty: everything
  int status = 0;
  bool has_text = false;
  std::size_t begin = 0, end = 0;  // of the text in the document
};

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

inline std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \n");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \n") + 1 - first);
}

/// Words as a shell takes them apart, single and double quotes included.
inline std::vector<std::string> shell_words(const std::string& command) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      inside = true;
    } else if (c == '\\' && i + 1 < command.size() && command[i + 1] == '\n') {
      ++i;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      if (inside) words.push_back(std::exchange(word, {}));
      inside = false;
    } else {
      word += c;
      inside = true;
    }
  }
  if (quote != 0) throw std::runtime_error("a quote is not closed: " + command);
  if (inside) words.push_back(word);
  return words;
}

/// All commands of a document, in order.
inline std::vector<ShownCommand> shown_commands(const std::string& document) {
  std::vector<ShownCommand> commands;
  std::string block;  // what the fence that is open holds so far
  std::string fence;  // empty: none is open
  std::size_t at = 0, line_number = 0, opened = 0;
  bool answered = true;  // the last command has its text, or prose has followed it
  for (const std::string& line : lines_of(document)) {
    const std::size_t start = std::exchange(at, at + line.size() + 1);
    ++line_number;
    if (!fence.empty()) {
      if (line != "```") {
        block += line + "\n";
        continue;
      }
      if (fence == "```sh" && block.starts_with("ringsim ")) {
        ShownCommand command;
        command.line = opened;
        command.arguments = shell_words(block);
        command.arguments.erase(command.arguments.begin());
        commands.push_back(command);
        answered = false;
      } else if (fence == "```text" && !answered) {
        commands.back().has_text = true;
        commands.back().end = start;
        answered = true;
      }
      fence.clear();
    } else if (line.starts_with("```")) {
      fence = line;
      block.clear();
      opened = line_number;
      if (fence == "```text" && !answered) commands.back().begin = at;
    } else if (line.starts_with("<!-- shown: ") && !answered) {
      std::istringstream parts(line.substr(12, line.rfind("-->") - 12));
      for (std::string part; std::getline(parts, part, ',');) {
        part = trimmed(part);
        if (part.starts_with("status ")) {
          commands.back().status = std::stoi(part.substr(7));
        } else {
          commands.back().shown.push_back(part);
        }
      }
    } else if (!line.empty()) {
      answered = true;
    }
  }
  return commands;
}

/// The parts of an output that are shown, with the line ends of a document (those of CSV are CR LF). Throws where there is no such
/// part.
inline std::string shown_of(std::string output, const std::vector<std::string>& shown) {
  std::erase(output, '\r');
  if (shown.empty()) return output;
  const std::vector<std::string> lines = lines_of(output);
  const std::size_t count = lines.size();
  const auto starts_section = [&](std::size_t i) {  // at the blank line above a heading
    return i + 1 < count && lines[i].empty() && !lines[i + 1].empty() && lines[i + 1].front() != ' ';
  };
  const auto end_of_section = [&](std::size_t i) {
    while (i < count && !starts_section(i)) ++i;
    return i;
  };
  std::vector<bool> kept(count, false);
  for (const std::string& part : shown) {
    if (part.starts_with("line ")) {
      bool found = false;
      for (std::size_t i = 0; i < count; ++i) {
        if (!trimmed(lines[i]).starts_with(part.substr(5))) continue;
        kept[i] = true;
        found = true;
      }
      if (!found) throw std::runtime_error("the output has no " + part + ":\n" + output);
      continue;
    }
    std::size_t from = 0, to = 0;
    if (part == "answer") {
      to = end_of_section(0);
    } else if (std::isdigit(static_cast<unsigned char>(part.front())) != 0) {
      from = std::stoul(part) - 1;
      const std::size_t dash = part.find('-');
      to = dash == std::string::npos ? from + 1 : std::stoul(part.substr(dash + 1));
    } else {
      while (from < count &&
             !(starts_section(from) && (lines[from + 1] == part || lines[from + 1].starts_with(part + " (")))) {
        ++from;
      }
      to = from < count ? end_of_section(from + 1) : 0;
    }
    if (from >= to || to > count) throw std::runtime_error("the output has no part " + part + ":\n" + output);
    std::fill(kept.begin() + static_cast<std::ptrdiff_t>(from), kept.begin() + static_cast<std::ptrdiff_t>(to), true);
  }
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    if (kept[i]) text += lines[i] + "\n";
    if (!kept[i] && (i == 0 || kept[i - 1])) text += "...\n";
  }
  return text;
}

/// Whether a document shows an output, whole, in a block of its own.
inline bool shows(const std::string& document, const std::string& output) {
  return document.find("```text\n" + output + "```") != std::string::npos;
}

}  // namespace ringsim::golden
