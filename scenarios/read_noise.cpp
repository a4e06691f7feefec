// `noise`.

#include "models/error.hpp"
#include "scenarios/read_parts.hpp"
#include "scenarios/units.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringsim::scenarios {
namespace {

Jitter read_jitter(const Value& noise, std::string_view key) {
  Jitter result;
  const Value* jitter = noise.find(key);
  if (jitter == nullptr) return result;
  for (const Distribution d : {Distribution::normal, Distribution::lognormal, Distribution::pareto}) {
    const Value* spread = jitter->find(name_of(d));
    if (spread == nullptr) continue;
    if (result.distribution != Distribution::none) {
      throw Error(fmt::format("noise.{}: {} and {} stand here together", key, name_of(result.distribution), name_of(d)),
                  spread->origin, "one distribution");
    }
    result.distribution = d;
    result.spread = parse_ratio(spread->text);
  }
  if (const Value* tail = jitter->find("tail"); tail != nullptr) {
    if (result.distribution != Distribution::pareto) {
      throw Error(fmt::format("noise.{}.tail: only pareto has a tail to choose", key), tail->origin, "leave it out");
    }
    result.tail = parse_number(tail->text);
  }
  return result;
}

// What of a list of the language is there; absent: nothing.
const std::vector<Value>& items(const Value& mapping, std::string_view key) {
  static const std::vector<Value> none;
  const Value* list = mapping.find(key);
  return list == nullptr ? none : list->items;
}

std::vector<Straggler> read_stragglers(const Value& noise) {
  std::vector<Straggler> result;
  for (const Value& item : part(noise, "stragglers").items) {
    const std::int64_t rank = count_at(item, "rank");
    if (std::any_of(result.begin(), result.end(), [rank](const Straggler& s) { return s.rank == rank; })) {
      throw Error(fmt::format("noise.stragglers: the rank {} stands here a second time", fmt::group_digits(rank)),
                  part(item, "rank").origin, "one entry a rank");
    }
    result.push_back({rank, parse_number(text_at(item, "slowdown"))});
  }
  return result;
}

std::vector<SlowLink> read_slow_links(const Value& noise) {
  std::vector<SlowLink> result;
  for (const Value& item : items(noise, "slow_links")) {
    const SlowLink slow{text_at(item, "link"), parse_ratio(text_at(item, "bandwidth")),
                        parse_duration(text_at(item, "from"))};
    // Entries of one link follow each other in time; each speaks of the data sheet's bandwidth.
    if (std::any_of(result.begin(), result.end(),
                    [&](const SlowLink& s) { return s.link == slow.link && s.from == slow.from; })) {
      throw Error(fmt::format("noise.slow_links: the link {} stands here a second time", slow.link),
                  part(item, "link").origin, "one entry a link and time");
    }
    result.push_back(slow);
  }
  return result;
}

std::vector<Failure> read_failures(const Value& noise) {
  std::vector<Failure> result;
  for (const Value& item : items(noise, "failures")) {
    const Value* link = item.find("link");
    const std::optional<std::int64_t> gpu = optional_count_at(item, "gpu");
    if (link != nullptr && gpu) {
      throw Error("noise.failures: link and gpu stand here together", link->origin, "an entry each");
    }
    result.push_back({link == nullptr ? std::string() : link->text, gpu, parse_duration(text_at(item, "at"))});
  }
  return result;
}

std::vector<BackgroundFlow> read_background(const Value& noise) {
  std::vector<BackgroundFlow> result;
  for (const Value& item : items(noise, "background")) {
    BackgroundFlow flow;
    flow.from_gpu = count_at(item, "from");
    flow.to_gpu = count_at(item, "to");
    if (const Value* rate = item.find("rate"); rate != nullptr) flow.rate = parse_bandwidth(rate->text);
    flow.start = parse_duration(text_at(item, "start"));
    if (const Value* end = item.find("end"); end != nullptr) {
      flow.end = parse_duration(end->text);
      if (*flow.end <= flow.start) {
        throw Error("noise.background: the traffic ends before it starts", end->origin, "an end after the start");
      }
    }
    result.push_back(flow);
  }
  return result;
}

}  // namespace

Noise read_noise(const Value& noise) {
  Noise result;
  result.compute = read_jitter(noise, "compute");
  result.links = read_jitter(noise, "links");
  result.stragglers = read_stragglers(noise);
  result.slow_links = read_slow_links(noise);
  result.failures = read_failures(noise);
  result.background = read_background(noise);
  return result;
}

}  // namespace ringsim::scenarios
