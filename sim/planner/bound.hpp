#pragma once
// A time that no run of a plan can be below, in a few microseconds instead of a simulation.
//
// Of one micro-batch (a chunk, a sequence) on one stage and rank of the ring, layer by layer, since a layer's attention ends before
// what follows it begins:
//   layer    = dense work + collectives on the compute stream + A
//   A        = ring + exchanges of Ulysses, of an all-gather and of returned outputs
//   ring     = Σ_k max(kernels of step k, incoming hop of step k)      one-way, two buffers: a step's hop starts with its kernel
//                                                                      and is awaited before the next
//              max(Σ kernels, Σ incoming hops)                         elsewhere: a link carries one hop at a time
//   with the engine's own kernel times (kernel_times.hpp). Where kernels and hops share SMs the maximum is the least time in which
//   both can be done (least_together_s); a merge leaves a hop other shares than attention does.
// Ranks may be out of step from one layer, pass and stage to the next, and another one may be the slowest in each: a rank's own are
// added up, and the largest sum counts. Of a pipeline, for the stage s that makes it largest, with F and B of one micro-batch forward
// and backward:
//   inference    Σ_{i<s} F_i(first) + Σ_{micro-batches} F_s + Σ_{i>s} F_i(last)
//   training     Σ_{i<s} (F_i + B_i) + micro-batches · (F_s + B_s);   with several pieces a stage only the second term
// All but the kernels is counted with the smallest block, floor(tokens / N), and without some merges, the contest for SMs,
// ZeRO's traffic, the optimiser, sends between stages, and hops of two-level rings and of backward rings both ways: all of these only
// add. Random times, and ranks faster than the profile, are taken off by their factors (0 where they have no bound).
//
// Without a machine (before ranks are placed) hops and collectives are left out too, and kernels are the FLOP of the mean rank's
// entries / (F_sat · sustained).

#include "models/block/two_way.hpp"
#include "models/mask.hpp"
#include "models/scenario.hpp"
#include "sim/machine.hpp"
#include "sim/planner/kernel_times.hpp"

#include <Eigen/Core>

#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

namespace ringsim::sim {

struct TimeBound {
  double time_s = 0;     // of the makespan
  double compute_s = 0;  // of the mean over ranks and stages of their computation
};

/// Amounts of a plan that do not depend on where ranks stand nor on the ring's options.
class PlanBound {
 public:
  explicit PlanBound(const Scenario& scenario);

  /// Before ranks are placed.
  [[nodiscard]] TimeBound anywhere() const { return bound(nullptr, nullptr); }
  /// Of the scenario with the ring's options and the machine that its network gives; degrees, tokens, chunk and
  /// recomputation must be those of the constructor's scenario.
  [[nodiscard]] TimeBound placed(const Scenario& scenario, const Machine& machine) const {
    return bound(&scenario, &machine);
  }

 private:
  struct Exchanged {  // a collective of one layer
    CollectiveKind kind;
    Group group;
    Bytes size;
  };
  struct Part {  // what of a layer, or of an end of the model, is done beside attention
    double dense_s = 0;
    std::vector<Exchanged> collectives;
  };
  struct Layer {
    Part forward;
    Part backward;       // with what is recomputed
    bool again = false;  // the backward pass runs the forward attention again
    std::size_t mask = 0;
  };
  struct Sweep {  // a pass over some tokens of each sequence
    std::int64_t tokens = 0;
    std::int64_t cached = 0;
    std::vector<Layer> kinds;     // of layers that differ
    std::vector<double> entries;  // by mask: of the mean rank
    Part embedding, embedding_back, head, head_back;
  };
  [[nodiscard]] Sweep sweep_of(const Scenario& scenario, bool last) const;
  [[nodiscard]] Part part_of(const std::vector<BlockStep>& steps, double tokens) const;
  [[nodiscard]] TimeBound bound(const Scenario* scenario, const Machine* machine) const;
  struct Attention {
    Eigen::ArrayXd time_s;  // by rank of the ring; a single value before ranks are placed
    double compute_s = 0;
  };
  [[nodiscard]] Attention attention(const Sweep& sweep, std::size_t mask, Pass pass, const Scenario* scenario,
                                    const Machine* machine) const;
  [[nodiscard]] static double of_collectives(const Part& part, const Machine* machine);
  struct StepHops {  // bytes of a hop beside step 0, steps 1 ... N - 2, step N - 1, and after it
    Bytes first, middle, last, home;
  };
  /// `in_step`: a step's hop starts with its kernel and is awaited before the next one.
  [[nodiscard]] Eigen::ArrayXd ring_times(const KernelTimes& kernels, const StepHops& hops, const Machine& machine,
                                          bool in_step, Pass pass) const;
  struct KernelKey {
    const Sweep* sweep;
    std::size_t mask;
    Pass pass;
    RingKernels kind;
    Layout layout;
    bool merges;
    friend bool operator==(const KernelKey&, const KernelKey&) = default;
  };
  [[nodiscard]] const KernelTimes& kernel_times(const Sweep& sweep, std::size_t mask, Pass pass, RingKernels kind,
                                                Layout layout, bool merges) const;

  Scenario one_;  // with a micro-batch's sequences
  DenseCosts dense_;
  RingShape shape_;
  double sequences_ = 1;      // worked on together
  std::int64_t repeats_ = 1;  // micro-batches of training, or sequences that follow each other through a pipeline
  bool whole_ = false;
  bool training_ = false;
  bool forward_ = true;
  double slowest_ = 1;  // factor on compute times: at most 1; 0: there is no bound
  std::vector<Mask> masks_;
  std::vector<std::size_t> kind_of_layer_;                                           // index into Sweep::kinds
  std::vector<Sweep> sweeps_;                                                        // chunks, or one
  mutable std::vector<std::pair<KernelKey, std::unique_ptr<KernelTimes>>> kernels_;  // as they are asked for
};

}  // namespace ringsim::sim
