/// \file
/// A small tree of scalars, lists and maps with line numbers, read from YAML.
/// Only this file and its .cpp know LLVM's YAML parser; the tree is the part of
/// YAML that model files use. Anchors, aliases, tags and several documents are
/// errors.
#ifndef GPU_ESTIMATE_LIB_MODEL_MACHINE_YAMLREADER_H
#define GPU_ESTIMATE_LIB_MODEL_MACHINE_YAMLREADER_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace gpuestimate {

/// A message about a line of a file; Line 0 speaks of the whole file.
struct LineMessage {
  unsigned Line = 0;
  std::string Text;
};

struct YamlMember;

struct YamlTree {
  enum class Kind { Scalar, List, Map } What = Kind::Scalar;
  unsigned Line = 0;
  std::string Scalar;
  std::vector<YamlTree> Items;     ///< of a list
  std::vector<YamlMember> Members; ///< of a map, in file order

  bool isScalar() const { return What == Kind::Scalar; }
  bool isList() const { return What == Kind::List; }
  bool isMap() const { return What == Kind::Map; }
  const YamlTree *find(llvm::StringRef Key) const;
};

struct YamlMember {
  std::string Name;
  YamlTree Value;
};

/// Reads Text, whose top level must be a map. Problems are appended to
/// Messages; nullopt if the text is not YAML at all, else the tree holds what
/// could be read. Never crashes, whatever the bytes: text that could drive the
/// parser into deep recursion is refused before it is parsed.
std::optional<YamlTree> readYaml(llvm::StringRef Text,
                                 std::vector<LineMessage> &Messages);

} // namespace gpuestimate

#endif
