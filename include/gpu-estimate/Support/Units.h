/// \file
/// Physical quantities as distinct types, so that cycles are never added to
/// bytes. A quantity holds a double in its base unit (cycle, byte, second,
/// hertz, byte/second, ...); arithmetic is allowed only within a unit, with
/// plain factors, and through the few cross-unit operators declared here.
#ifndef GPU_ESTIMATE_SUPPORT_UNITS_H
#define GPU_ESTIMATE_SUPPORT_UNITS_H

#include <compare>

namespace gpuestimate {

template <typename Tag> class Quantity {
public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(double Value) : Value(Value) {}
  constexpr double value() const { return Value; }

  constexpr Quantity operator+(Quantity O) const {
    return Quantity(Value + O.Value);
  }
  constexpr Quantity operator-(Quantity O) const {
    return Quantity(Value - O.Value);
  }
  constexpr Quantity operator*(double F) const { return Quantity(Value * F); }
  constexpr Quantity operator/(double F) const { return Quantity(Value / F); }
  constexpr double operator/(Quantity O) const { return Value / O.Value; }
  constexpr Quantity &operator+=(Quantity O) {
    Value += O.Value;
    return *this;
  }
  constexpr Quantity &operator*=(double F) {
    Value *= F;
    return *this;
  }
  constexpr auto operator<=>(const Quantity &) const = default;

private:
  double Value = 0;
};
template <typename Tag>
constexpr Quantity<Tag> operator*(double F, Quantity<Tag> Q) {
  return Q * F;
}

using Cycles = Quantity<struct CyclesTag>;   ///< core-clock cycles
using Bytes = Quantity<struct BytesTag>;     ///< bytes
using Seconds = Quantity<struct SecondsTag>; ///< seconds
using Hertz = Quantity<struct HertzTag>;     ///< 1/s
using BytesPerSecond = Quantity<struct BytesPerSecondTag>; ///< bytes/s
using BytesPerCycle =
    Quantity<struct BytesPerCycleTag>;     ///< bytes per core cycle
using Watts = Quantity<struct WattsTag>;   ///< W
using Joules = Quantity<struct JoulesTag>; ///< J
using JoulesPerByte = Quantity<struct JoulesPerByteTag>; ///< J/byte

constexpr Seconds operator/(Cycles C, Hertz F) {
  return Seconds(C.value() / F.value());
}
constexpr Cycles operator*(Seconds S, Hertz F) {
  return Cycles(S.value() * F.value());
}
constexpr Seconds operator/(Bytes B, BytesPerSecond R) {
  return Seconds(B.value() / R.value());
}
constexpr Cycles operator/(Bytes B, BytesPerCycle R) {
  return Cycles(B.value() / R.value());
}
constexpr BytesPerCycle operator/(BytesPerSecond R, Hertz F) {
  return BytesPerCycle(R.value() / F.value());
}
constexpr Joules operator*(Watts P, Seconds T) {
  return Joules(P.value() * T.value());
}
constexpr Watts operator/(Joules E, Seconds T) {
  return Watts(E.value() / T.value());
}
constexpr Joules operator*(Bytes B, JoulesPerByte E) {
  return Joules(B.value() * E.value());
}

} // namespace gpuestimate

#endif
