// What a profile may say beyond rates and latencies: rows that fill, links whose bandwidth depends on the size,
// interference, the range that was measured, and how it was made.

#include "scenarios/format.hpp"
#include "tests/unit/scenarios/support.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace ringsim::scenarios {
namespace {

using testing::error_of;
using testing::read_text;
using testing::resolved;
using testing::small_scenario;

// A small profile; `link` goes into its link class, `more` below it.
std::string profile_text(const std::string& link = {}, const std::string& more = {}) {
  return "gpu: h100-sxm\n"
         "forward: {saturated: 600 TFLOP/s, half_depth: 100}\n"
         "backward: {saturated: 500 TFLOP/s, half_depth: 200}\n"
         "launch: 1 us\nmerge_traffic: 1\nmerge_bandwidth: 1 TB/s\nevent_latency: 0 s\n"
         "contest_for_multiprocessors: false\n"
         "links:\n  nvlink4:\n    latency: 1 us\n    efficiency: 80%\n" +
         link + more;
}

Profile profile_of(const std::string& link = {}, const std::string& more = {}) {
  return read_profile_text(profile_text(link, more), "p.yaml");
}

std::string indented(std::string text) {
  text.insert(0, "  ");
  for (std::size_t at = text.find('\n'); at + 1 < text.size(); at = text.find('\n', at + 1)) text.insert(at + 1, "  ");
  return text;
}

const char* const everything_of_a_link =
    "    by_size:\n"
    "    - {size: 64 KiB, efficiency: 35%}\n"
    "    - {size: 1 MiB, efficiency: 0.7}\n"
    "    measured_bytes: {low: 4 KiB, high: 16 MiB}\n";
const char* const everything_else =
    "interference:\n"
    "  sm-kernel: {compute_share: {value: 60%, uncertainty: 10%, origin: measured, source: here}, transfer_share: "
    "0.5}\n"
    "  copy-engine: {compute_share: 1, transfer_share: 90%}\n"
    "measured: {rows: {low: 64, high: 1024}, columns: {low: 128, high: 2048}, heads: {low: 1, high: 8}, dims: {low: "
    "64, "
    "high: 64}}\n"
    "made: {device: host, ranks: 2, date: \"2026-01-20T10:00:00Z\", made: \"a: # b\"}\n";

TEST(ProfileKeys, AbsentKeysLeaveTheModelAsItWas) {
  const Profile p = profile_of();
  EXPECT_EQ(p.forward.half_rows.value, 0.0);
  EXPECT_EQ(p.forward.half_rows, Calibrated<double>{});
  EXPECT_TRUE(p.links.at("nvlink4").by_size.empty());
  EXPECT_FALSE(p.links.at("nvlink4").measured_bytes);
  EXPECT_FALSE(p.sm_kernel);
  EXPECT_FALSE(p.copy_engine);
  EXPECT_FALSE(p.measured);
  EXPECT_TRUE(p.made.empty());
}

TEST(ProfileKeys, AreRead) {
  const Profile p = profile_of(everything_of_a_link, everything_else);
  const LinkCost& link = p.links.at("nvlink4");
  ASSERT_EQ(link.by_size.size(), 2U);
  EXPECT_EQ(in_bytes(link.by_size[0].size), 65536.0);
  EXPECT_EQ(link.by_size[0].efficiency, 0.35);
  EXPECT_EQ(in_bytes(link.by_size[1].size), 1048576.0);
  EXPECT_EQ(link.by_size[1].efficiency, 0.7);
  EXPECT_EQ(link.measured_bytes, (Range{4096, 16777216}));
  ASSERT_TRUE(p.sm_kernel);
  EXPECT_EQ(p.sm_kernel->compute_share, (Calibrated<double>{0.6, 0.1, Origin::measured, "here"}));
  EXPECT_EQ(p.sm_kernel->transfer_share, (Calibrated<double>{0.5, 0.0, Origin::assumed, ""}));
  ASSERT_TRUE(p.copy_engine);
  EXPECT_EQ(p.copy_engine->compute_share.value, 1.0);
  EXPECT_EQ(p.copy_engine->transfer_share.value, 0.9);
  ASSERT_TRUE(p.measured);
  EXPECT_EQ(*p.measured, (AttentionRange{{64, 1024}, {128, 2048}, {1, 8}, {64, 64}}));
  EXPECT_EQ(p.made, (std::map<std::string, std::string>{
                        {"device", "host"}, {"ranks", "2"}, {"date", "2026-01-20T10:00:00Z"}, {"made", "a: # b"}}));
  const Profile rows = read_profile_text(
      "gpu: g\nforward: {saturated: 6 TFLOP/s, half_depth: 1, half_rows: {value: 12.5, uncertainty: 20%}}\n"
      "backward: {saturated: 5 TFLOP/s, half_depth: 2, half_rows: 3}\nlaunch: 1 us\nmerge_traffic: 1\n"
      "merge_bandwidth: 1 TB/s\nevent_latency: 0 s\ncontest_for_multiprocessors: false\nlinks: {}\n",
      "p.yaml");
  EXPECT_EQ(rows.forward.half_rows.value, 12.5);
  EXPECT_EQ(rows.forward.half_rows.relative_uncertainty, 0.2);
  EXPECT_EQ(rows.backward.half_rows.value, 3.0);
}

// On a busy machine a message of 256 B has taken 1.2 ms: at 96 GB/s nominal a share of 256 / (1.2e-3 · 96e9) = 0.0002 %.
TEST(ProfileKeys, SmallMessagesMayReachNextToNothingOfTheBandwidth) {
  const Profile p =
      profile_of("    by_size: [{size: 256 B, efficiency: 0.00022941%}, {size: 1 GiB, efficiency: 30%}]\n");
  EXPECT_DOUBLE_EQ(p.links.at("nvlink4").by_size[0].efficiency, 2.2941e-6);
}

TEST(ProfileKeys, AreShownAndReadBack) {
  const Scenario s =
      read_text(small_scenario("profile:\n" + indented(profile_text(everything_of_a_link, everything_else))));
  EXPECT_EQ(resolved(s, "profile.links.nvlink4.by_size.1.efficiency")->text, "70%");
  EXPECT_EQ(resolved(s, "profile.interference.sm-kernel.compute_share.uncertainty")->text, "10%");
  EXPECT_EQ(resolved(s, "profile.measured.columns.high")->text, "2048");
  EXPECT_EQ(resolved(s, "profile.made.date")->text, "2026-01-20T10:00:00Z");
  for (const Origins origins : {Origins::omit, Origins::as_comments}) {
    const Scenario again = read_text(format_scenario(s, origins));
    EXPECT_EQ(again.hash, s.hash);
    EXPECT_EQ(again.profile, s.profile);
  }
}

TEST(ProfileKeys, OneKnotCanBeSet) {
  const Scenario s = read_text(small_scenario("profile:\n" + indented(profile_text(everything_of_a_link))),
                               {"profile.links.nvlink4.by_size.0.efficiency=40%"});
  EXPECT_EQ(s.profile.links.at("nvlink4").by_size[0].efficiency, 0.4);
}

TEST(ProfileKeys, NobodyWhoDoesNotUseThemGetsAnotherHash) {
  // Of a study without such keys: the hash of its values, among them how a node and the network are wired by default.
  const Scenario s = read_scenario(std::string(RINGSIM_SOURCE_DIR) + "/scenarios/studies/llama3-70b-1m-h100.yaml",
                                   {"profile=datasheet"});
  EXPECT_EQ(s.hash, "af6d47a216a54030");
  for (const ResolvedValue& value : s.resolved) {
    for (const char* key : {"ward.half_rows", "by_size", "measured_bytes", "interference", "made", "fp32", "fp64"})
      EXPECT_EQ(value.key.find(key), std::string::npos) << value.key;
  }
}

struct Refusal {
  std::string link, more;
  std::string where, message, hint;
};

TEST(ProfileKeys, MistakesAreRefusedWhereTheyStand) {
  // Lines 1 to 12 are the profile without more keys, so that what is added begins in line 13.
  const std::vector<Refusal> refusals = {
      {"    by_size: [{size: 64 KiB, efficiency: 35%}, {size: 64 KiB, efficiency: 40%}]\n", "", "p.yaml:13:55",
       "profile.links.nvlink4.by_size.1: 64 KiB after 64 KiB", "ascending sizes, each once"},
      {"    by_size: [{size: 1 MB, efficiency: 35%}, {size: 64 KiB, efficiency: 40%}]\n", "", "p.yaml:13:53",
       "profile.links.nvlink4.by_size.1: 64 KiB after 1 MB", "ascending sizes, each once"},
      // Twice the size in the same time is twice the share: 70 %, and no more.
      {"    by_size:\n    - {size: 64 KiB, efficiency: 35%}\n    - {size: 128 KiB, efficiency: 71%}\n", "",
       "p.yaml:15:35", "profile.links.nvlink4.by_size.1: 128 KiB at 71% would take less time than 64 KiB at 35%",
       "at most 70% here"},
      {"    by_size:\n    - {size: 64 KiB, efficiency: 0}\n", "", "p.yaml:14:34",
       "profile.links.nvlink4.by_size.0.efficiency: 0 is too small: at least 1e-7%",
       "legal: 1e-7% to 100%; for example efficiency: 35%"},
      {"    by_size:\n    - {size: 64 KiB, efficiency: 101%}\n", "", "p.yaml:14:34",
       "profile.links.nvlink4.by_size.0.efficiency: 101% is too large: at most 100%, since more than the nominal value "
       "cannot be reached",
       "legal: 1e-7% to 100%; for example efficiency: 35%"},
      {"    by_size: 35%\n", "", "p.yaml:13:14",
       "profile.links.nvlink4.by_size needs a list of mappings, not the value 35%",
       "for example by_size: [{size: 64 KiB, efficiency: 35%}, {size: 1 MiB, efficiency: 60%}]"},
      {"    measured_bytes: {low: 1 MiB, high: 4 KiB}\n", "", "p.yaml:13:40",
       "profile.links.nvlink4.measured_bytes: low 1.048576 MB is above high 4.096 kB",
       "low: the smallest, high: the largest"},
      {"", "interference: {sm-kernel: {compute_share: 0, transfer_share: 1}}\n", "p.yaml:13:43",
       "profile.interference.sm-kernel.compute_share.value: 0 is too small: at least 0.01%",
       "legal: 0.01% to 100%; for example value: 70%"},
      {"", "interference: {sm-kernel: {compute_share: 1, transfer_share: 120%}}\n", "p.yaml:13:62",
       "profile.interference.sm-kernel.transfer_share.value: 120% is too large: at most 100%, since nothing gets on "
       "faster beside something else than alone",
       "legal: 0.01% to 100%; for example value: 70%"},
      {"", "interference: {sm_kernel: {compute_share: 1, transfer_share: 1}}\n", "p.yaml:13:16",
       "unknown key sm_kernel in profile.interference", "did you mean sm-kernel?"},
      {"", "measured: {rows: {low: 64, high: 1024}}\n", "p.yaml:13:11", "profile.measured.columns is missing", ""},
      {"",
       "measured: {rows: {low: 64, high: 8}, columns: {low: 1, high: 1}, heads: {low: 1, high: 1}, dims: {low: 1, "
       "high: "
       "1}}\n",
       "p.yaml:13:34", "profile.measured.rows: low 64 is above high 8", "low: the smallest, high: the largest"},
      {"", "made: {a date: today}\n", "p.yaml:13:8",
       "profile.made: the name a date holds other characters than letters, digits, - and _", ""},
      {"", "made: {date: [today]}\n", "p.yaml:13:14", "profile.made.date needs a text, not a list", ""},
  };
  for (const Refusal& refusal : refusals) {
    SCOPED_TRACE(refusal.link + refusal.more);
    const auto error = error_of([&] { static_cast<void>(profile_of(refusal.link, refusal.more)); });
    ASSERT_TRUE(error);
    EXPECT_EQ(error->where(), refusal.where);
    EXPECT_EQ(error->message(), refusal.message);
    EXPECT_EQ(error->hint(), refusal.hint);
  }
}

TEST(ProfileKeys, ProductsPassesAndCollectivesAreRead) {
  const Profile p = profile_of({},
                               "gemm: {saturated: {value: 780 TFLOP/s, uncertainty: 8%}, half_rows: 12}\n"
                               "gemm_fp8: {saturated: 1400 TFLOP/s, half_rows: 0}\n"
                               "memory_bandwidth: 2.8 TB/s\n"
                               "collectives:\n- {kind: all-to-all, link_class: nvlink4, ranks: 8, latency: 9 us, "
                               "efficiency: 62%}\n");
  EXPECT_EQ(p.gemm->saturated.value, teraflop_per_second(780));
  EXPECT_EQ(p.gemm->saturated.relative_uncertainty, 0.08);
  EXPECT_EQ(p.gemm->half_rows.value, 12.0);
  EXPECT_EQ(p.gemm_fp8->saturated.value, teraflop_per_second(1400));
  EXPECT_EQ(p.memory_bandwidth->value, gigabytes_per_second(2800));
  ASSERT_EQ(p.collectives.size(), 1U);
  EXPECT_EQ(p.collectives[0].kind, "all-to-all");
  EXPECT_EQ(p.collectives[0].link_class, "nvlink4");
  EXPECT_EQ(p.collectives[0].ranks, 8);
  EXPECT_EQ(p.collectives[0].efficiency.value, 0.62);
  EXPECT_FALSE(profile_of().gemm);
  EXPECT_FALSE(profile_of().memory_bandwidth);
}

TEST(ProfileKeys, ACollectiveStandsOnceAndHasAKindThatIsKnown) {
  const std::string one = "- {kind: all-gather, link_class: nvlink4, ranks: 8, latency: 9 us, efficiency: 62%}\n";
  const auto twice = error_of([&] { static_cast<void>(profile_of({}, "collectives:\n" + one + one)); });
  ASSERT_TRUE(twice);
  EXPECT_EQ(twice->where(), "p.yaml:15:3") << "the second of them";
  const auto unknown = error_of([&] {
    static_cast<void>(profile_of(
        {}, "collectives: [{kind: broadcast, link_class: nvlink4, ranks: 8, latency: 9 us, efficiency: 62%}]\n"));
  });
  ASSERT_TRUE(unknown);
  EXPECT_NE(unknown->hint().find("all-gather"), std::string::npos);
}

TEST(ProfileKeys, SizesThatTakeTheSameTimeAreLegalWhateverTheirSharesRoundTo) {
  // A fit that pools two sizes to one time writes shares in proportion to the sizes: 10 % and 30 % of three times the
  // size, which as doubles are 0.1 and 0.3 < 3 · 0.1 and, the other way round, 0.3 / 3 · 3 and above.
  for (const auto& [size, share] : std::vector<std::pair<std::string, std::string>>{
           {"30 kB", "30%"}, {"30 kB", "30.000000000000004%"}, {"70 kB", "70%"}, {"60 kB", "60.00000000000001%"}}) {
    EXPECT_NO_THROW(static_cast<void>(
        profile_of("    by_size: [{size: 10 kB, efficiency: 10%}, {size: " + size + ", efficiency: " + share + "}]\n")))
        << share;
  }
}

}  // namespace
}  // namespace ringsim::scenarios
