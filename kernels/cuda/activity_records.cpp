#include "kernels/cuda/activity_records.hpp"

#if __has_include(<cupti.h>)

namespace ringsim::cuda {

namespace {

ActivityRecord::Channel channel_of(CUpti_ChannelType type) {
  switch (type) {
    case CUPTI_CHANNEL_TYPE_COMPUTE:
      return ActivityRecord::Channel::sms;
    case CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY:
      return ActivityRecord::Channel::copy_engine;
    case CUPTI_CHANNEL_TYPE_INVALID:
      return ActivityRecord::Channel::unknown;
    default:
      return ActivityRecord::Channel::other;
  }
}

/// What records of all three kinds have under the same names.
template <class Record>
ActivityRecord common(ActivityRecord::Kind kind, const Record& record) {
  ActivityRecord common;
  common.kind = kind;
  common.start_ns = record.start;
  common.end_ns = record.end;
  common.device = record.deviceId;
  common.stream = record.streamId;
  return common;
}

template <class Record>
ActivityRecord copy_record(ActivityRecord::Kind kind, const Record& copy) {
  ActivityRecord record = common(kind, copy);
  record.bytes = copy.bytes;
  record.channel = channel_of(copy.channelType);
  return record;
}

ActivityRecord kernel_record(const CUpti_ActivityKernel10& kernel) {
  ActivityRecord record = common(ActivityRecord::Kind::kernel, kernel);
  record.name = kernel.name == nullptr ? "" : kernel.name;
  record.channel = ActivityRecord::Channel::sms;
  return record;
}

}  // namespace

// All records begin with their kind, which says what the rest is.
std::optional<ActivityRecord> to_record(const CUpti_Activity& activity) {
  switch (activity.kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return kernel_record(reinterpret_cast<const CUpti_ActivityKernel10&>(activity));
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      return copy_record(ActivityRecord::Kind::copy, reinterpret_cast<const CUpti_ActivityMemcpy6&>(activity));
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
      return copy_record(ActivityRecord::Kind::copy_between_devices,
                         reinterpret_cast<const CUpti_ActivityMemcpyPtoP4&>(activity));
    default:
      return {};
  }
}

}  // namespace ringsim::cuda

#endif
