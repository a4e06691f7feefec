#include "scenarios/topology_file.hpp"

namespace ringsim::scenarios {

TopologyFile read_topology_file(std::string_view text, std::string_view file, const TopologyRates& rates) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // byte order mark
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool xml = first != std::string_view::npos && text[first] == '<';
  return xml ? read_nccl_topology(text, file, rates) : read_topology_matrix(text, file, rates);
}

}  // namespace ringsim::scenarios
