/// \file
/// From lane addresses to sectors and bank passes, by the plain rules.
#include "LaunchTrace.h"
#include "gpu-estimate/Evaluate/Access/Request.h"
#include <algorithm>
#include <cmath>
#include <map>

namespace gpuestimate::test {

/// Do all active lanes ask for the same as their neighbour at a distance?
static bool pairsAgree(const std::vector<double> &Lanes, size_t Distance) {
  for (size_t Lane = 0; Lane < Lanes.size(); ++Lane) {
    size_t Other = Lane ^ Distance;
    if (Other < Lanes.size() && !std::isnan(Lanes[Lane]) &&
        !std::isnan(Lanes[Other]) && Lanes[Lane] != Lanes[Other])
      return false;
  }
  return true;
}

/// Lanes in groups of as many as the banks serve at once, of wide loads twice
/// as many where pairs agree (Merge); the fullest bank decides; a word is given
/// to all who ask.
static unsigned passes(const std::vector<double> &Lanes, unsigned Bytes,
                       unsigned Banks, unsigned BankWidth, bool Merge) {
  unsigned Group = Banks * BankWidth / std::max(Bytes, BankWidth), Sum = 0;
  if (Merge && (pairsAgree(Lanes, 1) || pairsAgree(Lanes, 2)))
    Group *= 2;
  for (size_t First = 0; First < Lanes.size(); First += Group) {
    std::vector<std::vector<uint64_t>> Words(Banks);
    size_t Worst = 0;
    for (size_t Lane = First; Lane < std::min(First + Group, Lanes.size());
         ++Lane)
      for (unsigned B = 0; !std::isnan(Lanes[Lane]) && B < Bytes;
           B += BankWidth) {
        uint64_t Word = (uint64_t(Lanes[Lane]) + B) / BankWidth;
        std::vector<uint64_t> &Bank = Words[Word % Banks];
        if (std::find(Bank.begin(), Bank.end(), Word) == Bank.end())
          Bank.push_back(Word);
        Worst = std::max(Worst, Bank.size());
      }
    Sum += Worst;
  }
  return Sum;
}

/// The sectors of a piece of memory.
static void addBytes(uint64_t At, unsigned Bytes, std::vector<Piece> &Out) {
  for (uint64_t End = At + Bytes; At < End;) {
    uint64_t Next = std::min(End, (At / 32 + 1) * 32);
    uint64_t Mask = ((uint64_t(1) << (Next - At)) - 1) << At % 32;
    Out.push_back({At / 32, uint32_t(Mask)});
    At = Next;
  }
}

/// One piece for each sector, ascending.
static void mergeBySector(std::vector<Piece> &Pieces) {
  std::stable_sort(
      Pieces.begin(), Pieces.end(),
      [](const Piece &A, const Piece &B) { return A.Sector < B.Sector; });
  size_t Last = 0;
  for (size_t I = 1; I < Pieces.size(); ++I)
    if (Pieces[I].Sector == Pieces[Last].Sector)
      Pieces[Last].Bytes |= Pieces[I].Bytes;
    else
      Pieces[++Last] = Pieces[I];
  Pieces.resize(Pieces.empty() ? 0 : Last + 1);
}

LaunchTrace::LaunchTrace(const KernelModel &Kernel, const Launch &L,
                         const Bindings &Values, const GpuModel &Gpu,
                         const ArrayContents &Contents)
    : BankPasses(Kernel.Accesses.size()), Kernel(Kernel), Gpu(Gpu) {
  // Objects far apart, and not at the same set of a cache.
  std::map<std::string, uint64_t> Objects;
  for (const MemoryAccess &A : Kernel.Accesses) {
    Bases.push_back(Objects
                        .try_emplace(A.Base, (uint64_t(Objects.size()) << 36) +
                                                 Objects.size() * 0x2b00)
                        .first->second);
    if (A.Space == MemorySpace::Local)
      LocalBytes = std::max(LocalBytes, A.BaseBytes.value_or(0));
  }
  LocalBytes = (std::max(LocalBytes, Kernel.Res.LocalBytes) + 15) / 16 * 16;

  WarpRunner Run(Kernel, L, Values, Gpu.WarpSize, Contents);
  LocalSectors = Run.warpsPerBlock() * LocalBytes * Gpu.WarpSize / 32;
  Blocks.resize(L.blocks());
  for (uint64_t B = 0; B < Blocks.size(); ++B)
    for (unsigned Warp = 0; Warp < Run.warpsPerBlock(); ++Warp) {
      WarpTrace &W = Blocks[B].emplace_back();
      Run.OnRequest = [&](const Request &R) { add(W, R, Warp); };
      Run.OnBarrier = [&] { W.Requests.push_back({-1, 0, 0}); };
      Run.run(
          {B % L.Grid[0], B / L.Grid[0] % L.Grid[1], B / L.Grid[0] / L.Grid[1]},
          Warp);
    }
}

void LaunchTrace::add(WarpTrace &W, const Request &R, unsigned Warp) {
  const MemoryAccess &A = Kernel.Accesses[R.Access];
  if (A.Space == MemorySpace::Shared)
    BankPasses[R.Access] +=
        passes(R.Lanes, A.BytesPerThread, Gpu.SharedBanks,
               unsigned(Gpu.SharedBankWidth.value()), mergesLanePairs(A, Gpu));
  if (A.Space == MemorySpace::Shared || A.Space == MemorySpace::Constant)
    return;
  bool Local = A.Space == MemorySpace::Local;
  unsigned Word = Local ? 4 : A.BytesPerThread;
  std::vector<Piece> Pieces;
  for (unsigned Lane = 0; Lane < R.Lanes.size(); ++Lane)
    for (unsigned B = 0; !std::isnan(R.Lanes[Lane]) && B < A.BytesPerThread;
         B += Word) {
      uint64_t At = uint64_t(R.Lanes[Lane]) + B;
      // Private memory: word by word, the lanes beside each other.
      At = Local ? Warp * LocalBytes * Gpu.WarpSize +
                       (At / 4 * Gpu.WarpSize + Lane) * 4 + At % 4
                 : At + Bases[R.Access];
      addBytes(At, std::min(Word, A.BytesPerThread - B), Pieces);
    }
  mergeBySector(Pieces);
  unsigned First = W.Pieces.size();
  W.Pieces.insert(W.Pieces.end(), Pieces.begin(), Pieces.end());
  W.Requests.push_back({int(R.Access), First, unsigned(W.Pieces.size())});
}

} // namespace gpuestimate::test
