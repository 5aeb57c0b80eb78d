#include "Lexer.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace gpuestimate {

Error ptxError(unsigned Line, const Twine &Message) {
  return createStringError(Twine(Line) + ": " + Message);
}

namespace {

bool startsWord(char C) {
  return isAlpha(C) || C == '_' || C == '$' || C == '%';
}
bool isWordPart(char C) { return isAlnum(C) || C == '_' || C == '$'; }

class PtxLexer {
public:
  explicit PtxLexer(StringRef Text) : Text(Text) {}

  Expected<std::vector<PtxToken>> run() {
    std::vector<PtxToken> Tokens;
    while (true) {
      if (Error E = skipBlanks())
        return E;
      if (At == Text.size())
        break;
      if (Error E = token(Tokens))
        return E;
    }
    Tokens.push_back({PtxToken::End, StringRef(), Line});
    return Tokens;
  }

private:
  char peek(size_t Ahead = 0) const {
    return At + Ahead < Text.size() ? Text[At + Ahead] : '\0';
  }

  /// White space, comments and the line markers of a preprocessor.
  Error skipBlanks() {
    while (At < Text.size()) {
      char C = Text[At];
      if (C == '\n') {
        ++Line;
        ++At;
      } else if (isSpace(C) || C == '\0') { // dumps may end with a zero
        ++At;
      } else if (C == '#' || (C == '/' && peek(1) == '/')) {
        At = std::min(Text.find('\n', At), Text.size());
      } else if (C == '/' && peek(1) == '*') {
        size_t End = Text.find("*/", At + 2);
        if (End == StringRef::npos)
          return ptxError(Line, "a comment without an end: write '*/'");
        Line += Text.slice(At, End).count('\n');
        At = End + 2;
      } else {
        break;
      }
    }
    return Error::success();
  }

  Error token(std::vector<PtxToken> &Into) {
    size_t Begin = At;
    auto Add = [&](PtxToken::KindType Kind) {
      Into.push_back({Kind, Text.slice(Begin, At), Line});
      return Error::success();
    };
    char C = Text[At];
    if (startsWord(C)) {
      ++At;
      while (isWordPart(peek()))
        ++At;
      return Add(PtxToken::Word);
    }
    if (C == '.' && (isWordPart(peek(1)))) {
      ++At;
      while (isWordPart(peek()) ||
             (peek() == ':' && peek(1) == ':' && isWordPart(peek(2)))) {
        At += peek() == ':' ? 2 : 1;
      }
      return Add(PtxToken::Dotted);
    }
    if (isDigit(C)) {
      number();
      return Add(PtxToken::Number);
    }
    if (C == '"') {
      size_t End = Text.find('"', At + 1);
      if (End == StringRef::npos)
        return ptxError(Line, "a string without an end: write '\"'");
      Into.push_back({PtxToken::Text, Text.slice(At + 1, End), Line});
      Line += Text.slice(At, End).count('\n');
      At = End + 1;
      return Error::success();
    }
    if (StringRef("{}()[]<>,;:@!=+-|~*/&^?").contains(C)) {
      ++At;
      return Add(PtxToken::Punctuation);
    }
    return ptxError(Line, "the character '" + Twine(isPrint(C) ? C : '?') +
                              "' is not part of PTX; is this a text file that "
                              "a compiler wrote with '.version'?");
  }

  void number() {
    bool IsHex =
        peek() == '0' && (peek(1) == 'x' || peek(1) == 'X' || peek(1) == 'f' ||
                          peek(1) == 'F' || peek(1) == 'd' || peek(1) == 'D');
    if (IsHex) {
      At += 2;
      while (isHexDigit(peek()))
        ++At;
    } else {
      while (isDigit(peek()))
        ++At;
      if (peek() == '.' && isDigit(peek(1)))
        for (++At; isDigit(peek());)
          ++At;
      bool HasSign = peek(1) == '+' || peek(1) == '-';
      if ((peek() == 'e' || peek() == 'E') && isDigit(peek(HasSign ? 2 : 1)))
        for (At += 2; isDigit(peek());)
          ++At;
    }
    while (isAlpha(peek())) // the U of an unsigned number, binary digits' b
      for (++At; isDigit(peek());)
        ++At;
  }

  StringRef Text;
  size_t At = 0;
  unsigned Line = 1;
};

} // namespace

Expected<std::vector<PtxToken>> lexPtx(StringRef Text) {
  return PtxLexer(Text).run();
}

} // namespace gpuestimate
