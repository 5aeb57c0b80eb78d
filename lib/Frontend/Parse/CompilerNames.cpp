#include "gpu-estimate/Frontend/CompilerNames.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"

using namespace llvm;

namespace gpuestimate {

std::string commonName(StringRef Mangled) {
  std::string Name = demangle(Mangled);
  constexpr StringLiteral Namespace = "_INTERNAL_";
  size_t Begin = 0;
  while ((Begin = Name.find(Namespace.data(), Begin)) != std::string::npos) {
    size_t End = Begin;
    while (End < Name.size() && (isAlnum(Name[End]) || Name[End] == '_'))
      ++End;
    if (StringRef(Name).substr(End).starts_with("::"))
      Name.erase(Begin, End + 2 - Begin);
    else
      Begin = End;
  }
  return Name;
}

} // namespace gpuestimate
