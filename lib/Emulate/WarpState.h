/// \file
/// The state of an emulated launch, of one of its thread blocks, and of one
/// warp.
#ifndef GPU_ESTIMATE_LIB_EMULATE_WARPSTATE_H
#define GPU_ESTIMATE_LIB_EMULATE_WARPSTATE_H

#include "Program.h"
#include "gpu-estimate/Emulate/Emulate.h"

namespace gpuestimate {

/// State that all warps of a launch share.
struct LaunchState {
  LaunchState(const EmulationRequest &Request)
      : Request(Request), Memory(*Request.Memory),
        Globals(*moduleOf(Request), Memory, [&](const llvm::GlobalVariable &G) {
          return Request.Variable ? Request.Variable(G) : 0;
        }) {}
  static const llvm::Module *moduleOf(const EmulationRequest &Request);
  /// Null if F cannot be emulated; Stop then holds the reason.
  const Program *programOf(const llvm::Function &F);
  /// Address of AMDGPU's dispatch packet or of its implicit arguments.
  uint64_t dispatchPacket();
  uint64_t implicitArguments();

  const EmulationRequest &Request;
  DeviceMemory &Memory;
  GlobalAddresses Globals;
  llvm::DenseMap<const llvm::Function *, std::unique_ptr<Program>> Programs;
  uint64_t Steps = 0;
  uint64_t Packet = 0, Implicit = 0;
  std::optional<EmulationStop> Stop;
};

/// State that the warps of a thread block share.
struct BlockState {
  std::array<uint64_t, 3> Index{};
  std::vector<uint8_t> Shared;
};

/// Counts of one warp in the kernel itself: called functions are executed but
/// not counted, because they are no part of the kernel model.
struct WarpCounts {
  explicit WarpCounts(const Program &P);

  std::vector<uint64_t> Runs, Lanes; ///< [block]
  std::vector<uint64_t> Entries;     ///< [loop]
  std::vector<llvm::SmallVector<uint64_t, 2>>
      Taken;                       ///< [block][successor] lanes
  std::vector<uint64_t> Divergent; ///< [block]
  struct Condition {
    uint64_t Lanes = 0, True = 0;
  };
  std::vector<Condition> Conditions;
  struct Access {
    uint64_t Requests = 0, Lanes = 0, Sectors = 0;
    std::vector<std::vector<double>> Samples;
  };
  std::vector<Access> Accesses;
};

/// Calls Visit with every lane of Mask.
template <typename Function> void forEachLane(uint64_t Mask, Function Visit) {
  for (; Mask; Mask &= Mask - 1)
    Visit(static_cast<unsigned>(llvm::countr_zero(Mask)));
}

/// The state of a warp: call frames with the registers of all lanes and the
/// reconvergence stack of divergent branches, private memory, and counts. The
/// handlers of Handlers.h change it.
class WarpState {
public:
  WarpState(LaunchState &Launch, BlockState &Block, const Program &Kernel,
            unsigned Index);

  enum class StateType : uint8_t { Running, AtBarrier, Ended, Stopped };
  StateType state() const { return State; }
  /// Executes up to Steps instructions, or until the warp waits, ends or stops.
  void run(uint64_t Steps);

  /// Lanes at the barrier, and those of them with a true operand.
  unsigned barrierTrue() const { return BarrierTrue; }
  unsigned barrierLanes() const { return BarrierLanes; }
  /// Releases the warp; True and Lanes are sums over the thread block.
  void leaveBarrier(unsigned True, unsigned Lanes);

  unsigned index() const { return Index; }
  const WarpCounts &counts() const { return Counts; }

  // The interface of handlers.
  LaunchState &launch() { return Launch; }
  BlockState &block() { return Block; }
  unsigned lanes() const { return Lanes; }
  uint64_t &cell(unsigned Cell, unsigned Lane) {
    return Base[size_t(Cell) * Lanes + Lane];
  }
  /// Sets every cell of the result for the lanes of Mask to Compute of the
  /// first operand.
  template <typename Function>
  void map(const Decoded &D, uint64_t Mask, Function Compute);
  /// Sets every cell of the result to Compute of the first two operands.
  template <typename Function>
  void mapTwo(const Decoded &D, uint64_t Mask, Function Compute);
  /// Stops the emulation of the launch; always false.
  bool stop(const llvm::Twine &Reason, const llvm::Instruction *I);
  /// Stops because a callee could not be decoded; always false.
  bool stopForProgram();

  /// Calls P for the lanes of Mask.
  void call(const Program &P, uint64_t Mask, const Decoded *Call);
  size_t depth() const { return Frames.size(); }
  static constexpr size_t MaxFrames = 64;
  /// Ends the lanes of Mask in all frames.
  void exitLanes(uint64_t Mask);
  void arriveAtBarrier(const Decoded &D, uint64_t Mask);

  /// The offset of Size new bytes of private memory; nothing beyond the limit.
  std::optional<uint64_t> allocatePrivate(uint64_t Size, llvm::Align Alignment,
                                          uint64_t Mask);
  /// Copies bytes of one lane from or to its address space; false when the
  /// emulation has stopped.
  bool readBytes(unsigned Lane, uint64_t Address, void *Target, unsigned Bytes,
                 const llvm::Instruction *I);
  bool writeBytes(unsigned Lane, uint64_t Address, const void *Source,
                  unsigned Bytes, const llvm::Instruction *I);
  /// Counts a memory request of the kernel and keeps a sample of them.
  void request(const Decoded &D, unsigned AddressCell, unsigned Bytes,
               uint64_t Mask);

private:
  /// An entry of the reconvergence stack: lanes on one path of a divergent
  /// branch.
  struct PathEntry {
    unsigned Block = 0, NextInstruction = 0;
    uint64_t Mask = 0;
    int Reconvergence = -1; ///< the path ends before this block, -1: at return
  };
  struct Frame {
    const Program *P = nullptr;
    std::vector<uint64_t> Registers; ///< [cell * Lanes + lane]
    std::vector<PathEntry> Paths;
    uint64_t ActiveLanes = 0;      ///< lanes that have not returned
    uint64_t LocalTop = 0;         ///< bytes of private memory at entry
    const Decoded *Call = nullptr; ///< of the caller
    std::vector<uint64_t> Returned;
  };

  Frame &top() { return Frames.back(); }
  void returnToCaller();
  bool step();
  bool execute(const Decoded &D, uint64_t Mask);
  void branch(const Decoded &D, uint64_t Mask);
  /// Continues each successor S of the current block with the lanes Masks[S].
  void diverge(llvm::ArrayRef<uint64_t> Masks);
  void takeEdge(const DecodedBlock &Block, unsigned Successor, uint64_t Mask);
  void returnLanes(const Decoded &D, uint64_t Mask);
  bool isCounting() { return Frames.size() == 1; }
  void countCondition(const Decoded &D, uint64_t Mask);
  bool stopOutOfBounds(uint64_t Address, const llvm::Instruction *I);

  LaunchState &Launch;
  BlockState &Block;
  const unsigned Index, Lanes;
  std::vector<Frame> Frames;
  uint64_t *Base = nullptr;                  ///< registers of the top frame
  std::vector<std::vector<uint8_t>> Private; ///< [lane]
  uint64_t LocalTop = 0;
  WarpCounts Counts;
  StateType State = StateType::Running;
  const Decoded *Barrier = nullptr;
  unsigned BarrierTrue = 0, BarrierLanes = 0;
  uint64_t BarrierMask = 0;
  EmulatedRequest Reported; ///< reused between requests
};

template <typename Function>
void WarpState::map(const Decoded &D, uint64_t Mask, Function Compute) {
  for (unsigned C = 0; C < D.Cells; ++C)
    forEachLane(Mask, [&](unsigned L) {
      cell(D.Result + C, L) = Compute(cell(D.Operands[0] + C, L));
    });
}

template <typename Function>
void WarpState::mapTwo(const Decoded &D, uint64_t Mask, Function Compute) {
  for (unsigned C = 0; C < D.Cells; ++C)
    forEachLane(Mask, [&](unsigned L) {
      cell(D.Result + C, L) =
          Compute(cell(D.Operands[0] + C, L), cell(D.Operands[1] + C, L));
    });
}

} // namespace gpuestimate

#endif
