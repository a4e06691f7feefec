// Dense work, collectives and sends: each takes its stream a time that depends on the rank's block, and a collective of the ring's
// ranks first waits for all of them.
#include "sim/flow/rank.hpp"

#include <algorithm>

namespace ringsim::sim::flow {

namespace s4u = simgrid::s4u;

namespace {

Pass pass_of(const Timed& what) {
  if (what.dense != nullptr) return what.dense->pass;
  return what.collective != nullptr ? what.collective->pass : what.send->pass;
}

}  // namespace

void Rank::timed(const Instruction& instruction, std::int64_t layer, std::int64_t step) {
  const Timed& what = *instruction.timed;
  if (mine(instruction.stream)) settle(instruction.stream);
  issued(instruction.stream, layer, step);
  const std::int64_t row = run_.rows ? row_++ : -1;
  if (what.meets) ++collective_;
  const bool computes = run_.program.computes_on(instruction.stream);
  if (run_.rows && what.dense == nullptr && !computes) rows_[instruction.stream] = row;
  if (!mine(instruction.stream)) return;

  const std::size_t kind = what.amounts.size() == 1 ? 0 : run_.program.mask_of_layer[static_cast<std::size_t>(layer)];
  const std::vector<SegmentCost>& segments = what.seconds[kind];
  double cost_s = KernelCosts::seconds(segments, rank_);
  if (what.dense != nullptr && !run_.machine.slowdown.empty()) {
    cost_s *= run_.machine.slowdown[static_cast<std::size_t>(rank_)];
  }
  const JitterStream& jitter = what.dense != nullptr ? run_.ring.compute : run_.ring.links;
  if (jitter.on()) {
    const auto pass = static_cast<std::int64_t>(pass_of(what));
    // Ranks that take part in a collective end together: one draw.
    cost_s *=
        jitter.factor(jitter.operation(layer, step, pass, timed_kind(what.amounts[kind])), what.meets ? 0 : rank_);
  }
  double& stream = streams_[instruction.stream];
  const double posted = stream;
  const double start = what.meets ? meet(posted) : posted;
  stream = start + cost_s;
  if (what.dense != nullptr) log_kernel(instruction.stream, start, stream);
  if (run_.rows) {
    report_timed(instruction, segments, what.amounts[kind], {posted, stream, {start, 0.0}}, row, layer, step);
  }
}

void Rank::report_timed(const Instruction& instruction, const std::vector<SegmentCost>& segments, std::size_t amount,
                        RankReport times, std::int64_t row, std::int64_t layer, std::int64_t step) {
  const Timed& what = *instruction.timed;
  const auto head = [&] {
    RowHead row_head{.kind = what.dense != nullptr ? RowHead::Kind::kernel : RowHead::Kind::collective,
                     .role = role_of(instruction.stream),
                     .layer = layer,
                     .step = step,
                     .pass = pass_of(what),
                     .attention = false,
                     .send = what.send,
                     .computes = run_.program.computes_on(instruction.stream)};
    row_head.segments.all = segments;
    if (what.dense != nullptr) row_head.dense = &run_.program.dense[amount];
    if (what.collective != nullptr) row_head.traffic = &run_.program.traffic[amount];
    return row_head;
  };
  tell(row, head, times);
}

// Waits until all ranks of the ring have come to the collective; when the last of them has posted it.
double Rank::meet(double posted_s) {
  // Not before its time: until then its GPU can fail.
  s4u::this_actor::sleep_until(job_.scale.units(posted_s));
  std::shared_ptr<Meeting>& known = run_.meetings[collective_];
  if (!known) known = std::make_shared<Meeting>();
  const std::shared_ptr<Meeting> meeting = known;
  meeting->start_s = std::max(meeting->start_s, posted_s);
  if (++meeting->arrived < run_.ranks()) {
    const auto wake = s4u::Semaphore::create(0);
    meeting->waiting.push_back(wake);
    wake->acquire();
  } else {
    run_.meetings.erase(collective_);
    for (const s4u::SemaphorePtr& wake : meeting->waiting) wake->release();
  }
  ++run_.messages;
  return meeting->start_s;
}

}  // namespace ringsim::sim::flow
