#include "YamlLines.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

namespace gpuestimate {

namespace {

/// No model nests so deep.
constexpr unsigned MostDepth = 6;

class LineReader {
public:
  explicit LineReader(llvm::StringRef Text) : Text(Text) { advance(); }

  std::optional<YamlTree> run() {
    YamlTree Tree;
    Tree.Line = Number;
    if (AtEnd || Indent != 0 || !readMap(Tree, 0, 0) || !AtEnd)
      return std::nullopt;
    return Tree;
  }

private:
  /// To the next line that says anything.
  void advance() {
    for (;;) {
      if (Text.empty()) {
        AtEnd = true;
        return;
      }
      std::tie(Line, Text) = Text.split('\n');
      ++Number;
      size_t Begin = Line.find_first_not_of(' ');
      if (Begin == llvm::StringRef::npos || Line[Begin] == '#')
        continue;
      Indent = int(Begin);
      Line = Line.drop_front(Begin).rtrim(' ');
      return;
    }
  }

  bool readBelow(YamlTree &Value, unsigned Depth) {
    if (Depth > MostDepth)
      return false;
    return Line.starts_with("- ") ? readList(Value, Indent)
                                  : readMap(Value, Indent, Depth);
  }

  /// Of one-line maps.
  bool readList(YamlTree &List, int Of) {
    List.What = YamlTree::Kind::List;
    for (; !AtEnd && Indent == Of; advance()) {
      YamlTree &Item = List.Items.emplace_back();
      Item.Line = Number;
      llvm::StringRef Rest = Line;
      if (!Rest.consume_front("- {") || !readMembers(Rest, Item) ||
          !Rest.empty())
        return false;
    }
    return AtEnd || Indent < Of;
  }

  bool readMap(YamlTree &Map, int Of, unsigned Depth) {
    Map.What = YamlTree::Kind::Map;
    while (!AtEnd && Indent == Of) {
      YamlMember &Member = Map.Members.emplace_back();
      Member.Value.Line = Number;
      llvm::StringRef Rest = Line;
      if (!readKey(Rest, Member.Name) || Map.find(Member.Name) != &Member.Value)
        return false;
      advance();
      // What is deeper below a value would belong to it.
      bool Deeper = !AtEnd && Indent > Of;
      if (Rest.empty()
              ? !Deeper || !readBelow(Member.Value, Depth + 1)
              : Deeper || !readValue(Rest, Member.Value, "") || !Rest.empty())
        return false;
    }
    return AtEnd || Indent < Of;
  }

  /// `key:` and the blanks behind it.
  static bool readKey(llvm::StringRef &Rest, std::string &Name) {
    size_t Size = 0;
    while (Size < Rest.size() &&
           (llvm::isAlnum(Rest[Size]) || Rest[Size] == '_'))
      ++Size;
    Name = Rest.take_front(Size).str();
    Rest = Rest.drop_front(Size);
    if (Size == 0 || !Rest.consume_front(":") ||
        !(Rest.empty() || Rest.front() == ' '))
      return false;
    Rest = Rest.ltrim(' ');
    if (Rest.starts_with("#"))
      Rest = "";
    return true;
  }

  /// Ends: characters that end a plain word, as well as the line.
  static bool readValue(llvm::StringRef &Rest, YamlTree &To,
                        llvm::StringRef Ends) {
    if (Rest.empty())
      return false;
    if (Rest.front() == '\'' || Rest.front() == '"')
      return readQuoted(Rest, To.Scalar);
    if (Ends.empty() && Rest.consume_front("{"))
      return readMembers(Rest, To);
    if (Rest.consume_front("["))
      return readItems(Rest, To);
    return readPlain(Rest, To.Scalar, Ends);
  }

  static bool readQuoted(llvm::StringRef &Rest, std::string &To) {
    const char Quote = Rest.front();
    do {
      size_t End = Rest.find(Quote, 1);
      if (End == llvm::StringRef::npos)
        return false;
      To += Rest.slice(1, End);
      Rest = Rest.drop_front(End + 1);
      // Between ' a doubled quote stands for one.
      if (Rest.starts_with("'") && Quote == '\'')
        To += Quote;
    } while (Rest.starts_with("'") && Quote == '\'');
    Rest = Rest.ltrim(' ');
    return Quote == '\'' || To.find('\\') == std::string::npos;
  }

  static bool readPlain(llvm::StringRef &Rest, std::string &To,
                        llvm::StringRef Ends) {
    if (!llvm::isAlnum(Rest.front()) && Rest.front() != '/' &&
        Rest.front() != '.')
      return false;
    size_t End = std::min(Rest.find_first_of(Ends), Rest.size());
    llvm::StringRef Word = Rest.take_front(End);
    if (Word.contains(": ") || Word.ends_with(":") || Word.contains(" #") ||
        Word.find_first_of("{}[]") != llvm::StringRef::npos)
      return false;
    To = Word.rtrim(' ').str();
    Rest = Rest.drop_front(End);
    return true;
  }

  static bool readMembers(llvm::StringRef &Rest, YamlTree &Map) {
    Map.What = YamlTree::Kind::Map;
    do {
      Rest = Rest.ltrim(' ');
      YamlMember &Member = Map.Members.emplace_back();
      Member.Value.Line = Map.Line;
      if (!readKey(Rest, Member.Name) ||
          Map.find(Member.Name) != &Member.Value ||
          !readValue(Rest, Member.Value, ",}"))
        return false;
    } while (Rest.consume_front(","));
    bool Closed = Rest.consume_front("}");
    Rest = Rest.ltrim(' ');
    return Closed;
  }

  static bool readItems(llvm::StringRef &Rest, YamlTree &List) {
    List.What = YamlTree::Kind::List;
    do {
      Rest = Rest.ltrim(' ');
      YamlTree &Item = List.Items.emplace_back();
      Item.Line = List.Line;
      if (!readValue(Rest, Item, ",]") || !Item.isScalar())
        return false;
    } while (Rest.consume_front(","));
    bool Closed = Rest.consume_front("]");
    Rest = Rest.ltrim(' ');
    return Closed;
  }

  llvm::StringRef Text, Line;
  unsigned Number = 0;
  int Indent = 0;
  bool AtEnd = false;
};

} // namespace

std::optional<YamlTree> readPlainYaml(llvm::StringRef Text) {
  if (!llvm::all_of(Text, [](char C) { return llvm::isPrint(C) || C == '\n'; }))
    return std::nullopt;
  return LineReader(Text).run();
}

} // namespace gpuestimate
