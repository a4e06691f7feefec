#include "models/normal_quantile.hpp"

#include "models/elementary.hpp"

#include <cmath>

namespace ringsim {
namespace {

double near_tail(double r) {
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
  return c / d;
}

double far_tail(double r) {
  double e = 2.01033439929228813265e-7;
  e = e * r + 2.71155556874348757815e-5;
  e = e * r + 1.24266094738807843860e-3;
  e = e * r + 2.65321895265761230930e-2;
  e = e * r + 2.96560571828504891230e-1;
  e = e * r + 1.78482653991729133580e0;
  e = e * r + 5.46378491116411436990e0;
  e = e * r + 6.65790464350110377720e0;
  double f = 2.04426310338993978564e-15;
  f = f * r + 1.42151175831644588870e-7;
  f = f * r + 1.84631831751005468180e-5;
  f = f * r + 7.86869131145613259100e-4;
  f = f * r + 1.48753612908506148525e-2;
  f = f * r + 1.36929880922735805310e-1;
  f = f * r + 5.99832206555887937690e-1;
  f = f * r + 1.0;
  return e / f;
}

}  // namespace

double normal_quantile_tail(double p) {
  const bool below = p < 0.5;
  // std::sqrt is correctly rounded everywhere (IEEE 754), unlike the rest of the mathematical library.
  const double r = std::sqrt(-elementary::log(below ? p : 1.0 - p));
  const double z = r <= 5.0 ? near_tail(r - 1.6) : far_tail(r - 5.0);
  return below ? -z : z;
}

}  // namespace ringsim
