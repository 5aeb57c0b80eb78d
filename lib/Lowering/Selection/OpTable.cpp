#include "OpTable.h"

#include "Libdevice.h"

#include "gpu-estimate/Lowering/Selection/OperationReference.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <vector>

namespace gpuestimate {

llvm::ArrayRef<OpSection> opTable() {
  static const OpSection Sections[] = {
      {"Instructions", instructionRows()},
      {"Intrinsics", intrinsicRows()},
      {"Library functions", libraryRows()},
      {"Inline assembly (PTX)", assemblyRows()},
      {"AMD GPUs", amdgpuRows()},
  };
  return Sections;
}

namespace {

/// The rows by their keys: every instruction of a kernel is looked up.
class RowIndex {
public:
  RowIndex() {
    for (const OpSection &Section : opTable())
      for (const OpRow &Row : Section.Rows) {
        ByKey.try_emplace(Row.Key, &Row);
        if (llvm::StringRef Start = Row.Key; Start.consume_back("*"))
          Starts.push_back({Start, &Row});
      }
    // Of equal keys the first counts.
    llvm::stable_sort(Starts, llvm::less_first());
    Starts.erase(
        llvm::unique(Starts, [](const auto &A,
                                const auto &B) { return A.first == B.first; }),
        Starts.end());
  }

  /// Null if there is none.
  const OpRow *find(llvm::StringRef Key) const {
    if (const OpRow *Row = ByKey.lookup(Key))
      return Row;
    // What Key starts with stands before it, as does what is greater than that
    // and less than Key.
    while (true) {
      auto Behind = llvm::partition_point(
          Starts, [&](const auto &Start) { return Start.first <= Key; });
      if (Behind == Starts.begin())
        return nullptr;
      const auto &[Start, Row] = *std::prev(Behind);
      size_t Common = 0;
      while (Common < std::min(Start.size(), Key.size()) &&
             Start[Common] == Key[Common])
        ++Common;
      if (Common == Start.size())
        return Row;
      Key = Key.take_front(Common);
    }
  }

private:
  llvm::StringMap<const OpRow *> ByKey;
  std::vector<std::pair<llvm::StringRef, const OpRow *>> Starts; ///< sorted
};

const RowIndex &rows() {
  static const RowIndex Index;
  return Index;
}

} // namespace

const OpRow *findOpRow(llvm::StringRef Key,
                       llvm::ArrayRef<llvm::StringLiteral> Variants) {
  std::string Common;
  if (Key.starts_with("__ocml_"))
    Key = Common = cudaLibraryName(Key);
  Key.consume_back(".values"); // see Libdevice.cpp
  for (llvm::StringRef Variant : Variants)
    if (const OpRow *Row = rows().find((Variant + Key).str()))
      return Row;
  return rows().find(Key);
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
        "This page is generated from the table in `lib/Lowering/Selection`.\n";
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
