// docs/ACCURACY.md, whole.

#include "reports/humanise.hpp"
#include "reports/suite_parts.hpp"
#include "reports/suite_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace ringsim::reports {
namespace {

constexpr std::string_view head =
    "# How accurate the predictions are\n"
    "\n"
    "Every end-to-end measurement of a ring that was published with enough detail to be run as a scenario, and what "
    "ringsim predicts for it. Written by `ringsim validate --suite published --format markdown --plot accuracy.svg`; "
    "[VALIDATION.md](VALIDATION.md) says how it works.\n"
    "\n"
    "- **Error** is that of time: (predicted − measured) / measured. Above 0 the prediction is too slow. *median* and "
    "*p90* are of its size, *bias* is its mean with the sign.\n"
    "- **Nothing is fitted on what is scored**: profiles come from microbenchmarks, of the same cluster where there "
    "are any, and from rows of rings that are then shown and not scored. A section says of its set which.\n"
    "- Rows that belong together, such as two ways to do the same, form groups: in how many of them is the fastest "
    "one, "
    "and the whole order, predicted?\n";

// What no set can show, since no engine has it. What matters for one set stands in its section.
constexpr std::array<std::string_view, 6> not_modelled = {
    "Clocks that fall with temperature and power, but for one factor a pass: what kernels keep of their rate while all "
    "GPUs compute.",
    "What the host does between kernels (Python, allocations, autograd), but for one time to issue an operation.",
    "Scatter: repeats of the same run differ by about 2 % where a source gives them, and single rows by more.",
    "Versions: kernels and NCCL of a measurement are rarely stated, and those that the profile was fitted on may be "
    "others.",
    "Masks that keep packed documents apart.",
    "Whole tiles and waves of thread blocks: times grow smoothly with the number of tokens."};

std::string scored_sentence(const calibrate::SetResult& set) {
  const calibrate::SuiteScore& score = set.scores.front();
  if (score.rows == 0) return "No row is scored.";
  std::string text = fmt::format("{} rows scored: median {}, 90 % within {}, worst {} ({}), bias {}.",
                                 human_count(score.rows), human_percent(score.median), human_percent(score.p90),
                                 human_signed_percent(score.worst), score.worst_row, human_signed_percent(score.bias));
  if (score.groups > 0) {
    text += fmt::format(" The fastest is right in {}, the order in {}.", of_groups(score.winners, score.groups),
                        of_groups(score.orders, score.groups));
  }
  std::int64_t with_interval = 0;
  std::int64_t inside = 0;
  for (const calibrate::RowResult& row : set.rows) {
    if (!row.row.scored() || !row.low_s || !row.high_s) continue;
    ++with_interval;
    if (*row.low_s <= row.measured_s && row.measured_s <= *row.high_s) ++inside;
  }
  if (with_interval > 0) {
    text += fmt::format(" The interval that the profile's uncertainty gives holds {} of {} measured times.",
                        human_count(inside), human_count(with_interval));
  }
  return text;
}

// The scored rows that are furthest off: where predictions fail.
std::string worst_rows(const calibrate::SetResult& set) {
  std::vector<const calibrate::RowResult*> rows;
  for (const calibrate::RowResult& row : set.rows) {
    if (row.row.scored()) rows.push_back(&row);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const calibrate::RowResult* a, const calibrate::RowResult* b) {
    return std::abs(a->error()) > std::abs(b->error());
  });
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(5, rows.size()); ++i) {
    text += fmt::format("{}{} ({})", i == 0 ? "" : ", ", rows[i]->row.id, human_signed_percent(rows[i]->error()));
  }
  return text;
}

std::string section(const calibrate::SetResult& set, const calibrate::SuiteResult& result) {
  std::string text = fmt::format("\n## {}\n\n{}. {}\n\n", set.about.name, markdown_escape(set.about.title),
                                 markdown_escape(scored_sentence(set)));
  Fields fields = {{"source", set.about.source},
                   {"measured", set.about.method},
                   {"fitted on these rows", set.about.fitted},
                   {"profile made from", set.about.microbenchmarks},
                   {"target", target_verdict(set.about.target, set.scores.front())}};
  if (const std::string worst = worst_rows(set); !worst.empty()) fields.emplace_back("furthest off", worst);
  text += markdown_fields(fields);
  if (!set.about.remarks.empty()) text += '\n';
  for (const PublishedRemark& remark : set.about.remarks) {
    text += fmt::format("- **{}**: {}\n", markdown_escape(remark.about), markdown_escape(remark.text));
  }
  for (const LeftOutRows& rows : set.about.left_out) {
    text += fmt::format("\nLeft out, {} row{}: {}. {}\n", rows.count, rows.count == 1 ? "" : "s",
                        markdown_escape(rows.rows), markdown_escape(rows.why));
  }
  text += fmt::format("\n<details><summary>All {} rows</summary>\n\n", set.rows.size());
  return text + markdown_table(suite_row_grid(set, result, true)) + "\n</details>\n";
}

}  // namespace

std::string render_suite_markdown(const calibrate::SuiteResult& result) {
  std::string text(head);
  text += "\n## Summary\n\n" + markdown_table(suite_summary_grid(result));
  const Grid groups = suite_group_grid(result);
  if (!groups.rows.empty()) text += "\nOf rows that belong together:\n\n" + markdown_table(groups);
  text += "\n![Predicted against measured times, a colour a set, with a band of 10 %](accuracy.svg)\n";
  text +=
      "\n## What interference and merging buy\n\nThe same predictions with parts of the model left out: without "
      "what kernels and transfers cost each other, and with merges of partial outputs and gradients for free.\n\n";
  text += markdown_table(suite_variant_grid(result));
  text += "\n## What is not modelled\n\n";
  for (const std::string_view each : not_modelled) text += fmt::format("- {}\n", each);
  for (const calibrate::SetResult& set : result.sets) text += section(set, result);
  return text;
}

}  // namespace ringsim::reports
