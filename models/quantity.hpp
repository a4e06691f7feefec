#pragma once
// Quantities with units. A quantity is a double in SI units whose dimension (time, bytes, FLOP, energy) is part of its type;
// makers and accessors name the unit, so that no bare number passes a door. Multiplying and dividing quantities
// multiplies and divides their dimensions; a ratio of like quantities is a plain double.

#include <compare>

namespace ringsim {

/// A value of dimension s^Time · B^Byte · FLOP^Flop · J^Energy, held in SI units.
template <int Time, int Byte, int Flop, int Energy = 0>
class Quantity {
 public:
  constexpr Quantity() = default;
  static constexpr Quantity from_si(double value) { return Quantity(value); }
  [[nodiscard]] constexpr double si() const { return si_; }

  constexpr Quantity& operator+=(Quantity other) {
    si_ += other.si_;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) {
    si_ -= other.si_;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.si_ + b.si_); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.si_ - b.si_); }
  friend constexpr Quantity operator-(Quantity a) { return Quantity(-a.si_); }
  friend constexpr Quantity operator*(Quantity a, double b) { return Quantity(a.si_ * b); }
  friend constexpr Quantity operator*(double a, Quantity b) { return Quantity(a * b.si_); }
  friend constexpr Quantity operator/(Quantity a, double b) { return Quantity(a.si_ / b); }
  friend constexpr auto operator<=>(Quantity, Quantity) = default;

 private:
  constexpr explicit Quantity(double value) : si_(value) {}
  double si_ = 0.0;
};

namespace detail {
template <int Time, int Byte, int Flop, int Energy>
constexpr auto make(double si) {
  if constexpr (Time == 0 && Byte == 0 && Flop == 0 && Energy == 0) {
    return si;
  } else {
    return Quantity<Time, Byte, Flop, Energy>::from_si(si);
  }
}
}  // namespace detail

template <int T1, int B1, int F1, int E1, int T2, int B2, int F2, int E2>
constexpr auto operator*(Quantity<T1, B1, F1, E1> a, Quantity<T2, B2, F2, E2> b) {
  return detail::make<T1 + T2, B1 + B2, F1 + F2, E1 + E2>(a.si() * b.si());
}
template <int T1, int B1, int F1, int E1, int T2, int B2, int F2, int E2>
constexpr auto operator/(Quantity<T1, B1, F1, E1> a, Quantity<T2, B2, F2, E2> b) {
  return detail::make<T1 - T2, B1 - B2, F1 - F2, E1 - E2>(a.si() / b.si());
}

using Duration = Quantity<1, 0, 0>;    // s
using Bytes = Quantity<0, 1, 0>;       // B
using Flop = Quantity<0, 0, 1>;        // FLOP
using Bandwidth = Quantity<-1, 1, 0>;  // B/s
using FlopRate = Quantity<-1, 0, 1>;   // FLOP/s
using Energy = Quantity<0, 0, 0, 1>;   // J
using Power = Quantity<-1, 0, 0, 1>;   // W

constexpr Duration seconds(double v) { return Duration::from_si(v); }
constexpr Duration microseconds(double v) { return Duration::from_si(v / 1e6); }
constexpr Bytes bytes(double v) { return Bytes::from_si(v); }
constexpr Bytes gigabytes(double v) { return Bytes::from_si(v * 1e9); }
constexpr Flop flop(double v) { return Flop::from_si(v); }
constexpr Bandwidth bytes_per_second(double v) { return Bandwidth::from_si(v); }
constexpr Bandwidth gigabytes_per_second(double v) { return Bandwidth::from_si(v * 1e9); }
constexpr Bandwidth gigabits_per_second(double v) { return Bandwidth::from_si(v * 1e9 / 8.0); }
constexpr FlopRate flop_per_second(double v) { return FlopRate::from_si(v); }
constexpr FlopRate teraflop_per_second(double v) { return FlopRate::from_si(v * 1e12); }

constexpr Energy joules(double v) { return Energy::from_si(v); }
constexpr Power watts(double v) { return Power::from_si(v); }

constexpr double in_seconds(Duration v) { return v.si(); }
constexpr double in_microseconds(Duration v) { return v.si() * 1e6; }
constexpr double in_bytes(Bytes v) { return v.si(); }
constexpr double in_gigabytes(Bytes v) { return v.si() / 1e9; }
constexpr double in_flop(Flop v) { return v.si(); }
constexpr double in_bytes_per_second(Bandwidth v) { return v.si(); }
constexpr double in_gigabytes_per_second(Bandwidth v) { return v.si() / 1e9; }
constexpr double in_flop_per_second(FlopRate v) { return v.si(); }
constexpr double in_teraflop_per_second(FlopRate v) { return v.si() / 1e12; }
constexpr double in_joules(Energy v) { return v.si(); }
constexpr double in_kilowatt_hours(Energy v) { return v.si() / 3.6e6; }
constexpr double in_watts(Power v) { return v.si(); }

}  // namespace ringsim
