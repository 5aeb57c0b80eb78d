/// \file
/// The YAML that this room reads: one map whose values are words, lists of
/// words or maps of words. Only this file and its .cpp know LLVM's parser.
#ifndef GPU_ESTIMATE_LIB_VALIDATE_YAMLKEYS_H
#define GPU_ESTIMATE_LIB_VALIDATE_YAMLKEYS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace gpuestimate {

struct YamlPlace {
  unsigned Line = 0, Column = 0; ///< from 1
};

struct YamlWord {
  std::string Text;
  YamlPlace Where;
};

struct YamlEntry {
  enum KindType : uint8_t { Word, List, Map } Kind = Word;
  YamlWord Key;
  YamlWord Value;                                   ///< Word
  std::vector<YamlWord> Items;                      ///< List
  std::vector<std::pair<YamlWord, YamlWord>> Pairs; ///< Map
};

/// The entries of Text in their order; File is for messages. Errors say
/// "file:line:column: ".
llvm::Expected<std::vector<YamlEntry>> readYamlKeys(llvm::StringRef File,
                                                    llvm::StringRef Text);

/// "file:line:column: Message".
std::string at(llvm::StringRef File, YamlPlace Where,
               const std::string &Message);

} // namespace gpuestimate

#endif
