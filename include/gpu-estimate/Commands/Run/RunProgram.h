/// \file
/// `gpu-estimate run`: a whole GPU program, executed on the CPU, with the time
/// line that a GPU would give.
#ifndef GPU_ESTIMATE_COMMANDS_RUN_RUNPROGRAM_H
#define GPU_ESTIMATE_COMMANDS_RUN_RUNPROGRAM_H

#include "gpu-estimate/Model/Result/Analysis.h"
#include "gpu-estimate/Session/Settings/Options.h"
#include "gpu-estimate/Timeline/RunReport.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

/// Is the word a source, an object or a library that a build takes, or a saved
/// run? Any other file is a program.
bool isInputOfBuild(llvm::StringRef Word);

/// Is it a saved run (FILE.gpurun)?
bool isSavedRun(llvm::StringRef File);

/// Builds the program of O.Files unless it is built already, executes it with
/// the runtime library, and predicts what it did: one report for each GPU. Of
/// a saved run, only predicts. Err gets what compilers say. The program writes
/// to this process's standard output and error.
///
/// Errors: as prepareSetup(), a compiler that fails, a program that cannot be
/// started, a saved run that cannot be read.
llvm::Expected<std::vector<RunReport>> runProgram(const Options &O,
                                                  llvm::raw_ostream &Err);

/// The distinct launches of a saved run as an analysis, as if its files had
/// been analysed with the arguments and the data of the run.
llvm::Expected<Analysis> analyzeSavedRun(const Options &O,
                                         llvm::StringRef File);

/// `gpu-estimate cc --run`: does what O.CompilerCommand, a call of nvcc,
/// clang++ or another compiler, asks for, with the device code as bitcode and
/// the runtime library of gpu-estimate in the program. A call that neither
/// compiles nor links is done by the compiler itself. Returns the exit status.
int buildForRun(const Options &O, llvm::raw_ostream &Err);

} // namespace gpuestimate

#endif
