#include "gpu-estimate/Session/Pipeline/KernelLookup.h"

#include "gpu-estimate/Support/Suggest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuestimate {

static std::string withoutBlanks(StringRef Text) {
  std::string Result = Text.str();
  erase_if(Result, isSpace);
  return Result;
}

Expected<std::vector<const KernelSource *>>
findKernels(const TranslationUnit &Unit, StringRef Function) {
  std::string Wanted = withoutBlanks(Function);
  std::vector<std::string> Names;
  std::vector<const KernelSource *> Found;
  for (const KernelSource &Source : Unit.Kernels) {
    if (Unit.Host
            ? Source.Nest && Source.Nest->Function == Wanted
            : withoutBlanks(Source.Name) == Wanted || Source.Mangled == Wanted)
      Found.push_back(&Source);
    Names.push_back(Source.Name);
  }
  // A function whose nests are estimated in part would look too fast.
  for (const RefusedNest &Nest : Unit.Refused)
    if (Nest.Function == Wanted)
      return createStringError("'" + Function + "': " + Nest.Reason);
  if (!Found.empty())
    return Found;
  for (const UnemittedKernel &Missing : Unit.NotEmitted)
    if (Missing.Name ==
        StringRef(Wanted).take_until([](char C) { return C == '<'; }))
      return createStringError("kernel '" + Function + "': " + Missing.Reason);
  return createStringError("no kernel is called '" + Function + "'" +
                           (Names.size() > 8
                                ? didYouMean(Function, Names)
                                : "; there are: " + join(Names, ", ")));
}

std::string firstError(StringRef Diagnostics) {
  SmallVector<StringRef, 32> Lines;
  Diagnostics.split(Lines, '\n');
  for (StringRef Line : Lines)
    if (Line.contains("error: "))
      return ": " + Line.str();
  return "";
}

} // namespace gpuestimate
