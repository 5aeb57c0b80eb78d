/// \file
/// The YAML of all files that the program reads (machine models, datasets,
/// error bounds, configurations): a tree of scalars, lists and maps in which
/// every node knows its line and column. Anchors, aliases, tags, repeated keys
/// and several documents are errors. Only lib/Support/Yaml.cpp includes LLVM's
/// YAML parser.
#ifndef GPU_ESTIMATE_SUPPORT_YAML_H
#define GPU_ESTIMATE_SUPPORT_YAML_H

#include "gpu-estimate/Support/FileMessage.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <vector>

namespace gpuestimate {

struct YamlMember;

struct YamlNode {
  enum class Kind : uint8_t { Null, Scalar, List, Map };
  Kind What = Kind::Null;
  TextPlace Place;
  std::string Scalar;
  std::vector<YamlNode> Items;     ///< of a list
  std::vector<YamlMember> Members; ///< of a map, in file order

  bool isNull() const { return What == Kind::Null; }
  /// True for a missing value, too: it reads as empty text.
  bool isScalar() const { return What == Kind::Scalar || isNull(); }
  bool isList() const { return What == Kind::List; }
  bool isMap() const { return What == Kind::Map; }
  /// The member of this name; null if there is none.
  const YamlMember *find(llvm::StringRef Name) const;
};

struct YamlMember {
  std::string Name;
  TextPlace Place; ///< of the name
  YamlNode Value;
};

/// A kind of file: its name in messages, and whether it may be empty.
struct YamlFileKind {
  llvm::StringLiteral Name;     ///< "a GPU model"
  llvm::StringLiteral FirstKey; ///< "id", an example of a key
  bool MayBeEmpty = false;
};

/// Reads Text, whose top level must be a map. Appends problems to Messages;
/// nullopt if Text is not YAML, else the tree holds what could be read. Stack
/// and time stay bounded for any bytes: text that could make LLVM's parser
/// recurse deeply is refused before it is parsed.
std::optional<YamlNode> readYaml(llvm::StringRef Text, const YamlFileKind &Kind,
                                 std::vector<FileMessage> &Messages);

/// Reads Text as above; the error holds all messages, with File in front.
llvm::Expected<YamlNode> readYamlFile(llvm::StringRef File,
                                      llvm::StringRef Text,
                                      const YamlFileKind &Kind);

} // namespace gpuestimate

#endif
