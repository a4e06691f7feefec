#include "calibrate/import/kernel_summary.hpp"
#include "tests/unit/calibrate/import_support.hpp"

#include <gmock/gmock.h>

namespace ringsim::calibrate {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using testing::example;
using ::testing::HasSubstr;
using testing::replaced;

KernelTable imported(const std::string& text) { return import_kernel_summary("sum.csv", text, {}); }
std::string error(const std::string& text) {
  return error_of([&] { (void)imported(text); });
}

TEST(ImportKernelSummary, TableAfterChatterWithExtraColumns) {
  const KernelTable table = imported(example("kern-sum.csv"));
  ASSERT_EQ(table.kernels.size(), 6U);  // what follows the blank line is another report
  const KernelSummary& forward = table.kernels[0];
  EXPECT_EQ(forward.name,
            "void flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4>, false, true>(Flash_fwd_params)");
  EXPECT_EQ(forward.kind, KernelKind::attention);
  EXPECT_EQ(forward.pass, Pass::forward);
  EXPECT_EQ(forward.instances, 8);
  EXPECT_DOUBLE_EQ(forward.total_s, 12e-3);  // 12,000 of the header's (us)
  EXPECT_DOUBLE_EQ(forward.median_s, 1490e-6);
  EXPECT_DOUBLE_EQ(forward.min_s, 1470e-6);
  EXPECT_DOUBLE_EQ(forward.max_s, 1600e-6);
  EXPECT_EQ(table.kernels[2].kind, KernelKind::preparation);
  EXPECT_EQ(table.kernels[3].kind, KernelKind::transfer);
  EXPECT_EQ(table.kernels[4].kind, KernelKind::other);  // elementwise: a table does not say what it follows
  EXPECT_THAT(table.notes, ElementsAre(HasSubstr("elementwise kernels took 0.00021 s")));
}

TEST(ImportKernelSummary, UnitsOfEveryKind) {
  for (const auto& [unit, total_s] : std::vector<std::pair<std::string, double>>{
           {"ns", 12e-6}, {"ms", 12}, {"s", 12000}, {"\u03BCs", 12e-3}, {"\u00B5s", 12e-3}, {"usec", 12e-3}}) {
    EXPECT_DOUBLE_EQ(
        imported(replaced(example("kern-sum.csv"), "Total Time (us)", "Total Time (" + unit + ")")).kernels[0].total_s,
        total_s)
        << unit;
  }
  EXPECT_THAT(error(replaced(example("kern-sum.csv"), "Med (us)", "Med (weeks)")),
              HasSubstr("sum.csv:4 | the unit of Med (weeks) is not known"));
}

TEST(ImportKernelSummary, OldTablesHaveOneUnitAndNoMedian) {
  const KernelTable table = imported(
      "Time(%),Total Time (ns),Instances,Average,Minimum,Maximum,Name\n"
      "100.0,4000,2,2000.0,1900,2100,\"_attn_fwd\"\n");
  EXPECT_DOUBLE_EQ(table.kernels.at(0).median_s, 2e-6);  // the mean stands for it
  EXPECT_THAT(table.notes, ElementsAre("sum.csv: the table has no medians; means stand for them"));
}

TEST(ImportKernelSummary, HelpersCountToTheirAttentionKernel) {
  const std::vector<OperationSummary> operations = per_operation(imported(example("kern-sum.csv")).kernels);
  ASSERT_EQ(operations.size(), 3U);  // forward, backward, transfer
  EXPECT_EQ(operations[0].pass, Pass::forward);
  EXPECT_DOUBLE_EQ(operations[0].median_s, 1490e-6);
  // Backward: two kernels of 3,000 us after two preparations of 100 us.
  EXPECT_EQ(operations[1].pass, Pass::backward);
  EXPECT_EQ(operations[1].instances, 2);
  EXPECT_DOUBLE_EQ(operations[1].total_s, 6200e-6);
  EXPECT_DOUBLE_EQ(operations[1].median_s, 3100e-6);
  EXPECT_EQ(operations[2].kind, KernelKind::transfer);
  EXPECT_EQ(operations[2].instances, 7);
}

TEST(ImportKernelSummary, TheMedianOfSeveralKernelsIsTheMiddleOne) {
  // 3 kernels of 1 s and 4 of 2 s: the fourth of seven is of 2 s.
  const auto kernel = [](std::int64_t instances, double median_s) {
    return KernelSummary{"k",
                         KernelKind::attention,
                         Pass::forward,
                         instances,
                         median_s * static_cast<double>(instances),
                         median_s,
                         median_s,
                         median_s};
  };
  const std::vector<OperationSummary> operations = per_operation({kernel(4, 2), kernel(3, 1)});
  ASSERT_EQ(operations.size(), 1U);
  EXPECT_EQ(operations[0].instances, 7);
  EXPECT_EQ(operations[0].median_s, 2);
  EXPECT_EQ(operations[0].total_s, 11);
}

TEST(ImportKernelSummary, ErrorsNameLineAndColumn) {
  const std::string text = example("kern-sum.csv");
  EXPECT_THAT(error("nothing\nof this kind\n"),
              HasSubstr("sum.csv | no table of kernels; the file begins with \"nothing\""));
  EXPECT_THAT(error(replaced(text, "12000.0", "12 000")),
              HasSubstr("sum.csv:5: Total Time (us) | \"12 000\" is no time"));
  EXPECT_THAT(error(replaced(text, ",8,1500.0", ",8.5,1500.0")),
              HasSubstr("sum.csv:5: Instances | \"8.5\" is no number"));
  EXPECT_THAT(error(replaced(text, "Min (us)", "Least (us)")), HasSubstr("sum.csv:4 | the table lacks the column Min"));
  // The name's quote then ends where that of the next row begins.
  EXPECT_THAT(error(replaced(text, "(Flash_fwd_params)\"", "(Flash_fwd_params)")),
              HasSubstr("sum.csv:6 | \"void flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel"));
}

}  // namespace
}  // namespace ringsim::calibrate
