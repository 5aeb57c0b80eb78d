#include "OpTable.h"

#include "Libdevice.h"

#include "gpu-estimate/Extract/Extract.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

llvm::ArrayRef<OpSection> opTable() {
  static const OpSection Sections[] = {
      {"Instructions", instructionRows()},
      {"Intrinsics", intrinsicRows()},
      {"Library functions", libraryRows()},
      {"Inline assembly (PTX)", assemblyRows()},
  };
  return Sections;
}

const OpRow *findOpRow(llvm::StringRef Key,
                       llvm::ArrayRef<llvm::StringLiteral> Variants) {
  for (llvm::StringRef Variant : Variants)
    if (const OpRow *Row = findOpRow((Variant + Key).str()))
      return Row;
  std::string Common;
  if (Key.starts_with("__ocml_"))
    Key = Common = commonLibraryName(Key);
  Key.consume_back(".values"); // see Libdevice.cpp
  const OpRow *Best = nullptr;
  size_t BestLength = 0;
  for (const OpSection &Section : opTable())
    for (const OpRow &Row : Section.Rows) {
      llvm::StringRef Pattern = Row.Key;
      if (Pattern == Key)
        return &Row;
      if (Pattern.ends_with("*") && Pattern.size() > BestLength &&
          Key.starts_with(Pattern.drop_back())) {
        Best = &Row;
        BestLength = Pattern.size();
      }
    }
  return Best;
}

unsigned flopsOf(OpClass Class) {
  switch (Class) {
  case OpClass::Fp16Add:
  case OpClass::Fp16Mul:
  case OpClass::Fp32Add:
  case OpClass::Fp32Mul:
  case OpClass::Fp64Add:
  case OpClass::Fp64Mul:
    return 1;
  case OpClass::Fp16Fma:
  case OpClass::Fp32Fma:
  case OpClass::Fp64Fma:
    return 2;
  default:
    return 0;
  }
}

std::string operationReference() {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << "# Operations\n\n"
        "What each instruction, intrinsic and library function of a kernel "
        "counts as.\n"
        "`3 int_add (chain 2)` is three machine instructions of class "
        "`int_add`, of which two\n"
        "wait for each other. A name ending in `*` stands for every name that "
        "starts so; the\n"
        "longest match wins. Types: `f32` is `float`, `i64` a 64-bit integer, "
        "narrower integers\n"
        "count as `i32`, `v2f16` is a packed pair of half-precision values.\n\n"
        "This page is generated from the table in `lib/Extract`.\n";
  for (const OpSection &Section : opTable()) {
    OS << "\n## " << Section.Title
       << "\n\n| name | operations | note |\n| --- | --- | --- |\n";
    for (const OpRow &Row : Section.Rows) {
      OS << "| `" << Row.Key << "` | ";
      if (Row.steps().empty())
        OS << "free";
      for (const OpStep &S : Row.steps()) {
        if (&S != Row.steps().begin())
          OS << ", ";
        OS << unsigned(S.Count) << " " << info(S.Class).Name;
        if (S.Chain > 1)
          OS << " (chain " << unsigned(S.Chain) << ")";
      }
      OS << " | " << Row.Note << " |\n";
    }
  }
  return Text;
}

} // namespace gpuestimate
