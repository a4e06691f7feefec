#pragma once
// What a simulated (or measured) run comes to. Filled by sim/predict.hpp, rendered by reports/.

#include "models/job_network.hpp"
#include "models/memory.hpp"
#include "models/scenario.hpp"
#include "sim/recurrence/run_options.hpp"
#include "sim/replica_statistics.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringsim::sim {

/// One rank over the whole run [s]. (compute + exposed) + bubble = makespan, exactly, in that order of addition.
struct RankSummary {
  std::int64_t rank = 0;               // of the ring; over all stages of a pipeline, one after the other
  double compute_s = 0;                // attention, merge and dense kernels
  double attention_s = 0;              // part of compute_s
  double merge_s = 0;                  // part of compute_s
  double exposed_communication_s = 0;  // waiting for a transfer in flight
  double bubble_s = 0;                 // waiting for anything else
  double bubble_masked_s = 0;          // part of bubble_s: steps in which the mask leaves the rank nothing to do
  double bubble_late_s = 0;            // part: a transfer not started (peer late, SMs taken), an operation not issued
  double bubble_end_s = 0;             // part: from the rank's own end to the end of the slowest rank
  double in_flight_s = 0;              // time with at least one of the rank's two hops in flight
  double end_s = 0;                    // the rank's own end
  double dense_s = 0;                  // part of compute_s: matrix products and passes over memory
  double collective_s = 0;  // part of exposed_communication_s: collectives that the compute stream takes part in
  std::int64_t stage = 0;   // pipeline stage
};

/// What a rank sends in one kind of collective, send or hop over the whole run.
struct TrafficSummary {
  std::string name;        // "all-to-all of Q, K, V"
  std::string kind;        // "all-to-all", "hop", "send"
  std::string group;       // "ulysses"; empty for hops and sends
  std::string link_class;  // by the links that it takes
  bool inter_node = false;
  double times = 0;           // how often a rank takes part in it
  double bytes_per_rank = 0;  // sent by a rank (the one that sends most), all times together
  double seconds = 0;         // that the slowest rank spends in it, hidden or not
};

/// What serves requests: how many fit, and where they would have to wait.
struct ServingSummary {
  double cache_bytes_per_token = 0;    // of a rank, marginal: a token more
  double cache_bytes_per_request = 0;  // of a rank, fixed: a request more (windows, states, part pages)
  double reserved_bytes = 0;           // of a rank: what the engine leaves alone
  double pool_bytes = 0;               // of a rank: what is left for the cache
  double resident_tokens = 0;          // of all requests, that the scenario asks for
  double capacity_tokens = 0;          // that fit, at this length of a request
  std::int64_t requests = 0;           // asked for
  std::int64_t requests_that_fit = 0;  // at once, a data-parallel rank's share times their number
  bool queues = false;                 // more are asked for than fit
};

/// Packed documents.
struct DocumentSummary {
  std::int64_t documents = 0;
  double useful_tokens = 0;
  double padded_tokens = 0;  // useful and padding
  std::int64_t alignment = 0;
  std::string alignment_from;        // "2 x ring" and the like
  double attention_imbalance = 1.0;  // work of the fullest context-parallel rank against the mean
};

/// The three B_min of a pass [tokens a rank].
struct BlockMinima {
  double datasheet_tokens = 0;
  std::optional<double> calibrated_tokens;  // absent with the datasheet profile only if no block hides the hop
  std::string calibrated_reason;
  std::optional<double> simulated_tokens;  // filled by `bmin` and `--b-min` only
  std::string simulated_reason;            // why absent
};

struct LayoutMinima {  // `bmin`'s table over layouts
  Layout layout = Layout::zigzag;
  bool causal = true;
  BlockMinima forward;
  BlockMinima backward;
};

struct DecidingHop {
  std::int64_t from_rank = 0;
  std::int64_t to_rank = 0;
  bool inter_node = false;
  std::string link_class;
  double bandwidth_bytes_per_s = 0;          // as simulated, with a block of K/V
  double nominal_bandwidth_bytes_per_s = 0;  // data sheet, after sharing
  double latency_s = 0;
};

struct BottleneckStatement {
  std::string kind;      // "compute" | "transfer" | "imbalance" | "overhead"
  std::string name;      // "attention kernels" | "hop 3 -> 4 (ib-ndr)" | "causal contiguous layout" | ...
  double share = 0;      // of the makespan
  std::string sentence;  // for people, with advice that follows from the numbers
};

/// Rings of the job whose hops are alike.
struct RingKind {
  std::int64_t rings = 0;             // how many of them
  std::int64_t tensor = 0, data = 0;  // coordinates of the first
  std::vector<ReachCount> hops;       // from near to far
  double makespan_s = 0;              // of the slowest of them; 0: not known
};

/// A link that more flows use than it can serve at once.
struct SharedLinkUse {
  std::string link;
  std::int64_t flows = 0;
  double bandwidth_bytes_per_s = 0;
  double demand_bytes_per_s = 0;  // what the flows could ask for together
};

/// What a straggler costs: the run as it is against the same run without it.
struct StragglerCost {
  std::int64_t rank = 0;
  double slowdown = 1.0;
  double makespan_s = 0;     // by how much it lengthens the makespan
  double others_wait_s = 0;  // by how much it lengthens the waiting of the others, on average over them
};

/// One figure over the replicas of a run.
struct ReplicaFigure {
  std::string name;  // as in the JSON: "makespan_s", "tokens_per_s"
  ReplicaStatistics statistics;
};

/// A run with random times, drawn several times.
struct ReplicaSummary {
  std::int64_t count = 0;
  std::int64_t shown = 0;  // the replica whose run is reported otherwise: of the median makespan (the lower of two)
  std::vector<ReplicaFigure> figures;
};

/// What the uncertainty of one value of the profile does to the makespan [s].
struct UncertaintyPart {
  std::string name;  // as in profile files: "links.ib-ndr.efficiency"
  double fall_s = 0;
  double rise_s = 0;
};

/// An outgoing hop of a rank over the whole run (sim/hop_use.hpp). How busy a rank's streams are, RankSummary says: compute_s, and
/// in_flight_s for hops out and in together.
struct HopUse {
  std::int64_t rank = 0;     // that sends: of the ring; over all stages of a pipeline, one after the other
  std::int64_t to_rank = 0;  // numbered likewise
  bool second = false;       // of a ring both ways the way down, of two levels the hop between inner rings
  std::string link_class;
  bool inter_node = false;
  double nominal_bytes_per_s = 0;  // by the data sheet, after sharing where shares are fixed
  double bytes = 0;
  double in_flight_s = 0;  // of a ring both ways: from the first start to the last end of the two
  double share = 0;        // of the makespan
  double bytes_per_s = 0;  // while in flight, on average
};

struct Prediction {
  // identification
  std::string scenario_name;
  std::string scenario_hash;
  std::string engine;                 // "recurrence" | "flow" | "closed-form"
  std::string engine_note;            // why it was chosen; for closed-form whether the makespan is exact or a bound
  std::optional<RunEconomy> economy;  // of the recurrence: what it has run, and what it has concluded
  std::uint64_t seed = 0;
  std::string profile_name;
  bool profile_calibrated = false;
  // shape of the run
  std::string scope;
  std::string phase;
  std::int64_t ranks = 0;  // GPUs used
  std::int64_t idle_gpus = 0;
  std::int64_t ring_size = 0;
  std::string layout, travels, backward_travels, transfer;
  std::int64_t buffers = 0;
  std::int64_t tokens_total = 0;
  std::int64_t tokens_per_rank = 0;  // the largest block
  bool even = true;                  // false: some ranks hold one token less
  std::int64_t layers = 0;
  std::int64_t intra_hops = 0, inter_hops = 0;  // of the ring that is shown
  std::int64_t rings = 1;                       // of the job, one a tensor and data coordinate; the slowest is shown
  std::vector<RingKind> ring_kinds;
  std::vector<SharedLinkUse> shared_links;  // by how much more is asked for than there is, the worst first
  std::int64_t messages = 0;                // hops that the flow engine simulated
  // times [s]
  double makespan_s = 0;                                            // all layers of the scope
  bool makespan_is_bound = false;                                   // closed form where it is not exact: a lower bound
  double layer_makespan_s = 0;                                      // makespan_s / layers: mean over layers
  double compute_s = 0, exposed_communication_s = 0, bubble_s = 0;  // of the slowest rank
  std::optional<double> overlap;  // 1 - exposed / in flight, of the slowest rank; absent: nothing travels
  double ring_efficiency = 0;
  double mfu = 0;  // FLOP of the model: a backward pass counts twice its forward
  double hfu = 0;  // FLOP that the hardware computes: 2.5 times, since it computes the scores again
  double tokens_per_s = 0;
  double gpu_hours = 0;
  std::optional<double> cost;
  std::optional<double> ttft_s, step_time_s;  // scope model only: absent under scope attention
  std::optional<double> tpot_s;               // decode: time of one token of every sequence
  std::vector<TrafficSummary> traffic;        // scope model, and schemes with collectives
  std::int64_t stages = 1;                    // of the pipeline
  std::int64_t micro_batches = 1;
  double parameters = 0, active_parameters = 0;  // of the model; 0: not known
  std::optional<ServingSummary> serving;
  std::optional<DocumentSummary> documents;
  std::optional<double> largest_context_tokens;  // of a sequence, that fits with all else as it is
  std::optional<double> energy_joules;           // of all GPUs that are used
  std::string energy_source;
  std::optional<double> energy_cost;
  // steady step of a layer, largest block [s]: what people compare
  double step_compute_s = 0, step_hop_s = 0;  // forward: kernel and merge; slowest hop alone
  std::optional<double> backward_step_compute_s, backward_step_hop_s;
  // derived answers
  std::string no_b_min;  // why a steady step and B_min do not apply to this run; empty: they do
  BlockMinima b_min_forward, b_min_backward;
  std::string b_min_note;                   // what they do not say of sliding layers; empty where none slides
  std::optional<DecidingHop> deciding_hop;  // absent: a ring of one
  Memory memory;
  std::vector<RankSummary> per_rank;  // every rank, by rank; empty for closed-form
  std::vector<HopUse> hop_use;        // by rank, then second hops by rank; of the ring that is shown
  std::string no_hop_use;             // why that is empty; empty where it is there, or was not asked for
  std::int64_t slowest_rank = 0;
  std::optional<ReplicaSummary> replicas;  // absent: one run
  std::vector<StragglerCost> stragglers;
  BottleneckStatement bottleneck;
  std::vector<std::string> warnings;
  // From the profile's uncertainty (sim/interval.hpp); absent and empty: datasheet, or not by the recurrence.
  std::optional<double> makespan_low_s, makespan_high_s;
  std::vector<UncertaintyPart> uncertainty_parts;  // what it comes from, largest first
  std::string uncertainty_note;                    // how it was found
};

}  // namespace ringsim::sim
