/// \file
/// The kernels of test/oracle/kernels, and the launches that they are held
/// against the simulation with.
#ifndef GPU_ESTIMATE_TEST_ORACLE_CASES_H
#define GPU_ESTIMATE_TEST_ORACLE_CASES_H

#include "gpu-estimate/Model/Kernel/Launch.h"
#include "gpu-estimate/Symbolic/CompiledExprs.h"
#include <string>
#include <vector>

namespace gpuestimate::test {

struct Shape {
  Launch L;
  Bindings Values;  ///< arguments; of pointers the number of elements
  double Range = 0; ///< arrays of indices hold values below this
  std::string str() const;
};

struct KernelCases {
  std::string File, Kernel;
  std::vector<Shape> Shapes;
};

/// Every kernel with six shapes or more, in the order of the files.
std::vector<KernelCases> oracleCases();

} // namespace gpuestimate::test

#endif
