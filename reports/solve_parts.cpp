// What `size --solve` has to say, as pages.

#include "reports/humanise.hpp"
#include "reports/solve_report.hpp"
#include "sim/planner/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ringsim::reports {
namespace {

using sim::SolvePoint;

/// "at most 1.0 % of the time is exposed communication and the TTFT is at most 60.00 s".
std::string condition_text(const SolveReport& r) {
  std::string text;
  if (r.options.most_exposed) {
    text = fmt::format("at most {} of the time is exposed communication", human_percent(*r.options.most_exposed));
  }
  if (r.options.most_time_s) {
    text += fmt::format("{}the {} is at most {}", text.empty() ? "" : " and ", sim::time_name(r.scenario),
                        human_time(*r.options.most_time_s));
  }
  return text;
}

std::string both_units(double bytes_per_s) {
  return fmt::format("{} ({} Gb/s)", human_bandwidth(bytes_per_second(bytes_per_s)),
                     human_number(bytes_per_s * 8 / 1e9));
}

std::string probed_text(bool monotone) {
  return monotone ? "the condition changed once over them" : "NOT MONOTONE: it changed more than once over them";
}

std::string yes(bool holds) { return holds ? "yes" : "no"; }

/// At most about a dozen rows of a grid, those around its changes first of all.
std::vector<std::size_t> shown_rows(const std::vector<SolvePoint>& points) {
  std::vector<std::size_t> rows;
  const std::size_t stride = std::max<std::size_t>(1, points.size() / 10);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool changes = (i > 0 && points[i].holds != points[i - 1].holds) ||
                         (i + 1 < points.size() && points[i].holds != points[i + 1].holds);
    if (i % stride == 0 || i + 1 == points.size() || changes) rows.push_back(i);
  }
  return rows;
}

AnswerPage page_of(const SolveReport& r, const sim::BandwidthAnswer& a) {
  AnswerPage page{r.scenario.name, {}, {}, {}};
  const std::string condition = condition_text(r);
  if (a.answer_bytes_per_s) {
    page.answer = fmt::format("{} a NIC, one way, is the least at which {}; now {}.", both_units(*a.answer_bytes_per_s),
                              condition, both_units(a.now_bytes_per_s));
  } else {
    page.answer = fmt::format("No bandwidth up to {} a NIC is enough that {}: {} stays exposed then, and the {} is {}.",
                              both_units(a.points.back().x), condition, human_percent(a.at_answer.exposed_share),
                              sim::time_name(r.scenario), human_time(a.at_answer.time_s));
  }
  const auto row = [&](const char* what, const SolvePoint& p) {
    return std::vector<std::string>{what, both_units(p.x), human_time(p.time_s), human_percent(p.exposed_share),
                                    yes(p.holds)};
  };
  Grid grid{{{"", Align::left},
             {"bandwidth of a NIC", Align::right},
             {sim::time_name(r.scenario), Align::right},
             {"exposed", Align::right},
             {"enough", Align::right}},
            {}};
  grid.rows.push_back(row("now", a.now));
  if (a.answer_bytes_per_s) grid.rows.push_back(row("answer", a.at_answer));
  for (const std::size_t i : shown_rows(a.points)) grid.rows.push_back(row("", a.points[i]));
  page.sections.push_back({"Bandwidths", fmt::format("link class {}", a.link_class), std::move(grid), {}});
  Fields checked;
  checked.emplace_back(
      "tried", fmt::format("{} bandwidths from {} to {}, 2^(1/4) apart; {}", a.points.size(),
                           both_units(a.points.front().x), both_units(a.points.back().x), probed_text(a.monotone)));
  if (a.answer_bytes_per_s && a.fails_bytes_per_s) {
    checked.emplace_back("bracket",
                         fmt::format("{} is enough, {} of it is not", both_units(*a.answer_bytes_per_s),
                                     fmt::format("{:.4f} %", 100 * *a.fails_bytes_per_s / *a.answer_bytes_per_s)));
  } else if (a.answer_bytes_per_s) {
    checked.emplace_back("bracket", "the smallest bandwidth tried is enough; less was not tried");
  }
  page.sections.push_back({"Checked", "", {}, std::move(checked)});
  if (a.answer_bytes_per_s) {
    page.next.push_back(fmt::format("ringsim run {} --set 'cluster.inter_node.bandwidth={} GB/s'", r.path,
                                    exact(*a.answer_bytes_per_s / 1e9)));
  } else {
    page.next.push_back(
        "What stays exposed does not cross nodes, or cannot hide at any bandwidth: collectives of tensor parallelism "
        "and "
        "Ulysses, latencies. Allow more (--max-exposed), or search other plans (ringsim size without --solve).");
  }
  return page;
}

AnswerPage page_of(const SolveReport& r, const sim::ContextAnswer& a) {
  AnswerPage page{r.scenario.name, {}, {}, {}};
  const std::string time = sim::time_name(r.scenario);
  if (!a.fits) {
    page.answer = "No context fits in memory with this plan, however short.";
  } else if (!a.longest) {
    page.answer = fmt::format("No context is short enough for a {} of {} with this plan.", time,
                              human_time(*r.options.most_time_s));
  } else {
    page.answer = fmt::format("{} tokens are the longest context of this plan, limited by {}; {} {}.",
                              human_count(*a.longest), a.limited_by, time, human_time(a.at_longest.time_s));
  }
  if (r.options.most_exposed && a.fits) {
    page.answer +=
        a.hidden_from
            ? fmt::format(" Communication is hidden (at most {} exposed) from {} tokens on.",
                          human_percent(*r.options.most_exposed), human_count(*a.hidden_from))
            : fmt::format(" Communication is not hidden (at most {} exposed) at any length that fits: {} at {} tokens.",
                          human_percent(*r.options.most_exposed), human_percent(a.at_hidden.exposed_share),
                          human_count(a.exposed_at.value_or(0)));
  }
  Fields fields;
  fields.emplace_back("legal lengths", fmt::format("multiples of {}", human_count(a.unit)));
  if (a.fits) fields.emplace_back("longest that fits", fmt::format("{} tokens", human_count(*a.fits)));
  if (a.longest) {
    fields.emplace_back("longest",
                        fmt::format("{} tokens, {} {}, {} exposed", human_count(*a.longest), time,
                                    human_time(a.at_longest.time_s), human_percent(a.at_longest.exposed_share)));
    if (a.fails) {
      fields.emplace_back("  and not", fmt::format("{} tokens ({})", human_count(*a.fails), a.limited_by));
    }
  }
  if (a.hidden_from) {
    fields.emplace_back("hidden from",
                        fmt::format("{} tokens, {} exposed, {} {}", human_count(*a.hidden_from),
                                    human_percent(a.at_hidden.exposed_share), time, human_time(a.at_hidden.time_s)));
    if (a.exposed_at) fields.emplace_back("  and not at", fmt::format("{} tokens", human_count(*a.exposed_at)));
  }
  if (!a.points.empty()) {
    fields.emplace_back(
        "tried", fmt::format("{} lengths from {} to {} tokens besides; {}", a.points.size(),
                             human_count(static_cast<std::int64_t>(a.points.front().x)),
                             human_count(static_cast<std::int64_t>(a.points.back().x)), probed_text(a.monotone)));
  }
  page.sections.push_back({"Context", "", {}, std::move(fields)});
  if (!a.points.empty()) {
    Grid grid{{{"tokens", Align::right}, {time, Align::right}, {"exposed", Align::right}, {"holds", Align::right}}, {}};
    for (const std::size_t i : shown_rows(a.points)) {
      const SolvePoint& p = a.points[i];
      grid.rows.push_back({human_count(static_cast<std::int64_t>(p.x)), human_time(p.time_s),
                           human_percent(p.exposed_share), yes(p.holds)});
    }
    page.sections.push_back({"Lengths tried", "", std::move(grid), {}});
  }
  if (a.longest) page.next.push_back(fmt::format("ringsim run {} --set workload.tokens={}", r.path, *a.longest));
  return page;
}

AnswerPage page_of(const SolveReport& r, const sim::RingAnswer& a) {
  AnswerPage page{r.scenario.name, {}, {}, {}};
  const std::string time = sim::time_name(r.scenario);
  const std::string share = r.options.most_exposed ? human_percent(*r.options.most_exposed) : "";
  if (r.options.most_exposed) {
    page.answer = a.largest_hidden
                      ? fmt::format("A ring of {} is the largest whose communication is hidden (at most {} exposed).",
                                    human_count(*a.largest_hidden), share)
                      : fmt::format("Of no ring is the communication hidden (at most {} exposed).", share);
  }
  if (r.options.most_time_s) {
    page.answer += page.answer.empty() ? "" : " ";
    page.answer +=
        a.smallest_meeting
            ? fmt::format("A ring of {} is the smallest that fits and has a {} of at most {}.",
                          human_count(*a.smallest_meeting), time, human_time(*r.options.most_time_s))
            : fmt::format("No ring fits and has a {} of at most {}.", time, human_time(*r.options.most_time_s));
  }
  Grid grid{{{"ring", Align::right},
             {"GPUs", Align::right},
             {time, Align::right},
             {"exposed", Align::right},
             {"fits", Align::right},
             {"", Align::left}},
            {}};
  std::size_t illegal = 0;
  std::string last_rule;
  for (const SolvePoint& p : a.points) {
    if (!p.why_not.empty()) {
      ++illegal;
      last_rule = p.why_not;
      continue;
    }
    const auto ring = static_cast<std::int64_t>(p.x);
    std::string note;
    const auto mark = [&](const std::optional<std::int64_t>& what, const char* text) {
      if (what == ring) note += (note.empty() ? "" : ", ") + std::string(text);
    };
    mark(a.largest_hidden, "largest that is hidden");
    mark(a.smallest_meeting, "smallest within the limit");
    mark(a.fastest, "fastest that fits");
    grid.rows.push_back({human_count(ring), human_count(p.gpus), human_time(p.time_s), human_percent(p.exposed_share),
                         yes(p.fits), note});
  }
  page.sections.push_back({"Rings", "everything else as it is", std::move(grid), {}});
  Fields fields;
  fields.emplace_back("tried", fmt::format("{} sizes from 1 to {}; {} of them are not legal{}", a.points.size(),
                                           human_count(static_cast<std::int64_t>(a.points.back().x)), illegal,
                                           illegal == 0 ? "" : ", such as: " + last_rule));
  if (r.options.most_exposed) {
    fields.emplace_back("hidden", a.hidden_again ? "NOT MONOTONE: a larger ring is hidden again, see the table"
                                                 : "no larger ring that was tried is hidden");
  }
  page.sections.push_back({"Checked", "", {}, std::move(fields)});
  const std::optional<std::int64_t> next = a.smallest_meeting ? a.smallest_meeting : a.largest_hidden;
  if (next) page.next.push_back(fmt::format("ringsim run {} --set parallel.ring={}", r.path, *next));
  return page;
}

AnswerPage page_of(const SolveReport& r, const sim::BreakEven& a) {
  AnswerPage page{r.scenario.name, {}, {}, {}};
  if (a.crossings.empty()) {
    const bool first = a.points.back().first_s < a.points.back().second_s;
    page.answer =
        fmt::format("There is no break-even from {} to {} tokens: {} is the faster plan at all {} lengths tried.",
                    human_count(a.shortest), human_count(a.longest), first ? "this" : r.against, a.points.size());
  }
  for (const sim::BreakEven::Crossing& crossing : a.crossings) {
    page.answer += fmt::format("{}From {} tokens on {} is the faster plan, at {} tokens it is not.",
                               page.answer.empty() ? "" : " ", human_count(crossing.from),
                               crossing.first_is_faster ? "this" : r.against, human_count(crossing.before));
  }
  Grid grid{{{"tokens", Align::right}, {"this plan", Align::right}, {r.against, Align::right}, {"", Align::right}}, {}};
  const auto row = [&](std::int64_t tokens, double first_s, double second_s) {
    grid.rows.push_back(
        {human_count(tokens), human_time(first_s), human_time(second_s), human_signed_percent(first_s / second_s - 1)});
  };
  for (std::size_t i = 0; i < a.points.size(); ++i) {
    row(a.points[i].tokens, a.points[i].first_s, a.points[i].second_s);
    for (const sim::BreakEven::Crossing& c : a.crossings) {
      if (i + 1 < a.points.size() && c.from > a.points[i].tokens && c.from < a.points[i + 1].tokens) {
        row(c.from, c.first_s, c.second_s);
      }
    }
  }
  page.sections.push_back({"Lengths", sim::time_name(r.scenario), std::move(grid), {}});
  Fields fields;
  fields.emplace_back("tried",
                      fmt::format("{} lengths, multiples of {}, up to what fits both plans; each change of the "
                                  "faster plan was then bisected",
                                  a.points.size(), human_count(a.unit)));
  if (a.crossings.size() > 1) fields.emplace_back("", "NOT MONOTONE: the faster plan changes more than once");
  page.sections.push_back({"Checked", "", {}, std::move(fields)});
  return page;
}

}  // namespace

bool solved(const SolveReport& r) {
  struct Solved {
    const SolveReport& report;
    bool operator()(const sim::BandwidthAnswer& a) const { return a.answer_bytes_per_s.has_value(); }
    bool operator()(const sim::ContextAnswer& a) const {
      return a.longest.has_value() && (!report.options.most_exposed || a.hidden_from.has_value());
    }
    bool operator()(const sim::RingAnswer& a) const {
      return (!report.options.most_exposed || a.largest_hidden.has_value()) &&
             (!report.options.most_time_s || a.smallest_meeting.has_value());
    }
    bool operator()(const sim::BreakEven&) const { return true; }
  };
  return std::visit(Solved{r}, r.found);
}

AnswerPage solve_page(const SolveReport& r) {
  AnswerPage page = std::visit([&](const auto& answer) { return page_of(r, answer); }, r.found);
  for (std::string& line : page.next) {
    // The caller's own settings come first.
    const std::string command = "ringsim run " + r.path;
    if (!line.starts_with(command)) continue;
    std::string sets;
    for (const std::string& one : r.sets) sets += " --set '" + one + "'";
    line.insert(command.size(), sets);
  }
  return page;
}

std::string render_solve_text(const SolveReport& report, const Style& style) {
  return text_page(solve_page(report), style);
}

std::string render_solve_markdown(const SolveReport& report) { return markdown_page(solve_page(report)); }

}  // namespace ringsim::reports
