/// \file
/// Parses directives from the text of the line, because the preprocessor's
/// tokens depend on flags such as `-fopenmp`.
#include "LoopPragmas.h"

#include "gpu-estimate/Support/Suggest.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace gpuestimate {

namespace {

/// `word` or `word(text)`.
struct Clause {
  llvm::StringRef Name;
  std::optional<llvm::StringRef> Text;
};

/// Splits a directive into clauses; false if a parenthesis is not closed.
bool splitClauses(llvm::StringRef Remaining, std::vector<Clause> &Clauses) {
  while (true) {
    Remaining = Remaining.ltrim(" \t\r\n\\,");
    if (Remaining.empty() || Remaining.starts_with("//"))
      return true;
    llvm::StringRef Name = Remaining.take_while(
        [](char C) { return llvm::isAlnum(C) || C == '_'; });
    if (Name.empty())
      return false;
    Remaining = Remaining.drop_front(Name.size()).ltrim();
    Clause &C = Clauses.emplace_back(Clause{Name, std::nullopt});
    if (!Remaining.starts_with("("))
      continue;
    size_t End = 0, Open = 0;
    for (; End < Remaining.size(); ++End) {
      Open += Remaining[End] == '(';
      if (Remaining[End] == ')' && --Open == 0)
        break;
    }
    if (End == Remaining.size())
      return false;
    C.Text = Remaining.substr(1, End - 1).trim();
    Remaining = Remaining.drop_front(End + 1);
  }
}

std::vector<std::string> names(llvm::StringRef Text) {
  std::vector<std::string> Result;
  llvm::SmallVector<llvm::StringRef> Parts;
  Text.split(Parts, ',');
  for (llvm::StringRef Part : Parts)
    Result.push_back(Part.trim().str());
  return Result;
}

bool sizes(llvm::StringRef Text, std::vector<uint64_t> &Result) {
  for (const std::string &Part : names(Text)) {
    uint64_t Value = 0;
    if (llvm::StringRef(Part).getAsInteger(0, Value) || Value == 0 ||
        Value > 1024)
      return false;
    Result.push_back(Value);
  }
  return !Result.empty() && Result.size() <= 3;
}

LoopPragma problem(std::string Text) {
  LoopPragma P;
  P.Problem = std::move(Text);
  return P;
}

LoopPragma parseOwnDirective(llvm::ArrayRef<Clause> Clauses) {
  static const std::vector<std::string> ClauseNames = {
      "grid", "block", "shared", "tile", "name", "independent"};
  if (Clauses.empty() || Clauses[0].Name != "kernel")
    return problem("expected 'kernel' after '#pragma gpu_estimate'");
  LoopPragma P;
  P.Directive.Origin = NestDirective::Pragma;
  for (const Clause &C : Clauses.drop_front()) {
    llvm::StringRef Text = C.Text.value_or("");
    std::vector<uint64_t> Numbers;
    if (C.Name == "independent" && !C.Text) {
      P.Directive.Independent = true;
    } else if (!llvm::is_contained(ClauseNames, C.Name)) {
      return problem("'" + C.Name.str() + "' is not a clause of '#pragma " +
                     "gpu_estimate kernel'" + didYouMean(C.Name, ClauseNames));
    } else if (!C.Text || Text.empty() || C.Name == "independent") {
      return problem("'" + C.Name.str() +
                     (C.Name == "independent"
                          ? "' takes no value"
                          : "' needs a value in parentheses"));
    } else if (C.Name == "name") {
      P.Directive.Name = Text.str();
    } else if (C.Name == "grid") {
      P.Directive.Grid = names(Text);
      if (P.Directive.Grid.size() > 3)
        return problem("'grid' takes at most three loops");
    } else if (C.Name == "shared") {
      P.Directive.Shared = names(Text);
    } else if (!sizes(Text, Numbers)) {
      return problem("'" + C.Name.str() +
                     "' takes one to three sizes from 1 to 1024");
    } else if (C.Name == "tile") {
      P.Directive.Tile.assign(Numbers.begin(), Numbers.end());
    } else {
      Numbers.resize(3, 1);
      P.Directive.Block = {Numbers[0], Numbers[1], Numbers[2]};
    }
  }
  return P;
}

/// Parses `+: a, b` or `task, max: m`. Logical operators become bitwise ones.
/// Array sections (`h[:10]`) are ignored; the dependence analysis finds them.
void readReduction(llvm::StringRef Text, std::vector<ReductionClause> &To) {
  auto [Head, Variables] = Text.split(':');
  llvm::StringRef Operator = Head.rsplit(',').second.trim();
  if (Operator.empty())
    Operator = Head.trim();
  std::string Symbol = llvm::StringSwitch<std::string>(Operator)
                           .Cases("+", "-", "+")
                           .Cases("&", "&&", "&")
                           .Cases("|", "||", "|")
                           .Cases("*", "^", "min", "max", Operator.str())
                           .Default("");
  if (Symbol.empty() || Variables.contains('['))
    return;
  for (std::string &Name : names(Variables))
    To.push_back({Symbol, std::move(Name)});
}

/// Parallel loops of OpenMP and OpenACC on a device or on several cores.
/// Others, such as `simd`, are ignored.
std::optional<LoopPragma> parseOpenDirective(llvm::StringRef Language,
                                             llvm::ArrayRef<Clause> Clauses) {
  auto has = [&](llvm::StringRef Name) {
    return llvm::any_of(Clauses,
                        [&](const Clause &C) { return C.Name == Name; });
  };
  bool OpenMp = Language == "omp";
  bool Loop = OpenMp ? (has("parallel") && has("for")) || has("distribute") ||
                           (has("teams") && has("loop"))
                     : (has("parallel") || has("kernels")) && has("loop");
  if (!Loop)
    return std::nullopt;
  LoopPragma P;
  P.Directive.Origin = OpenMp ? NestDirective::OpenMp : NestDirective::OpenAcc;
  // `kernels` does not assert independence.
  P.Directive.Independent = OpenMp || has("parallel") || has("independent");
  for (const Clause &C : Clauses) {
    if (C.Name == "reduction" && C.Text)
      readReduction(*C.Text, P.Directive.Reductions);
    if (C.Name == "collapse" && C.Text &&
        (C.Text->getAsInteger(0, P.Directive.Collapse) ||
         P.Directive.Collapse == 0))
      return problem("'collapse' takes a number of loops");
  }
  return P;
}

bool isAtomic(llvm::StringRef Words) {
  auto [Language, Remaining] = Words.trim().split(' ');
  Remaining = Remaining.ltrim();
  return (Language == "omp" || Language == "acc") &&
         Remaining.consume_front("atomic") &&
         (Remaining.empty() || !llvm::isAlnum(Remaining[0]));
}

class Listener final : public clang::PPCallbacks {
public:
  Listener(clang::Preprocessor &PP, std::shared_ptr<LoopPragmas> Pragmas)
      : PP(PP), Pragmas(std::move(Pragmas)) {}

  void PragmaDirective(clang::SourceLocation Location,
                       clang::PragmaIntroducerKind Introducer) override {
    const clang::SourceManager &Sources = PP.getSourceManager();
    if (Introducer != clang::PIK_HashPragma || Location.isMacroID() ||
        Sources.isInSystemHeader(Location))
      return;
    bool Invalid = false;
    llvm::StringRef Text =
        Sources.getBufferData(Sources.getFileID(Location), &Invalid);
    if (Invalid)
      return;
    Text = Text.drop_front(Sources.getFileOffset(Location));
    size_t End = 0;
    while (
        End < Text.size() &&
        (Text[End] != '\n' || Text.take_front(End).rtrim('\r').ends_with("\\")))
      ++End;
    Text = Text.take_front(End);
    if (!Text.consume_front("#"))
      return;
    Text = Text.ltrim();
    if (!Text.consume_front("pragma"))
      return;
    if (std::optional<LoopPragma> P = parseLoopPragma(Text)) {
      P->Location = Location;
      Pragmas->Loops.push_back(std::move(*P));
    } else if (isAtomic(Text)) {
      Pragmas->Atomics.push_back(Location);
    }
  }

private:
  clang::Preprocessor &PP;
  std::shared_ptr<LoopPragmas> Pragmas;
};

} // namespace

std::optional<LoopPragma> parseLoopPragma(llvm::StringRef Words) {
  Words = Words.trim(" \t\r\n\\");
  llvm::StringRef Language =
      Words.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
  if (Language != "gpu_estimate" && Language != "omp" && Language != "acc")
    return std::nullopt;
  std::vector<Clause> Clauses;
  bool Whole = splitClauses(Words.drop_front(Language.size()), Clauses);
  if (Language != "gpu_estimate") // OpenMP and OpenACC compilers report errors
    return Whole ? parseOpenDirective(Language, Clauses) : std::nullopt;
  return Whole ? parseOwnDirective(Clauses)
               : problem("'#pragma gpu_estimate kernel' cannot be parsed: a "
                         "parenthesis is not closed, or a clause is malformed");
}

std::shared_ptr<LoopPragmas> collectLoopPragmas(clang::Preprocessor &PP) {
  auto Pragmas = std::make_shared<LoopPragmas>();
  PP.addPPCallbacks(std::make_unique<Listener>(PP, Pragmas));
  PP.AddPragmaHandler(new clang::EmptyPragmaHandler("gpu_estimate"));
  return Pragmas;
}

} // namespace gpuestimate
