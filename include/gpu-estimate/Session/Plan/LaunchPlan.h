/// \file
/// Launches of a kernel to be evaluated, with their arguments. Each
/// size and each argument is taken from the highest authority that states it:
///
///   command line or plugin argument > configuration file > annotation in the
///   source > launch in host code > documented default
///
/// Host code may compute sizes and arguments from variables that it does not
/// determine (a parameter of the calling function). Such a variable is solved
/// for where a kernel argument was named and host code passes a linear function
/// of the variable (`--param n=4096` and `k<<<(m+255)/256, 256>>>(m)`), else
/// taken by its own name, else guessed, and every guess is an assumption. The
/// variable of a sequential loop around a loop nest of plain C is none: the
/// middles of three equal stretches of its range stand for all iterations.
///
/// Where nobody tells the grid, it follows from the arguments that the kernel
/// compares the indices of its threads with (SizeRoles.h), as far as these are
/// known. What is then left open is no launch that anybody makes: reports show
/// a table over it (UnknownSizes.h), and commands that compare launches take
/// the middle of the table (OpenSizes.h). A plan by itself has block = what the
/// kernel is made for, or 256 threads (16x16 when the kernel reads
/// threadIdx.y), grid = 1024 blocks (32x32); an integer of the host code =
/// 1048576 when a one-dimensional grid depends on it, else 1024.
#ifndef GPU_ESTIMATE_SESSION_PLAN_LAUNCHPLAN_H
#define GPU_ESTIMATE_SESSION_PLAN_LAUNCHPLAN_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "gpu-estimate/Model/Kernel/Launch.h"
#include "gpu-estimate/Model/Result/Analysis.h"
#include "gpu-estimate/Model/Transform/BufferParts.h"
#include "gpu-estimate/Session/Settings/Options.h"

namespace gpuestimate {

/// Settings of one authority, with its name in Launch::Source.
struct LaunchAuthority {
  std::string Source;
  LaunchSettings Launch;
};

class SizeRoles; // SizeRoles.h

struct LaunchInputs {
  const KernelModel *Kernel = nullptr;
  /// Roles of the sizes of Kernel; made by planLaunch() where the launch needs
  /// it.
  std::shared_ptr<const SizeRoles> Roles;
  const LaunchSite *Site = nullptr; ///< null: no launch was seen
  /// Values of the host loops around Site; null: none are chosen. It may belong
  /// to Site.
  std::shared_ptr<const LaunchVariant> Variant;
  std::vector<LaunchAuthority> Authorities; ///< highest first
  Bindings Named; ///< parameters by name, the highest authority's value
  /// Pointers into the buffer of another one (Options::Pointers), the highest
  /// authority's text.
  llvm::StringMap<std::string> Pointers;
  /// GPU that device queries and occupancy queries of host code are answered
  /// for; null: not known.
  const GpuModel *Gpu = nullptr;
  /// Sizes that count where nobody tells them: those of a table.
  std::array<std::optional<uint64_t>, 3> OpenGrid, OpenBlock;
  /// The launch is the first one of its data (cold caches): pages of managed
  /// memory that host code wrote last are still on the host.
  bool IsFirst = false;
  // Without Site: what is known of the buffers all the same.
  std::vector<BufferPart> Parts;     ///< unless Pointers says more of them
  ContentsOfBuffers Contents;        ///< as LaunchPlan::Contents
  std::vector<std::string> Premises; ///< as LaunchPlan::Premises
};

/// A guess of the plan. Its sensitivity is found by planning again with
/// Named[Key] changed.
struct LaunchGuess {
  std::string Key; ///< host variable, or "gridDim.x" for a guessed grid
  Assumption Stated;
  /// Nothing in the source or the settings has led to the value.
  bool IsInvented = false;
  bool IsShiftAmount = false; ///< sizes are two to the power of the value
  /// Further elements of the long array that Key is an element of: they have
  /// the value as well.
  std::vector<std::string> Elements = {};
};

/// Whether the key of a guess is a size of the launch itself, such as
/// "gridDim.x"; "config.gridDim.x" is a variable.
inline bool isLaunchSize(llvm::StringRef Key) {
  return Key.starts_with("gridDim.") || Key.starts_with("blockDim.");
}

/// A launch to evaluate, with what is guessed about it.
struct LaunchPlan : LaunchWithArguments {
  /// What it was planned from. A changed copy gives the launch with another
  /// value: In.Named["n"] = 2048, planLaunch(In). Null: it cannot be planned
  /// again (a launch of a run).
  std::shared_ptr<const LaunchInputs> From;
  /// Pointer arguments that share a buffer with an earlier one.
  std::vector<BufferPart> Parts;
  /// What host code has put into the buffers that no other pointer leads to, as
  /// far as no guess is needed.
  ContentsOfBuffers Contents;
  /// What is not known about the pointers, for Prediction::Premises.
  std::vector<std::string> Premises;
  /// Launches of one run of the program that this one stands for; 0 = unknown,
  /// as where they follow a variable that nothing determines.
  double Repeats = 1;
  /// How often host code launches a CUDA kernel; nothing: host code does not
  /// tell.
  std::optional<LaunchCount> Count;
  std::vector<LaunchGuess> Guesses;
  std::vector<std::string> Notices;

  /// The launch in host code; null: none was seen.
  const LaunchSite *site() const { return From ? From->Site : nullptr; }
};

LaunchPlan planLaunch(LaunchInputs Inputs);

/// The launch of the plan with blocks of another shape, which Source asks for:
/// sizes that host code computes from the block follow it.
LaunchPlan planWithBlock(const LaunchPlan &Plan, const BlockShape &Block,
                         llvm::StringRef Source);

/// Gives a plan blocks of another shape. A grid that host code computes from
/// the block follows it; any other grid keeps its threads, in whole blocks,
/// unless the kernel has a row or a tile for each block, whose number stays
/// (SizeRoles::spansThreads).
void setBlock(LaunchPlan &Plan, const BlockShape &Block);

/// The distinct plans of a kernel over its launch sites (a default one when
/// Sites is empty), in source order. Inputs gives what is common to them.
std::vector<LaunchPlan> planLaunches(const LaunchInputs &Inputs,
                                     llvm::ArrayRef<const LaunchSite *> Sites);

/// Some launch or argument follows the GPU, so that plans are of one GPU.
bool followDevice(llvm::ArrayRef<const LaunchSite *> Sites);

/// Names that mean something to this kernel or its launches, for warning of a
/// parameter that names nothing.
void collectParameterNames(const KernelModel &Kernel,
                           llvm::ArrayRef<const LaunchSite *> Sites,
                           std::vector<std::string> &Names);

} // namespace gpuestimate

#endif
