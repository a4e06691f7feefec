#pragma once
// Φ⁻¹, the quantile function of the standard normal distribution: Wichura, algorithm AS 241 (PPND16), Applied Statistics 37
// (1988), 477-484. A ratio of two polynomials of degree 7 in each of three ranges, relative error about 1e-16; ln is our own.
//
//   q = p − ½:   |q| ≤ 0.425:  q · A(r)/B(r), r = 0.425² − q²                      85 % of all draws: `normal_quantile_centre`
//                else:         ± C(r − 1.6)/D(r − 1.6) for r = √(−ln min(p, 1 − p)) ≤ 5,   E(r − 5)/F(r − 5) beyond

namespace ringsim {

/// Where the middle form holds.
inline bool in_normal_centre(double p) { return p >= 0.075 && p <= 0.925; }

/// Φ⁻¹(p) for |p − ½| ≤ 0.425; elsewhere a number of no meaning. No branch.
inline double normal_quantile_centre(double p) {
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

/// Φ⁻¹(p) for p in (0, 1) outside of the middle.
double normal_quantile_tail(double p);

/// Φ⁻¹(p), 0 < p < 1.
inline double normal_quantile(double p) {
  return in_normal_centre(p) ? normal_quantile_centre(p) : normal_quantile_tail(p);
}

}  // namespace ringsim
