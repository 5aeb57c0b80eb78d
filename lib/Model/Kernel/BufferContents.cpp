#include "gpu-estimate/Model/Kernel/BufferContents.h"

#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace gpuestimate {

double RandomDraw::at(double Share) const {
  if (!Values.empty())
    return Values[static_cast<size_t>(Share * double(Values.size()))];
  return Largest > 0 ? std::floor(Share * (Largest + 1)) : Share;
}

/// The term with draws in the order of Draws.
static std::string text(const BufferContents &C) {
  ExprContext &Context = C.Element.context();
  llvm::StringMap<Expr> Numbered;
  std::string Text;
  for (auto [I, Draw] : llvm::enumerate(C.Draws)) {
    std::string Name = "draw" + std::to_string(I);
    Numbered[Draw.Name] = Context.parameter(Name);
    Text += Name + ":" + std::to_string(Draw.Largest);
    for (double Value : Draw.Values)
      Text += "," + std::to_string(Value);
    Text += " ";
  }
  return Text + Context.substitute(C.Element, Numbered).str() + " " +
         std::to_string(C.Bytes);
}

bool sameContents(const BufferContents &A, const BufferContents &B) {
  return text(A) == text(B);
}

bool sameContents(const ContentsOfBuffers &A, const ContentsOfBuffers &B) {
  return A.size() == B.size() && llvm::all_of(A, [&](const auto &Entry) {
           auto Other = B.find(Entry.getKey());
           return Other != B.end() &&
                  sameContents(Entry.getValue(), Other->getValue());
         });
}

} // namespace gpuestimate
