#pragma once
// Nonlinear least squares with lower bounds, by Levenberg (1944) and Marquardt (1963): steps δ of
//   (JᵀJ + λ·diag JᵀJ)·δ = −Jᵀr
// over the parameters that are not held at their bound, λ smaller after a success and larger after a failure. J by
// central differences. For a few parameters and up to thousands of residuals.
//
// Standard errors are those of the linearised problem, σ²·(JᵀJ)⁻¹ with σ² = |r|²/(residuals − free parameters).

#include <Eigen/Core>

#include <functional>
#include <string>
#include <vector>

namespace ringsim::calibrate {

struct Parameter {
  double start = 0;
  double scale =
      1;  // a typical size, above 0: what the difference quotients and the test for convergence are relative to
  double least = 0;  // lower bound
};

struct Solution {
  Eigen::VectorXd values;
  Eigen::VectorXd standard_error;  // 0 at a bound; infinite where the residuals do not determine the parameter
  std::vector<bool> at_bound;
  double sum_of_squares = 0;
  bool converged = false;
};

/// `residuals` must return the same number of finite values for any parameters at or above their bounds.
[[nodiscard]] Solution least_squares(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& residuals,
                                     const std::vector<Parameter>& parameters);

/// The factor by which a standard error becomes half of a 95 % interval: Student's t for the degrees of freedom (at
/// least 1), to 0.5 %.
[[nodiscard]] double student_95(Eigen::Index degrees_of_freedom);

}  // namespace ringsim::calibrate
