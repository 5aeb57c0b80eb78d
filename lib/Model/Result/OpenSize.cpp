#include "gpu-estimate/Model/Result/OpenSize.h"

#include "gpu-estimate/Model/Result/SizeCurve.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuestimate {

double OpenSize::at(SizePlace Place) const {
  switch (Place) {
  case SizePlace::Middle:
    return Middle;
  case SizePlace::Least:
    return Least;
  case SizePlace::Largest:
    return Largest;
  }
  llvm_unreachable("not a place in a table");
}

std::string sizesText(ArrayRef<OpenSize> Sizes, SizePlace Place) {
  std::string Text;
  ListSeparator Comma;
  for (const OpenSize &Size : Sizes) {
    SizeCurve Of;
    Of.Unknown = Size.Name;
    Text += (StringRef(Comma) + sizeText(Of, Size.at(Place))).str();
  }
  return Text;
}

std::string openSizesText(ArrayRef<OpenSize> Sizes) {
  if (Sizes.empty())
    return "";
  std::string Settle;
  for (const OpenSize &Size : Sizes)
    Settle += " " + Size.Settle;
  return "for " + sizesText(Sizes, SizePlace::Middle) +
         (Sizes.size() == 1 ? ", which is not known ("
                            : ", which are not known (") +
         Sizes.front().Why + "); settle with" + Settle;
}

} // namespace gpuestimate
