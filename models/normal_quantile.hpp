#pragma once
// Φ⁻¹, the quantile function of the standard normal distribution: Wichura, algorithm AS 241 (PPND16), Applied Statistics 37
// (1988), 477-484. A ratio of two polynomials of degree 7 in each of three ranges, relative error about 1e-16; ln is our own.
//
//   q = p − ½:   |q| ≤ 0.425:  q · A(r)/B(r), r = 0.425² − q²                      85 % of all draws: `normal_quantile_centre`
//                else:         ± C(r − 1.6)/D(r − 1.6) for r = √(−ln min(p, 1 − p)) ≤ 5,   E(r − 5)/F(r − 5) beyond

#include "models/clones.hpp"
#include "models/elementary.hpp"

#include <cmath>

namespace ringsim {

/// Where the middle form holds.
RINGSIM_IN_CLONES bool in_normal_centre(double p) {
  return static_cast<int>(p >= 0.075) & static_cast<int>(p <= 0.925);
}

/// Φ⁻¹(p) for |p − ½| ≤ 0.425; elsewhere a number of no meaning. No branch.
RINGSIM_IN_CLONES double normal_quantile_centre(double p) {
  const double q = p - 0.5;
  const double r = 0.180625 - q * q;
  double a = 2.5090809287301226727e+3;
  a = a * r + 3.3430575583588128105e+4;
  a = a * r + 6.7265770927008700853e+4;
  a = a * r + 4.5921953931549871457e+4;
  a = a * r + 1.3731693765509461125e+4;
  a = a * r + 1.9715909503065514427e+3;
  a = a * r + 1.3314166789178437745e+2;
  a = a * r + 3.3871328727963666080e0;
  double b = 5.2264952788528545610e+3;
  b = b * r + 2.8729085735721942674e+4;
  b = b * r + 3.9307895800092710610e+4;
  b = b * r + 2.1213794301586595867e+4;
  b = b * r + 5.3941960214247511077e+3;
  b = b * r + 6.8718700749205790830e+2;
  b = b * r + 4.2313330701600911252e+1;
  b = b * r + 1.0;
  return q * a / b;
}

/// √(−ln min(p, 1 − p)): the variable of the tails. No branch.
RINGSIM_IN_CLONES double normal_tail_variable(double p) {
  const double q = 1.0 - p;
  // std::sqrt is correctly rounded everywhere (IEEE 754), unlike the rest of the mathematical library.
  return std::sqrt(-elementary::log_of_normal(p < q ? p : q));
}

/// Whether the nearer of the two forms holds of the tails.
RINGSIM_IN_CLONES bool in_normal_near_tail(double r) { return r <= 5.0; }

/// Φ⁻¹(p) outside of the middle, for r = normal_tail_variable(p) ≤ 5; elsewhere a number of no meaning. No branch.
RINGSIM_IN_CLONES double normal_quantile_near_tail(double p, double variable) {
  const double r = variable - 1.6;
  double c = 7.74545014278341407640e-4;
  c = c * r + 2.27238449892691845833e-2;
  c = c * r + 2.41780725177450611770e-1;
  c = c * r + 1.27045825245236838258e0;
  c = c * r + 3.64784832476320460504e0;
  c = c * r + 5.76949722146069140550e0;
  c = c * r + 4.63033784615654529590e0;
  c = c * r + 1.42343711074968357734e0;
  double d = 1.05075007164441684324e-9;
  d = d * r + 5.47593808499534494600e-4;
  d = d * r + 1.51986665636164571966e-2;
  d = d * r + 1.48103976427480074590e-1;
  d = d * r + 6.89767334985100004550e-1;
  d = d * r + 1.67638483018380384940e0;
  d = d * r + 2.05319162663775882187e0;
  d = d * r + 1.0;
  const double z = c / d;
  return p < 0.5 ? -z : z;
}

/// The same for r > 5.
double normal_quantile_far_tail(double p, double r);

/// Φ⁻¹(p) for p in (0, 1) outside of the middle.
inline double normal_quantile_tail(double p) {
  const double r = normal_tail_variable(p);
  return in_normal_near_tail(r) ? normal_quantile_near_tail(p, r) : normal_quantile_far_tail(p, r);
}

/// Φ⁻¹(p), 0 < p < 1.
inline double normal_quantile(double p) {
  return in_normal_centre(p) ? normal_quantile_centre(p) : normal_quantile_tail(p);
}

}  // namespace ringsim
