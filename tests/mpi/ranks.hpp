#pragma once
// The ranks that the tests run on.

#include "kernels/host/mpi/communicator.hpp"

namespace ringsim::host {

const Communicator& ranks();

}  // namespace ringsim::host
