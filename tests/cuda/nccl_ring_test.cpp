// Which calls a hop of a ring makes to NCCL, seen by functions that stand in for it; and what NCCL itself says without
// a device.
#include "kernels/cuda/nccl_ring.hpp"

#include "kernels/cuda/dynamic/nccl.hpp"
#include "kernels/cuda/error.hpp"
#include "models/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#if RINGSIM_HAS_NCCL

namespace ringsim::cuda {
namespace {

using ::testing::ElementsAre;

/// What the stand-ins were asked, in order; and what the next one to send answers.
std::vector<std::string>
    calls;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): C functions carry no state
ncclResult_t sending = ncclSuccess;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

NcclLibrary stand_in() {
  calls.clear();
  sending = ncclSuccess;
  NcclLibrary library{};
  library.get_error_string = [](ncclResult_t) { return "unhandled system error"; };
  library.get_last_error = [](ncclComm_t) { return "the cable is out"; };
  library.comm_init_rank_config = [](ncclComm_t*, int ranks, ncclUniqueId, int rank, ncclConfig_t* config) {
    calls.push_back("join as " + std::to_string(rank) + " of " + std::to_string(ranks));
    if (config->maxCTAs != NCCL_CONFIG_UNDEF_INT) calls.push_back("blocks " + std::to_string(config->maxCTAs));
    if (config->cgaClusterSize != NCCL_CONFIG_UNDEF_INT) {
      calls.push_back("cluster " + std::to_string(config->cgaClusterSize));
    }
    return ncclSuccess;
  };
  library.comm_destroy = [](ncclComm_t) {
    calls.emplace_back("leave");
    return ncclSuccess;
  };
  library.comm_get_async_error = [](ncclComm_t, ncclResult_t* failure) {
    *failure = ncclRemoteError;
    return ncclSuccess;
  };
  library.group_start = [] {
    calls.emplace_back("(");
    return ncclSuccess;
  };
  library.group_end = [] {
    calls.emplace_back(")");
    return ncclSuccess;
  };
  library.send = [](const void*, std::size_t count, ncclDataType_t, int peer, ncclComm_t, cudaStream_t) {
    calls.push_back("send " + std::to_string(count) + " to " + std::to_string(peer));
    return sending;
  };
  library.receive = [](void*, std::size_t count, ncclDataType_t, int peer, ncclComm_t, cudaStream_t) {
    calls.push_back("receive " + std::to_string(count) + " from " + std::to_string(peer));
    return ncclSuccess;
  };
  return library;
}

std::array<char, 2> blocks{};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): addresses, never read

NcclHop hop(int rank) { return {rank, blocks.data(), 100, blocks.data() + 1, 200, nullptr}; }

// Rank 3 of 4: the next is 0, the one before is 2; both in one group. Counted in bytes, each direction with its own.
TEST(NcclRing, SendsToTheNextAndReceivesFromThePrevious) {
  const NcclLibrary library = stand_in();
  NcclRing ring(NcclId{}, 4, 3, {}, library);
  EXPECT_EQ(ring.ranks(), 4);
  EXPECT_THAT(calls, ElementsAre("join as 3 of 4"));
  calls.clear();
  ring.send_receive(std::array{hop(3)});
  EXPECT_THAT(calls, ElementsAre("(", "send 100 to 0", "receive 200 from 2", ")"));
}

// Two steps the other way round a ring of five: rank 1 sends to 1 − 2 = 4 and receives from 3.
TEST(NcclRing, ShiftsMayBeNegative) {
  const NcclLibrary library = stand_in();
  NcclRing ring(NcclId{}, 5, 1, {}, library);
  calls.clear();
  ring.send_receive(std::array{hop(1)}, -2);
  EXPECT_THAT(calls, ElementsAre("(", "send 100 to 4", "receive 200 from 3", ")"));
}

// A ring of one: send and receive meet in the group, from one buffer into another; in one buffer NCCL would do nothing.
TEST(NcclRing, OneRankSendsToItself) {
  const NcclLibrary library = stand_in();
  NcclRing ring(NcclId{}, 1, 0, {}, library);
  calls.clear();
  ring.send_receive(std::array{hop(0)});
  EXPECT_THAT(calls, ElementsAre("(", "send 100 to 0", "receive 200 from 0", ")"));
  calls.clear();
  NcclHop same = hop(0);
  same.receive = blocks.data();
  EXPECT_THROW(ring.send_receive(std::array{same}), Error);
  EXPECT_TRUE(calls.empty());
}

TEST(NcclRing, OptionsReachNccl) {
  const NcclLibrary library = stand_in();
  const NcclRing ring(NcclId{}, 2, 0, {.max_ctas = 8, .cluster = 0}, library);
  EXPECT_THAT(calls, ElementsAre("join as 0 of 2", "blocks 8", "cluster 0"));
}

TEST(NcclRing, LeavesAtTheEnd) {
  const NcclLibrary library = stand_in();
  {
    const NcclRing ring(NcclId{}, 2, 0, {}, library);
  }
  EXPECT_EQ(calls.back(), "leave");
}

// The group is closed although a call in it failed, and the message has NCCL's status and explanation.
TEST(NcclRing, AFailureClosesTheGroup) {
  const NcclLibrary library = stand_in();
  NcclRing ring(NcclId{}, 2, 0, {}, library);
  calls.clear();
  sending = ncclSystemError;
  try {
    ring.send_receive(std::array{hop(0)});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "ncclSend: unhandled system error: the cable is out");
  }
  EXPECT_THAT(calls, ElementsAre("(", "send 100 to 1", ")"));
}

TEST(NcclRing, ARankOfAnotherProcessIsRefusedBeforeTheGroup) {
  const NcclLibrary library = stand_in();
  NcclRing ring(NcclId{}, 2, 0, {}, library);
  calls.clear();
  EXPECT_THROW(ring.send_receive(std::array{hop(0), hop(1)}), Error);
  EXPECT_TRUE(calls.empty());
}

TEST(NcclRing, FailuresOfTransfersUnderWayShow) {
  const NcclLibrary library = stand_in();
  const NcclRing ring(NcclId{}, 2, 0, {}, library);
  EXPECT_THROW(ring.check_asynchronous(), Error);
}

/// NCCL itself, where it is.
class RealNccl : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      static_cast<void>(nccl_library());
    } catch (const MissingLibrary& error) {
      GTEST_SKIP() << error.message();
    }
  }
};

TEST_F(RealNccl, HasAVersion) { EXPECT_THAT(nccl_version(), ::testing::MatchesRegex("2\\.[0-9]+\\.[0-9]+")); }

// An id holds the address of the process that made it and a random number: two differ.
TEST_F(RealNccl, IdsDiffer) { EXPECT_NE(NcclRing::new_id().bytes, NcclRing::new_id().bytes); }

TEST_F(RealNccl, WithoutADeviceThereIsAnErrorAndNoCrash) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0) GTEST_SKIP() << "there is a device";
  EXPECT_THROW(NcclRing({0}), Error);
  EXPECT_THROW(NcclRing(NcclRing::new_id(), 1, 0), Error);
}

}  // namespace
}  // namespace ringsim::cuda

#else

TEST(NcclRing, IsNotBuiltIn) { GTEST_SKIP() << "compiled without nccl.h"; }

#endif
