#pragma once
// Lengths of documents as a scenario may name them: a file of lengths, or of lengths and counts.

#include "scenarios/value.hpp"

#include <string>
#include <string_view>

namespace ringsim::scenarios {

/// Lengths in a file. "LENGTH" a line becomes {lengths: [...]}, "LENGTH,COUNT" a line {counts: {...}}, both in the order of the
/// file; a first line of names, empty lines and what follows # are passed over. `file` stands for it in messages. Throws Error
/// with file:line:column.
[[nodiscard]] Value parse_document_lengths(std::string_view text, const std::string& file);

/// Replaces `workload.documents.file` by what stands in the file (looked for in `directory`), and writes lengths that are keys of
/// `counts` as plain numbers. Throws Error where the lengths are said twice.
void replace_documents(Value& scenario, const std::string& directory);

}  // namespace ringsim::scenarios
