# What every target of ours shares, and the functions that the folders' CMakeLists.txt call.

configure_file(cmake/version.hpp.in generated/version.hpp @ONLY)

# What our headers ask of whoever includes them.
add_library(ringsim_usage INTERFACE)
target_compile_features(ringsim_usage INTERFACE cxx_std_20)
target_include_directories(ringsim_usage INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
# A fused multiply-add would make results depend on the compiler and on the machine.
target_compile_options(ringsim_usage INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)

# Presets decide whether these warnings are errors.
add_library(ringsim_warnings INTERFACE)
target_compile_options(ringsim_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wdouble-promotion -Wold-style-cast -Wcast-align
  -Wnon-virtual-dtor -Woverloaded-virtual -Wextra-semi -Wformat=2 -Wunused
  -Wno-missing-field-initializers  # with designated initializers, leaving out a field is the point
  # In a batch a local name may well be that of another source's helper.
  $<IF:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>,-Wshadow=local,-Wshadow>)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # Optimising, g++ 12 sees overlaps in the standard library's own concatenation of strings that are not there, and with -O3 members of
  # variants without a value where they are moved into a vector.
  target_compile_options(ringsim_warnings INTERFACE -Wno-restrict $<$<CONFIG:Release>:-Wno-maybe-uninitialized>)
endif()

function(ringsim_target_defaults target)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_link_libraries(${target} PRIVATE ringsim_warnings)
endfunction()

# ringsim_batches(TARGET sources...): with RINGSIM_UNITY compiles sources in batches, as cmake/batches.awk sorts them. Most of
# the time of a compilation goes to headers and to templates that many sources share.
function(ringsim_batches target)
  if(NOT RINGSIM_UNITY)
    return()
  endif()
  list(TRANSFORM ARGN REPLACE "^${PROJECT_SOURCE_DIR}/" "" OUTPUT_VARIABLE names)
  execute_process(COMMAND awk -v root=${PROJECT_SOURCE_DIR} -v most=2500 -f ${PROJECT_SOURCE_DIR}/cmake/batches.awk ${names}
    OUTPUT_VARIABLE batches OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" batches "${batches}")
  foreach(line IN LISTS batches)
    string(REGEX MATCH "^([0-9]+) (.*)$" line "${line}")
    set_source_files_properties(${PROJECT_SOURCE_DIR}/${CMAKE_MATCH_2} PROPERTIES UNITY_GROUP ${target}_${CMAKE_MATCH_1})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # A new name in a source may need another batch.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/batches.awk)
endfunction()

# ringsim_library(NAME [EXCEPT subfolder] [SOURCES generated...] [PUBLIC targets...] [PRIVATE targets...])
# The static library of a folder, but for a subfolder that is a library of its own. While the folder has no source, the
# library is its headers alone.
function(ringsim_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "EXCEPT" "SOURCES;PUBLIC;PRIVATE")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "*.cpp")
  if(arg_EXCEPT)
    list(FILTER sources EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${arg_EXCEPT}/")
  endif()
  set(written ${sources})
  list(APPEND sources ${arg_SOURCES})
  if(sources)
    add_library(ringsim_${name} STATIC ${sources})
    ringsim_target_defaults(ringsim_${name})
    ringsim_batches(ringsim_${name} ${written})
    target_link_libraries(ringsim_${name} PUBLIC ringsim_usage ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
  else()
    message(STATUS "${name}/ has no source yet")
    add_library(ringsim_${name} INTERFACE)
    target_link_libraries(ringsim_${name} INTERFACE ringsim_usage ${arg_PUBLIC})
  endif()
  add_library(ringsim::${name} ALIAS ringsim_${name})
endfunction()

# ringsim_executable(NAME FOLDER [EXCEPT subfolder] targets...)
# A program of all sources under FOLDER, but for a subfolder, in the top of the build directory. Makes no target while
# there are none.
function(ringsim_executable name folder)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "EXCEPT" "")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${folder}/*.cpp")
  if(arg_EXCEPT)
    list(FILTER sources EXCLUDE REGEX "^${folder}/${arg_EXCEPT}/")
  endif()
  if(NOT sources)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
    message(STATUS "${folder}/ has no source yet: no ${name}")
    return()
  endif()
  add_executable(${name} ${sources})
  ringsim_target_defaults(${name})
  ringsim_batches(${name} ${sources})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  target_link_libraries(${name} PRIVATE ringsim::models ringsim::scenarios ringsim::sim ringsim::kernels
    ringsim::calibrate ringsim::reports ${arg_UNPARSED_ARGUMENTS})
endfunction()
