/// \file
/// Tokens of PTX (PTX ISA, chapter "Syntax").
#ifndef GPU_ESTIMATE_LIB_PTX_LEXER_H
#define GPU_ESTIMATE_LIB_PTX_LEXER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace gpuestimate {

struct PtxToken {
  enum KindType : uint8_t {
    Word,        ///< "ld", "%r1", "$L__BB0_2"
    Dotted,      ///< a directive or modifier: ".global", ".shared::cta"
    Number,      ///< "12", "0x1F", "0f3F800000", "1.5"
    Text,        ///< a string, without its quotes
    Punctuation, ///< one character
    End
  };
  KindType Kind = End;
  llvm::StringRef Spelling;
  unsigned Line = 1;

  bool is(char C) const { return Kind == Punctuation && Spelling.front() == C; }
  bool is(llvm::StringRef Name) const {
    return (Kind == Word || Kind == Dotted) && Spelling == Name;
  }
};

/// The tokens of Text, with one of kind End behind them; they refer to Text. An
/// error names a character that no token starts with, and its line.
llvm::Expected<std::vector<PtxToken>> lexPtx(llvm::StringRef Text);

/// An error about a line of the file, whose name readPtx() puts before it.
llvm::Error ptxError(unsigned Line, const llvm::Twine &Message);

} // namespace gpuestimate

#endif
