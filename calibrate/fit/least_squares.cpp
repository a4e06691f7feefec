#include "calibrate/fit/least_squares.hpp"

#include <Eigen/Cholesky>
#include <Eigen/SVD>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ringsim::calibrate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

class Problem {
 public:
  Problem(const std::function<VectorXd(const VectorXd&)>& residuals, const std::vector<Parameter>& parameters)
      : residuals_(residuals), parameters_(parameters) {}

  [[nodiscard]] Index size() const { return static_cast<Index>(parameters_.size()); }
  [[nodiscard]] const Parameter& operator[](Index i) const { return parameters_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] VectorXd at(const VectorXd& x) const { return residuals_(x); }

  // Columns scaled by the parameters' typical sizes.
  [[nodiscard]] MatrixXd jacobian(const VectorXd& x) const {
    MatrixXd j;
    for (Index i = 0; i < size(); ++i) {
      const Parameter& p = (*this)[i];
      const double h = 1e-5 * std::max(p.scale, std::abs(x(i)));
      VectorXd above = x;
      VectorXd below = x;
      above(i) += h;
      below(i) = std::max(p.least, x(i) - h);
      const VectorXd column = (at(above) - at(below)) / ((above(i) - below(i)) / p.scale);
      if (i == 0) j.resize(column.size(), size());
      j.col(i) = column;
    }
    return j;
  }

 private:
  const std::function<VectorXd(const VectorXd&)>& residuals_;
  const std::vector<Parameter>& parameters_;
};

// A parameter at its bound takes part in a step only if the residuals want it to rise.
std::vector<Index> free_parameters(const Problem& problem, const VectorXd& x, const VectorXd& gradient) {
  std::vector<Index> list;
  for (Index i = 0; i < problem.size(); ++i) {
    if (x(i) > problem[i].least || gradient(i) < 0) list.push_back(i);
  }
  return list;
}

VectorXd standard_errors(const MatrixXd& jacobian, double variance) {
  // The singular value decomposition shows which parameters the residuals leave open.
  const Eigen::JacobiSVD<MatrixXd> svd(jacobian, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const VectorXd& singular = svd.singularValues();
  VectorXd errors = VectorXd::Zero(jacobian.cols());
  for (Index i = 0; i < jacobian.cols(); ++i) {
    double sum = 0;
    for (Index k = 0; k < singular.size(); ++k) {
      const double part = svd.matrixV()(i, k);
      if (singular(k) > 1e-9 * singular(0)) {
        sum += part * part / (singular(k) * singular(k));
      } else if (std::abs(part) > 1e-6) {
        sum = std::numeric_limits<double>::infinity();
      }
    }
    errors(i) = std::isinf(sum) ? sum : std::sqrt(variance * sum);
  }
  return errors;
}

}  // namespace

Solution least_squares(const std::function<VectorXd(const VectorXd&)>& residuals,
                       const std::vector<Parameter>& parameters) {
  const Problem problem(residuals, parameters);
  VectorXd x(problem.size());
  for (Index i = 0; i < problem.size(); ++i) x(i) = std::max(problem[i].start, problem[i].least);
  VectorXd r = problem.at(x);
  Solution solution;
  double lambda = 1e-3;
  for (int iteration = 0; iteration < 500 && !solution.converged; ++iteration) {
    const MatrixXd j = problem.jacobian(x);
    const std::vector<Index> open = free_parameters(problem, x, j.transpose() * r);
    if (open.empty()) {
      solution.converged = true;
      break;
    }
    const MatrixXd j_open = j(Eigen::all, open);
    const MatrixXd normal = j_open.transpose() * j_open;
    const VectorXd gradient = j_open.transpose() * r;
    bool better = false;
    while (!better && lambda < 1e12) {
      MatrixXd damped = normal;
      damped.diagonal() += lambda * normal.diagonal() + VectorXd::Constant(normal.rows(), 1e-300);
      const VectorXd step = damped.ldlt().solve(-gradient);
      VectorXd next = x;
      for (std::size_t k = 0; k < open.size(); ++k) {
        const Parameter& p = problem[open[k]];
        next(open[k]) = std::max(p.least, x(open[k]) + step(static_cast<Index>(k)) * p.scale);
      }
      const VectorXd r_next = problem.at(next);
      better = r_next.allFinite() && r_next.squaredNorm() <= r.squaredNorm();
      if (!better) {
        lambda *= 10;
        continue;
      }
      double moved = 0;
      for (Index i = 0; i < x.size(); ++i) {
        moved = std::max(moved, std::abs(next(i) - x(i)) / std::max(problem[i].scale, std::abs(x(i))));
      }
      solution.converged = moved < 1e-11;
      x = next;
      r = r_next;
      lambda = std::max(lambda / 10, 1e-12);
    }
    if (!better) solution.converged = true;  // no step of any length helps: a minimum to working precision
  }

  solution.values = x;
  solution.sum_of_squares = r.squaredNorm();
  solution.standard_error = VectorXd::Zero(x.size());
  std::vector<Index> inside;
  for (Index i = 0; i < x.size(); ++i) {
    solution.at_bound.push_back(x(i) <= problem[i].least);
    if (!solution.at_bound.back()) inside.push_back(i);
  }
  if (inside.empty()) return solution;
  const auto freedom = r.size() - static_cast<Index>(inside.size());
  const VectorXd errors = standard_errors(problem.jacobian(x)(Eigen::all, inside),
                                          solution.sum_of_squares / static_cast<double>(std::max<Index>(1, freedom)));
  for (std::size_t k = 0; k < inside.size(); ++k) {
    const auto entry = static_cast<Index>(k);
    solution.standard_error(inside[k]) =
        freedom > 0 ? errors(entry) * problem[inside[k]].scale : std::numeric_limits<double>::infinity();
  }
  return solution;
}

double student_95(Index degrees_of_freedom) {
  // Quantile 0.975; from 10 on by the expansion around the normal one (Abramowitz, Stegun, 26.7.5).
  static constexpr double small[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262};
  if (degrees_of_freedom < 10) return small[std::max<Index>(1, degrees_of_freedom) - 1];
  const double z = 1.959964;
  const auto n = static_cast<double>(degrees_of_freedom);
  const double z3 = z * z * z;
  return z + (z3 + z) / (4 * n) + (5 * z3 * z * z + 16 * z3 + 3 * z) / (96 * n * n);
}

}  // namespace ringsim::calibrate
