#pragma once
// The results of a run over MPI against plain attention of the whole sequence.

#include "kernels/host/mpi/communicator.hpp"
#include "kernels/host/rank.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace ringsim::host {

/// max |error| / max |reference| over all layers of "O" and "LSE", and of "dQ", "dK" and "dV" after a backward pass;
/// infinite where a number is missing. The reference computes, in double, with the inputs that fill_inputs makes from the
/// seed. Collective; empty on all ranks but 0. Memory: a few times tokens² on rank 0.
template <class T>
[[nodiscard]] std::map<std::string, double> deviations(const Communicator& ranks, const RingPlan& plan,
                                                       const Rank<T>& rank, std::uint64_t seed);

}  // namespace ringsim::host
