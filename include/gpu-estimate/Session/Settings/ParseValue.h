/// \file
/// Values as users write them: sizes of a grid, numbers, NAME=VALUE. Shared by
/// the command line, the plugin arguments, annotations and the configuration.
/// A number may be a constant expression; annotations may use the names of
/// macros and constants in it. Every error is a UsageError that says what was
/// expected.
#ifndef GPU_ESTIMATE_SESSION_SETTINGS_PARSEVALUE_H
#define GPU_ESTIMATE_SESSION_SETTINGS_PARSEVALUE_H

#include "gpu-estimate/Session/Settings/Options.h"
#include "gpu-estimate/Support/ConstantExpression.h"

namespace gpuestimate {

/// Names with their values.
using Constants = llvm::StringMap<double>;

/// An error for a text that is none of some names: "expected text, json or csv,
/// got 'xml'".
llvm::Error noneOf(llvm::StringRef Text, llvm::ArrayRef<llvm::StringRef> Names);

/// Sets To to the value whose name Text is.
template <class Value, class Place>
llvm::Error
choose(llvm::StringRef Text, Place &To,
       std::initializer_list<std::pair<llvm::StringRef, Value>> Choices) {
  llvm::SmallVector<llvm::StringRef, 8> Names;
  for (const auto &[Name, Chosen] : Choices) {
    if (Name == Text) {
      To = Chosen;
      return llvm::Error::success();
    }
    Names.push_back(Name);
  }
  return noneOf(Text, Names);
}

/// "64", "64,32", "64,32,2" (also with 'x'); missing sizes are 1, all >= 1.
llvm::Expected<std::array<uint64_t, 3>>
parseSizes(llvm::StringRef Text, const Constants &Variables = {});

/// A finite number: decimal, with exponent, 0x hexadecimal, 1<<20.
llvm::Expected<double> parseNumber(llvm::StringRef Text,
                                   const Constants &Variables = {});

/// A non-negative integer below 2^53.
llvm::Expected<uint64_t> parseInteger(llvm::StringRef Text,
                                      const Constants &Variables = {});

/// "NAME=VALUE", split at the last '=' so that a name may hold one.
llvm::Expected<std::pair<std::string, double>>
parseNamedValue(llvm::StringRef Text, const Constants &Variables = {});

/// "NAME=OTHER", "NAME=OTHER+OFFSET": a pointer into the buffer of another one.
/// nullopt for other texts.
std::optional<std::pair<std::string, std::string>>
parsePointer(llvm::StringRef Text);

/// Adds "NAME=VALUE" or a pointer to the parameters of O.
llvm::Error parseParameter(Options &O, llvm::StringRef Text,
                           const Constants &Variables = {});

/// A name as it is compared: that of an unknown or an anchor ("trip@f:i")
/// without blanks.
std::string canonicalName(llvm::StringRef Name);

/// Text cut at commas outside of brackets, each part trimmed.
std::vector<llvm::StringRef> splitAtCommas(llvm::StringRef Text);

/// Values of --assume: hit fractions, unknowns, patterns of indices.
llvm::Error parseAssumptions(Options &O, llvm::StringRef Text,
                             const Constants &Variables = {});

} // namespace gpuestimate

#endif
