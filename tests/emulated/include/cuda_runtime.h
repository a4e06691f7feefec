#pragma once
// An emulation of CUDA's runtime on the CPU, for tests on machines without a GPU: the part of the API that kernels/cuda uses,
// under the toolkit's names. Sources of kernels/cuda are compiled against it, unchanged, by g++ with this folder before the
// root in the include path. What it does with calls: tests/emulated/runtime.hpp.

#include "tests/emulated/include/emulated_cuda/device_code.hpp"
#include "tests/emulated/include/emulated_cuda/functions.hpp"
#include "tests/emulated/include/emulated_cuda/launch.hpp"
#include "tests/emulated/include/emulated_cuda/types.hpp"
