#include "models/normal_quantile.hpp"

namespace ringsim {
namespace {

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

double normal_quantile_far_tail(double p, double r) {
  const double z = far_tail(r - 5.0);
  return p < 0.5 ? -z : z;
}

}  // namespace ringsim
