#include "IndexSampler.h"

#include "gpu-estimate/Support/Hash.h"
#include "llvm/ADT/bit.h"
#include <cmath>

namespace gpuestimate {

IndexSampler::IndexSampler(const LaunchProgram &Program,
                           std::vector<double> &Inputs)
    : Program(Program), Inputs(Inputs),
      LoadAddresses(Program.indirectIndices().size() * Program.lanes(), NAN),
      States(Program.indirectIndices().size()) {}

void IndexSampler::reset() { States.assign(States.size(), {}); }

void IndexSampler::renew(unsigned Index, uint64_t Salt) {
  for (unsigned Other : Program.loadAddressIndices(Index))
    generate(Other);
  const unsigned Lanes = Program.lanes();
  if (const CompiledExprs *LoadAddress = Program.loadAddressProgram(Index))
    LoadAddress->evaluateMany(Inputs,
                              llvm::MutableArrayRef(LoadAddresses)
                                  .slice(size_t(Index) * Lanes, Lanes),
                              Lanes);
  States[Index] = {WarpSalt, Salt, ++LastVersion, true};
}

void IndexSampler::generate(unsigned Index) {
  State &S = States[Index];
  if (!S.Pending)
    return;
  S.Pending = false;
  const unsigned Lanes = Program.lanes();
  double *Values = &Inputs[size_t(Program.indexInput(Index)) * Lanes];
  llvm::ArrayRef<double> LoadedFrom = loadAddresses(Index);
  uint64_t IndexSeed = mixBits(Index),
           Key = mixBits(mixBits(mixBits(S.WarpSalt, S.Salt), Index));
  const IndirectIndex &Drawn = Program.indirectIndices()[Index];
  bool LaneVarying = Drawn.LaneVarying;
  double Range = Drawn.Range;
  uint64_t Last = 0;
  for (unsigned Lane = 0; Lane < Lanes; ++Lane) {
    bool HasAddress = !std::isnan(LoadedFrom[Lane]);
    uint64_t Bits = llvm::bit_cast<uint64_t>(LoadedFrom[Lane]);
    // Neighbouring lanes often load from one address.
    if (Lane && Bits == Last && (HasAddress || !LaneVarying)) {
      Values[Lane] = Values[Lane - 1];
      continue;
    }
    Last = Bits;
    uint64_t Hash = HasAddress ? mixInto(IndexSeed, Bits)
                               : mixInto(Key, LaneVarying ? Lane : 0);
    double Value = unitFraction(Hash) * Range;
    // Truncation equals floor here and needs no call.
    Values[Lane] = Value < 0x1p62 ? double(int64_t(Value)) : std::floor(Value);
  }
}

} // namespace gpuestimate
