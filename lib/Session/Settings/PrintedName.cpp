#include "PrintedName.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace gpuestimate {

static void replaceAll(std::string &Text, StringRef From, StringRef To) {
  for (size_t At = 0; (At = Text.find(From, At)) != std::string::npos;
       At += To.size())
    Text.replace(At, From.size(), To);
}

/// Text without the matches of Pattern.
static std::string without(std::string Text, StringRef Pattern,
                           StringRef Replacement = "") {
  Regex R(Pattern);
  // Each round makes the text shorter.
  while (R.match(Text)) {
    std::string Next = R.sub(Replacement, Text);
    if (Next.size() >= Text.size())
      break;
    Text = std::move(Next);
  }
  return Text;
}

/// "void ns::f<float, (int)4>(T1 *)" -> "ns::f<float,4>".
static std::string plainName(StringRef Printed) {
  std::string Text = Printed.trim().str();
  for (StringRef Unnamed : {"(anonymous namespace)::", "<unnamed>::"})
    replaceAll(Text, Unnamed, "");
  Text = without(std::move(Text),
                 "\\((unsigned |signed )?(bool|char|short|int|long|long "
                 "long|unsigned)\\)");
  // Parameters follow the first bracket outside of template arguments; blanks
  // before the name end the return type.
  int Depth = 0;
  size_t Begin = 0, End = Text.size();
  for (size_t I = 0; I < Text.size() && End == Text.size(); ++I) {
    Depth += Text[I] == '<';
    Depth -= Text[I] == '>' && (I == 0 || Text[I - 1] != '-');
    if (Depth == 0 && Text[I] == '(')
      End = I;
    else if (Depth == 0 && Text[I] == ' ')
      Begin = I + 1;
  }
  Text = Text.substr(Begin, End - Begin);
  erase(Text, ' ');
  Text = without(std::move(Text), "([<,]-?[0-9]+)[uUlL]+", "\\1");
  replaceAll(Text, "<true", "<1");
  replaceAll(Text, ",true", ",1");
  replaceAll(Text, "<false", "<0");
  replaceAll(Text, ",false", ",0");
  return Text;
}

/// "ns::f<a::b>" -> "f<a::b>".
static StringRef withoutNamespace(StringRef Plain) {
  size_t Arguments = Plain.find('<');
  size_t At = Plain.take_front(Arguments).rfind("::");
  return At == StringRef::npos ? Plain : Plain.drop_front(At + 2);
}

bool meansKernel(StringRef Recorded, StringRef Mangled, StringRef Demangled) {
  if (Recorded == Mangled)
    return true;
  std::string Said = plainName(Recorded), Is = plainName(Demangled);
  StringRef Name = Is;
  if (!StringRef(Said).contains('<'))
    Name = Name.take_until([](char C) { return C == '<'; });
  return !Said.empty() && (Name == Said || withoutNamespace(Name) == Said);
}

} // namespace gpuestimate
