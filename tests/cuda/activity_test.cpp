// CUPTI's records: made-up ones, laid out as its header says, one after the other in a buffer as CUPTI hands them over.
#include "kernels/cuda/activity.hpp"

#include "kernels/cuda/activity_records.hpp"
#include "kernels/cuda/dynamic/cupti.hpp"
#include "models/error.hpp"

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#if RINGSIM_HAS_CUPTI

namespace ringsim::cuda {
namespace {

/// A buffer of records, aligned as CUPTI's.
class Buffer {
 public:
  template <class Record>
  void append(const Record& record) {
    static_assert(sizeof(Record) % 8 == 0);
    std::memcpy(bytes_.data() + size_, &record, sizeof record);
    starts_.push_back(size_);
    size_ += sizeof record;
  }
  [[nodiscard]] const CUpti_Activity& record(std::size_t i) const {
    return reinterpret_cast<const CUpti_Activity&>(bytes_[starts_[i]]);
  }
  [[nodiscard]] std::uint8_t* data() { return bytes_.data(); }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t count() const { return starts_.size(); }

 private:
  alignas(16) std::array<std::uint8_t, 4096> bytes_{};
  std::vector<std::size_t> starts_;
  std::size_t size_ = 0;
};

CUpti_ActivityKernel10 kernel() {
  CUpti_ActivityKernel10 record{};
  record.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  record.start = 1000;
  record.end = 4000;
  record.deviceId = 2;
  record.streamId = 13;
  record.name = "attention";
  return record;
}

CUpti_ActivityMemcpy6 copy(CUpti_ChannelType channel) {
  CUpti_ActivityMemcpy6 record{};
  record.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
  record.start = 1500;
  record.end = 2500;
  record.streamId = 14;
  record.bytes = 1 << 20;
  record.channelType = channel;
  return record;
}

CUpti_ActivityMemcpyPtoP4 copy_between_devices() {
  CUpti_ActivityMemcpyPtoP4 record{};
  record.kind = CUPTI_ACTIVITY_KIND_MEMCPY2;
  record.start = 1700;
  record.end = 2700;
  record.bytes = 12345;
  record.channelType = CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY;
  return record;
}

TEST(Activity, AKernelHasItsNameAndTimes) {
  Buffer buffer;
  buffer.append(kernel());
  const auto record = to_record(buffer.record(0));
  ASSERT_TRUE(record.has_value());
  EXPECT_EQ(record->kind, ActivityRecord::Kind::kernel);
  EXPECT_EQ(record->name, "attention");
  EXPECT_EQ(record->start_ns, 1000U);
  EXPECT_EQ(record->end_ns, 4000U);
  EXPECT_EQ(record->device, 2U);
  EXPECT_EQ(record->stream, 13U);
  EXPECT_EQ(record->channel, ActivityRecord::Channel::sms);
}

TEST(Activity, AKernelMayHaveNoName) {
  Buffer buffer;
  CUpti_ActivityKernel10 nameless = kernel();
  nameless.name = nullptr;
  buffer.append(nameless);
  EXPECT_EQ(to_record(buffer.record(0))->name, "");
}

// The channel is what tells a copy by a copy engine from one by SMs.
TEST(Activity, ACopyHasItsBytesAndChannel) {
  struct Case {
    CUpti_ChannelType channel;
    ActivityRecord::Channel expected;
  };
  for (const Case& c : {Case{CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY, ActivityRecord::Channel::copy_engine},
                        Case{CUPTI_CHANNEL_TYPE_COMPUTE, ActivityRecord::Channel::sms},
                        Case{CUPTI_CHANNEL_TYPE_DECOMP, ActivityRecord::Channel::other},
                        Case{CUPTI_CHANNEL_TYPE_INVALID, ActivityRecord::Channel::unknown}}) {
    Buffer buffer;
    buffer.append(copy(c.channel));
    const auto record = to_record(buffer.record(0));
    ASSERT_TRUE(record.has_value());
    EXPECT_EQ(record->kind, ActivityRecord::Kind::copy);
    EXPECT_EQ(record->bytes, 1U << 20U);
    EXPECT_EQ(record->stream, 14U);
    EXPECT_EQ(record->start_ns, 1500U);
    EXPECT_EQ(record->end_ns, 2500U);
    EXPECT_EQ(record->channel, c.expected);
  }
}

TEST(Activity, ACopyBetweenDevicesIsOfItsOwnKind) {
  Buffer buffer;
  buffer.append(copy_between_devices());
  const auto record = to_record(buffer.record(0));
  ASSERT_TRUE(record.has_value());
  EXPECT_EQ(record->kind, ActivityRecord::Kind::copy_between_devices);
  EXPECT_EQ(record->bytes, 12345U);
  EXPECT_EQ(record->channel, ActivityRecord::Channel::copy_engine);
}

TEST(Activity, OtherRecordsAreLeftOut) {
  CUpti_Activity other{};
  other.kind = CUPTI_ACTIVITY_KIND_DRIVER;
  EXPECT_FALSE(to_record(other).has_value());
}

class RealCupti : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      static_cast<void>(cupti_library());
    } catch (const MissingLibrary& error) {
      GTEST_SKIP() << error.message();
    }
  }
};

// CUPTI itself walks the buffer: it steps over each record by the size that it knows. That it comes to each of ours in
// turn, and to the end, shows that the library lays records out as the header that we compiled with.
TEST_F(RealCupti, WalksOurBufferRecordByRecord) {
  const CuptiLibrary& library = cupti_library();
  Buffer buffer;
  buffer.append(kernel());
  buffer.append(copy(CUPTI_CHANNEL_TYPE_COMPUTE));
  buffer.append(copy_between_devices());
  buffer.append(kernel());
  CUpti_Activity* activity = nullptr;
  for (std::size_t i = 0; i < buffer.count(); ++i) {
    ASSERT_EQ(library.activity_get_next_record(buffer.data(), buffer.size(), &activity), CUPTI_SUCCESS) << i;
    EXPECT_EQ(activity, &buffer.record(i)) << i;
  }
  EXPECT_EQ(library.activity_get_next_record(buffer.data(), buffer.size(), &activity), CUPTI_ERROR_MAX_LIMIT_REACHED);
}

TEST_F(RealCupti, WithoutADeviceATraceIsAnErrorAndCanBeTriedAgain) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0) GTEST_SKIP() << "there is a device";
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      const ActivityTrace trace;
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.message().find("already under way"), std::string::npos) << error.message();
    }
  }
}

}  // namespace
}  // namespace ringsim::cuda

#else

TEST(Activity, IsNotBuiltIn) { GTEST_SKIP() << "compiled without cupti.h"; }

#endif
