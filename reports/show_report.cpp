#include "reports/show_report.hpp"

#include "reports/csv.hpp"
#include "reports/display.hpp"
#include "reports/json_parts.hpp"
#include "reports/table.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace ringsim::reports {
namespace {

/// The dotted keys of the resolved values, as the tree that they stand for.
struct Node {
  std::string key;
  const ResolvedValue* value = nullptr;  // of a leaf
  std::vector<Node> children;
};

bool is_index(const std::string& key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// "noise.stragglers[0].rank" and "noise.stragglers.0.rank" -> noise, stragglers, 0, rank.
std::vector<std::string> segments_of(std::string_view path) {
  std::vector<std::string> segments(1);
  for (const char c : path) {
    if (c == '.' || c == '[') {
      segments.emplace_back();
    } else if (c != ']') {
      segments.back() += c;
    }
  }
  return segments;
}

void insert(Node& root, const ResolvedValue& value) {
  Node* node = &root;
  for (const std::string& segment : segments_of(value.key)) {
    const auto found = std::find_if(node->children.begin(), node->children.end(),
                                    [&](const Node& child) { return child.key == segment; });
    node = found != node->children.end() ? &*found : &node->children.emplace_back(Node{segment, nullptr, {}});
  }
  node->value = &value;
}

/// A value of the scenario language as YAML: in quotes where a plain scalar would be read as something else.
std::string yaml_scalar(const std::string& text) {
  if (text.starts_with('[') || text.starts_with('{')) return text;
  const bool plain = !text.empty() &&
                     std::string_view("!&*?|>@%\"'`#,-:").find(text.front()) == std::string_view::npos &&
                     text.find(": ") == std::string::npos && text.find(" #") == std::string::npos &&
                     !text.ends_with(':') && text.front() != ' ' && text.back() != ' ';
  if (plain) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

struct Line {
  std::string text;
  std::string origin;
};

void append_lines(std::vector<Line>& lines, const Node& node, std::size_t indent) {
  for (const Node& child : node.children) {
    const std::string label = is_index(child.key) ? "-" : child.key + ":";
    if (child.children.empty()) {
      lines.push_back(
          {std::string(indent, ' ') + label + " " + printable(yaml_scalar(child.value->text)), child.value->origin});
      continue;
    }
    if (label != "-") {
      lines.push_back({std::string(indent, ' ') + label, ""});
      append_lines(lines, child, indent + 2);
      continue;
    }
    // An item's first key stands on the line of its dash.
    const std::size_t first = lines.size();
    append_lines(lines, child, indent + 2);
    if (first < lines.size()) lines[first].text[indent] = '-';
  }
}

}  // namespace

std::string render_show_text(const Scenario& scenario, const Style& style) {
  Node root;
  for (const ResolvedValue& value : scenario.resolved) insert(root, value);
  std::vector<Line> lines;
  append_lines(lines, root, 0);

  constexpr std::size_t widest = 60;  // longer values push their own comment, not everyone's
  std::size_t column = 0;
  for (const Line& line : lines) {
    const std::size_t width = display_width(line.text);
    if (width <= widest) column = std::max(column, width);
  }
  std::string text;
  for (const Line& line : lines) {
    if (line.origin.empty()) {
      text += line.text + "\n";
    } else {
      text += pad_right(line.text, column) + "  " + style.dim("# " + printable(line.origin)) + "\n";
    }
  }
  return text;
}

std::string render_show_json(const Scenario& scenario) {
  Json list = Json::array();
  for (const ResolvedValue& value : scenario.resolved) {
    list.push_back({{"key", value.key}, {"value", value.text}, {"origin", value.origin}});
  }
  return json_text(list);
}

std::string render_show_csv(const Scenario& scenario) {
  std::string text = csv_line({"key", "value", "origin"});
  for (const ResolvedValue& value : scenario.resolved) text += csv_line({value.key, value.text, value.origin});
  return text;
}

std::string render_show_markdown(const Scenario& scenario) {
  Grid grid{{{"key", Align::left}, {"value", Align::left}, {"from", Align::left}}, {}};
  for (const ResolvedValue& value : scenario.resolved) grid.rows.push_back({value.key, value.text, value.origin});
  return markdown_table(grid);
}

}  // namespace ringsim::reports
