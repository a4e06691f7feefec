// `profile` to Profile.

#include "scenarios/read_parts.hpp"
#include "scenarios/units.hpp"

namespace ringsim::scenarios {
namespace {

template <class T>
Calibrated<T> read_calibrated(const Value& value, T (*parse)(std::string_view)) {
  Calibrated<T> result;
  result.value = parse(text_at(value, "value"));
  result.relative_uncertainty = parse_ratio(text_at(value, "uncertainty"));
  for (const Origin origin : {Origin::measured, Origin::published, Origin::vendor, Origin::assumed}) {
    if (name_of(origin) == text_at(value, "origin")) result.origin = origin;
  }
  if (const Value* source = value.find("source"); source != nullptr) result.source = source->text;
  return result;
}

AttentionCost read_attention(const Value& value) {
  return {read_calibrated(part(value, "saturated"), parse_flop_rate),
          read_calibrated(part(value, "half_depth"), parse_number)};
}

}  // namespace

Profile read_profile(const Value& profile) {
  Profile result;
  result.name = text_at(profile, "name");
  result.calibrated = true;
  result.gpu = text_at(profile, "gpu");
  result.forward = read_attention(part(profile, "forward"));
  result.backward = read_attention(part(profile, "backward"));
  result.query_tile = count_at(profile, "query_tile");
  result.key_tile = count_at(profile, "key_tile");
  result.multiprocessors = optional_count_at(profile, "multiprocessors");
  result.launch = read_calibrated(part(profile, "launch"), parse_duration);
  result.merge_traffic = read_calibrated(part(profile, "merge_traffic"), parse_number);
  result.merge_bandwidth = read_calibrated(part(profile, "merge_bandwidth"), parse_bandwidth);
  result.event_latency = read_calibrated(part(profile, "event_latency"), parse_duration);
  result.contest_for_multiprocessors = flag_at(profile, "contest_for_multiprocessors");
  for (const Value::Entry& entry : part(profile, "links").entries) {
    result.links[entry.key] = {read_calibrated(part(entry.value, "latency"), parse_duration),
                               read_calibrated(part(entry.value, "efficiency"), parse_ratio)};
  }
  return result;
}

}  // namespace ringsim::scenarios
