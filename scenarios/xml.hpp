#pragma once
// A small reader of the XML that programs write: elements, attributes, comments, the five named entities and numbered ones.
// Text between elements is skipped, and so are a prolog and a document type. Namespaces, CDATA and entity definitions are not
// part of it.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ringsim::scenarios {

struct XmlElement {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<XmlElement> children;
  std::string origin;  // "file.xml:3:5", of its <

  /// The value of an attribute; null pointer where there is none.
  [[nodiscard]] const std::string* attribute(std::string_view key) const;
};

/// The document's one element. Throws Error with file:line:column where the text is no such document: unclosed or crossed
/// elements, a second root, an attribute that stands twice, an unknown entity, more than 64 levels.
[[nodiscard]] XmlElement parse_xml(std::string_view text, std::string_view file);

}  // namespace ringsim::scenarios
