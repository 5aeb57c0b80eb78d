/// \file
/// A tokenizer of Python that knows comments, brackets and strings ("Lexical
/// analysis", 2.4.1, in the reference of the language); everything else
/// separates them.
#include "gpu-estimate/Frontend/PythonSources.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

using namespace llvm;

namespace gpuestimate {

namespace {

/// Writes a constant so that lines and columns stay those of the file.
class Layout {
public:
  /// The next character of the constant was read at this place.
  void moveTo(unsigned NewLine, unsigned Column) {
    bool AtLineStart = Text.empty() || Text.back() == '\n';
    if (Line > NewLine && AtLineStart && !endsInSplice()) {
      Text += "#line " + std::to_string(NewLine) + "\n";
      Line = NewLine;
      Written = 0;
    }
    // A spliced line keeps two halves of a word together.
    for (; Line < NewLine; ++Line, Written = 0)
      Text += AtLineStart ? "\n" : "\\\n";
    if (AtLineStart && !endsInSplice())
      for (; Written < Column; ++Written)
        Text += ' ';
  }
  void put(char C) {
    Value += C;
    Text += C;
    ++Written;
    if (C == '\n') {
      ++Line;
      Written = 0;
    }
  }
  std::string take() { return std::move(Text); }
  StringRef value() const { return Value; }

private:
  bool endsInSplice() const { return StringRef(Text).ends_with("\\\n"); }

  std::string Value; ///< of the constant, without layout
  std::string Text;
  unsigned Line = 1, Written = 0; ///< bytes in the line
};

class Tokenizer {
public:
  explicit Tokenizer(StringRef Program) : Program(Program) {}

  std::vector<PythonSource> run() {
    while (At < Program.size())
      step();
    finish();
    return std::move(Found);
  }

private:
  char peek(size_t Ahead = 0) const {
    return At + Ahead < Program.size() ? Program[At + Ahead] : '\0';
  }
  void advance() {
    if (Program[At++] == '\n') {
      ++Line;
      LineStart = At;
    }
  }
  unsigned column() const { return unsigned(At - LineStart); }

  void step();
  bool takeLiteral();
  void literal(bool IsRaw, bool IsBytes, bool IsFormatted);
  void escape(bool IsBytes);
  void number(unsigned Base, unsigned MaxDigits, bool IsBytes);
  void finish();

  StringRef Program;
  size_t At = 0, LineStart = 0;
  unsigned Line = 1, Depth = 0; ///< of brackets
  bool MayContinue = false; ///< the last token was a literal, or + after one
  Layout Constant;
  unsigned FirstLine = 0; ///< of Constant; 0: there is none
  std::string Missing;
  std::vector<PythonSource> Found;
};

} // namespace

void Tokenizer::step() {
  char C = peek();
  if (C == '#') {
    while (At < Program.size() && peek() != '\n')
      advance();
    return;
  }
  if (C == '\\' && peek(1) == '\n') {
    advance();
    advance();
    return;
  }
  if (C == '\n') {
    if (Depth == 0)
      finish();
    advance();
    return;
  }
  if (isSpace(C))
    return advance();
  if (isAlpha(C) || C == '_' || C == '"' || C == '\'') {
    if (takeLiteral())
      return;
    finish();
    if (C == '"' || C == '\'')
      return advance();
    while (isAlnum(peek()) || peek() == '_')
      advance();
    return;
  }
  if (C == '+' && FirstLine && MayContinue) {
    MayContinue = false;
    return advance();
  }
  if (StringRef("([{").contains(C)) {
    ++Depth;
  } else if (StringRef(")]}").contains(C) && Depth > 0) {
    --Depth;
    // `("a" "b")` is a constant as well, and `+` may follow.
    return advance();
  }
  finish();
  advance();
}

/// Takes a literal with its prefix; false where there is none.
bool Tokenizer::takeLiteral() {
  size_t Prefix = 0;
  bool IsRaw = false, IsBytes = false, IsFormatted = false;
  for (; Prefix < 2 && isAlpha(peek(Prefix)); ++Prefix) {
    char Kind = toLower(peek(Prefix));
    IsRaw |= Kind == 'r';
    IsBytes |= Kind == 'b';
    IsFormatted |= Kind == 'f';
    if (!StringRef("rbuf").contains(Kind))
      return false;
  }
  if (peek(Prefix) != '"' && peek(Prefix) != '\'')
    return false;
  for (; Prefix > 0; --Prefix)
    advance();
  if (!FirstLine)
    FirstLine = Line;
  literal(IsRaw, IsBytes, IsFormatted);
  MayContinue = true;
  return true;
}

void Tokenizer::literal(bool IsRaw, bool IsBytes, bool IsFormatted) {
  char Quote = peek();
  bool IsLong = peek(1) == Quote && peek(2) == Quote;
  for (int I = 0; I < (IsLong ? 3 : 1); ++I)
    advance();
  Constant.moveTo(Line, column());
  while (At < Program.size()) {
    char C = peek();
    if (C == Quote && (!IsLong || (peek(1) == Quote && peek(2) == Quote))) {
      for (int I = 0; I < (IsLong ? 3 : 1); ++I)
        advance();
      return;
    }
    if (C == '\n' && !IsLong) // the literal is not closed
      return;
    if (C == '\\' && At + 1 < Program.size()) {
      if (!IsRaw) {
        escape(IsBytes);
        continue;
      }
      Constant.put(C);
      advance();
    } else if (IsFormatted && (C == '{' || C == '}')) {
      if (peek(1) == C)
        advance();
      else if (Missing.empty())
        Missing = "a part of the f-string is an expression";
    }
    Constant.put(peek());
    advance();
  }
}

void Tokenizer::number(unsigned Base, unsigned MaxDigits, bool IsBytes) {
  unsigned Value = 0;
  for (; MaxDigits > 0 && isHexDigit(peek()) && hexDigitValue(peek()) < Base;
       --MaxDigits) {
    Value = Value * Base + hexDigitValue(peek());
    advance();
  }
  char Utf8[UNI_MAX_UTF8_BYTES_PER_CODE_POINT], *End = Utf8;
  if (IsBytes || Value < 0x80)
    *End++ = char(Value);
  else if (!ConvertCodePointToUTF8(Value, End))
    End = Utf8;
  for (char *C = Utf8; C < End; ++C)
    Constant.put(*C);
}

/// An escape sequence; what is none stays as it is.
void Tokenizer::escape(bool IsBytes) {
  advance();
  char C = peek();
  if (C >= '0' && C <= '7')
    return number(8, 3, IsBytes);
  if (C == '\n') {
    advance();
    return Constant.moveTo(Line, column());
  }
  advance();
  switch (C) {
  case 'n':
    Constant.put('\n');
    // The next literal sets its own place.
    if (peek() != '"' && peek() != '\'')
      Constant.moveTo(Line, column());
    return;
  case 't': // as wide as what is written
    Constant.put(' ');
    Constant.put(' ');
    return;
  case 'r':
  case 'f':
  case 'v':
  case 'a':
  case 'b':
    return Constant.put(' ');
  case 'x':
    return number(16, 2, IsBytes);
  case 'u':
    return number(16, 4, IsBytes);
  case 'U':
    return number(16, 8, IsBytes);
  case '\\':
  case '\'':
  case '"':
    return Constant.put(C);
  default:
    Constant.put('\\');
    Constant.put(C);
  }
}

void Tokenizer::finish() {
  if (FirstLine && Constant.value().contains("__global__") &&
      Constant.value().contains('{'))
    Found.push_back({Constant.take(), FirstLine, std::move(Missing)});
  Constant = Layout();
  FirstLine = 0;
  MayContinue = false;
  Missing.clear();
}

std::vector<PythonSource> cudaInPython(StringRef Program) {
  return Tokenizer(Program).run();
}

} // namespace gpuestimate
