#include "scenarios/documents_reference.hpp"

#include "models/error.hpp"
#include "scenarios/complete.hpp"
#include "scenarios/references.hpp"
#include "scenarios/spec.hpp"
#include "scenarios/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace ringsim::scenarios {
namespace {

// A list of more is no readable part of a scenario, and `show` would print it; counts hold any number of documents.
constexpr std::size_t longest_list = 100'000;

constexpr std::string_view line_hint = "a length a line (8192), or a length and how often it occurs (8192,12)";

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r";
  const std::size_t first = text.find_first_not_of(space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string count_text(std::string_view text, const std::string& origin) {
  try {
    const std::int64_t value = parse_count(trimmed(text));
    if (value < 1) throw Error(fmt::format("{} is too small: at least 1", text), {}, std::string(line_hint));
    return format_count(value);
  } catch (const Error& error) {
    throw Error(error.message(), origin, std::string(line_hint));
  }
}

void add_count(Value& counts, const std::string& length, Value count, const std::string& origin) {
  if (counts.find(length) != nullptr) {
    throw Error(fmt::format("the length {} stands here a second time", length), origin, "one count a length");
  }
  counts.entries.push_back({length, origin, std::move(count)});
}

}  // namespace

Value parse_document_lengths(std::string_view text, const std::string& file) {
  Value lengths;
  lengths.kind = Value::Kind::sequence;
  lengths.origin = file;
  Value counts = Value::mapping(file);
  bool names_may_stand = true;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    ++number;
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    const std::string origin = fmt::format("{}:{}:1", file, number);
    const bool is_names = names_may_stand && std::none_of(line.begin(), line.end(), is_digit);
    names_may_stand = false;
    if (is_names) continue;
    const std::size_t comma = line.find(',');
    const std::string length = count_text(line.substr(0, comma), origin);
    const bool is_pair = comma != std::string_view::npos;
    if (is_pair ? !lengths.items.empty() : !counts.entries.empty()) {
      throw Error("some lines have counts and some have none", origin, std::string(line_hint));
    }
    if (is_pair) {
      add_count(counts, length, Value::scalar(count_text(line.substr(comma + 1), origin), origin), origin);
    } else {
      lengths.items.push_back(Value::scalar(length, file));
    }
    if (lengths.items.size() > longest_list) {
      throw Error(fmt::format("more than {} lengths", fmt::group_digits(longest_list)), origin,
                  "lengths and how often each occurs: 8192,12");
    }
  }
  if (lengths.items.empty() && counts.entries.empty()) {
    throw Error(fmt::format("{} holds no lengths", file), file, std::string(line_hint));
  }
  Value documents = Value::mapping(file);
  const bool listed = !lengths.items.empty();
  documents.set(listed ? "lengths" : "counts", listed ? std::move(lengths) : std::move(counts), file);
  return documents;
}

void replace_documents(Value& scenario, const std::string& directory) {
  Value* workload = scenario.find("workload");
  Value* documents = workload == nullptr ? nullptr : workload->find("documents");
  if (documents == nullptr || !documents->is_mapping()) return;  // complete() says what is wrong
  refuse_unknown_keys(*documents, field_at("workload.documents")->mapping(), "workload.documents");
  std::string said;
  for (const Value::Entry& entry : documents->entries) {
    if (entry.key == "alignment") continue;
    if (!said.empty()) {
      throw Error(fmt::format("workload.documents says twice what lengths there are: {} and {}", said, entry.key),
                  entry.key_origin, "keep one of lengths, counts and file");
    }
    said = entry.key;
  }
  if (const Value* file = documents->find("file"); file != nullptr) {
    if (!file->is_scalar() || file->text.empty()) {
      throw Error(fmt::format("workload.documents.file needs a name, not {}", describe(*file)), file->origin,
                  "file: lengths.csv");
    }
    const std::filesystem::path name(file->text);
    const std::string path =
        name.is_absolute() || directory.empty() ? file->text : (std::filesystem::path(directory) / name).string();
    Value lengths = parse_document_lengths(read_file(path, file->origin), path);
    documents->erase("file");
    *documents = overlaid(std::move(*documents), lengths);
  }
  if (const Value* lengths = documents->find("lengths");
      lengths != nullptr && lengths->is_sequence() && lengths->items.empty()) {
    throw Error("workload.documents.lengths is empty", lengths->origin, "for example lengths: [8Ki, 1Ki, 137]");
  }
  Value* counts = documents->find("counts");
  if (counts == nullptr || !counts->is_mapping()) return;
  Value plain = Value::mapping(counts->origin);
  for (Value::Entry& row : counts->entries) {
    try {
      add_count(plain, count_text(row.key, row.key_origin), std::move(row.value), row.key_origin);
    } catch (const Error& error) {
      throw Error(fmt::format("workload.documents.counts: {}", error.message()), error.where(), "counts: {8Ki: 12}");
    }
  }
  if (plain.entries.empty()) {
    throw Error("workload.documents.counts is empty", counts->origin, "for example counts: {8Ki: 12}");
  }
  *counts = std::move(plain);
}

}  // namespace ringsim::scenarios
