# cmake -DROOT=scenarios -DLIST=names.txt -DOUTPUT=embedded.cpp -P embed.cmake
# Writes the C++ source behind scenarios/embedded.hpp: the files that LIST names, relative to ROOT.
# Their bytes pass through as hexadecimal digits, so that no quote, bracket, semicolon or non-ASCII letter of a file
# can mean something to CMake or to the compiler; adjacent short literals keep every single one under 64 KiB.

cmake_minimum_required(VERSION 3.25)
file(STRINGS ${LIST} names)
list(SORT names COMPARE STRING)
list(TRANSFORM names REPLACE "^library/" "" OUTPUT_VARIABLE paths)
list(SORT paths COMPARE STRING)

set(literals "")
set(entries "")
set(index 0)
foreach(path IN LISTS paths)
  set(file ${ROOT}/library/${path})
  if(NOT "library/${path}" IN_LIST names)
    set(file ${ROOT}/${path})
  endif()
  file(SIZE ${file} size)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
  string(REPEAT "." 128 line)
  string(REGEX REPLACE "(${line})" "\\1\"\n    \"" bytes "${bytes}")
  string(APPEND literals "constexpr std::string_view file_${index}{\n    \"${bytes}\",\n    ${size}};\n")
  string(APPEND entries "    {\"${path}\", file_${index}},\n")
  math(EXPR index "${index} + 1")
endforeach()

file(WRITE ${OUTPUT} "#include \"scenarios/embedded.hpp\"

#include <array>

namespace ringsim::scenarios {
namespace {

${literals}
constexpr std::array<EmbeddedFile, ${index}> files{{
${entries}}};

}  // namespace

std::span<const EmbeddedFile> embedded_files() { return files; }

}  // namespace ringsim::scenarios
")
