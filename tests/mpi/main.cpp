// All ranks run all tests together. Rank 0 reports; a failure on any rank makes mpirun fail.
#include "tests/mpi/ranks.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string_view>

namespace ringsim::host {

const Communicator* the_ranks = nullptr;

const Communicator& ranks() { return *the_ranks; }

}  // namespace ringsim::host

namespace {

int run(int argc, char** argv) {
  using namespace ringsim::host;
  const Communicator communicator;
  the_ranks = &communicator;
  testing::InitGoogleTest(&argc, argv);
  if (argc > 1 && std::string_view(argv[1]) == "--one-rank-throws") {
    // The others wait for a rank that will not come.
    if (communicator.rank() == communicator.size() - 1) throw std::runtime_error("a rank that fails");
    communicator.barrier();
  }
  if (communicator.rank() != 0) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
  }
  return RUN_ALL_TESTS();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception&) {
    return 2;  // not reached by the test of a rank that throws: leaving the communicator's scope has ended all ranks
  }
}
