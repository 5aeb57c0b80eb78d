#include "gpu-estimate/Model/Result/SizeCurve.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

std::string formatSize(double Value) {
  constexpr double Step = 1024;
  const char *Prefix = "";
  for (const char *Next : {" K", " M", " G", " T"}) {
    if (Value < Step)
      break;
    Value /= Step;
    Prefix = Next;
  }
  std::string Text;
  raw_string_ostream(Text) << format(Value < 100 ? "%.3g" : "%.0f", Value)
                           << Prefix;
  return Text;
}

bool sizeIsCount(const SizeCurve &C) {
  return StringRef(C.Unknown).contains(' ');
}

std::string otherText(const SizeCurve::Other &Each) {
  double Value;
  return Each.Name == "block" ? "block " + Each.Value
         : StringRef(Each.Value).getAsDouble(Value)
             ? Each.Name + " = " + Each.Value
             : Each.Name + " = " + formatSize(Value);
}

std::string sizeText(const SizeCurve &C, double Value) {
  return sizeIsCount(C) ? formatSize(Value) + " " + C.Unknown
                        : C.Unknown + " = " + formatSize(Value);
}

std::string whyNoTime(const SizeCurve &C) {
  return std::string("its time depends on ") +
         (sizeIsCount(C) ? "the number of " : "") + C.Unknown +
         ", which is not known (" + C.Why + "); settle with " + C.Settle;
}

std::string keptUpTo(const SizeCurve &C, Seconds Limit) {
  if (!std::is_sorted(C.Points.begin(), C.Points.end(),
                      [](const SizeCurve::Point &A, const SizeCurve::Point &B) {
                        return A.Time < B.Time;
                      }))
    return "";
  if (C.last().Time <= Limit)
    return "up to the end of the table, " + sizeText(C, C.last().Value);
  if (C.Points.front().Time > Limit)
    return "nowhere in the table, not with " +
           sizeText(C, C.Points.front().Value);
  size_t I = 1;
  while (C.Points[I].Time <= Limit)
    ++I;
  const SizeCurve::Point &Low = C.Points[I - 1], &High = C.Points[I];
  double Share = std::log(Limit / Low.Time) / std::log(High.Time / Low.Time);
  return "up to about " +
         sizeText(C, Low.Value * std::pow(High.Value / Low.Value, Share));
}

} // namespace gpuestimate
