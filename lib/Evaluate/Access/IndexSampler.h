/// \file
/// Random values of the indirect indices (IndirectIndices.h) for the lanes of
/// the current warp.
///
/// A value is a hash of what it is a function of, scaled to 0 .. Range-1. So
/// equal loads give equal values without a table of what was drawn:
///
///   index                          hashed
///   idx[i], its address known      number of the index, address
///   idx[f()], address not known    warp, iteration, lane
///   ... and equal for all lanes    warp, iteration
///
/// Example: lanes that load `idx[i / 4]` share their values four by four, and
/// a second warp that reads the same elements gets the same ones.
///
/// Values are generated when they are first read after a renewal, because an
/// evaluation of one scope reads few of the indices.
#ifndef GPU_ESTIMATE_LIB_EVALUATE_ACCESS_INDEXSAMPLER_H
#define GPU_ESTIMATE_LIB_EVALUATE_ACCESS_INDEXSAMPLER_H

#include "LaunchProgram.h"

namespace gpuestimate {

class IndexSampler {
public:
  /// Inputs: of the programs, [name * lanes + lane]. Those of the indices are
  /// written here.
  IndexSampler(const LaunchProgram &Program, std::vector<double> &Inputs);

  /// Restores the state after construction, but for version().
  void reset();
  /// Salt identifies the warp.
  void enterWarp(uint64_t Salt) { WarpSalt = Salt; }
  /// Gives the index new values. Salt identifies the iteration; equal salts
  /// give equal values.
  void renew(unsigned Index, uint64_t Salt);
  /// Puts the index's values into the inputs, if they are not there yet.
  void generate(unsigned Index);
  /// [lane] after generate().
  const double *values(unsigned Index) const {
    return &Inputs[size_t(Program.indexInput(Index)) * Program.lanes()];
  }
  /// [lane] address that the index is loaded from, NaN if unknown.
  llvm::ArrayRef<double> loadAddresses(unsigned Index) const {
    return llvm::ArrayRef(LoadAddresses)
        .slice(size_t(Index) * Program.lanes(), Program.lanes());
  }
  /// Changes whenever the index gets new values.
  uint64_t version(unsigned Index) const { return States[Index].Version; }

private:
  struct State {
    uint64_t WarpSalt, Salt;
    uint64_t Version = 0;
    bool Pending = false; ///< renewed, values not generated yet
  };

  const LaunchProgram &Program;
  std::vector<double> &Inputs;
  std::vector<double> LoadAddresses; ///< [index * lanes + lane]
  std::vector<State> States;         ///< [index]
  uint64_t WarpSalt = 0, LastVersion = 0;
};

} // namespace gpuestimate

#endif
