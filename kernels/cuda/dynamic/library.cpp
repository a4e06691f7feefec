#include "kernels/cuda/dynamic/library.hpp"

#include <dlfcn.h>
#include <glob.h>
#include <link.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <string_view>

#ifndef RINGSIM_CUDA_LIBRARY_FOLDER
#define RINGSIM_CUDA_LIBRARY_FOLDER ""
#endif

namespace ringsim::cuda {

namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string{} : std::string{value};
}

std::vector<std::string> split_at_colons(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ':');) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

/// In the order of their names.
std::vector<std::string> matches(const std::string& pattern) {
  std::vector<std::string> found;
  glob_t result{};
  if (glob(pattern.c_str(), 0, nullptr, &result) == 0) {
    found.assign(result.gl_pathv, result.gl_pathv + result.gl_pathc);
  }
  globfree(&result);
  return found;
}

/// Installations of Python: of a virtual environment, of conda, and of every python3 in PATH, links followed as well.
std::vector<std::string> python_prefixes() {
  std::vector<std::string> prefixes;
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    if (const std::string prefix = environment(name); !prefix.empty()) prefixes.push_back(prefix);
  }
  for (const std::string& folder : split_at_colons(environment("PATH"))) {
    const std::filesystem::path python = std::filesystem::path(folder) / "python3";
    std::error_code error;
    if (!std::filesystem::exists(python, error)) continue;
    prefixes.push_back(python.parent_path().parent_path().string());
    const std::filesystem::path target = std::filesystem::canonical(python, error);
    if (!error) prefixes.push_back(target.parent_path().parent_path().string());
  }
  return prefixes;
}

/// Names without the empty one, which is said in words.
std::string in_words(const std::vector<std::string>& folders) {
  std::string words;
  for (const std::string& folder : folders) {
    if (!words.empty()) words += ", ";
    words += folder.empty() ? "the loader's path" : folder;
  }
  return words;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text.append(text.empty() ? "" : " or ").append(name);
  return text;
}

std::string path_of(void* handle, const std::string& otherwise) {
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0 || map == nullptr || map->l_name == nullptr) {
    return otherwise;
  }
  return map->l_name;
}

}  // namespace

std::vector<std::string> library_folders() {
  std::vector<std::string> folders = split_at_colons(environment("RINGSIM_CUDA_LIBRARIES"));
  folders.emplace_back();
  if (const std::string_view toolkit = RINGSIM_CUDA_LIBRARY_FOLDER; !toolkit.empty()) folders.emplace_back(toolkit);
  std::set<std::string> seen;
  for (const std::string& prefix : python_prefixes()) {
    if (!seen.insert(prefix).second) continue;
    for (const char* packages : {"site-packages", "dist-packages"}) {
      for (const std::string& folder :
           matches(prefix + std::string("/lib*/python3*/").append(packages).append("/nvidia/*/lib"))) {
        folders.push_back(folder);
      }
    }
  }
  return folders;
}

Library::Library(const LibraryName& name) : Library(name, library_folders()) {}

Library::Library(const LibraryName& name, const std::vector<std::string>& folders) : name_(name) {
  // A file that is there and does not load, as one that another library is missing for, says more than those that are
  // not.
  std::string reason;
  for (const std::string& folder : folders) {
    for (const std::string& file : name.files) {
      const std::string path = (std::filesystem::path(folder) / file).string();  // the file alone where folder is empty
      handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (handle_ != nullptr) {
        path_ = path_of(handle_, path);
        return;
      }
      const char* message = dlerror();
      std::error_code error;
      if (!folder.empty() && std::filesystem::exists(path, error) && message != nullptr) reason = message;
    }
  }
  throw MissingLibrary(name.library + " is not there: no " + joined(name.files) + " could be opened" +
                           (reason.empty() ? "" : " (" + reason + ")"),
                       "searched: " + in_words(folders), name.hint);
}

void* Library::address_if_any(const char* name) const { return dlsym(handle_, name); }

void* Library::address(const char* name) const {
  void* found = address_if_any(name);
  if (found == nullptr) {
    throw MissingLibrary(name_.library + " has no function " + name + ": it is not of the version that is needed",
                         path_, name_.hint);
  }
  return found;
}

void throw_not_built_in(const std::string& library, const std::string& header) {
  throw MissingLibrary(library + " is not built in: this program was compiled without its header " + header, {},
                       "Install the header where the compiler finds it, and build again.");
}

}  // namespace ringsim::cuda
