#pragma once
// Reads tests/data/cuda/cudnn-graphs.txt: a line a node, and below it a line a tensor.

#include <array>
#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace ringsim::cuda::cudnn {

struct ListedTensor {
  std::string role;  // "aDesc"
  std::int64_t uid = 0;
  std::string type;  // "BFLOAT16"
  std::array<std::int64_t, 4> dims{}, strides{};
  bool is_virtual = false;
  bool by_value = false;
};

struct ListedNode {
  std::string name;  // "POINTWISE MUL"
  std::vector<ListedTensor> tensors;
};

/// "[1,16,4096,128]"
inline std::array<std::int64_t, 4> four_numbers(const std::string& text) {
  std::array<std::int64_t, 4> numbers{};
  std::istringstream stream(text.substr(1));
  char comma = 0;
  for (std::int64_t& number : numbers) stream >> number >> comma;
  return numbers;
}

/// By the name of the graph: "fwd_causal", "bwd_causal".
inline std::map<std::string, std::vector<ListedNode>> read_graph_listing(const std::string& path) {
  std::map<std::string, std::vector<ListedNode>> graphs;
  std::vector<ListedNode>* graph = nullptr;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (first == "=====") {
      std::string name;
      words >> name;
      graph = &graphs[name];
    } else if (line.starts_with(' ')) {
      ListedTensor tensor;
      tensor.role = first;
      std::string skip, dims, strides, is_virtual, by_value;
      words >> skip >> tensor.uid >> tensor.type >> skip >> dims >> skip >> strides >> skip >> is_virtual >> skip >>
          by_value;
      tensor.dims = four_numbers(dims);
      tensor.strides = four_numbers(strides);
      tensor.is_virtual = is_virtual == "true";
      tensor.by_value = by_value == "true";
      graph->back().tensors.push_back(tensor);
    } else {
      std::string second;
      words >> second;
      if (!second.empty()) first.append(" ").append(second);
      graph->push_back({first, {}});
    }
  }
  return graphs;
}

}  // namespace ringsim::cuda::cudnn
