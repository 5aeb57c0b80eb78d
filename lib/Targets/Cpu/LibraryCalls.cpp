#include "LibraryCalls.h"

#include "llvm/ADT/StringMap.h"

namespace gpuestimate {

double callCycles(llvm::StringRef Function) {
  static const llvm::StringMap<double> CyclesOf = {
      {"acos", 21},  {"acosf", 13}, {"asin", 18},   {"asinf", 12},
      {"atan", 27},  {"atan2", 38}, {"atan2f", 33}, {"atanf", 17},
      {"cbrt", 34},  {"cbrtf", 32}, {"cos", 17},    {"cosf", 12},
      {"cosh", 20},  {"coshf", 18}, {"erf", 25},    {"erff", 25},
      {"exp", 14},   {"exp2", 11},  {"exp2f", 9},   {"expf", 9},
      {"expm1", 20}, {"fmod", 17},  {"fmodf", 21},  {"hypot", 16},
      {"hypotf", 9}, {"log", 14},   {"log10", 22},  {"log10f", 16},
      {"log1p", 18}, {"log2", 11},  {"log2f", 9},   {"logf", 10},
      {"pow", 36},   {"powf", 16},  {"sin", 17},    {"sinf", 10},
      {"sinh", 34},  {"sinhf", 37}, {"tan", 18},    {"tanf", 30},
      {"tanh", 31},  {"tanhf", 33},
  };
  constexpr double Unknown = 100;
  auto Entry = CyclesOf.find(Function);
  return Entry == CyclesOf.end() ? Unknown : Entry->second;
}

} // namespace gpuestimate
