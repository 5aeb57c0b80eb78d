#include "IrTokens.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuestimate {

namespace {

bool startsWord(char C) {
  return isAlpha(C) || C == '_' || C == '$' || C == '.';
}
bool isNamePart(char C) { return startsWord(C) || isDigit(C) || C == '-'; }
bool isSigil(char C) {
  return C == '%' || C == '@' || C == '!' || C == '#' || C == '$' || C == '^';
}

class IrLexer {
public:
  explicit IrLexer(StringRef Text) : Text(Text) {}

  std::vector<IrToken> run() {
    std::vector<IrToken> Tokens;
    bool IsDone = false;
    while (!IsDone) {
      IrToken T;
      size_t Begin = At;
      unsigned LineBefore = Line;
      skipBlanks();
      T.Before = Text.slice(Begin, At);
      T.Line = Line;
      T.IsFirst = Tokens.empty() || Line != LineBefore;
      Begin = At;
      T.Kind = token();
      T.Spelling = Text.slice(Begin, At);
      IsDone = T.Kind == IrToken::End;
      Tokens.push_back(T);
    }
    return Tokens;
  }

private:
  char peek(size_t Ahead = 0) const {
    return At + Ahead < Text.size() ? Text[At + Ahead] : '\0';
  }

  void skipBlanks() {
    while (At < Text.size()) {
      if (Text[At] == ';') {
        At = std::min(Text.find('\n', At), Text.size());
      } else if (isSpace(Text[At]) || Text[At] == '\0') {
        Line += Text[At] == '\n';
        ++At;
      } else {
        break;
      }
    }
  }

  void skipString() {
    size_t End = Text.find('"', At + 1);
    End = End == StringRef::npos ? Text.size() : End + 1;
    Line += Text.slice(At, End).count('\n');
    At = End;
  }

  void skipWhile(bool (*IsPart)(char)) {
    while (At < Text.size() && IsPart(Text[At]))
      ++At;
  }

  IrToken::KindType token() {
    if (At == Text.size())
      return IrToken::End;
    char C = Text[At];
    if (C == '"') {
      skipString();
      return IrToken::Text;
    }
    if (isSigil(C) && (isNamePart(peek(1)) || peek(1) == '\\')) {
      ++At;
      skipWhile([](char C) { return isNamePart(C) || C == '\\'; });
      return IrToken::Name;
    }
    if (isSigil(C) && C != '!' && peek(1) == '"') {
      ++At;
      skipString();
      return IrToken::Name;
    }
    if (startsWord(C)) {
      skipWhile(isNamePart);
      return IrToken::Word;
    }
    if (isDigit(C) || ((C == '-' || C == '+') && isDigit(peek(1)))) {
      ++At;
      skipWhile([](char C) { return isNamePart(C) || C == '+'; });
      return IrToken::Number;
    }
    ++At;
    return IrToken::Punctuation;
  }

  StringRef Text;
  size_t At = 0;
  unsigned Line = 1;
};

} // namespace

std::vector<IrToken> splitIr(StringRef Text) { return IrLexer(Text).run(); }

} // namespace gpuestimate
