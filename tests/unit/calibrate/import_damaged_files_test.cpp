// Files that were cut off or damaged on the way: every reader either reads them or throws Error; nothing else escapes.

#include "calibrate/import/import.hpp"
#include "calibrate/import/kernel_summary.hpp"
#include "calibrate/import/trace.hpp"
#include "tests/unit/calibrate/import_support.hpp"

#include <gtest/gtest.h>

#include <random>

namespace ringsim::calibrate {
namespace {

using testing::example;

/// All readers on one text. Counts the texts that were refused.
struct Readers {
  int refused = 0;
  void operator()(const std::string& text) {
    const ImportOptions options{"intra", "inter", {}, {{"collective", "sendrecv"}}};
    attempt([&] { (void)import_points("f", text, options); });
    attempt([&] { (void)import_trace({{"f", text}}, {}); });
    attempt([&] { (void)import_kernel_summary("f", text, {}); });
  }
  template <class Action>
  void attempt(Action action) {
    try {
      action();
    } catch (const Error&) {
      ++refused;
    }
  }
};

const std::vector<std::string> examples = {"nccl-sendrecv.txt", "nccl-sendrecv.json", "nvbench.json",
                                           "kernel-times.csv",  "trace-rank0.json",   "kern-sum.csv"};

TEST(DamagedFiles, CutOffAnywhere) {
  for (const std::string& name : examples) {
    const std::string text = example(name);
    Readers readers;
    for (std::size_t length = 0; length < text.size(); length += 7)
      EXPECT_NO_THROW(readers(text.substr(0, length))) << name;
    // At least the two readers of other formats refuse every one of them.
    EXPECT_GE(readers.refused, static_cast<int>(2 * text.size() / 7)) << name;
  }
}

TEST(DamagedFiles, BytesAndWordsReplaced) {
  // Texts that stress readers: signs, ends, quotes, numbers that overflow, values of another type.
  const std::vector<std::string> damages = {"-",    "\"", "\n", ",",   "1e999", "-1", "99999999999999999999",
                                            "null", "{}", "[]", "\xFF"};
  std::minstd_rand random(7);  // the same damages every time
  for (const std::string& name : examples) {
    const std::string text = example(name);
    Readers readers;
    for (int i = 0; i < 400; ++i) {
      const std::size_t at = random() % text.size();
      const std::size_t length = random() % 12;
      std::string damaged = text;
      damaged.replace(at, std::min(length, text.size() - at), damages[random() % damages.size()]);
      EXPECT_NO_THROW(readers(damaged)) << name << ": " << damaged;
    }
    EXPECT_GE(readers.refused, 800) << name;
  }
}

TEST(DamagedFiles, ValuesOfAnotherType) {
  // Every value of the JSON examples becomes null, a string, a number, an object or an array in turn.
  for (const std::string name : {"nccl-sendrecv.json", "nvbench.json", "trace-rank0.json"}) {
    const std::string text = example(name);
    for (const std::string other : {"null", "\"x\"", "-7", "{}", "[]", "true", "1e999"}) {
      Readers readers;
      for (std::size_t colon = text.find(": "); colon != std::string::npos; colon = text.find(": ", colon + 1)) {
        std::size_t end = colon + 2;  // up to the comma or bracket after the value; of nested ones their first value
        bool quoted = false;
        while (end < text.size() && (quoted || std::string(",}]\n").find(text[end]) == std::string::npos)) {
          quoted = quoted != (text[end] == '"');
          ++end;
        }
        std::string damaged = text;
        damaged.replace(colon + 2, end - colon - 2, other);
        EXPECT_NO_THROW(readers(damaged)) << name << ": " << damaged;
      }
      EXPECT_GT(readers.refused, 0) << name;
    }
  }
}

}  // namespace
}  // namespace ringsim::calibrate
