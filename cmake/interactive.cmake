# What --interactive puts into a page, compiled into the program byte by byte (.incbin costs the compiler nothing): the three bundles of
# node packages that ./dev setup installs in reports/interactive, the notices of all that is in them, and our own script and style.
#
# Sets RINGSIM_INTERACTIVE_SOURCE, the source behind reports/html/interactive_parts.hpp, and the global property
# RINGSIM_INTERACTIVE_BUILT. Without the packages, or with others than package.json names, it says that the part is missing.

set(folder ${PROJECT_SOURCE_DIR}/reports/interactive)
set(packages ${folder}/node_modules)
set(bundles ${packages}/vega/build/vega.min.js ${packages}/vega-lite/build/vega-lite.min.js
  ${packages}/vega-embed/build/vega-embed.min.js)
# Whether they are there is looked up in every build, so that it is noticed when they come or go.
file(GLOB present CONFIGURE_DEPENDS ${bundles})
list(LENGTH present found)

file(READ ${folder}/package.json wanted)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/package.json)
set(versions "")
set(lacking "")
foreach(package vega vega-lite vega-embed)
  string(JSON version GET "${wanted}" dependencies ${package})
  list(APPEND versions "${package} ${version}")
  set(installed none)
  if(found EQUAL 3)
    file(READ ${packages}/${package}/package.json installed)
    string(JSON installed GET "${installed}" version)
  endif()
  if(NOT installed STREQUAL version)
    list(APPEND lacking "${package} ${version}")
  endif()
endforeach()
list(JOIN versions ", " versions)
list(JOIN lacking ", " lacking)

set(generated ${PROJECT_BINARY_DIR}/generated)
set(RINGSIM_INTERACTIVE_SOURCE ${generated}/interactive_parts.cpp)
set_property(GLOBAL PROPERTY RINGSIM_INTERACTIVE_BUILT ON)
if(lacking)
  set_property(GLOBAL PROPERTY RINGSIM_INTERACTIVE_BUILT OFF)
  message(STATUS "Interactive charts are off: node packages are missing (${lacking}); ./dev setup installs them")
  file(CONFIGURE OUTPUT ${RINGSIM_INTERACTIVE_SOURCE} CONTENT [[
#include "reports/html/interactive_parts.hpp"

namespace ringsim::reports {

const InteractiveParts* interactive_parts() { return nullptr; }

}  // namespace ringsim::reports
]] @ONLY)
  return()
endif()

# The notices of every package that the bundles may hold, each text once. (yargs and what it needs serve vega-lite's command line only.)
file(GLOB licences ${packages}/vega*/LICENSE* ${packages}/d3-*/LICENSE* ${packages}/internmap/LICENSE*
  ${packages}/delaunator/LICENSE* ${packages}/robust-predicates/LICENSE* ${packages}/topojson-client/LICENSE*
  ${packages}/fast-json-patch/LICENSE* ${packages}/json-stringify-pretty-compact/LICENSE* ${packages}/semver/LICENSE*
  ${packages}/tslib/LICENSE*)
list(SORT licences)
set(hashes "")
foreach(licence IN LISTS licences)
  file(SHA256 ${licence} hash)
  get_filename_component(package ${licence} DIRECTORY)
  get_filename_component(package ${package} NAME)
  if(NOT hash IN_LIST hashes)
    list(APPEND hashes ${hash})
    set(file_of_${hash} ${licence})
  endif()
  list(APPEND packages_of_${hash} ${package})
endforeach()
set(notices "")
foreach(hash IN LISTS hashes)
  file(READ ${file_of_${hash}} text)
  list(JOIN packages_of_${hash} ", " names)
  string(APPEND notices "${names}:\n\n${text}\n\n")
endforeach()
# They stand in a comment of the script.
string(REPLACE "*/" "* /" notices "${notices}")
file(CONFIGURE OUTPUT ${generated}/notices.txt CONTENT "@notices@" @ONLY)

list(GET bundles 0 RINGSIM_VEGA)
list(GET bundles 1 RINGSIM_VEGA_LITE)
list(GET bundles 2 RINGSIM_VEGA_EMBED)
set(RINGSIM_NOTICES ${generated}/notices.txt)
set(RINGSIM_BOOTSTRAP ${folder}/bootstrap.js)
set(RINGSIM_INTERACTIVE_STYLE ${folder}/style.css)
set(RINGSIM_INTERACTIVE_VERSIONS ${versions})
configure_file(${PROJECT_SOURCE_DIR}/cmake/interactive_parts.cpp.in ${RINGSIM_INTERACTIVE_SOURCE} @ONLY)
# The assembler reads what no compiler sees, and ccache can do nothing with it.
set_source_files_properties(${RINGSIM_INTERACTIVE_SOURCE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
  OBJECT_DEPENDS "${bundles};${RINGSIM_NOTICES};${RINGSIM_BOOTSTRAP};${RINGSIM_INTERACTIVE_STYLE}")
