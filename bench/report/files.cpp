#include "bench/report/files.hpp"

#include "models/error.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace ringsim::bench {

std::string text_of_file(const std::string& path, std::string_view hint) {
  std::error_code failed;
  // A folder can be opened, too.
  if (std::filesystem::is_directory(path, failed)) {
    throw Error("this is a folder, not a file", path, std::string(hint));
  }
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in.good() && !in.eof()) throw Error("this file cannot be read", path, std::string(hint));
  return text;
}

void replace_file(const std::string& path, std::string_view text) {
  const std::string beside = path + ".new";
  std::ofstream out(beside, std::ios::binary);
  out << text;
  out.close();
  std::error_code failed;
  if (out) std::filesystem::rename(beside, path, failed);
  if (!out || failed) {
    std::filesystem::remove(beside, failed);
    throw Error("this file cannot be written", path, "its folder must be one that you may write to");
  }
}

}  // namespace ringsim::bench
