/// \file
/// YAML by llvm::yaml::Stream, behind checks that make hostile input harmless.
#include "YamlReader.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

namespace gpuestimate {

namespace {

// A complete model has about 200 values of one or two braces each. The parser
// recurses once for each level of nesting, so these numbers bound its stack.
constexpr unsigned MaxBrackets = 1500;
constexpr unsigned MaxIndent = 80;
constexpr unsigned MaxMarkersPerLine = 40; ///< "- " that nest on one line
constexpr unsigned MaxDepth = 8;
// Looking for the key that was meant, or for one given twice, takes time for
// each line. A complete model has 350.
constexpr unsigned MaxLines = 10000;
// "? " begins a key that can be anything, even on the next line a key that
// begins with "? "; a model has none, but a note may ask a question.
constexpr unsigned MaxQuestions = 40;

bool isUtf8(llvm::StringRef Text) {
  const llvm::UTF8 *Begin = Text.bytes_begin();
  return llvm::isLegalUTF8String(&Begin, Text.bytes_end());
}

/// True if the text may be given to the parser.
bool isHarmless(llvm::StringRef Text, std::vector<LineMessage> &Messages) {
  auto Refuse = [&](unsigned Line, std::string Why) {
    Messages.push_back({Line, std::move(Why)});
    return false;
  };
  if (Text.trim().empty())
    return Refuse(0, "the file is empty");
  if (Text.contains('\0') || !isUtf8(Text))
    return Refuse(0, "the file is not UTF-8 text");
  unsigned Brackets = 0, Questions = 0, LineNumber = 0;
  while (!Text.empty()) {
    llvm::StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    if (++LineNumber > MaxLines)
      return Refuse(LineNumber, "more lines than a GPU model can have");
    if (Line.find_first_not_of(' ') != llvm::StringRef::npos &&
        Line.find_first_not_of(' ') > MaxIndent)
      return Refuse(LineNumber, "indented too deeply for a GPU model");
    Brackets += Line.count('[') + Line.count('{');
    if (Brackets > MaxBrackets)
      return Refuse(LineNumber,
                    "more lists and maps than a GPU model can have");
    llvm::StringRef Bare = Line.rtrim('\r');
    Questions += Bare.count("? ") + Bare.count("?\t") + Bare.ends_with("?");
    if (Line.count("- ") + Line.count("-\t") > MaxMarkersPerLine ||
        Questions > MaxQuestions)
      return Refuse(LineNumber, "nested too deeply for a GPU model");
  }
  return true;
}

class TreeBuilder {
public:
  TreeBuilder(llvm::StringRef Text, std::vector<LineMessage> &Messages)
      : Messages(Messages), Stream(Text, Manager, /*ShowColors=*/false) {
    Manager.setDiagHandler(
        [](const llvm::SMDiagnostic &D, void *Self) {
          static_cast<TreeBuilder *>(Self)->onDiagnostic(D);
        },
        this);
  }

  std::optional<YamlTree> run() {
    auto Document = Stream.begin();
    llvm::yaml::Node *Root =
        Document == Stream.end() ? nullptr : Document->getRoot();
    if (!Root || Stream.failed())
      return fail();
    YamlTree Tree = build(*Root, 0);
    if (Stream.failed())
      return fail();
    if (!Tree.isMap()) {
      report(Tree.Line, "expected a map of keys such as 'id: ...'");
      return std::nullopt;
    }
    if (++Document != Stream.end()) {
      report(0, "a GPU model is a single YAML document");
      return std::nullopt;
    }
    return Tree;
  }

private:
  std::optional<YamlTree> fail() {
    if (!Malformed)
      report(0, "malformed YAML");
    return std::nullopt;
  }

  void onDiagnostic(const llvm::SMDiagnostic &D) {
    // After the first error the parser's later ones are consequences.
    if (Malformed)
      return;
    Malformed = true;
    report(D.getLineNo() > 0 ? D.getLineNo() : 0,
           "malformed YAML: " + D.getMessage().str());
  }

  void report(unsigned Line, std::string Text) {
    Messages.push_back({Line, std::move(Text)});
  }

  unsigned lineOf(const llvm::yaml::Node &Node) {
    llvm::SMLoc Where = Node.getSourceRange().Start;
    return Where.isValid() ? Manager.FindLineNumber(Where) : 0;
  }

  YamlTree build(llvm::yaml::Node &Node, unsigned Depth) {
    YamlTree Tree;
    Tree.Line = lineOf(Node);
    if (Depth > MaxDepth) {
      report(Tree.Line, "nested too deeply for a GPU model");
      return Tree;
    }
    if (!Node.getAnchor().empty() || !Node.getRawTag().empty())
      report(Tree.Line, "anchors and tags are not part of a GPU model");
    if (auto *Scalar = llvm::dyn_cast<llvm::yaml::ScalarNode>(&Node)) {
      llvm::SmallString<64> Storage;
      Tree.Scalar = Scalar->getValue(Storage).str();
    } else if (auto *Block =
                   llvm::dyn_cast<llvm::yaml::BlockScalarNode>(&Node)) {
      Tree.Scalar = Block->getValue().trim().str();
    } else if (auto *List = llvm::dyn_cast<llvm::yaml::SequenceNode>(&Node)) {
      Tree.What = YamlTree::Kind::List;
      for (llvm::yaml::Node &Item : *List)
        Tree.Items.push_back(build(Item, Depth + 1));
    } else if (auto *Map = llvm::dyn_cast<llvm::yaml::MappingNode>(&Node)) {
      Tree.What = YamlTree::Kind::Map;
      for (llvm::yaml::KeyValueNode &Member : *Map)
        addMember(Tree, Member, Depth);
    } else if (llvm::isa<llvm::yaml::AliasNode>(&Node)) {
      report(Tree.Line, "aliases are not part of a GPU model");
    }
    return Tree;
  }

  void addMember(YamlTree &Map, llvm::yaml::KeyValueNode &Member,
                 unsigned Depth) {
    auto *Key = llvm::dyn_cast_or_null<llvm::yaml::ScalarNode>(Member.getKey());
    if (Stream.failed())
      return;
    if (!Key) {
      report(Map.Line, "expected a plain word as key");
      return;
    }
    llvm::SmallString<64> Storage;
    std::string Name = Key->getValue(Storage).str();
    unsigned Line = lineOf(*Key);
    llvm::yaml::Node *Value = Member.getValue();
    if (!Value || Stream.failed())
      return;
    YamlTree Child = build(*Value, Depth + 1);
    // A missing value (`key:`) has no place of its own.
    Child.Line = Line;
    if (Map.find(Name))
      report(Line, Name + ": this key is given twice");
    else
      Map.Members.push_back({std::move(Name), std::move(Child)});
  }

  std::vector<LineMessage> &Messages;
  bool Malformed = false;
  llvm::SourceMgr Manager;
  llvm::yaml::Stream Stream;
};

} // namespace

const YamlTree *YamlTree::find(llvm::StringRef Key) const {
  for (const auto &[Name, Value] : Members)
    if (Name == Key)
      return &Value;
  return nullptr;
}

std::optional<YamlTree> readYaml(llvm::StringRef Text,
                                 std::vector<LineMessage> &Messages) {
  if (!isHarmless(Text, Messages))
    return std::nullopt;
  return TreeBuilder(Text, Messages).run();
}

} // namespace gpuestimate
