/// \file
/// The Python with which kernels of Triton are compiled and scripts run.
#ifndef GPU_ESTIMATE_SESSION_PIPELINE_PYTHONINTERPRETER_H
#define GPU_ESTIMATE_SESSION_PIPELINE_PYTHONINTERPRETER_H

#include "llvm/Support/Error.h"
#include <string>

namespace gpuestimate {

/// The interpreter for programs in Python: that of the environment variable
/// GPU_ESTIMATE_PYTHON, else python3 on PATH.
llvm::Expected<std::string> findPython();

/// PYTHONPATH with which the interpreter finds the package that belongs to this
/// program, in front of what the user has in it.
std::string pythonPath();

} // namespace gpuestimate

#endif
