#include "calibrate/import/nccl_tests.hpp"
#include "calibrate/import/text.hpp"
#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ringsim::calibrate {
namespace {

constexpr std::size_t leading_columns = 5;  // size count type redop root

/// Open MPI's --tag-output puts "[1,0]<stdout>:" before every line.
std::string_view without_tag(std::string_view line) {
  if (!line.starts_with('[')) return line;
  const std::size_t tag = line.find("]<std");
  const std::size_t end = tag == std::string_view::npos ? tag : line.find(">:", tag);
  return end == std::string_view::npos ? line : line.substr(end + 2);
}

bool is_header(const std::vector<std::string_view>& line) {
  return line.size() > leading_columns && line[0] == "#" && line[1] == "size" && line[2] == "count";
}

/// Reads the output of one or several tests, one after the other.
class Reader {
 public:
  Reader(std::string file, const ImportOptions& options) : file_(std::move(file)), options_(options) { begin_run(); }

  void line(std::string_view text, std::size_t number) {
    const std::vector<std::string_view> line = words(without_tag(text));
    if (line.empty()) return;
    where_ = place(file_, number);
    if (line[0] == "#") {
      comment(line);
    } else if (half_ > 0 && line.size() >= 2 && whole_number(line[0]) && whole_number(line[1])) {
      row(line);
    }  // anything else was written by others: launchers, warnings
  }

  [[nodiscard]] Points points() {
    end_run();
    return merge(parts_);
  }

 private:
  void begin_run() {
    run_ = {};
    run_.file = file_;
    run_.provenance.device = "cuda";
    half_ = 0;
  }
  void end_run() {
    if (half_ == 0) return;
    if (run_.rows.empty()) throw Error("a table without rows", file_, "the whole output of nccl-tests");
    parts_.push_back(points_of(run_, options_));
    begin_run();
  }

  void comment(const std::vector<std::string_view>& line) {
    const auto starts = [&line](std::initializer_list<std::string_view> with) {
      return line.size() > with.size() && std::equal(with.begin(), with.end(), line.begin());
    };
    if (is_header(line)) {
      header(line);
    } else if (line.size() > 1 && line[1] == "(B)") {
      units(line);
    } else if (starts({"#", "nccl-tests", "version"})) {
      end_run();
      run_.provenance.software = fmt::format("nccl-tests {}", line[3]);
      for (const std::string_view word : line) {
        if (word.starts_with("nccl-library=")) run_.provenance.software += fmt::format(", NCCL {}", word.substr(13));
      }
    } else if (starts({"#", "nThread"})) {
      end_run();  // of versions before the line above
    } else if (starts({"#", "Collective", "test", "starting:"})) {
      end_run();
      run_.test = line[4];
    } else if (starts({"#", "Rank"})) {
      rank(line);
    }
  }

  // "#  Rank  0 Group  0 Pid   4242 on     node01 device  0 [0000:1a:00] NVIDIA H100 80GB HBM3"; old versions: no group,
  // "[0x1a]".
  void rank(const std::vector<std::string_view>& line) {
    const auto after = [&line](std::string_view word) {
      const auto found = std::find(line.begin(), line.end(), word);
      return found == line.end() || found + 1 == line.end() ? std::string_view() : *(found + 1);
    };
    const auto rank = whole_number(after("Rank"));
    const std::string_view host = after("on");
    if (!rank || host.empty())
      throw Error("a rank's line is cut off", where_, "# Rank 0 Group 0 Pid 1 on HOST device 0 ...");
    run_.ranks = std::max(run_.ranks, *rank + 1);
    run_.hosts[whole_number(after("Group")).value_or(0)].emplace(host);
    const auto address =
        std::find_if(line.begin(), line.end(), [](std::string_view word) { return word.ends_with("]"); });
    if (address != line.end() && run_.provenance.machine.empty()) {
      run_.provenance.machine = fmt::format("{}", fmt::join(address + 1, line.end(), " "));
    }
  }

  void header(const std::vector<std::string_view>& line) {
    const auto is_time = [](std::string_view word) { return word == "time" || word == "cputime"; };
    const auto first = std::find_if(line.begin() + 1, line.end(), is_time);
    const auto second = first == line.end() ? first : std::find_if(first + 1, line.end(), is_time);
    const bool complete = second != line.end() && second - first >= 4 && *(first + 1) == "algbw" &&
                          *(first + 3) == "#wrong" &&
                          static_cast<std::size_t>(first - line.begin()) == leading_columns + 1;
    if (!complete) {
      throw Error("the header is not that of nccl-tests", where_,
                  "# size count type redop root time algbw busbw #wrong time algbw busbw #wrong");
    }
    half_ = static_cast<std::size_t>(second - first);
    run_.cpu_time = *first == "cputime";
    timestamps_ = line.back() == "timestamp";
  }

  void units(const std::vector<std::string_view>& line) {
    const bool right = std::find(line.begin(), line.end(), "(us)") != line.end() &&
                       std::find(line.begin(), line.end(), "(GB/s)") != line.end();
    if (!right)
      throw Error("the table has other units than nccl-tests prints", where_, "(B) (elements) (us) (GB/s) (GB/s)");
  }

  void row(const std::vector<std::string_view>& line) {
    NcclRow row;
    row.where = where_;
    row.size_bytes = static_cast<double>(*whole_number(line[0]));
    const std::size_t stamp = timestamps_ ? 2 : 0;  // date and time
    if (line.size() == leading_columns + half_ + stamp) {
      run_.rows.push_back(row);  // the out-of-place half is blank
      return;
    }
    if (line.size() != leading_columns + 2 * half_ + stamp) {
      throw Error(fmt::format("{} columns instead of {}", line.size(), leading_columns + 2 * half_ + stamp), where_,
                  "a whole row: was the line cut off, or written over by another process?");
    }
    const std::string_view time = line[leading_columns];
    row.time_us = printed_number(time);
    row.algorithm_gb_per_s = printed_number(line[leading_columns + 1]);
    if (!row.time_us && lower_case(time) != "nan" && time != "N/A") {
      throw Error(fmt::format("\"{}\" is no time", time), where_, "a number of microseconds");
    }
    const std::string_view wrong = line[leading_columns + 3];
    if (wrong != "N/A") {
      const auto number = finite_number(wrong);
      if (!number) throw Error(fmt::format("\"{}\" is no number of wrong elements", wrong), where_, "a number or N/A");
      row.wrong = *number;
    }
    run_.rows.push_back(std::move(row));
  }

  std::string file_;
  const ImportOptions& options_;
  std::string where_;
  NcclRun run_;
  std::size_t half_ = 0;  // columns of the out-of-place half; 0: no header yet
  bool timestamps_ = false;
  std::vector<Points> parts_;
};

}  // namespace

bool is_nccl_tests_text(std::string_view text) {
  if (text.find("algbw") == std::string_view::npos) return false;  // spares a long text of another kind the splitting
  while (!text.empty()) {
    if (is_header(words(without_tag(take_line(text))))) return true;
  }
  return false;
}

Points import_nccl_tests_text(const std::string& name, std::string_view text, const ImportOptions& options) {
  Reader reader(name, options);
  for (std::size_t number = 1; !text.empty(); ++number) reader.line(take_line(text), number);
  return reader.points();
}

}  // namespace ringsim::calibrate
