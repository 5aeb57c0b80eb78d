#include "FormulaText.h"
#include "gpu-estimate/Support/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

static constexpr size_t LineWidth = 100, Margin = 4;

/// Prints Text behind a label that is Indent wide. A new line begins with a
/// plus or minus where there is one.
static void printBroken(raw_ostream &OS, StringRef Text, size_t Indent) {
  SmallVector<StringRef> Words;
  Text.split(Words, ' ');
  // The terms of sums at any depth, each with its sign.
  SmallVector<std::string> Terms;
  for (StringRef Word : Words)
    if (Terms.empty() || Word == "+" || Word == "-")
      Terms.push_back(Word.str());
    else
      Terms.back() += " " + Word.str();
  size_t Column = Indent;
  bool IsFirst = true;
  auto add = [&](StringRef Part) {
    if (!IsFirst && Column + 1 + Part.size() > LineWidth) {
      OS << '\n';
      OS.indent(unsigned(Indent));
      Column = Indent;
    } else if (!IsFirst) {
      OS << ' ';
      ++Column;
    }
    OS << Part;
    Column += Part.size();
    IsFirst = false;
  };
  for (StringRef Term : Terms) {
    if (Indent + Term.size() <= LineWidth) {
      add(Term);
      continue;
    }
    SmallVector<StringRef> Parts;
    Term.split(Parts, ' ');
    for (StringRef Part : Parts)
      add(Part);
  }
  OS << '\n';
}

/// "4 cycles", "1 cycle", "0.88", "unknown"
static std::string valueOf(const FormulaParameter &P) {
  if (std::isnan(P.Value))
    return "unknown";
  StringRef Unit = P.Unit;
  if (P.Value == 1)
    Unit.consume_back("s");
  return formatNumber(P.Value) + (Unit.empty() ? "" : " ") + Unit.str();
}

void printFormulas(raw_ostream &OS, const KernelFormulas &Formulas) {
  size_t Width = 0, ParameterWidth = 0;
  for (const KernelFormula &F : Formulas.Tuple)
    Width = std::max(Width, F.Name.size());
  for (const FormulaParameter &P : Formulas.Parameters)
    ParameterWidth = std::max(ParameterWidth, P.Name.size());
  for (const KernelFormula &F : Formulas.Tuple) {
    OS.indent(Margin) << left_justify(F.Name, unsigned(Width)) << " = ";
    printBroken(OS, F.Value.str() + F.CutOff, Margin + Width + 3);
  }
  if (!Formulas.Parameters.empty())
    OS.indent(Margin) << "where\n";
  for (const FormulaParameter &P : Formulas.Parameters)
    OS.indent(Margin + 2) << left_justify(P.Name, unsigned(ParameterWidth))
                          << " = " << valueOf(P) << ": " << P.Source << '\n';
  for (const std::string &Remark : Formulas.Remarks)
    OS.indent(Margin) << Remark << '\n';
}

} // namespace gpuestimate
