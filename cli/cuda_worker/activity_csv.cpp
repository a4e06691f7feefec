#include "cli/cuda_worker/activity_csv.hpp"

#include <fmt/format.h>

#include <string_view>

namespace ringsim::cli {
namespace {

using cuda::ActivityRecord;

std::string_view name_of(ActivityRecord::Kind kind) {
  switch (kind) {
    case ActivityRecord::Kind::kernel:
      return "kernel";
    case ActivityRecord::Kind::copy:
      return "copy";
    case ActivityRecord::Kind::copy_between_devices:
      break;
  }
  return "copy-between-devices";
}

std::string_view name_of(ActivityRecord::Channel channel) {
  switch (channel) {
    case ActivityRecord::Channel::sms:
      return "sms";
    case ActivityRecord::Channel::copy_engine:
      return "copy-engine";
    case ActivityRecord::Channel::other:
      return "other";
    case ActivityRecord::Channel::unknown:
      break;
  }
  return "unknown";
}

}  // namespace

std::string activity_csv(const std::vector<ActivityRecord>& records) {
  std::string text = "kind,name,device,stream,start_s,end_s,bytes,channel\n";
  for (const ActivityRecord& record : records) {
    const auto since_s = [&](std::uint64_t at_ns) {
      return 1e-9 * static_cast<double>(at_ns - records.front().start_ns);
    };
    text += fmt::format("{},\"{}\",{},{},{:.9f},{:.9f},{},{}\n", name_of(record.kind), record.name, record.device,
                        record.stream, since_s(record.start_ns), since_s(record.end_ns), record.bytes,
                        name_of(record.channel));
  }
  return text;
}

}  // namespace ringsim::cli
