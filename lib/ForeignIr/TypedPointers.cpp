#include "TypedPointers.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuestimate {

namespace {

constexpr size_t None = std::string::npos;

/// Looks backwards through IR. Positions are ends: one behind a character.
class Backwards {
public:
  explicit Backwards(const std::string &Text) : Text(Text) {}

  size_t blanks(size_t End) const {
    while (End > 0 && isSpace(Text[End - 1]))
      --End;
    return End;
  }

  /// Where the bracket begins whose closing one stands before End.
  size_t bracket(size_t End) const {
    int Depth = 0;
    bool IsInString = false;
    for (size_t At = End; At > 0; --At) {
      char C = Text[At - 1];
      if (C == '"')
        IsInString = !IsInString;
      if (IsInString)
        continue;
      Depth += C == ')' || C == ']' || C == '}' || C == '>';
      Depth -= C == '(' || C == '[' || C == '{' || C == '<';
      if (Depth == 0)
        return At - 1;
    }
    return None;
  }

  /// Where the word or name begins that ends at End; None if there is none.
  size_t word(size_t End) const {
    size_t At = End;
    if (At > 1 && Text[At - 1] == '"') {
      size_t Quote = Text.rfind('"', At - 2);
      return Quote != None && Quote > 0 && Text[Quote - 1] == '%' ? Quote - 1
                                                                  : None;
    }
    auto IsPart = [](char C) {
      return isAlnum(C) || C == '_' || C == '.' || C == '$' || C == '-';
    };
    while (At > 0 && IsPart(Text[At - 1]))
      --At;
    if (At < End && At > 0 && Text[At - 1] == '%')
      --At;
    return At < End ? At : None;
  }

  /// Where an `addrspace(N)` begins that ends at End; None if there is none.
  size_t addressSpace(size_t End) const {
    if (End == 0 || Text[End - 1] != ')')
      return None;
    size_t Open = bracket(End);
    if (Open == None)
      return None;
    size_t WordEnd = blanks(Open), Begin = word(WordEnd);
    return Begin != None && StringRef(Text).slice(Begin, WordEnd) == "addrspace"
               ? Begin
               : None;
  }

  /// Where a type begins that is no function's and ends at End.
  size_t plainType(size_t End) const {
    if (size_t Space = addressSpace(End); Space != None)
      End = blanks(Space); // of `ptr addrspace(1)`
    if (End == 0)
      return None;
    char C = Text[End - 1];
    return C == ']' || C == '}' || C == '>' ? bracket(End) : word(End);
  }

private:
  const std::string &Text;
};

} // namespace

bool TypedPointers::replaceElementType() {
  Backwards Back(Written);
  size_t TypeEnd = Back.blanks(Written.size());
  std::string Suffix;
  // The address space of a pointer that was replaced is its own.
  if (size_t Space = Back.addressSpace(TypeEnd);
      Space != None && TypeEnd != End) {
    Suffix = " " + Written.substr(Space, TypeEnd - Space);
    TypeEnd = Back.blanks(Space);
  }
  size_t Begin = None;
  if (TypeEnd > 0 && Written[TypeEnd - 1] == ')' &&
      Back.addressSpace(TypeEnd) == None) {
    size_t Parameters = Back.bracket(TypeEnd);
    if (Parameters != None)
      Begin = Back.plainType(Back.blanks(Parameters));
  } else {
    Begin = Back.plainType(TypeEnd);
  }
  if (Begin == None)
    return false;
  Element = Written.substr(Begin, TypeEnd - Begin);
  size_t Lines = StringRef(Written).substr(Begin).count('\n') -
                 StringRef(Suffix).count('\n');
  Written.resize(Begin);
  Written += "ptr" + Suffix;
  End = Written.size();
  Written.append(Lines, '\n');
  return true;
}

} // namespace gpuestimate
