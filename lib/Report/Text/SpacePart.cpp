#include "gpu-estimate/Report/Text/SpacePart.h"

namespace gpuestimate {

void printPart(llvm::json::OStream &J, const SpacePart &Part) {
  if (Part.isWhole())
    return;
  J.attributeObject("part", [&] {
    J.attribute("index", int64_t(Part.Index));
    J.attribute("count", int64_t(Part.Count));
    J.attribute("space", Part.Space);
  });
}

} // namespace gpuestimate
