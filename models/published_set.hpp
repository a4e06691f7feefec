#pragma once
// What is known of a set of published measurements beside its rows: where they come from, how they were taken, and what of the
// profile that predicts them was fitted on what. calibrate/suite/ has the rows and runs them.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringsim {

/// What a set of predictions should reach. All are of the size of the signed error of time, as a fraction.
struct PublishedTarget {
  std::optional<double> median;
  std::optional<double> p90;
  std::optional<double> worst;
  std::optional<std::int64_t> winners;  // groups whose fastest row is predicted to be the fastest
  std::optional<std::int64_t> orders;   // groups whose rows are predicted in their order
};

/// A remark: what is not modelled here, where predictions fail and why.
struct PublishedRemark {
  std::string about;
  std::string text;
};

/// Rows of the source that are not in the set.
struct LeftOutRows {
  std::string rows;
  std::int64_t count = 0;
  std::string why;
};

struct PublishedSet {
  std::string name;    // its file's: "meta-t4"
  std::string title;   // one line
  std::string source;  // who published the rows, and where
  std::string method;  // how they were measured
  /// What was fitted on end-to-end rows of this set: "none", or what it was. Such rows are not scored.
  std::string fitted;
  std::string microbenchmarks;      // of the same cluster or GPU, on which the profile was fitted
  std::int64_t rows_of_source = 0;  // = rows of the set + rows left out
  PublishedTarget target;
  std::vector<PublishedRemark> remarks;
  std::vector<LeftOutRows> left_out;
};

}  // namespace ringsim
