#include "DialectRepair.h"

#include "clang/AST/ASTDiagnostic.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Parse/ParseDiagnostic.h"
#include "clang/Sema/SemaDiagnostic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace gpuestimate {

using llvm::StringRef;

static bool isWordCharacter(char C) { return llvm::isAlnum(C) || C == '_'; }

/// The start of the word that ends before End.
static size_t wordBefore(StringRef Text, size_t End) {
  while (End > 0 && isWordCharacter(Text[End - 1]))
    --End;
  return End;
}

static size_t skipBlanks(StringRef Text, size_t Place) {
  return std::min(Text.find_first_not_of(" \t\r\n", Place), Text.size());
}

static size_t skipBlanksBack(StringRef Text, size_t End) {
  return Text.substr(0, End).rtrim(" \t\r\n").size();
}

/// The place behind the literal that starts at Place.
static size_t endOfLiteral(StringRef Text, size_t Place) {
  char Quote = Text[Place];
  for (size_t I = Place + 1; I < Text.size(); ++I) {
    if (Text[I] == '\\')
      ++I;
    else if (Text[I] == Quote)
      return I + 1;
  }
  return Text.size();
}

/// The first place from Place on, outside of brackets and literals, that is one
/// of Wanted; npos if a bracket closes before.
static size_t findAtDepthZero(StringRef Text, size_t Place, StringRef Wanted) {
  unsigned Depth = 0;
  while (Place < Text.size()) {
    char C = Text[Place];
    if (Depth == 0 && Wanted.contains(C))
      return Place;
    if (C == '"' || C == '\'') {
      Place = endOfLiteral(Text, Place);
      continue;
    }
    if (C == '(' || C == '[' || C == '{')
      ++Depth;
    else if ((C == ')' || C == ']' || C == '}') && Depth-- == 0)
      return StringRef::npos;
    ++Place;
  }
  return StringRef::npos;
}

/// The place behind the bracket that closes the one at Open; npos without one.
static size_t behindBracket(StringRef Text, size_t Open) {
  char Close = Text[Open] == '(' ? ')' : Text[Open] == '[' ? ']' : '}';
  size_t End = findAtDepthZero(Text, Open + 1, StringRef(&Close, 1));
  return End == StringRef::npos ? End : End + 1;
}

std::optional<TextEdit> moveAlignment(StringRef Text, size_t Place) {
  if (!Text.substr(Place).starts_with("alignas"))
    return std::nullopt;
  size_t Open = skipBlanks(Text, Place + StringRef("alignas").size());
  if (Open == Text.size() || Text[Open] != '(')
    return std::nullopt;
  size_t End = behindBracket(Text, Open);
  if (End == StringRef::npos)
    return std::nullopt;
  static constexpr StringRef Before[] = {
      "extern", "static",   "const",      "constexpr",    "__shared__",
      "inline", "volatile", "__device__", "__constant__", "__managed__"};
  size_t Begin = Place;
  while (true) {
    size_t WordEnd = skipBlanksBack(Text, Begin);
    size_t Start = wordBefore(Text, WordEnd);
    if (!llvm::is_contained(Before, Text.slice(Start, WordEnd)))
      break;
    Begin = Start;
  }
  if (Begin == Place)
    return std::nullopt;
  std::string Moved = (Text.slice(Place, End) + " ").str();
  return TextEdit{Begin, End, Moved + Text.slice(Begin, Place).rtrim().str()};
}

/// The parts of `T<1, 2> a[4], b{1}` between commas outside of all brackets,
/// those of template arguments included.
static llvm::SmallVector<StringRef> splitDeclarators(StringRef Text) {
  llvm::SmallVector<StringRef> Parts;
  int Depth = 0;
  size_t Start = 0;
  for (size_t I = 0; I < Text.size(); ++I) {
    char C = Text[I];
    if (StringRef("([{<").contains(C))
      ++Depth;
    else if (StringRef(")]}>").contains(C))
      --Depth;
    else if (C == ',' && Depth == 0) {
      Parts.push_back(Text.slice(Start, I));
      Start = I + 1;
    }
  }
  Parts.push_back(Text.substr(Start));
  return Parts;
}

/// A declarator, after its type if it is the first: `T<1> a[4] = {}`.
struct Declarator {
  StringRef Type, Name, Bounds;
};

/// Nothing for a declarator that is more than a name, bounds and initialiser.
static std::optional<Declarator> readDeclarator(StringRef Text) {
  int Depth = 0;
  size_t NameEnd = 0;
  for (; NameEnd < Text.size(); ++NameEnd) {
    char C = Text[NameEnd];
    Depth += (C == '<') - (C == '>');
    if (Depth == 0 && StringRef("=[{").contains(C))
      break;
  }
  size_t End = NameEnd;
  for (size_t I = NameEnd; I < Text.size() && Text[I] == '[';
       I = skipBlanks(Text, End))
    if (End = behindBracket(Text, I); End == StringRef::npos)
      return std::nullopt;
  StringRef Before = Text.substr(0, NameEnd).rtrim(" \t\r\n");
  size_t NameStart = wordBefore(Before, Before.size());
  if (NameStart == Before.size())
    return std::nullopt;
  return Declarator{Before.substr(0, NameStart).trim(" \t\r\n"),
                    Before.substr(NameStart), Text.slice(NameEnd, End)};
}

/// `__align__(8) T` -> `__align__(8)`.
static StringRef leadingAttributes(StringRef Type) {
  size_t End = 0;
  while (true) {
    size_t Start = skipBlanks(Type, End);
    StringRef Rest = Type.substr(Start);
    if (!Rest.starts_with("__align__") && !Rest.starts_with("__attribute__"))
      return Type.substr(0, End);
    size_t Open = Type.find('(', Start);
    size_t Close = Open == StringRef::npos ? Open : behindBracket(Type, Open);
    if (Close == StringRef::npos)
      return Type.substr(0, End);
    End = Close;
  }
}

std::optional<TextEdit> dropSharedConstructor(StringRef Text, size_t Place) {
  constexpr StringRef Keyword = "__shared__";
  size_t Begin = Text.substr(0, Place).rfind(Keyword);
  if (Begin == StringRef::npos)
    return std::nullopt;
  size_t Type = Begin + Keyword.size();
  if (Text.slice(Type, Place).find_first_of(";{}#") != StringRef::npos)
    return std::nullopt;
  size_t End = findAtDepthZero(Text, Type, ";");
  if (End == StringRef::npos)
    return std::nullopt;
  StringRef Declared = Text.slice(Type, End);
  StringRef Attributes = leadingAttributes(Declared);
  StringRef Spelled;
  std::string Result;
  for (StringRef Part : splitDeclarators(Declared.substr(Attributes.size()))) {
    std::optional<Declarator> D = readDeclarator(Part);
    bool First = Result.empty();
    if (!D || D->Type.empty() == First)
      return std::nullopt;
    if (First)
      Spelled = D->Type;
    std::string Storage = (D->Name + "_storage").str();
    Result +=
        ((First ? "" : "; ") + Keyword + Attributes + " gpu_estimate_storage<" +
         Spelled + D->Bounds + "> " + Storage + "; static constexpr auto &" +
         D->Name + " = " + Storage + ".value")
            .str();
  }
  return TextEdit{Begin, End, Result};
}

std::optional<TextEdit> referToDynamicShared(StringRef Text, size_t Place) {
  constexpr StringRef Shared = "__shared__", Extern = "extern";
  if (!Text.substr(Place).starts_with(Shared))
    return std::nullopt;
  size_t Type = skipBlanks(Text, Place + Shared.size());
  size_t Begin = wordBefore(Text, skipBlanksBack(Text, Place));
  if (!Text.substr(Begin, Place - Begin).rtrim(" \t").ends_with(Extern)) {
    if (!Text.substr(Type).starts_with(Extern))
      return std::nullopt;
    Begin = Place;
    Type = skipBlanks(Text, Type + Extern.size());
  }
  size_t End = findAtDepthZero(Text, Type, ";");
  if (End == StringRef::npos)
    return std::nullopt;
  StringRef Declared = Text.slice(Type, End);
  StringRef Attributes = leadingAttributes(Declared);
  std::optional<Declarator> D =
      readDeclarator(Declared.substr(Attributes.size()));
  if (!D || D->Type.empty() || !D->Bounds.empty() ||
      splitDeclarators(Declared).size() != 1)
    return std::nullopt;
  // One array for all types: its redeclarations agree.
  return TextEdit{
      Begin, End,
      ("extern __shared__ " + Attributes + (Attributes.empty() ? "" : " ") +
       "unsigned char gpu_estimate_dynamic_shared[]; auto &" + D->Name +
       " = *reinterpret_cast<" + D->Type + " *>(gpu_estimate_dynamic_shared)")
          .str()};
}

/// The parts of a list between commas outside of all brackets and literals.
static llvm::SmallVector<StringRef> splitElements(StringRef List) {
  llvm::SmallVector<StringRef> Elements;
  while (!List.trim().empty()) {
    size_t End = std::min(findAtDepthZero(List, 0, ","), List.size());
    Elements.push_back(List.substr(0, End).trim());
    List = List.substr(std::min(End + 1, List.size()));
  }
  return Elements;
}

/// Appends `; a[0] = x` for each element of a braced list, and likewise for the
/// lists in it. False for designators, whose place they name themselves.
static bool appendAssignments(StringRef Array, StringRef List,
                              std::string &Result) {
  unsigned Index = 0;
  for (StringRef Element : splitElements(List.drop_front().drop_back())) {
    std::string Place = (Array + "[" + llvm::Twine(Index++) + "]").str();
    if (Element.starts_with(".") || Element.starts_with("["))
      return false;
    if (Element.starts_with("{") && Element.ends_with("}")) {
      if (!appendAssignments(Place, Element, Result))
        return false;
    } else if (Element != "0") {
      Result += "; " + Place + " = " + Element.str();
    }
  }
  return true;
}

std::optional<TextEdit> assignVlaElements(StringRef Text, size_t Place) {
  size_t Begin = findAtDepthZero(Text, Place, "=;");
  if (Begin == StringRef::npos) { // inside of the bounds
    size_t Close = findAtDepthZero(Text, Place, "]");
    if (Close == StringRef::npos)
      return std::nullopt;
    Begin = findAtDepthZero(Text, Close + 1, "=;");
  }
  if (Begin == StringRef::npos || Text[Begin] == ';')
    return std::nullopt;
  size_t Open = skipBlanks(Text, Begin + 1);
  size_t End = findAtDepthZero(Text, Begin, ",;");
  size_t Semicolon = findAtDepthZero(Text, Begin, ";");
  if (Semicolon == StringRef::npos || End == StringRef::npos ||
      Text[Open] != '{')
    return std::nullopt;
  // The name stands before the first of the bounds.
  size_t NameEnd = skipBlanksBack(Text, Begin);
  while (NameEnd > 0 && Text[NameEnd - 1] == ']') {
    size_t Bound = Text.substr(0, NameEnd).rfind('[');
    if (Bound == StringRef::npos)
      return std::nullopt;
    NameEnd = skipBlanksBack(Text, Bound);
  }
  StringRef Name = Text.slice(wordBefore(Text, NameEnd), NameEnd);
  StringRef List = Text.slice(Open, End).rtrim();
  if (Name.empty() || List.size() < 2 || !List.ends_with("}"))
    return std::nullopt;
  std::string Result = (Text.slice(End, Semicolon) + "; __builtin_memset(" +
                        Name + ", 0, sizeof " + Name + ")")
                           .str();
  if (!appendAssignments(Name, List, Result))
    return std::nullopt;
  size_t Lines =
      Text.slice(Begin, Semicolon).count('\n') - StringRef(Result).count('\n');
  return TextEdit{Begin, Semicolon, Result + std::string(Lines, '\n')};
}

/// Is the text behind a `%` a name of PTX rather than an operand? An operand is
/// a number or a name in brackets, with at most one letter before it.
static bool isRegisterName(StringRef Text) {
  return Text.size() > 1 && llvm::isAlpha(Text[0]) &&
         (llvm::isAlpha(Text[1]) || Text[1] == '_');
}

std::optional<TextEdit> escapePercent(StringRef Text, size_t Place) {
  // Clang points at the character, or at the one behind it.
  size_t Begin = Text.rfind('"', Place == 0 ? 0 : Place - 1);
  if (Text.substr(Place).starts_with("\""))
    Begin = Place;
  if (Begin == StringRef::npos)
    return std::nullopt;
  size_t End = endOfLiteral(Text, Begin);
  std::string Result;
  bool Changed = false;
  for (size_t I = Begin; I < End; ++I) {
    Result += Text[I];
    if (Text[I] != '%')
      continue;
    if (I + 1 < End && Text[I + 1] == '%') {
      Result += Text[++I];
      continue;
    }
    if (!isRegisterName(Text.slice(I + 1, End)))
      continue;
    Changed = true;
    // The blank behind a comma gives way, so that columns stay.
    if (Result.size() > 2 && StringRef(Result).ends_with(", %"))
      Result[Result.size() - 2] = '%';
    else
      Result += '%';
  }
  if (!Changed)
    return std::nullopt;
  return TextEdit{Begin, End, Result};
}

std::optional<TextEdit> separateAsmOperands(StringRef Text, size_t Place) {
  if (!Text.substr(Place).starts_with("\"") ||
      !Text.substr(0, Place).rtrim(" \t\r\n").ends_with(")"))
    return std::nullopt;
  size_t Statement = Text.substr(0, Place).find_last_of(";{}");
  StringRef Before =
      Text.slice(Statement == StringRef::npos ? 0 : Statement, Place);
  // A semicolon may end an instruction in the text of the statement.
  bool IsAsm = Before.contains("asm") ||
               Text.slice(Place < 400 ? 0 : Place - 400, Place).contains("asm");
  if (!IsAsm || !Before.contains(':'))
    return std::nullopt;
  return TextEdit{Place, Place, ", "};
}

/// The start of the name, with template arguments, that ends before End.
static size_t nameBefore(StringRef Text, size_t End) {
  End = skipBlanksBack(Text, End);
  if (End > 0 && Text[End - 1] == '>') {
    unsigned Depth = 0;
    do {
      --End;
      Depth += (Text[End] == '>') - (Text[End] == '<');
    } while (End > 0 && Depth > 0 && Text[End] != ';');
    End = skipBlanksBack(Text, End);
  }
  return wordBefore(Text, End);
}

std::optional<TextEdit> callDeviceLaunch(StringRef Text, size_t Place) {
  size_t Open = Text.find("<<<", Place);
  if (Open == StringRef::npos ||
      Text.slice(Place, Open).find_first_of(";{}()=") != StringRef::npos)
    return std::nullopt;
  size_t Close = Text.find(">>>", Open);
  if (Close == StringRef::npos ||
      Text.slice(Open, Close).find_first_of(";{}") != StringRef::npos)
    return std::nullopt;
  // The name may be qualified.
  size_t Begin = nameBefore(Text, Open);
  while (Begin > 1 && Text.slice(Begin - 2, Begin) == "::")
    Begin = nameBefore(Text, Begin - 2);
  StringRef Name = Text.slice(Begin, Open).trim(" \t\r\n");
  if (Name.empty() || !isWordCharacter(Name.front()))
    return std::nullopt;
  return TextEdit{Begin, Close + 3,
                  ("gpu_estimate_device_launch<" + Name + ">(" +
                   Text.slice(Open + 3, Close) + ")")
                      .str()};
}

/// The place behind a character C at Place or behind blanks from there; npos
/// without one.
static size_t behindCharacter(StringRef Text, size_t Place, char C) {
  size_t At = skipBlanks(Text, Place);
  return At < Text.size() && Text[At] == C ? At + 1 : StringRef::npos;
}

std::optional<TextEdit> joinChevrons(StringRef Text, size_t Place) {
  // Clang takes `<<` for a shift and points at the `<` behind it.
  if (Place >= Text.size() || Text[Place] != '<')
    return std::nullopt;
  size_t Begin = skipBlanksBack(Text, Place);
  if (!Text.substr(0, Begin).ends_with("<<") || Begin == Place)
    return std::nullopt;
  Begin -= 2;
  size_t Close = Place;
  while (true) {
    Close = findAtDepthZero(Text, Close + 1, ">;");
    if (Close == StringRef::npos || Text[Close] == ';')
      return std::nullopt;
    size_t End = behindCharacter(Text, Close + 1, '>');
    if (End != StringRef::npos)
      End = behindCharacter(Text, End, '>');
    if (End == StringRef::npos)
      continue;
    // Blanks stay, so that columns do.
    std::string Blanks(Place - Begin - 2, ' ');
    std::string Behind(End - Close - 3, ' ');
    return TextEdit{
        Begin, End,
        ("<<<" + Blanks + Text.slice(Place + 1, Close) + ">>>" + Behind).str()};
  }
}

std::optional<TextEdit> quotePragma(StringRef Text, size_t Place) {
  if (!Text.substr(Place).starts_with("#"))
    return std::nullopt;
  // The definition may have several lines, each of which ends with a backslash.
  size_t LineStart = Text.substr(0, Place).rfind('\n') + 1;
  while (LineStart > 1 &&
         Text.substr(0, LineStart - 1).rtrim(" \t\r").ends_with("\\"))
    LineStart = Text.substr(0, LineStart - 1).rfind('\n') + 1;
  StringRef Line = Text.slice(LineStart, Place).ltrim(" \t");
  if (!Line.consume_front("#") || !Line.ltrim(" \t").starts_with("define"))
    return std::nullopt;
  size_t Word = skipBlanks(Text, Place + 1);
  constexpr StringRef Keyword = "pragma";
  if (!Text.substr(Word).starts_with(Keyword))
    return std::nullopt;
  size_t Begin = Word + Keyword.size();
  size_t End = std::min(Text.find_first_of("\\\n", Begin), Text.size());
  End = std::min(End, Text.slice(0, End).find("//", Begin));
  End = std::min(End, Text.slice(0, End).find("/*", Begin));
  StringRef Words = Text.slice(Begin, End).trim(" \t\r");
  if (Words.contains('"') || Words.contains('#'))
    return std::nullopt;
  return TextEdit{Place, End, ("_Pragma(\"" + Words + "\") ").str()};
}

std::optional<TextEdit> nameDimensions(StringRef Text, size_t Place) {
  if (!Text.substr(Place).starts_with("{"))
    return std::nullopt;
  size_t Open = Text.substr(0, Place).rfind("<<<");
  if (Open == StringRef::npos)
    return std::nullopt;
  StringRef Before = Text.slice(Open + 3, Place);
  if (Before.contains(">>>") || Before.contains(';') ||
      (!Before.trim().empty() && !Before.rtrim(" \t\r\n").ends_with(",")))
    return std::nullopt;
  return TextEdit{Place, Place, "dim3"};
}

/// The edit that settles an error at a place of Text.
static std::optional<TextEdit> repair(unsigned Error, StringRef Text,
                                      size_t Place) {
  switch (Error) {
  case clang::diag::err_attributes_not_allowed:
  case clang::diag::err_attribute_not_type_attr:
    return moveAlignment(Text, Place);
  case clang::diag::err_shared_var_init:
    return dropSharedConstructor(Text, Place);
  case clang::diag::err_cuda_extern_shared:
    return referToDynamicShared(Text, Place);
  case clang::diag::err_variable_object_no_init:
    return assignVlaElements(Text, Place);
  case clang::diag::err_asm_invalid_escape:
    return escapePercent(Text, Place);
  case clang::diag::err_expected:
    return separateAsmOperands(Text, Place);
  case clang::diag::err_expected_expression:
    if (std::optional<TextEdit> Edit = quotePragma(Text, Place))
      return Edit;
    if (std::optional<TextEdit> Edit = nameDimensions(Text, Place))
      return Edit;
    return joinChevrons(Text, Place);
  case clang::diag::err_ref_bad_target:
    return callDeviceLaunch(Text, Place);
  default:
    return std::nullopt;
  }
}

/// Clang's own proposal for a word that nvcc does without: `template` before
/// the name of a member template.
static std::optional<TextEdit> insertTemplate(const clang::Diagnostic &Info,
                                              clang::FileID File) {
  if (Info.getID() != clang::diag::err_missing_dependent_template_keyword ||
      Info.getNumFixItHints() != 1)
    return std::nullopt;
  const clang::SourceManager &Sources = Info.getSourceManager();
  const clang::FixItHint &Hint = Info.getFixItHint(0);
  auto [HintFile, Place] = Sources.getDecomposedLoc(
      Sources.getSpellingLoc(Hint.RemoveRange.getBegin()));
  if (HintFile != File)
    return std::nullopt;
  return TextEdit{Place, Place, Hint.CodeToInsert};
}

void RepairingPrinter::HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                                        const clang::Diagnostic &Info) {
  TextDiagnosticPrinter::HandleDiagnostic(Level, Info);
  if (Level < clang::DiagnosticsEngine::Error || !Info.hasSourceManager() ||
      Info.getLocation().isInvalid())
    return;
  const clang::SourceManager &Sources = Info.getSourceManager();
  // `__shared__` is a macro of a header: what it is written in counts.
  clang::SourceLocation At = Info.getID() == clang::diag::err_cuda_extern_shared
                                 ? Sources.getFileLoc(Info.getLocation())
                                 : Sources.getSpellingLoc(Info.getLocation());
  auto [File, Place] = Sources.getDecomposedLoc(At);
  clang::OptionalFileEntryRef Entry = Sources.getFileEntryRefForID(File);
  std::optional<StringRef> Text = Sources.getBufferDataOrNone(File);
  if (!Entry || !Text || Place >= Text->size())
    return;
  std::optional<TextEdit> Edit = repair(Info.getID(), *Text, Place);
  if (!Edit)
    Edit = insertTemplate(Info, File);
  if (!Edit)
    return;
  EditedFile &Edited = Files[Entry->getName()];
  Edited.Before = Text->str();
  Edited.Edits.emplace(Edit->Begin, std::move(*Edit));
}

llvm::StringMap<std::string> RepairingPrinter::repairedFiles() const {
  llvm::StringMap<std::string> Result;
  for (const auto &[Name, File] : Files) {
    std::string &After = Result[Name];
    size_t Copied = 0;
    for (const auto &[Begin, Edit] : File.Edits) {
      if (Begin < Copied) // overlaps: the next parse finds it again
        continue;
      After += StringRef(File.Before).slice(Copied, Begin);
      After += Edit.Text;
      Copied = Edit.End;
    }
    After += StringRef(File.Before).substr(Copied);
  }
  return Result;
}

} // namespace gpuestimate
