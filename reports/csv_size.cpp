#include "reports/csv.hpp"
#include "reports/size_report.hpp"

namespace ringsim::reports {
namespace {

void add(CsvRow& row, const sim::Plan& p) {
  row.add("gpus", p.gpus());
  row.add("nodes", p.nodes);
  row.add("tensor", p.degrees.tensor);
  row.add("ulysses", p.degrees.ulysses);
  row.add("ring", p.degrees.ring);
  row.add("pipeline", p.degrees.pipeline);
  row.add("data", p.degrees.data);
  row.add("expert", p.expert);
  row.add("order", format_order(p.order));
  row.add("layout", name_of(p.ring.layout));
  row.add("exchange", name_of(p.ring.exchange));
  row.add("travels", name_of(p.ring.travels));
  row.add("backward", name_of(p.ring.backward));
  row.add("halves", p.ring.exchange == Exchange::both_ways ? name_of(p.ring.halves) : std::string_view());
  row.add("recompute", name_of(p.recompute));
  row.add("chunk_tokens", p.chunk);
}

std::string set_options(const sim::PlanFigures& f) {
  std::string all;
  for (const std::string& one : f.settings) all += (all.empty() ? "" : "; ") + one;
  return all;
}

CsvRow row_of(const char* list, std::size_t rank, const sim::PlanFigures& f) {
  CsvRow row;
  row.add("list", list);
  row.add("rank", static_cast<std::int64_t>(rank));
  row.add("change", "");
  row.add("verdict", "");
  add(row, f.plan);
  row.add("time_s", f.time_s);
  row.add("objective", f.value);
  row.add("exposed_communication_s", f.exposed_communication_s);
  row.add("mfu", f.mfu);
  row.add("gpu_hours", f.gpu_hours);
  row.add("cost", f.cost);
  row.add("energy_joules", f.energy_joules);
  row.add("memory_total_bytes", in_bytes(f.memory.total));
  row.add("memory_capacity_bytes", in_bytes(f.memory.capacity));
  row.add("reason", "");
  row.add("set", set_options(f));
  return row;
}

CsvRow row_of(std::size_t rank, const sim::Neighbour& n, const SizeReport& report) {
  CsvRow row;
  const std::optional<double> none;
  row.add("list", "neighbour");
  row.add("rank", static_cast<std::int64_t>(rank));
  row.add("change", n.change);
  row.add("verdict", name_of(n.verdict));
  add(row, n.plan);
  row.add("time_s", n.time_s);
  row.add("objective", n.value);
  for (const char* name : {"exposed_communication_s", "mfu", "gpu_hours", "cost", "energy_joules"}) row.add(name, none);
  const bool known = n.needed > Bytes{};
  row.add("memory_total_bytes", known ? std::optional(in_bytes(n.needed)) : none);
  row.add("memory_capacity_bytes", known ? std::optional(in_bytes(n.capacity)) : none);
  row.add("reason", neighbour_reason(n, report));
  row.add("set", "");
  return row;
}

}  // namespace

std::string render_size_csv(const SizeReport& report) {
  std::string text;
  const auto append = [&text](const CsvRow& row) { text += (text.empty() ? row.header() : "") + row.row(); };
  const auto list = [&](const char* name, const std::vector<sim::PlanFigures>& plans) {
    for (std::size_t i = 0; i < plans.size(); ++i) append(row_of(name, i + 1, plans[i]));
  };
  list("best", report.result.best);
  list("front", report.result.front);
  if (report.result.own) append(row_of("own", 1, *report.result.own));
  for (std::size_t i = 0; i < report.neighbours.size(); ++i) append(row_of(i + 1, report.neighbours[i], report));
  if (report.result.least_memory) append(row_of("least memory", 1, *report.result.least_memory));
  if (report.result.fastest) append(row_of("fastest", 1, *report.result.fastest));
  return text;
}

}  // namespace ringsim::reports
