#include "gpu-estimate/Model/Machine/VendorTerms.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuestimate {

VendorTerms::VendorTerms(StringRef Vendor, StringRef Architecture) {
  if (Vendor == "AMD")
    Multiprocessor = Architecture.starts_with("RDNA") ? "workgroup processor"
                                                      : "compute unit";
}

namespace {

/// A term in the singular. Plurals take an "s" in both columns.
struct VendorTerm {
  StringRef Cuda, Amd;
};

} // namespace

static bool isNamePart(char C) { return isAlnum(C) || C == '_' || C == '-'; }

/// The term that Rest begins with as a whole word, in the singular or plural;
/// null if it begins with none.
static const VendorTerm *termAt(StringRef Rest, ArrayRef<VendorTerm> Terms) {
  for (const VendorTerm &T : Terms) {
    StringRef Behind = Rest;
    if (!Behind.consume_front(T.Cuda))
      continue;
    Behind.consume_front("s");
    if (Behind.empty() || !isNamePart(Behind.front()))
      return &T;
  }
  return nullptr;
}

std::string VendorTerms::reword(StringRef Text) const {
  if (Multiprocessor.empty())
    return Text.str();
  const VendorTerm Terms[] = {{"warp", "wavefront"},
                              {"shared memory", "LDS"},
                              {"register", "VGPR"},
                              {"multiprocessor", Multiprocessor}};
  std::string Reworded;
  bool Quoted = false;
  for (char Before = ' '; !Text.empty();) {
    // An apostrophe inside of a word is a genitive.
    if (Text.front() == '\'' && (Quoted || !isNamePart(Before)))
      Quoted = !Quoted;
    const VendorTerm *Found =
        Quoted || isNamePart(Before) ? nullptr : termAt(Text, Terms);
    StringRef Read = Text.take_front(Found ? Found->Cuda.size() : 1);
    Reworded += Found ? Found->Amd : Read;
    Before = Read.back();
    Text = Text.drop_front(Read.size());
  }
  return Reworded;
}

} // namespace gpuestimate
