#include "ResultFields.h"

using namespace llvm;

namespace gpuestimate {

void writeInterval(json::OStream &J, double Level,
                   const std::optional<std::pair<double, double>> &IntervalMs) {
  if (!IntervalMs)
    return J.attribute("interval", nullptr);
  J.attributeObject("interval", [&] {
    J.attribute("level", Level);
    J.attribute("low_ms", IntervalMs->first);
    J.attribute("high_ms", IntervalMs->second);
  });
}

void writeTexts(json::OStream &J, StringRef Key, ArrayRef<std::string> Texts) {
  J.attributeArray(Key, [&] {
    for (const std::string &Text : Texts)
      J.value(Text);
  });
}

void writeAssumptions(json::OStream &J, ArrayRef<Assumption> Assumptions) {
  J.attributeArray("assumptions", [&] {
    for (const Assumption &A : Assumptions)
      J.object([&] {
        J.attribute("what", A.What);
        J.attribute("value", A.Value);
        J.attribute("why", A.Why);
        J.attribute("settle", A.Settle);
        if (A.Location.isValid())
          J.attribute("location", A.Location.brief());
      });
  });
}

} // namespace gpuestimate
