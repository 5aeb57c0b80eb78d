#include "gpu-estimate/Ptx/Parser.h"

#include "Lexer.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace gpuestimate {

namespace {

bool isStateSpace(StringRef Name) {
  static constexpr StringLiteral Spaces[] = {".global", ".shared", ".local",
                                             ".const",  ".param",  ".tex"};
  return is_contained(Spaces, Name);
}

/// Is T the first word of a declaration of the module?
bool startsDeclaration(const PtxToken &T) {
  static constexpr StringLiteral Words[] = {".extern", ".visible", ".weak",
                                            ".common", ".func",    ".entry",
                                            ".file",   ".section", ".reg"};
  return T.Kind == PtxToken::Dotted &&
         (is_contained(Words, T.Spelling) || isStateSpace(T.Spelling));
}

/// A recursive-descent parser. Functions return false after a failure, whose
/// message is Problem.
class PtxParser {
public:
  explicit PtxParser(std::vector<PtxToken> Tokens)
      : Tokens(std::move(Tokens)) {}

  Expected<PtxFile> run() {
    while (next().Kind != PtxToken::End)
      if (!topLevel())
        return createStringError(Problem);
    if (File.Version == 0)
      return ptxError(1, "no '.version' directive: this is not PTX, or only a "
                         "part of a file");
    if (File.Target.empty())
      return ptxError(1, "no '.target' directive, such as '.target sm_80'");
    return std::move(File);
  }

  /// Statements up to the end of the text.
  Expected<PtxFunction> runStatements() {
    PtxFunction F;
    F.HasBody = true;
    unsigned Depth = 0;
    while (next().Kind != PtxToken::End)
      if (!bodyPart(F, Depth))
        return createStringError(Problem);
    if (Depth > 0) {
      fail("expected '}'");
      return createStringError(Problem);
    }
    return F;
  }

private:
  const PtxToken &next(size_t Ahead = 0) const {
    return Tokens[std::min(At + Ahead, Tokens.size() - 1)];
  }
  const PtxToken &take() {
    const PtxToken &T = next();
    At = std::min(At + 1, Tokens.size() - 1);
    return T;
  }
  bool accept(char C) {
    if (!next().is(C))
      return false;
    take();
    return true;
  }
  bool fail(const Twine &What) {
    if (Problem.empty()) {
      const PtxToken &T = next();
      Problem = (Twine(T.Line) + ": " + What + ", got " +
                 (T.Kind == PtxToken::End ? "the end of the file"
                                          : "'" + T.Spelling.str() + "'"))
                    .str();
    }
    return false;
  }
  bool expect(char C) {
    return accept(C) || fail("expected '" + Twine(C) + "'");
  }
  bool word(StringRef &Into, const Twine &What) {
    if (next().Kind != PtxToken::Word)
      return fail("expected " + What);
    Into = take().Spelling;
    return true;
  }
  bool integer(unsigned &Into) {
    PtxOperand Value;
    if (next().Kind != PtxToken::Number)
      return fail("expected a number");
    if (!number(Value))
      return false;
    Into = static_cast<unsigned>(Value.Value);
    return true;
  }
  /// Skips to the character C, which is taken.
  bool skipTo(char C) {
    while (!next().is(C)) {
      if (next().Kind == PtxToken::End)
        return fail("expected '" + Twine(C) + "'");
      take();
    }
    take();
    return true;
  }
  bool skipBraces();

  bool topLevel();
  bool directive();
  bool functionOrVariable();
  bool function(PtxFunction &F);
  bool parameters(std::vector<PtxVariable> &Into);
  bool sizes(std::array<unsigned, 3> &Into);
  bool tuning(PtxFunction &F);
  bool variables(std::vector<PtxVariable> &Into, bool IsParameter);
  bool typeWords(PtxVariable &V);
  bool dimensions(PtxVariable &V);
  bool initialValues(std::vector<PtxOperand> &Into, unsigned Depth);

  bool body(PtxFunction &F);
  /// A statement, or the begin or end of a scope inside of Depth others.
  bool bodyPart(PtxFunction &F, unsigned &Depth);
  bool statement(PtxFunction &F);
  bool bodyDirective(PtxFunction &F, StringRef LabelBefore);
  bool registers(std::vector<PtxRegisters> &Into);
  bool place(PtxFunction &F);
  bool prototype(PtxFunction &F, StringRef Name);
  bool targets(PtxFunction &F, StringRef Name);
  bool instruction(PtxFunction &F);
  bool operand(PtxOperand &Into, unsigned Depth = 0);
  bool operands(std::vector<PtxOperand> &Into, char Close, unsigned Depth);
  bool nameOperand(PtxOperand &Into);
  bool product(PtxOperand &Into);
  bool offset(int64_t &Into);
  bool number(PtxOperand &Into);

  PtxStatement &add(PtxFunction &F, PtxStatement::KindType Kind) {
    PtxStatement &S = F.Body.emplace_back();
    S.Kind = Kind;
    S.Line = next().Line;
    return S;
  }

  /// Operands are nested no deeper than this in any instruction.
  static constexpr unsigned MaxDepth = 8;

  std::vector<PtxToken> Tokens;
  size_t At = 0;
  PtxFile File;
  std::string Problem;
};

bool PtxParser::skipBraces() {
  if (!expect('{'))
    return false;
  for (unsigned Depth = 1; Depth > 0;) {
    if (next().Kind == PtxToken::End)
      return fail("expected '}'");
    if (next().is('{'))
      ++Depth;
    else if (next().is('}'))
      --Depth;
    take();
  }
  return true;
}

bool PtxParser::topLevel() {
  if (accept(';'))
    return true;
  if (next().is('@')) { // "@@DWARF" of old compilers
    for (unsigned Line = next().Line;
         next().Line == Line && next().Kind != PtxToken::End;)
      take();
    return true;
  }
  if (next().Kind != PtxToken::Dotted)
    return fail("expected a directive such as '.version' or '.entry'");
  return directive();
}

bool PtxParser::directive() {
  if (next().is(".version")) {
    take();
    StringRef Text = next().Spelling;
    unsigned Major, Minor = 0;
    if (Text.consumeInteger(10, Major) ||
        (Text.consume_front(".") && Text.consumeInteger(10, Minor)))
      return fail("expected a version such as 8.5");
    File.Version = 10 * Major + Minor;
    take();
    return true;
  }
  if (next().is(".target")) {
    do {
      take();
      StringRef Name;
      if (!word(Name, "a target such as sm_80"))
        return false;
      if (Name.starts_with("sm_") || Name.starts_with("compute_"))
        File.Target = ("sm_" + Name.split('_').second).str();
      File.DebugInformation |= Name == "debug";
    } while (next().is(','));
    return !File.Target.empty() || fail("expected a target such as sm_80");
  }
  if (next().is(".address_size")) {
    take();
    unsigned Bits;
    return integer(Bits);
  }
  if (next().is(".file")) {
    take();
    unsigned Number;
    if (!integer(Number))
      return false;
    if (next().Kind != PtxToken::Text)
      return fail("expected the name of a file");
    File.Files.emplace_back(Number, take().Spelling);
    while (accept(',')) // time and size
      take();
    return true;
  }
  if (next().is(".section")) {
    take();
    take(); // its name
    return skipBraces();
  }
  if (next().is(".alias")) {
    take();
    StringRef Alias, Function;
    if (!word(Alias, "a name") || !expect(',') ||
        !word(Function, "the name of a function"))
      return false;
    File.Aliases.emplace_back(Alias, Function);
    return expect(';');
  }
  if (next().is(".pragma"))
    return skipTo(';');
  if (next().is(".reg"))
    return registers(File.Registers);
  return functionOrVariable();
}

bool PtxParser::functionOrVariable() {
  bool External = false, Weak = false;
  while (next().is(".extern") || next().is(".visible") || next().is(".weak") ||
         next().is(".common")) {
    External |= next().is(".extern");
    Weak |= next().is(".weak");
    take();
  }
  if (next().is(".entry") || next().is(".func")) {
    PtxFunction F;
    F.IsExternal = External;
    F.IsWeak = Weak;
    if (!function(F))
      return false;
    File.Functions.push_back(std::move(F));
    return true;
  }
  if (!isStateSpace(next().Spelling))
    return fail("expected '.entry', '.func' or a variable");
  size_t First = File.Variables.size();
  if (!variables(File.Variables, /*IsParameter=*/false))
    return false;
  for (size_t I = First; I != File.Variables.size(); ++I)
    File.Variables[I].IsExternal = External;
  return true;
}

bool PtxParser::sizes(std::array<unsigned, 3> &Into) {
  Into = {1, 1, 1};
  for (unsigned &Size : Into) {
    if (!integer(Size))
      return false;
    if (!accept(','))
      break;
  }
  return true;
}

/// Directives between the head and the body of a function.
bool PtxParser::tuning(PtxFunction &F) {
  while (next().Kind == PtxToken::Dotted && !startsDeclaration(next())) {
    StringRef Name = take().Spelling;
    if (Name == ".maxntid") {
      if (!sizes(F.Bounds.MaxThreads))
        return false;
    } else if (Name == ".reqntid") {
      if (!sizes(F.Bounds.RequiredThreads))
        return false;
    } else if (Name == ".reqnctapercluster") {
      if (!sizes(F.Bounds.Cluster))
        return false;
    } else if (Name == ".minnctapersm") {
      if (!integer(F.Bounds.MinBlocks))
        return false;
    } else if (Name == ".maxnreg") {
      if (!integer(F.MaxRegisters))
        return false;
    } else if (Name == ".pragma") {
      if (!skipTo(';'))
        return false;
    } else {
      while (next().Kind == PtxToken::Number || next().is(','))
        take();
    }
  }
  return true;
}

bool PtxParser::function(PtxFunction &F) {
  F.IsEntry = next().is(".entry");
  F.Line = take().Line;
  while (next().Kind == PtxToken::Dotted) // .attribute(...), .noreturn
    if (take().Spelling == ".attribute" && !skipTo(')'))
      return false;
  if (next().is('(') && !parameters(F.Results))
    return false;
  if (!word(F.Name, "the name of a function"))
    return false;
  if (next().is('(') && !parameters(F.Parameters))
    return false;
  if (!tuning(F))
    return false;
  // Declarations of PTX 2 end without a semicolon.
  if (accept(';') || startsDeclaration(next()))
    return true;
  F.HasBody = true;
  return body(F);
}

bool PtxParser::parameters(std::vector<PtxVariable> &Into) {
  if (!expect('('))
    return false;
  while (!next().is(')')) {
    if (next().Kind != PtxToken::Dotted)
      return fail("expected '.param' or '.reg'");
    if (!variables(Into, /*IsParameter=*/true))
      return false;
    if (!accept(','))
      break;
  }
  return expect(')');
}

/// Alignment, type and the like, up to the name.
bool PtxParser::typeWords(PtxVariable &V) {
  bool HasType = false;
  while (next().Kind == PtxToken::Dotted) {
    StringRef Name = take().Spelling;
    if (Name == ".align") {
      unsigned &Into = V.IsPointer ? V.PointeeAlignment : V.Alignment;
      if (!integer(Into))
        return false;
    } else if (Name == ".ptr") {
      V.IsPointer = true;
    } else if (Name == ".attribute") {
      V.IsManaged = true;
      if (!skipTo(')'))
        return false;
    } else if (Name == ".v2" || Name == ".v4" || Name == ".v8") {
      V.VectorSize = Name.back() - '0';
    } else if (std::optional<PtxType> T = ptxTypeNamed(Name.drop_front())) {
      V.Type = *T;
      HasType = true;
    } else if (Name.ends_with("ref")) { // .texref, .samplerref, .surfref
      V.Type = {PtxType::Bits, 64, 1};
      HasType = true;
    } else if (V.IsPointer) {
      V.PointeeSpace = Name.drop_front();
    }
  }
  return HasType || fail("expected a type such as '.b32'");
}

bool PtxParser::dimensions(PtxVariable &V) {
  while (accept('[')) {
    V.IsArray = true;
    unsigned Size = 0;
    if (!next().is(']') && !integer(Size))
      return false;
    if (SaturatingMultiply<uint64_t>(V.Elements, Size) > UINT32_MAX)
      return fail("an array of more than 4 GiB");
    V.Elements *= Size;
    if (!expect(']'))
      return false;
  }
  return true;
}

bool PtxParser::initialValues(std::vector<PtxOperand> &Into, unsigned Depth) {
  if (Depth > MaxDepth)
    return fail("values are nested too deep");
  if (accept('{')) {
    while (!next().is('}')) {
      if (!initialValues(Into, Depth + 1))
        return false;
      if (!accept(','))
        break;
    }
    return expect('}');
  }
  if (next().is("generic") && next(1).is('(')) {
    take();
    take();
    PtxOperand Value;
    if (!operand(Value) || !expect(')'))
      return false;
    if (!offset(Value.Offset))
      return false;
    Into.push_back(std::move(Value));
    return true;
  }
  if (next().is("mask") || next(1).is('(')) { // bytes of an address
    Into.emplace_back();
    return skipTo(')');
  }
  return operand(Into.emplace_back());
}

/// One declaration, with a list of names unless it is a parameter.
bool PtxParser::variables(std::vector<PtxVariable> &Into, bool IsParameter) {
  PtxVariable V;
  V.Line = next().Line;
  V.Space = take().Spelling.drop_front();
  if (!typeWords(V))
    return false;
  do {
    PtxVariable One = V;
    if (next().Kind == PtxToken::Word)
      One.Name = take().Spelling;
    else if (!IsParameter)
      return fail("expected the name of a variable");
    if (next().is('<')) {
      take();
      unsigned Count;
      if (!integer(Count) || !expect('>'))
        return false;
    }
    if (!dimensions(One))
      return false;
    if (accept('=') && !initialValues(One.Initial, 0))
      return false;
    Into.push_back(std::move(One));
  } while (!IsParameter && accept(','));
  return IsParameter || expect(';');
}

bool PtxParser::bodyPart(PtxFunction &F, unsigned &Depth) {
  if (next().is('{')) {
    add(F, PtxStatement::ScopeBegin);
    take();
    ++Depth;
    return true;
  }
  if (next().is('}') && Depth > 0) {
    add(F, PtxStatement::ScopeEnd);
    take();
    --Depth;
    return true;
  }
  return statement(F);
}

bool PtxParser::body(PtxFunction &F) {
  if (!expect('{'))
    return false;
  unsigned Depth = 0;
  while (Depth > 0 || !next().is('}')) {
    if (next().Kind == PtxToken::End)
      return fail("expected '}' at the end of '" + F.Name + "'");
    if (!bodyPart(F, Depth))
      return false;
  }
  take();
  return true;
}

bool PtxParser::statement(PtxFunction &F) {
  if (accept(';'))
    return true;
  if (next().Kind == PtxToken::Word && next(1).is(':')) {
    bool IsOfCode = !next(2).is(".branchtargets") &&
                    !next(2).is(".calltargets") &&
                    !next(2).is(".callprototype");
    if (IsOfCode)
      add(F, PtxStatement::Label).Name = next().Spelling;
    StringRef Name = take().Spelling;
    take();
    return IsOfCode || bodyDirective(F, Name);
  }
  if (next().Kind == PtxToken::Dotted)
    return bodyDirective(F, "");
  return instruction(F);
}

bool PtxParser::bodyDirective(PtxFunction &F, StringRef LabelBefore) {
  if (next().is(".reg")) {
    std::vector<PtxRegisters> Declared;
    if (!registers(Declared))
      return false;
    for (const PtxRegisters &R : Declared)
      add(F, PtxStatement::Registers).Declared = R;
    return true;
  }
  if (next().is(".loc"))
    return place(F);
  if (next().is(".pragma")) {
    bool NoUnroll =
        next(1).Kind == PtxToken::Text && next(1).Spelling.contains("nounroll");
    if (NoUnroll)
      add(F, PtxStatement::NoUnroll);
    return skipTo(';');
  }
  if (next().is(".branchtargets") || next().is(".calltargets"))
    return targets(F, LabelBefore);
  if (next().is(".callprototype"))
    return prototype(F, LabelBefore);
  if (next().is(".file"))
    return directive();
  if (isStateSpace(next().Spelling)) {
    std::vector<PtxVariable> Declared;
    if (!variables(Declared, /*IsParameter=*/false))
      return false;
    for (PtxVariable &V : Declared)
      add(F, PtxStatement::Variable).Object = std::move(V);
    return true;
  }
  return skipTo(';');
}

bool PtxParser::registers(std::vector<PtxRegisters> &Into) {
  take();
  PtxVariable V;
  if (!typeWords(V))
    return false;
  do {
    PtxRegisters R;
    R.Type = V.Type;
    R.VectorSize = V.VectorSize;
    if (!word(R.Name, "the name of a register"))
      return false;
    if (accept('<') && (!integer(R.Count) || !expect('>')))
      return false;
    Into.push_back(R);
  } while (accept(','));
  return expect(';');
}

/// .loc file line column [, function_name label, inlined_at file line column]
bool PtxParser::place(PtxFunction &F) {
  PtxStatement &S = add(F, PtxStatement::Place);
  take();
  PtxPlace &P = S.At;
  if (!integer(P.File) || !integer(P.Line))
    return false;
  if (next().Kind == PtxToken::Number && !integer(P.Column))
    return false;
  while (accept(',')) {
    StringRef Name;
    if (!word(Name, "function_name or inlined_at"))
      return false;
    if (Name == "function_name") {
      take();
      if (accept('+'))
        take();
    } else if (!integer(P.InlinedFile) || !integer(P.InlinedLine) ||
               !integer(P.InlinedColumn)) {
      return false;
    }
  }
  return true;
}

bool PtxParser::targets(PtxFunction &F, StringRef Name) {
  take();
  PtxStatement S;
  S.Kind = PtxStatement::TargetTable;
  S.Line = next().Line;
  S.Name = Name;
  do {
    StringRef Target;
    if (!word(Target, "a label"))
      return false;
    S.Targets.push_back(Target);
  } while (accept(','));
  F.Body.push_back(std::move(S));
  return expect(';');
}

bool PtxParser::prototype(PtxFunction &F, StringRef Name) {
  PtxFunction Type;
  Type.Line = take().Line;
  if (next().is('(') && !parameters(Type.Results))
    return false;
  if (!next().is(';') && !next().is('('))
    take(); // "_"
  if (next().is('(') && !parameters(Type.Parameters))
    return false;
  PtxStatement &S = add(F, PtxStatement::Prototype);
  S.Name = Name;
  S.Index = File.Prototypes.size();
  File.Prototypes.push_back(std::move(Type));
  return skipTo(';');
}

bool PtxParser::instruction(PtxFunction &F) {
  PtxStatement S;
  S.Line = S.Code.Line = next().Line;
  PtxInstruction &I = S.Code;
  if (accept('@')) {
    I.GuardNegated = accept('!');
    if (!word(I.Guard, "a predicate"))
      return false;
  }
  if (!word(I.Opcode, "an instruction"))
    return false;
  while (next().Kind == PtxToken::Dotted)
    I.Modifiers.push_back(take().Spelling.drop_front());
  if (!operands(I.Operands, ';', 0))
    return false;
  F.Body.push_back(std::move(S));
  return true;
}

/// Operands up to the character Close, which is taken.
bool PtxParser::operands(std::vector<PtxOperand> &Into, char Close,
                         unsigned Depth) {
  while (!next().is(Close)) {
    if (!operand(Into.emplace_back(), Depth))
      return false;
    if (!accept(','))
      break;
  }
  return expect(Close);
}

/// A number, or integers with '*' in between.
bool PtxParser::product(PtxOperand &Into) {
  if (!number(Into))
    return false;
  while (Into.Kind != PtxOperand::Real && accept('*')) {
    PtxOperand Factor;
    if (next().Kind != PtxToken::Number)
      return fail("expected a number");
    if (!number(Factor))
      return false;
    if (Factor.Kind == PtxOperand::Real)
      return fail("expected an integer");
    Into.Value *= Factor.Value;
  }
  return true;
}

/// A sum of numbers behind a name.
bool PtxParser::offset(int64_t &Into) {
  while (next().is('+') || next().is('-')) {
    bool Minus = take().is('-');
    if (accept('-'))
      Minus = !Minus;
    PtxOperand Value;
    if (next().Kind != PtxToken::Number)
      return fail("expected a number");
    if (!product(Value))
      return false;
    Into = static_cast<int64_t>(static_cast<uint64_t>(Into) +
                                (Minus ? 0 - Value.Value : Value.Value));
  }
  return true;
}

bool PtxParser::nameOperand(PtxOperand &Into) {
  const PtxToken &Name = take();
  Into.Text = Name.Spelling;
  if (next().Kind == PtxToken::Dotted &&
      next().Spelling.begin() == Name.Spelling.end())
    Into.Component = take().Spelling.drop_front();
  if (!offset(Into.Offset))
    return false;
  if (next().is('[') && next(1).Kind == PtxToken::Number) { // name[4]
    take();
    PtxOperand Index;
    if (!number(Index) || !expect(']'))
      return false;
    Into.Offset += static_cast<int64_t>(Index.Value);
  }
  if (accept('|')) {
    PtxOperand First = std::move(Into);
    Into = PtxOperand();
    Into.Kind = PtxOperand::Pair;
    Into.Parts.push_back(std::move(First));
    PtxOperand &Second = Into.Parts.emplace_back();
    Second.Negated = accept('!');
    return word(Second.Text, "a predicate");
  }
  return true;
}

bool PtxParser::number(PtxOperand &Into) {
  StringRef Text = next().Spelling;
  Into.Kind = PtxOperand::Integer;
  StringRef Digits = Text;
  if (Digits.consume_front_insensitive("0f") ||
      Digits.consume_front_insensitive("0d")) {
    Into.Kind = PtxOperand::Real;
    Into.Width = toLower(Text[1]) == 'f' ? 32 : 64;
    if (Digits.getAsInteger(16, Into.Value))
      return fail("expected a number such as 0f3F800000");
    take();
    return true;
  }
  if (Text.contains('.') ||
      (!Text.starts_with_insensitive("0x") && Text.contains_insensitive("e"))) {
    APFloat Value(APFloat::IEEEdouble());
    Digits = Text.rtrim("fF");
    Expected<APFloat::opStatus> Status =
        Value.convertFromString(Digits, APFloat::rmNearestTiesToEven);
    if (!Status) {
      consumeError(Status.takeError());
      return fail("expected a number");
    }
    Into.Kind = PtxOperand::Real;
    Into.Width = 64;
    Into.Value = Value.bitcastToAPInt().getZExtValue();
    take();
    return true;
  }
  Digits = Text.rtrim("uU");
  if (Digits.getAsInteger(0, Into.Value))
    return fail("expected a number of at most 64 bits");
  take();
  return true;
}

bool PtxParser::operand(PtxOperand &Into, unsigned Depth) {
  if (Depth > MaxDepth)
    return fail("operands are nested too deep");
  if (accept('{')) {
    Into.Kind = PtxOperand::Vector;
    if (!operands(Into.Parts, '}', Depth + 1))
      return false;
    return !Into.Parts.empty() || fail("expected a vector that is not empty");
  }
  if (accept('(')) {
    Into.Kind = PtxOperand::List;
    return operands(Into.Parts, ')', Depth + 1);
  }
  if (accept('[')) {
    Into.Kind = PtxOperand::Address;
    if (!operands(Into.Parts, ']', Depth + 1))
      return false;
    return !Into.Parts.empty() || fail("expected an address");
  }
  if (accept('!')) {
    if (next().Kind != PtxToken::Word)
      return fail("expected a predicate");
    Into.Negated = true;
    return nameOperand(Into);
  }
  bool Minus = accept('-'), Complement = !Minus && accept('~');
  if (next().Kind == PtxToken::Number) {
    if (!product(Into))
      return false;
    if (Minus && Into.Kind == PtxOperand::Real)
      Into.Value ^= uint64_t(1) << (Into.Width - 1);
    else if (Minus)
      Into.Value = 0 - Into.Value;
    else if (Complement)
      Into.Value = ~Into.Value;
    int64_t More = 0;
    if (!offset(More))
      return false;
    Into.Value += static_cast<uint64_t>(More);
    return true;
  }
  if (next().Kind != PtxToken::Word)
    return fail("expected an operand");
  Into.Negated = Minus;
  return nameOperand(Into);
}

} // namespace

Expected<PtxFile> parsePtx(StringRef Text) {
  Expected<std::vector<PtxToken>> Tokens = lexPtx(Text);
  if (!Tokens)
    return Tokens.takeError();
  return PtxParser(std::move(*Tokens)).run();
}

Expected<PtxFunction> parsePtxStatements(StringRef Text) {
  Expected<std::vector<PtxToken>> Tokens = lexPtx(Text);
  if (!Tokens)
    return Tokens.takeError();
  return PtxParser(std::move(*Tokens)).runStatements();
}

} // namespace gpuestimate
