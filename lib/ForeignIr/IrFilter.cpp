#include "IrFilter.h"

#include "IrTokens.h"
#include "TypedPointers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace gpuestimate {

/// A word of IR newer than LLVM 19 that says nothing about what the code does,
/// with an argument in brackets or without.
static bool isDroppedWord(StringRef Word) {
  return StringSwitch<bool>(Word)
      .Cases("samesign", "noext", "nodivergencesource", true) // LLVM 20
      .Cases("sanitize_type", "sanitize_realtime",
             "sanitize_realtime_blocking",                        // LLVM 20
             "coro_elide_safe", true)                             // LLVM 20
      .Cases("dead_on_return", "sanitize_alloc_token", true)      // LLVM 21, 22
      .Cases("nocreateundeforpoison", "nooutline", "noipa", true) // LLVM 22
      .Default(false);
}

/// Attributes of a pointer that name the type which it points to.
static bool isTypeAttribute(StringRef Word) {
  return StringSwitch<bool>(Word)
      .Cases("byval", "sret", "byref", "inalloca", "preallocated", true)
      .Default(false);
}

static bool isFastMathFlag(StringRef Word) {
  return StringSwitch<bool>(Word)
      .Cases("fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn",
             "reassoc", true)
      .Default(false);
}

/// Conversions, which have had flags of fast mathematics since LLVM 20 and 22.
static bool isConversion(StringRef Word) {
  return StringSwitch<bool>(Word)
      .Cases("fptrunc", "fpext", "sitofp", "uitofp", true)
      .Default(false);
}

/// A field of a debug node that LLVM 20 to 22 has added, or that LLVM 7 has
/// removed ("variables").
static bool isNewField(StringRef Node, StringRef Field) {
  if (Node == "!DICompositeType" && Field == "specification")
    return true;
  if (Node == "!DISubprogram" && Field == "variables")
    return true;
  if (Node == "!DILabel")
    return Field == "column" || Field == "isArtificial" ||
           Field == "coroSuspendIdx";
  return StringSwitch<bool>(Field)
             .Cases("atomGroup", "atomRank", "keyInstructions", true)
             .Cases("sourceLanguageVersion", "numExtraInhabitants", true)
             .Cases("enumKind", "bitStride", true)
             .Default(false) ||
         (Node == "!DIBasicType" && Field == "dataSize");
}

static bool isDebugNode(StringRef Name) {
  return StringSwitch<bool>(Name)
#define HANDLE_SPECIALIZED_MDNODE_LEAF(CLASS) .Case("!" #CLASS, true)
#include "llvm/IR/Metadata.def"
      .Case("!GenericDINode", true)
      .Case("!DIArgList", true)
      .Default(false);
}

/// What stands for a word of debug information: itself, or a common one where
/// LLVM 19 does not know it.
static StringRef debugWord(StringRef Word) {
  if (Word.starts_with("DW_LANG_") && !dwarf::getLanguage(Word))
    return "DW_LANG_C";
  if (Word.starts_with("DW_ATE_") && !dwarf::getAttributeEncoding(Word))
    return "DW_ATE_signed";
  if (Word.starts_with("DW_TAG_") && dwarf::getTag(Word) == ~0u)
    return "DW_TAG_typedef";
  if (Word.starts_with("DIFlag") && !DINode::getFlag(Word))
    return "DIFlagZero";
  if (Word.starts_with("DISPFlag") && !DISubprogram::getFlag(Word))
    return "DISPFlagZero";
  return Word;
}

namespace {

class IrFilter {
public:
  explicit IrFilter(StringRef Text)
      : Tokens(splitIr(Text)),
        IsAmd(Text.contains("amdgcn") || Text.contains("amdgpu_kernel")) {
    Result.Text.reserve(Text.size());
  }

  FilteredIr run() {
    while (next().Kind != IrToken::End)
      statement();
    Result.Text += next().Before;
    return std::move(Result);
  }

private:
  const IrToken &next(size_t Ahead = 0) const {
    return Tokens[std::min(Next + Ahead, Tokens.size() - 1)];
  }
  bool isAtEnd() const { return next().Kind == IrToken::End; }

  void takeAs(StringRef Text) {
    if (isAtEnd())
      return;
    const IrToken &T = next();
    Result.Text += T.Before;
    Result.Text += Text;
    // A string over several lines keeps their number.
    if (Text.data() != T.Spelling.data())
      Result.Text.append(T.Spelling.count('\n'), '\n');
    ++Next;
  }
  void take() { takeAs(next().Spelling); }
  void drop() { takeAs(""); }

  /// Takes or drops the bracket that begins here, to its end.
  template <typename EachType> void bracket(EachType Each) {
    int Depth = 0;
    do {
      for (char Open : {'(', '{', '[', '<'})
        Depth += next().is(Open);
      for (char Close : {')', '}', ']', '>'})
        Depth -= next().is(Close);
      Each();
    } while (Depth > 0 && !isAtEnd());
  }
  void dropWithArgument() {
    drop();
    if (next().is('('))
      bracket([&] { drop(); });
  }

  void statement();
  bool word();
  void attributeGroup();
  void memoryAttribute();
  void debugNode();
  void field(StringRef Node);
  void expression();
  void followFunction(const IrToken &T);
  bool startsInstruction() const;
  bool isSharedPointer(size_t Ahead) const;
  bool castsSharedPointer() const;

  std::vector<IrToken> Tokens;
  bool IsAmd; ///< address spaces have other numbers
  size_t Next = 0;
  FilteredIr Result;
  TypedPointers Pointers{Result.Text};

  /// The function whose lines are being read: in its head, or in its body.
  IrFunctionLines *Function = nullptr;
  bool IsHead = false, IsInBody = false;
  int Depth = 0; ///< of brackets in the head or the body
};

} // namespace

/// Is the first token of a line the beginning of an instruction?
bool IrFilter::startsInstruction() const {
  const IrToken &T = next();
  if (T.Kind == IrToken::Name)
    return T.Spelling.starts_with("%") && next(1).is('=');
  return T.Kind == IrToken::Word && !next(1).is(':') &&
         !StringSwitch<bool>(T.Spelling)
              .Cases("to", "unwind", "cleanup", "catch", "filter", true)
              .Case("uselistorder", true)
              .Default(false);
}

void IrFilter::followFunction(const IrToken &T) {
  if (!IsInBody && T.IsFirst && T.isWord("define")) {
    IsHead = true;
    Function = nullptr;
    Depth = 0;
    return;
  }
  if (IsHead && !Function) {
    StringRef Name = T.Spelling;
    if (T.Kind == IrToken::Name && Name.consume_front("@")) {
      if (Name.consume_front("\""))
        Name.consume_back("\"");
      Function = &Result.Functions[Name];
      Function->Line = T.Line;
      Function->Instructions.clear();
    }
    return;
  }
  if (IsInBody && Depth == 0 && T.IsFirst && startsInstruction())
    Function->Instructions.push_back(T.Line);
  if (!IsHead && !IsInBody)
    return;
  if (IsHead && Depth == 0 && T.is('{')) {
    IsHead = false;
    IsInBody = true;
    return;
  }
  for (char Open : {'(', '{', '['})
    Depth += T.is(Open);
  for (char Close : {')', '}', ']'})
    Depth -= T.is(Close);
  if (IsInBody && Depth < 0)
    IsInBody = false;
}

/// `ptr addrspace(3)` or `ptr addrspace(7)`.
bool IrFilter::isSharedPointer(size_t Ahead) const {
  StringRef Space = next(Ahead + 3).Spelling;
  return next(Ahead).isWord("ptr") && next(Ahead + 1).isWord("addrspace") &&
         next(Ahead + 2).is('(') && (Space == "3" || Space == "7");
}

/// Is `addrspacecast`, which comes next, from one of the two to the other?
bool IrFilter::castsSharedPointer() const {
  constexpr size_t FarthestType = 64;
  size_t From = next(1).is('(') ? 2 : 1;
  if (!isSharedPointer(From))
    return false;
  for (size_t To = From; To < FarthestType; ++To)
    if (next(To).isWord("to"))
      return isSharedPointer(To + 1);
  return false;
}

/// Rewrites the word that comes next; false if it stays as it is.
bool IrFilter::word() {
  const IrToken &T = next();
  if (next(1).is(':')) // a label, or the name of a field
    return false;
  if (T.Spelling == "captures" && next(1).is('(')) {
    bool IsNone = next(2).isWord("none") && next(3).is(')');
    Result.Text += T.Before;
    Result.Text += IsNone ? "nocapture" : "";
    ++Next;
    bracket([&] { drop(); });
    return true;
  }
  if (T.Spelling == "memory" && next(1).is('(')) {
    memoryAttribute();
    return true;
  }
  if (T.Spelling == "attributes" && next(1).Kind == IrToken::Name &&
      next(2).is('=') && next(3).is('{')) {
    attributeGroup();
    return true;
  }
  if (isDroppedWord(T.Spelling)) {
    dropWithArgument();
    return true;
  }
  // Shared memory of the cluster (LLVM 20): the back end of LLVM 19 ends the
  // process where a pointer is cast to it.
  if (!IsAmd && T.Spelling == "addrspacecast" && castsSharedPointer()) {
    takeAs("bitcast");
    return true;
  }
  if (T.Spelling == "ptrtoaddr") { // LLVM 22
    takeAs("ptrtoint");
    return true;
  }
  // Until LLVM 14, an attribute took the type from the pointer.
  if (isTypeAttribute(T.Spelling) && !next(1).is('(') &&
      !Pointers.lastElement().empty()) {
    std::string Element = Pointers.lastElement().str();
    llvm::erase(Element, '\n');
    takeAs(T.Spelling.str() + "(" + Element + ")");
    return true;
  }
  if (isConversion(T.Spelling)) {
    take();
    while (next().Kind == IrToken::Word && isFastMathFlag(next().Spelling))
      drop();
    return true;
  }
  return false;
}

/// Locations of memory that LLVM 19 does not know (errno, and of targets) are
/// memory that the module's code does not see.
void IrFilter::memoryAttribute() {
  take();
  bracket([&] {
    bool IsUnknown = next().Kind == IrToken::Word && next(1).is(':') &&
                     next().Spelling != "argmem" &&
                     next().Spelling != "inaccessiblemem";
    takeAs(IsUnknown ? "inaccessiblemem" : next().Spelling);
  });
}

void IrFilter::attributeGroup() {
  for (int N = 0; N < 4; ++N)
    take();
  while (!isAtEnd() && !next().is('}')) {
    const IrToken &T = next();
    if (T.Kind != IrToken::Word) {
      take();
    } else if (T.Spelling == "memory" && next(1).is('(')) {
      memoryAttribute();
    } else if (!Attribute::getAttrKindFromName(T.Spelling)) {
      dropWithArgument();
    } else {
      take();
      if (next().is('('))
        bracket([&] { take(); });
    }
  }
}

/// An expression that computes a variable's place: nobody needs it, so that one
/// with an unknown operation becomes empty.
void IrFilter::expression() {
  bool IsKnown = true;
  for (size_t Ahead = 1;; ++Ahead) {
    const IrToken &T = next(Ahead);
    if (T.is(')') || T.Kind == IrToken::End)
      break;
    IsKnown &= !T.Spelling.starts_with("DW_OP_") ||
               dwarf::getOperationEncoding(T.Spelling) != 0;
  }
  take();
  bracket([&] {
    if (IsKnown || next().is('(') || next().is(')'))
      take();
    else
      drop();
  });
}

/// A field with its value, up to the comma or the bracket behind it.
void IrFilter::field(StringRef Node) {
  StringRef Name = next().Spelling;
  // LLVM 22 has the languages of DWARF 6 under another name.
  bool IsLanguage = Name == "sourceLanguageName";
  bool IsDropped = isNewField(Node, Name);
  int Nested = 0;
  for (bool IsName = true; !isAtEnd(); IsName = false) {
    const IrToken &T = next();
    if (Nested == 0 && (T.is(',') || T.is(')')))
      return;
    Nested += T.is('(') || T.is('{');
    Nested -= T.is(')') || T.is('}');
    if (IsDropped)
      drop();
    else if (IsLanguage && T.Kind == IrToken::Word)
      takeAs(IsName ? "language" : "DW_LANG_C");
    else
      takeAs(T.Kind == IrToken::Word ? debugWord(T.Spelling) : T.Spelling);
  }
}

void IrFilter::debugNode() {
  StringRef Node = next().Spelling;
  if (Node == "!DIExpression")
    return expression();
  if (!isDebugNode(Node)) { // kinds of types of LLVM 21
    takeAs("!DIBasicType(name: \"unknown\")");
    return bracket([&] { drop(); });
  }
  take();
  take(); // '('
  bool HasFields = false;
  while (!isAtEnd() && !next().is(')')) {
    if (next().is(',')) {
      drop();
      continue;
    }
    size_t Length = Result.Text.size();
    if (HasFields)
      Result.Text += ',';
    size_t Begin = Result.Text.size();
    field(Node);
    bool IsEmpty = StringRef(Result.Text).substr(Begin).trim().empty();
    if (HasFields && IsEmpty)
      Result.Text.erase(Length, 1);
    HasFields |= !IsEmpty;
  }
  take(); // ')'
}

void IrFilter::statement() {
  const IrToken &T = next();
  followFunction(T);
  if (T.is('*') && Pointers.replaceElementType())
    return drop();
  if (!IsAmd && T.Spelling == "7" && Next >= 2 && Tokens[Next - 1].is('(') &&
      Tokens[Next - 2].isWord("addrspace"))
    return takeAs("3");
  if (T.Kind == IrToken::Word && word())
    return;
  if (T.Kind == IrToken::Name && next(1).is('(')) {
    if (T.Spelling.starts_with("!DI") || T.Spelling == "!GenericDINode")
      return debugNode();
    if (T.Spelling.starts_with("#dbg_") &&
        !StringSwitch<bool>(T.Spelling.drop_front(5))
             .Cases("value", "declare", "assign", "label", true)
             .Default(false))
      return dropWithArgument(); // LLVM 22
  }
  take();
}

FilteredIr filterIr(StringRef Text) { return IrFilter(Text).run(); }

} // namespace gpuestimate
