#include "gpu-estimate/Report/Text/FormulaCode.h"
#include "gpu-estimate/Support/Numbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace llvm;

namespace gpuestimate {
namespace {

/// A comment ends with its line, whatever the text is.
std::string oneLine(std::string Text) {
  std::replace_if(
      Text.begin(), Text.end(),
      [](char C) { return static_cast<unsigned char>(C) < ' ' || C == '\\'; },
      ' ');
  return Text;
}

void printComment(raw_ostream &OS, CodeLanguage Language,
                  const std::string &Text) {
  OS << (Language == CodeLanguage::C ? "// " : "# ") << oneLine(Text) << '\n';
}

/// The functions of one estimate.
class KernelCode {
public:
  KernelCode(raw_ostream &OS, const Prediction &P, std::string Prefix,
             CodePrinter &Printer, CodeLanguage Language)
      : OS(OS), P(P), Prefix(std::move(Prefix)), Printer(Printer),
        Language(Language), Names(Language) {
    for (const FormulaParameter &Parameter : P.Formulas.Parameters)
      Names.of(Parameter.Name);
    Structure = Names.fresh("values");
  }

  void print() {
    OS << '\n';
    comment("Kernel model of " + P.Name + " (" + P.Location.brief() +
            ") after Kleimenov & Popova 2021.");
    comment("Values: " + P.GpuName + ", grid " + formatSizes(P.Used.Grid) +
            ", block " + formatSizes(P.Used.Block) + ".");
    for (const std::string &Remark : P.Formulas.Remarks)
      comment("Remark: " + Remark + ".");
    if (isC())
      printStructure();
    for (const KernelFormula &F : P.Formulas.Tuple)
      printFunction(F);
  }

private:
  bool isC() const { return Language == CodeLanguage::C; }

  void comment(const std::string &Text) { printComment(OS, Language, Text); }
  static std::string describe(const FormulaParameter &Parameter) {
    return oneLine(Parameter.Unit + (Parameter.Unit.empty() ? "" : ": ") +
                   Parameter.Source);
  }

  /// Whether the caller of a C function gives it, not the structure.
  static bool isGiven(const FormulaParameter &Parameter) {
    return Parameter.Kind == FormulaParameter::Argument ||
           Parameter.Kind == FormulaParameter::Coordinate;
  }

  void printStructure() {
    std::vector<const FormulaParameter *> Members;
    for (const FormulaParameter &Parameter : P.Formulas.Parameters)
      if (!isGiven(Parameter))
        Members.push_back(&Parameter);
    if (Members.empty())
      return;
    OS << "struct " << Prefix << "_values {\n";
    for (const FormulaParameter *Member : Members)
      OS << "  double " << Names.of(Member->Name) << "; // "
         << describe(*Member) << '\n';
    OS << "};\nconst struct " << Prefix << "_values " << Prefix
       << "_default = {\n";
    for (const FormulaParameter *Member : Members)
      OS << "  " << codeLiteral(Member->Value, Language) << ", // "
         << Names.of(Member->Name) << '\n';
    OS << "};\n";
  }

  void printFunction(const KernelFormula &F) {
    std::string Name = Prefix + "_" + identifierLike(F.Name, Language);
    OS << (isC() ? "\n" : "\n\n");
    if (!F.CutOff.empty()) {
      comment(Name + " is left out: its formula is too long" + F.CutOff);
      return;
    }
    std::vector<const FormulaParameter *> Used;
    for (const FormulaParameter &Parameter : P.Formulas.Parameters)
      if (F.Value.dependsOn(Parameter.Name))
        Used.push_back(&Parameter);
    std::string Meaning = F.Meaning + ".";
    if (isC())
      printC(Name, Meaning, F.Value, Used);
    else
      printPython(Name, Meaning, F.Value, Used);
  }

  void printPython(StringRef Name, StringRef Meaning, Expr Value,
                   ArrayRef<const FormulaParameter *> Used) {
    OS << "def " << Name << '(';
    for (const FormulaParameter *Parameter : Used) {
      OS << "\n    " << Names.of(Parameter->Name);
      if (Parameter->Kind != FormulaParameter::Argument)
        OS << '=' << codeLiteral(Parameter->Value, Language);
      OS << ",  # " << describe(*Parameter);
    }
    OS << (Used.empty() ? "" : "\n") << "):\n    \"\"\"" << Meaning
       << "\"\"\"\n"
       << Printer.functionBody(Value, Names);
  }

  void printC(StringRef Name, const std::string &Meaning, Expr Value,
              ArrayRef<const FormulaParameter *> Used) {
    comment(Meaning);
    OS << "double " << Name << '(';
    IdentifierTable InFunction = Names;
    bool NeedsStructure = false;
    ListSeparator Comma;
    for (const FormulaParameter *Parameter : Used)
      if (isGiven(*Parameter)) {
        OS << Comma << "double " << Names.of(Parameter->Name);
      } else {
        NeedsStructure = true;
        InFunction.replace(Parameter->Name,
                           Structure + "->" + Names.of(Parameter->Name).str());
      }
    if (NeedsStructure)
      OS << Comma << "const struct " << Prefix << "_values *" << Structure;
    OS << (Used.empty() ? "void" : "") << ") {\n"
       << Printer.functionBody(Value, InFunction) << "}\n";
  }

  raw_ostream &OS;
  const Prediction &P;
  std::string Prefix;
  CodePrinter &Printer;
  CodeLanguage Language;
  IdentifierTable Names;
  std::string Structure; ///< pointer to the values, in C
};

} // namespace

void printFormulaCode(raw_ostream &OS, const Analysis &A,
                      CodeLanguage Language) {
  bool IsPython = Language == CodeLanguage::Python;
  CodePrinter Printer(Language);
  IdentifierTable Prefixes(Language);
  std::string Functions;
  raw_string_ostream Body(Functions);
  for (const ExplainedPrediction &E : A.Estimates)
    KernelCode(Body, E.Estimate,
               Prefixes.fresh(identifierLike(E.Estimate.Name, Language)),
               Printer, Language)
        .print();
  OS << (IsPython ? "import math\n" : "#include <math.h>\n")
     << Printer.helpers() << Body.str();
  for (const Unresolved &U : A.Unresolveds)
    printComment(OS, Language,
                 "No estimate for " + U.Name + " (" + U.Location.brief() +
                     "): " + U.Reason);
}

} // namespace gpuestimate
