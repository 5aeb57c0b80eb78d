/// \file
/// Expressions as source code of Python or C that computes the same values:
/// floor division, a sum that samples long ranges, NaN for what is undefined
/// (Expr.h). A subterm that occurs more than once becomes a local variable, so
/// that the code grows with the number of different subterms.
#ifndef GPU_ESTIMATE_SYMBOLIC_CODEPRINTER_H
#define GPU_ESTIMATE_SYMBOLIC_CODEPRINTER_H

#include "gpu-estimate/Symbolic/Expr.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <set>

namespace gpuestimate {

enum class CodeLanguage : uint8_t { Python, C };

/// Names that are valid identifiers of a language, each given out once.
class IdentifierTable {
public:
  explicit IdentifierTable(CodeLanguage Language) : Language(Language) {}

  /// The identifier of a name; equal names have one. "p(branch@f.cu:12)" is
  /// p_branch_f_cu_12, "lambda" of Python lambda_, and a name whose identifier
  /// is taken gets a number.
  llvm::StringRef of(llvm::StringRef Name);
  /// Lets a name be written as any other code: "values->n".
  void replace(llvm::StringRef Name, std::string Code);
  /// A new identifier, which no name has: "t1".
  std::string fresh(llvm::StringRef Stem);

private:
  CodeLanguage Language;
  llvm::StringMap<std::string> Given; ///< name -> identifier
  llvm::StringSet<> Taken;
};

/// Valid identifier that a text resembles; not necessarily free.
std::string identifierLike(llvm::StringRef Text, CodeLanguage Language);

/// A number as a literal whose value is a double.
std::string codeLiteral(double Value, CodeLanguage Language);

/// Writes the bodies of functions.
class CodePrinter {
public:
  explicit CodePrinter(CodeLanguage Language) : Language(Language) {}

  /// Statements that end with the return of E's value. Names: the parameters'
  /// identifiers; it also provides those of local variables.
  std::string functionBody(Expr E, IdentifierTable Names);

  /// Definitions of the functions that the bodies written so far call.
  std::string helpers() const;

private:
  friend class CodeWriter;
  CodeLanguage Language;
  std::set<unsigned> Used; ///< indices into the table of helpers
};

} // namespace gpuestimate

#endif
