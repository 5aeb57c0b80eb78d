#include "OpTable.h"

#include "Libdevice.h"

#include "gpu-estimate/Lowering/Selection/OperationReference.h"
#include "gpu-estimate/Ptx/InstructionTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
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
    // The first of equal keys counts.
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

namespace {

void printSteps(llvm::raw_ostream &OS, const OpRow &Row) {
  if (Row.steps().empty())
    OS << "free";
  llvm::ListSeparator Comma;
  for (const OpStep &S : Row.steps()) {
    OS << Comma << unsigned(S.Count) << " " << info(S.Class).Name;
    if (S.Chain > 1)
      OS << " (chain " << unsigned(S.Chain) << ")";
  }
}

/// The row for an opcode without modifiers, or its first one; null if the
/// opcode never stays inline assembly.
const OpRow *plainestAssembly(llvm::StringRef Opcode) {
  std::string Start = ("ptx:" + Opcode + ".").str();
  if (const OpRow *Row = findOpRow(Start))
    return Row;
  for (const OpRow &Row : assemblyRows())
    if (Row.Key.starts_with(Start))
      return &Row;
  return nullptr;
}

/// What each instruction of PTX becomes, what it costs as inline assembly, and
/// how `run` executes it.
void printPtxInstructions(llvm::raw_ostream &OS) {
  OS << "\n## PTX instructions\n\n"
        "What an instruction of a PTX file or of `asm` becomes. Where LLVM IR "
        "has a word for it,\nit counts as that word. What has none, and forms "
        "that LLVM IR cannot say, stay one\nstatement of inline assembly; the "
        "third column has the cost of its plainest form, the next\nsection "
        "that of each form. The last column says whether "
        "`gpu-estimate run` executes it:\n*as in IR*, or *by forms of its own* "
        "for what LLVM IR says with many instructions or with\na call of the "
        "executor.\n\n"
        "| PTX | in LLVM IR | as inline assembly | executes |\n"
        "| --- | --- | --- | --- |\n";
  for (const PtxInstructionRow &Row : ptxInstructionTable()) {
    OS << "| `" << Row.Opcode << "` | " << Row.InIr << " | ";
    if (const OpRow *Cost = plainestAssembly(Row.Opcode))
      printSteps(OS, *Cost);
    else if (Row.Opcode.ends_with("mma")) // MatrixEmitter
      OS << "by its shape";
    OS << " | ";
    llvm::ListSeparator Comma;
    if (Row.Estimated)
      OS << Comma << "as in IR";
    if (Row.Executed)
      OS << Comma << "by forms of its own";
    if (!Row.Estimated && !Row.Executed)
      OS << "no";
    OS << " |\n";
  }
}

} // namespace

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
        "This page is generated from the tables in `lib/Lowering/Selection` "
        "and "
        "`lib/Ptx/Instructions.cpp`.\n";
  for (const OpSection &Section : opTable()) {
    if (Section.Rows.data() == assemblyRows().data())
      printPtxInstructions(OS);
    OS << "\n## " << Section.Title
       << "\n\n| name | operations | note |\n| --- | --- | --- |\n";
    for (const OpRow &Row : Section.Rows) {
      OS << "| `" << Row.Key << "` | ";
      printSteps(OS, Row);
      OS << " | " << Row.Note << " |\n";
    }
  }
  return Text;
}

} // namespace gpuestimate
