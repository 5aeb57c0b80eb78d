/// \file
/// Tokens of LLVM IR as text (LLVM Language Reference, "Identifiers").
#ifndef GPU_ESTIMATE_LIB_FOREIGNIR_IRTOKENS_H
#define GPU_ESTIMATE_LIB_FOREIGNIR_IRTOKENS_H

#include "llvm/ADT/StringRef.h"
#include <vector>

namespace gpuestimate {

struct IrToken {
  enum KindType : uint8_t {
    Word,        ///< "define", "i32", "entry" of "entry:"
    Name,        ///< with its sigil: "%0", "@\"a b\"", "!DIFile", "#dbg_value"
    Number,      ///< "-12", "0x7FF0000000000000", "1.5e+00"
    Text,        ///< a string with its quotes
    Punctuation, ///< one character
    End
  };
  KindType Kind = End;
  llvm::StringRef Before; ///< white space and comments
  llvm::StringRef Spelling;
  unsigned Line = 1;
  bool IsFirst = false; ///< of its line

  bool is(char C) const { return Kind == Punctuation && Spelling.front() == C; }
  bool isWord(llvm::StringRef Text) const {
    return Kind == Word && Spelling == Text;
  }
};

/// The tokens of any bytes; they refer to Text. One of kind End is the last. A
/// string without an end ends with the text.
std::vector<IrToken> splitIr(llvm::StringRef Text);

} // namespace gpuestimate

#endif
