// Reports of a validation: verdicts, signs and units.

#include "calibrate/compare/comparison.hpp"
#include "calibrate/diagnose.hpp"
#include "reports/csv_validation.hpp"
#include "reports/humanise.hpp"
#include "reports/json_validation.hpp"
#include "reports/markdown_validation.hpp"
#include "reports/text_validation.hpp"
#include "tests/unit/calibrate/sample_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ringsim::reports {
namespace {

using calibrate::Comparison;
using calibrate::Measurement;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
namespace sample = calibrate::sample;

// Measured: attend 4, hop 3, merge 1: 18 s, nothing exposed. Predicted: attend 3, hop 4, merge 1: 16 s, 2 s exposed.
constexpr sample::Times measured_times{4, 3, 1};
constexpr sample::Times predicted_times{3, 4, 1};

Measurement measured() { return sample::measurement(measured_times); }

Comparison comparison() {
  sim::PredictResult p{sample::prediction(predicted_times), sample::timeline(predicted_times)};
  p.prediction.makespan_low_s = 15;
  p.prediction.makespan_high_s = 17.5;
  return calibrate::compare(sample::scenario(), p, measured());
}

std::string text_of(const Comparison& c, double tolerance) {
  return render_text(c, calibrate::diagnose(measured()), tolerance, Style{});
}

TEST(TextValidation, AnswersAndJudges) {
  // (16 − 18)/18 = −11.1 %.
  EXPECT_THAT(text_of(comparison(), 0.1),
              testing::StartsWith(
                  "two-ranks: makespan predicted 16.00 s, measured 18.00 s: the prediction is 11.1 % too short.\n"
                  "  Outside tolerance: the makespan is off by -11.1 %, 10.0 % allowed.\n"
                  "  The measured makespan lies outside of the predicted interval, 15.00 s to 17.50 s.\n"));
  EXPECT_THAT(text_of(comparison(), 0.2),
              HasSubstr("Within tolerance: the makespan is off by -11.1 %, 20.0 % allowed."));
}

TEST(TextValidation, TablesHaveSignsAndUnits) {
  const std::string text = text_of(comparison(), 0.1);
  EXPECT_THAT(text, testing::ContainsRegex("makespan +18\\.00 s +16\\.00 s +-11\\.1 %\n"));
  // 2 s of the measured makespan of 18 s.
  EXPECT_THAT(text, testing::ContainsRegex("exposed communication, % of makespan +0 s +2\\.000 s +\\+11\\.1 %\n"));
  EXPECT_THAT(text, testing::ContainsRegex("overlap, difference +100\\.0 % +75\\.0 % +-25\\.0 points\n"));
  // Eight attends, 32 s measured and 24 s predicted.
  EXPECT_THAT(text,
              testing::ContainsRegex("attend +8 +32\\.00 s +24\\.00 s +-25\\.0 % +4\\.000 s +3\\.000 s +-25\\.0 %\n"));
  EXPECT_THAT(text, testing::ContainsRegex("attend +25\\.0 % +25\\.0 % +-25\\.0 % .*rank 0, layer 0, step 0\n"));
  EXPECT_THAT(text, HasSubstr("Diagnosis (of the measured run)"));
}

TEST(TextValidation, WhatWasNotComparedIsSaid) {
  Comparison c = comparison();
  EXPECT_THAT(text_of(c, 0.1), Not(HasSubstr("Not compared")));
  c.one_sided = {{true, "add dQ", sim::SpanKind::merge, 3, 1.5, 1, 2, 3}};
  c.warnings = {"a warning"};
  EXPECT_THAT(text_of(c, 0.1),
              AllOf(HasSubstr("  - measured only: 3 × add dQ, 1.500 s in all, first at rank 1, layer 2, step 3\n"),
                    HasSubstr("Warnings\n  ! a warning\n")));
}

TEST(TextValidation, NamesBothRanksWhereTheSlowestDiffers) {
  Comparison c = comparison();
  c.predicted_slowest_rank = 1;
  EXPECT_THAT(text_of(c, 0.1), HasSubstr("of the slowest rank, 0 measured, 1 predicted"));
}

TEST(TextValidation, ASingleRunDoesNotPretendToAnInterval) {
  Comparison c = comparison();
  EXPECT_THAT(text_of(c, 0.1), HasSubstr("3; the median makespan is known to lie between 17.64 s and 18.36 s"));
  c.repeats = 1;
  EXPECT_THAT(text_of(c, 0.1), HasSubstr("one: how far repeats differ is not known"));
}

TEST(TextValidation, AShareOfNothingIsUndefined) {
  const sim::PredictResult p{sample::prediction({4, 3, 1}), sample::timeline({4, 3, 1})};
  const Comparison c = calibrate::compare(sample::scenario(), p, sample::measurement({4, 3, 0}));
  EXPECT_THAT(text_of(c, 0.3), testing::ContainsRegex("  merge +0 s +2\\.000 s +undefined\n"));
  EXPECT_THAT(text_of(c, 0.3), HasSubstr("4 × merge O took no measurable time"));
}

TEST(JsonValidation, IsExactAndSaysWhatIsJudged) {
  const json object = json::parse(render_json(comparison(), calibrate::diagnose(measured()), 0.1));
  EXPECT_EQ(object["kind"], "ringsim-validation");
  EXPECT_EQ(object["schema_version"], 1);
  EXPECT_EQ(object["verdict"]["judged"], "makespan");
  EXPECT_EQ(object["verdict"]["error"].get<double>(), (16.0 - 18.0) / 18.0);
  EXPECT_EQ(object["verdict"]["tolerance"], 0.1);
  EXPECT_EQ(object["verdict"]["within"], false);
  EXPECT_EQ(object["verdict"]["measured_in_predicted_interval"], false);
  EXPECT_EQ(object["quantities"][0]["measured_s"], 18.0);
  EXPECT_EQ(object["predicted"]["makespan_high_s"], 17.5);
  EXPECT_EQ(object["measured"]["machine"], "Some CPU, 2 cores");
  const json& last_of_slowest = object["quantities"][6];
  EXPECT_EQ(last_of_slowest["name"], "overlap");
  EXPECT_EQ(last_of_slowest["predicted"], 0.75);  // a share has no unit in its key
  EXPECT_EQ(last_of_slowest["error_of"], "difference");
  for (const json& group : object["operations"]) {
    EXPECT_EQ(group["absolute_errors"]["worst"]["rank"], 0) << group["name"];
  }
  // C = 2·(2·4 + 1) = 18 s, X = 6 s, T = 18 s on each of two ranks: all of X is hidden.
  EXPECT_EQ(object["diagnosis"]["sum_of_ranks"]["achieved"], 1.0);
  EXPECT_EQ(object["diagnosis"]["slowest_rank"]["transfer_s"], 6.0);
}

TEST(CsvValidation, HasARowAQuantityAndAnOperation) {
  const std::string text = render_csv(comparison());
  const Comparison c = comparison();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'),
            static_cast<std::ptrdiff_t>(1 + c.quantities.size() + c.groups.size()));
  EXPECT_THAT(
      text,
      AllOf(
          testing::StartsWith("section,name,of,unit,measured,predicted,error,error_of,"),
          HasSubstr("\r\nquantity,makespan,run,s,18,16,-0.1111111111111111,measured,,"),
          HasSubstr("\r\nquantity,overlap,slowest rank,share,1,0.75,-0.25,difference,,"),
          HasSubstr("\r\noperation,attend,all ranks,s,32,24,-0.25,measured,8,8,4,3,-0.25,0.25,0.25,-0.25,0,0,0\r\n")));
}

TEST(MarkdownValidation, HasTheSectionsOfTheText) {
  EXPECT_THAT(
      render_markdown(comparison(), calibrate::diagnose(measured()), 0.1),
      AllOf(testing::StartsWith("## two-ranks\n\n**two-ranks: makespan predicted"), HasSubstr("- Outside tolerance"),
            HasSubstr("### Quantities"), HasSubstr("| makespan | 18.00 s | 16.00 s | -11.1 % |"),
            HasSubstr("### Errors of single operations"), HasSubstr("### Diagnosis of the measured run")));
}

TEST(Humanise, SignedPercentagesKeepTheirSignAndAreNeverFalselyZero) {
  EXPECT_EQ(human_signed_percent(0.045), "+4.5 %");
  EXPECT_EQ(human_signed_percent(-0.12), "-12.0 %");
  EXPECT_EQ(human_signed_percent(0.0), "0.0 %");
  EXPECT_EQ(human_signed_percent(-1e-5), "±<0.1 %");
  EXPECT_EQ(human_signed_percent(12.345), "+1,234.5 %");
}

}  // namespace
}  // namespace ringsim::reports
