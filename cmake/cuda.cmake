# Finds the CUDA toolkit, whose absence turns the GPU's part off, and says how kernels are compiled.

if(RINGSIM_CUDA)
  include(CheckLanguage)
  check_language(CUDA)
  if(NOT CMAKE_CUDA_COMPILER)
    message(STATUS "The GPU executor is off: no CUDA compiler (nvcc 13.0 of the CUDA toolkit; or set CUDACXX)")
    set(RINGSIM_CUDA OFF)
  endif()
endif()
if(RINGSIM_CUDA)
  # Without an architecture CMake would ask nvcc for one that may not exist; targets have their own.
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 80)
  endif()
  enable_language(CUDA)
  find_package(CUDAToolkit QUIET)
  if(NOT CUDAToolkit_FOUND OR CUDAToolkit_VERSION VERSION_LESS 13.0)
    message(STATUS "The GPU executor is off: it needs the CUDA toolkit 13.0, and this is '${CUDAToolkit_VERSION}'")
    set(RINGSIM_CUDA OFF)
  endif()
endif()

# ringsim_cuda_kernels(TARGET ARCHITECTURES... SOURCES...): kernels as objects for these architectures.
function(ringsim_cuda_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "ARCHITECTURES;SOURCES")
  add_library(${target} OBJECT ${arg_SOURCES})
  set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES "${arg_ARCHITECTURES}")
  target_link_libraries(${target} PRIVATE ringsim_usage)
  # CMake 3.25 knows no CUDA20.
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20 -O3 --expt-relaxed-constexpr -Xcompiler=-Wall,-Wextra>)
endfunction()
