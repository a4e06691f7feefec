#include "cli/cuda_worker/activity_csv.hpp"

#include <gtest/gtest.h>

namespace ringsim::cli {
namespace {

using cuda::ActivityRecord;

// Times count from the first record, 1 µs = 1000 ns; a name's commas stay within its quotes.
TEST(ActivityCsv, HasARowARecordWithTimesFromTheFirst) {
  ActivityRecord kernel;
  kernel.name = "f(int, int)";
  kernel.start_ns = 5'000'000'000;
  kernel.end_ns = 5'000'001'000;
  kernel.stream = 7;
  kernel.channel = ActivityRecord::Channel::sms;
  ActivityRecord copy;
  copy.kind = ActivityRecord::Kind::copy;
  copy.start_ns = 5'000'000'500;
  copy.end_ns = 5'000'002'000;
  copy.device = 1;
  copy.stream = 9;
  copy.bytes = 4096;
  copy.channel = ActivityRecord::Channel::copy_engine;
  EXPECT_EQ(activity_csv({kernel, copy}),
            "kind,name,device,stream,start_s,end_s,bytes,channel\n"
            "kernel,\"f(int, int)\",0,7,0.000000000,0.000001000,0,sms\n"
            "copy,\"\",1,9,0.000000500,0.000002000,4096,copy-engine\n");
}

TEST(ActivityCsv, OfNothingIsItsHeader) {
  EXPECT_EQ(activity_csv({}), "kind,name,device,stream,start_s,end_s,bytes,channel\n");
}

}  // namespace
}  // namespace ringsim::cli
