/// \file
/// YAML by llvm::yaml::Stream, behind checks that make hostile input harmless.
#include "gpu-estimate/Support/Yaml.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

namespace gpuestimate {

namespace {

// A complete GPU model, the largest of these files, has about 200 values of one
// or two braces each. LLVM's parser recurses once for each level of nesting, so
// these numbers bound its stack.
constexpr unsigned MaxBrackets = 1500;
constexpr unsigned MaxIndent = 80;
constexpr unsigned MaxMarkersPerLine = 40; ///< "- " that nest on one line
constexpr unsigned MaxDepth = 8;
// Suggestions for misspelt keys and the search for repeated ones take time for
// each line. A complete GPU model has 350 lines.
constexpr unsigned MaxLines = 10000;
// "? " begins a key of any form, even one that begins with "? " on the next
// line, so the parser recurses for each. No file needs such keys, but a note or
// comment may ask a question.
constexpr unsigned MaxQuestions = 40;

bool isUtf8(llvm::StringRef Text) {
  const llvm::UTF8 *Begin = Text.bytes_begin();
  return llvm::isLegalUTF8String(&Begin, Text.bytes_end());
}

/// True if the text may be given to the parser.
bool isHarmless(llvm::StringRef Text, const YamlFileKind &Kind,
                std::vector<FileMessage> &Messages) {
  auto Refuse = [&](unsigned Line, const llvm::Twine &Why) {
    Messages.push_back({{Line, 0}, Why.str()});
    return false;
  };
  if (Text.contains('\0') || !isUtf8(Text))
    return Refuse(0, "the file is not UTF-8 text");
  unsigned Brackets = 0, Questions = 0, LineNumber = 0;
  while (!Text.empty()) {
    llvm::StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    if (++LineNumber > MaxLines)
      return Refuse(LineNumber, "more lines than " + Kind.Name + " can have");
    if (Line.find_first_not_of(' ') != llvm::StringRef::npos &&
        Line.find_first_not_of(' ') > MaxIndent)
      return Refuse(LineNumber, "indented too deeply for " + Kind.Name);
    Brackets += Line.count('[') + Line.count('{');
    if (Brackets > MaxBrackets)
      return Refuse(LineNumber,
                    "more lists and maps than " + Kind.Name + " can have");
    llvm::StringRef Bare = Line.rtrim('\r');
    Questions += Bare.count("? ") + Bare.count("?\t") + Bare.ends_with("?");
    if (Line.count("- ") + Line.count("-\t") > MaxMarkersPerLine ||
        Questions > MaxQuestions)
      return Refuse(LineNumber, "nested too deeply for " + Kind.Name);
  }
  return true;
}

class TreeBuilder {
public:
  TreeBuilder(llvm::StringRef Text, const YamlFileKind &Kind,
              std::vector<FileMessage> &Messages)
      : Kind(Kind), Messages(Messages),
        Stream(Text, Manager, /*ShowColors=*/false) {
    Manager.setDiagHandler(
        [](const llvm::SMDiagnostic &D, void *Self) {
          static_cast<TreeBuilder *>(Self)->onDiagnostic(D);
        },
        this);
  }

  std::optional<YamlNode> run() {
    auto Document = Stream.begin();
    llvm::yaml::Node *Root =
        Document == Stream.end() ? nullptr : Document->getRoot();
    if (!Root || Stream.failed())
      return fail();
    YamlNode Tree = build(*Root, 0);
    if (Stream.failed())
      return fail();
    if (Tree.isNull() && Kind.MayBeEmpty)
      Tree.What = YamlNode::Kind::Map;
    if (!Tree.isMap()) {
      report(Tree.Place,
             "expected a map of keys such as '" + Kind.FirstKey + ": ...'");
      return std::nullopt;
    }
    if (++Document != Stream.end()) {
      report({}, Kind.Name + " is a single YAML document");
      return std::nullopt;
    }
    return Tree;
  }

private:
  std::optional<YamlNode> fail() {
    if (!Malformed)
      report({}, "malformed YAML");
    return std::nullopt;
  }

  void onDiagnostic(const llvm::SMDiagnostic &D) {
    // After the first error the parser's later ones are consequences.
    if (Malformed)
      return;
    Malformed = true;
    TextPlace Place;
    if (D.getLineNo() > 0)
      Place = {static_cast<unsigned>(D.getLineNo()),
               static_cast<unsigned>(D.getColumnNo() + 1)};
    report(Place, "malformed YAML: " + D.getMessage());
  }

  void report(TextPlace Place, const llvm::Twine &Text) {
    Messages.push_back({Place, Text.str()});
  }

  TextPlace placeOf(const llvm::yaml::Node &Node) {
    llvm::SMLoc Start = Node.getSourceRange().Start;
    if (!Start.isValid())
      return {};
    auto [Line, Column] = Manager.getLineAndColumn(Start);
    return {Line, Column};
  }

  YamlNode build(llvm::yaml::Node &Node, unsigned Depth) {
    YamlNode Tree;
    Tree.Place = placeOf(Node);
    if (Depth > MaxDepth) {
      report(Tree.Place, "nested too deeply for " + Kind.Name);
      return Tree;
    }
    if (!Node.getAnchor().empty() || !Node.getRawTag().empty())
      report(Tree.Place, "anchors and tags are not part of " + Kind.Name);
    if (auto *Scalar = llvm::dyn_cast<llvm::yaml::ScalarNode>(&Node)) {
      llvm::SmallString<64> Storage;
      Tree.What = YamlNode::Kind::Scalar;
      Tree.Scalar = Scalar->getValue(Storage).str();
    } else if (auto *Block =
                   llvm::dyn_cast<llvm::yaml::BlockScalarNode>(&Node)) {
      Tree.What = YamlNode::Kind::Scalar;
      Tree.Scalar = Block->getValue().trim().str();
    } else if (auto *List = llvm::dyn_cast<llvm::yaml::SequenceNode>(&Node)) {
      Tree.What = YamlNode::Kind::List;
      for (llvm::yaml::Node &Item : *List)
        Tree.Items.push_back(build(Item, Depth + 1));
    } else if (auto *Map = llvm::dyn_cast<llvm::yaml::MappingNode>(&Node)) {
      Tree.What = YamlNode::Kind::Map;
      for (llvm::yaml::KeyValueNode &Member : *Map)
        addMember(Tree, Member, Depth);
    } else if (llvm::isa<llvm::yaml::AliasNode>(&Node)) {
      report(Tree.Place, "aliases are not part of " + Kind.Name);
    }
    return Tree;
  }

  void addMember(YamlNode &Map, llvm::yaml::KeyValueNode &Member,
                 unsigned Depth) {
    auto *Key = llvm::dyn_cast_or_null<llvm::yaml::ScalarNode>(Member.getKey());
    if (Stream.failed())
      return;
    if (!Key) {
      report(Map.Place, "expected a plain word as key");
      return;
    }
    llvm::SmallString<64> Storage;
    std::string Name = Key->getValue(Storage).str();
    TextPlace Place = placeOf(*Key);
    llvm::yaml::Node *Value = Member.getValue();
    if (!Value || Stream.failed())
      return;
    YamlNode Child = build(*Value, Depth + 1);
    // A missing value (`key:`) has no place of its own.
    if (Child.isNull())
      Child.Place = Place;
    if (Map.find(Name))
      report(Place, Name + ": this key is given twice");
    else
      Map.Members.push_back({std::move(Name), Place, std::move(Child)});
  }

  const YamlFileKind &Kind;
  std::vector<FileMessage> &Messages;
  bool Malformed = false;
  llvm::SourceMgr Manager;
  llvm::yaml::Stream Stream;
};

} // namespace

const YamlMember *YamlNode::find(llvm::StringRef Name) const {
  for (const YamlMember &Member : Members)
    if (Member.Name == Name)
      return &Member;
  return nullptr;
}

std::optional<YamlNode> readYaml(llvm::StringRef Text, const YamlFileKind &Kind,
                                 std::vector<FileMessage> &Messages) {
  if (Text.trim().empty()) {
    if (!Kind.MayBeEmpty) {
      Messages.push_back({{}, "the file is empty"});
      return std::nullopt;
    }
    YamlNode Empty;
    Empty.What = YamlNode::Kind::Map;
    return Empty;
  }
  if (!isHarmless(Text, Kind, Messages))
    return std::nullopt;
  return TreeBuilder(Text, Kind, Messages).run();
}

llvm::Expected<YamlNode> readYamlFile(llvm::StringRef File,
                                      llvm::StringRef Text,
                                      const YamlFileKind &Kind) {
  std::vector<FileMessage> Messages;
  std::optional<YamlNode> Tree = readYaml(Text, Kind, Messages);
  if (!Messages.empty())
    return llvm::createStringError(printMessages(File, Messages));
  return std::move(*Tree);
}

} // namespace gpuestimate
