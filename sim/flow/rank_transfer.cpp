// Grouped sends and receives of a rank, on the library's clock.
#include "sim/flow/rank.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace ringsim::sim::flow {

namespace s4u = simgrid::s4u;

namespace {

std::vector<Way> ways_of(const Instruction& shift) {
  if (shift.hops) return {Way::up};
  std::vector<Way> ways;
  for (const auto& way : shift.ways) ways.push_back(way->way);
  return ways;
}

}  // namespace

void Rank::shift(const Instruction& instruction, std::int64_t layer, std::int64_t step) {
  const bool own = mine(instruction.stream);
  if (own) settle(instruction.stream);
  issued(instruction.stream, layer, step);
  // Observers see a shift where it is issued; that of a rank in one actor with a contest when its end is needed, as the recurrence
  // has it.
  std::int64_t row = -1;
  if (run_.rows && (shares_rank() || !run_.machine.contest)) row = rows_[instruction.stream] = row_++;
  if (!own) return;
  outstanding_ = {&instruction, layer, step, row};
  if (shares_rank()) resolve();
}

void Rank::resolve() {
  if (outstanding_.instruction == nullptr) return;
  Outstanding now = std::exchange(outstanding_, {});
  const StreamId stream_id = now.instruction->stream;
  const std::size_t role = role_of(stream_id);
  double& stream = streams_[stream_id];
  double posted = stream;
  if (run_.machine.contest) {
    if (shares_rank()) s4u::this_actor::sleep_until(job_.scale.units(posted));
    auto& kernels = run_.kernels[role * static_cast<std::size_t>(run_.ranks()) + static_cast<std::size_t>(rank_)];
    posted = granted(posted, kernels);
  }
  RankState& state = run_.state(rank_, role);
  state.shift = now.instruction->shift;
  state.layer = now.layer;
  state.step = now.step;
  state.posted_s = posted;
  state.doing = RankState::Doing::exchanging;
  ++state.transfers;
  const std::vector<Arrivals> ends = exchange(now, posted);
  if (std::any_of(ends.begin(), ends.end(), [](const Arrivals& one) { return one.lost; })) wait_for_ever(state);
  state.doing = RankState::Doing::computing;
  run_.messages += std::ssize(ends);
  stream = 0;
  RankReport report{posted, 0, {}};
  for (std::size_t w = 0; w < ends.size(); ++w) {
    stream = std::max({stream, ends[w].sent_s, ends[w].received_s});
    report.received_s.at(w) = ends[w].received_s;
  }
  report.end_s = stream;
  if (run_.machine.contest) {
    const double now_s = job_.scale.seconds(s4u::Engine::get_clock());
    auto& kernels = run_.kernels[role * static_cast<std::size_t>(run_.ranks()) + static_cast<std::size_t>(rank_)];
    std::erase_if(kernels, [&](const Kernel& kernel) { return kernel.end_s <= std::min(now_s, stream); });
  }
  if (run_.rows && now.row < 0) now.row = rows_[stream_id] = row_++;
  for (RecordedEvent& event : events_) {
    if (event.state != RecordedEvent::State::pending) continue;
    event.state = RecordedEvent::State::known;
    event.time_s = stream;
    event.row = now.row;
  }
  if (!run_.rows) return;
  const auto head = [&] {
    return RowHead{.kind = RowHead::Kind::transfer,
                   .role = role,
                   .layer = now.layer,
                   .step = now.step,
                   .pass = now.instruction->shift->pass,
                   .shift = now.instruction->shift,
                   .ways = ways_of(*now.instruction)};
  };
  tell(now.row, head, report);
}

Rank::WayHops Rank::hops_of(const Outstanding& now, const HopTimes& way, double posted_s) const {
  WayHops hops;
  hops.way = &way;
  hops.role = role_of(now.instruction->stream);
  hops.source = run_.program.owner(way.way, rank_, 1);
  hops.out = run_.hop_time(*now.instruction, way, hops.role, now.layer, now.step, rank_);
  const HopTime in = run_.hop_time(*now.instruction, way, hops.role, now.layer, now.step, hops.source);
  hops.send_at = job_.scale.units(posted_s + hops.out.latency_s);
  hops.receive_at = job_.scale.units(posted_s + in.latency_s);
  const auto box = [&](std::int64_t sender) {
    return s4u::Mailbox::by_name(
        fmt::format("{} {} {} {}", ring_, now.instruction->stream, static_cast<int>(way.way), sender));
  };
  hops.to = box(rank_);
  hops.from = box(hops.source);
  return hops;
}

std::vector<Rank::Arrivals> Rank::exchange(const Outstanding& now, double posted_s) {
  std::vector<const HopTimes*> ways;
  if (now.instruction->hops) ways.push_back(now.instruction->hops.get());
  for (const auto& way : now.instruction->ways) ways.push_back(way.get());
  if (ways.empty() || ways.size() > 2) throw std::logic_error(fmt::format("a shift that goes {} ways", ways.size()));
  std::vector<Arrivals> ends(ways.size());
  const std::size_t role = role_of(now.instruction->stream);
  const auto host = [&](const HopTimes& way) {
    const auto& hosts = run_.hosts[role][set_of(way.way)];
    if (hosts.empty()) throw std::logic_error("a shift goes a way that has no routes");
    return hosts[static_cast<std::size_t>(rank_)];
  };
  // One that is killed leaves its helper behind: what they share outlives both.
  const auto second = std::make_shared<Arrivals>();
  s4u::ActorPtr helper;
  auto& helpers = run_.helpers[role * static_cast<std::size_t>(run_.ranks()) + static_cast<std::size_t>(rank_)];
  if (ways.size() == 2) {
    const WayHops hops = hops_of(now, *ways[1], posted_s);
    helper =
        s4u::Actor::create("second way", host(*ways[1]), [second, hops, now, job = &job_, ring = ring_, rank = rank_] {
          try {
            *second = exchange_way(*job, ring, rank, hops, now);
          } catch (const std::exception&) {
            if (!job->bug) job->bug = std::current_exception();
          }
        });
    helpers.push_back(helper);
  }
  if (s4u::this_actor::get_host() != host(*ways[0])) s4u::this_actor::set_host(host(*ways[0]));
  ends[0] = exchange_way(job_, ring_, rank_, hops_of(now, *ways[0], posted_s), now);
  if (helper) {
    helper->join();
    std::erase(helpers, helper);
    ends[1] = *second;
  }
  return ends;
}

Rank::Arrivals Rank::exchange_way(JobState& job, std::size_t ring, std::int64_t rank, const WayHops& hops,
                                  const Outstanding& now) {
  static int no_content = 0;
  void* nowhere = nullptr;
  s4u::CommPtr sent;
  s4u::CommPtr received;
  const auto send = [&] {
    s4u::this_actor::sleep_until(hops.send_at);
    sent = hops.to->put_init();
    sent->set_src_data(&no_content, sizeof(void*));
    sent->set_remaining(hops.out.wire_bytes);
    sent->start();
  };
  const auto receive = [&] {
    s4u::this_actor::sleep_until(hops.receive_at);
    received = hops.from->get_async<void>(&nowhere);
  };
  if (hops.send_at <= hops.receive_at) {
    send();
    receive();
  } else {
    receive();
    send();
  }
  LostHop which{.ring = ring,
                .hop = hops.source,
                .role = hops.role,
                .way = hops.way->way,
                .at_s = 0,
                .shift = now.instruction->shift,
                .layer = now.layer,
                .step = now.step};
  Arrivals ends;
  ends.received_s = arrival(job, *received, which, ends.lost);
  which.hop = rank;
  ends.sent_s = arrival(job, *sent, which, ends.lost);
  return ends;
}

// The moment at which a hop has arrived.
double Rank::arrival(JobState& job, s4u::Comm& hop, const LostHop& which, bool& lost) {
  try {
    hop.wait();
    return job.scale.seconds(hop.get_finish_time());
  } catch (const simgrid::NetworkFailureException&) {
    lost = true;
    const double now = job.scale.seconds(s4u::Engine::get_clock());
    const bool known = std::any_of(job.lost.begin(), job.lost.end(), [&](const LostHop& other) {
      return other.ring == which.ring && other.hop == which.hop && other.role == which.role && other.way == which.way;
    });
    if (!known) {
      job.lost.push_back(which);
      job.lost.back().at_s = now;
    }
    return now;
  }
}

// The rank stays where it is: its other hop goes on, and who depends on it comes to wait for it.
void Rank::wait_for_ever(RankState& state) {
  state.doing = RankState::Doing::lost;
  while (true) s4u::this_actor::suspend();
}

}  // namespace ringsim::sim::flow
