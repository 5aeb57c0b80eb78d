/// \file
/// One warp of an emulated block: its calls, the sides of divided branches, the
/// registers of its lanes, and what is counted.
#ifndef GPU_ESTIMATE_LIB_EMULATE_WARP_H
#define GPU_ESTIMATE_LIB_EMULATE_WARP_H

#include "Program.h"
#include "gpu-estimate/Emulate/Emulate.h"

namespace gpuestimate {

/// What all warps of a launch have in common.
struct LaunchState {
  LaunchState(const EmulationRequest &Request)
      : Request(Request), Memory(*Request.Memory),
        Globals(*moduleOf(Request), Memory, [&](const llvm::GlobalVariable &G) {
          return Request.Variable ? Request.Variable(G) : 0;
        }) {}
  static const llvm::Module *moduleOf(const EmulationRequest &Request);
  /// Null, with the reason in Stop, where it cannot be emulated.
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

struct BlockState {
  std::array<uint64_t, 3> Index{};
  std::vector<uint8_t> Shared;
};

/// Of one warp, and of the kernel itself: functions that are called are
/// executed, but belong to no part of the kernel model.
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

class Warp {
public:
  Warp(LaunchState &Launch, BlockState &Block, const Program &Kernel,
       unsigned Index);

  enum class StateType : uint8_t { Running, AtBarrier, Ended, Stopped };
  StateType state() const { return State; }
  /// Goes on for so many steps, or until it waits, ends or stops.
  void run(uint64_t Steps);

  /// The barrier at which it waits counts or combines this many lanes.
  unsigned barrierTrue() const { return BarrierTrue; }
  unsigned barrierLanes() const { return BarrierLanes; }
  /// Lets it go on; True and Lanes are sums over the block.
  void leaveBarrier(unsigned True, unsigned Lanes);

  unsigned index() const { return Index; }
  const WarpCounts &counts() const { return Counts; }

  // Handlers of calls, in Calls*.cpp.
  bool ignore(const Decoded &D, uint64_t Mask);
  bool refuseCall(const Decoded &D, uint64_t Mask);
  bool trap(const Decoded &D, uint64_t Mask);
  bool exit(const Decoded &D, uint64_t Mask);
  bool enterFunction(const Decoded &D, uint64_t Mask);
  bool barrier(const Decoded &D, uint64_t Mask);
  bool coordinate(const Decoded &D, uint64_t Mask);
  bool laneRegister(const Decoded &D, uint64_t Mask);
  bool constant(const Decoded &D, uint64_t Mask);
  bool packet(const Decoded &D, uint64_t Mask);
  bool shuffle(const Decoded &D, uint64_t Mask);
  bool vote(const Decoded &D, uint64_t Mask);
  bool match(const Decoded &D, uint64_t Mask);
  bool redux(const Decoded &D, uint64_t Mask);
  bool readLane(const Decoded &D, uint64_t Mask);
  bool mbcnt(const Decoded &D, uint64_t Mask);
  bool permuteLanes(const Decoded &D, uint64_t Mask);
  bool loadCall(const Decoded &D, uint64_t Mask);
  bool asyncCopy(const Decoded &D, uint64_t Mask);
  bool atomicCall(const Decoded &D, uint64_t Mask);
  bool bulk(const Decoded &D, uint64_t Mask);
  bool isSpace(const Decoded &D, uint64_t Mask);
  bool copyFirst(const Decoded &D, uint64_t Mask);
  bool unaryReal(const Decoded &D, uint64_t Mask);
  bool binaryReal(const Decoded &D, uint64_t Mask);
  bool fusedReal(const Decoded &D, uint64_t Mask);
  bool scaledReal(const Decoded &D, uint64_t Mask);
  bool testReal(const Decoded &D, uint64_t Mask);
  bool twoReals(const Decoded &D, uint64_t Mask);
  bool normReal(const Decoded &D, uint64_t Mask);
  bool convert(const Decoded &D, uint64_t Mask);
  bool reinterpret(const Decoded &D, uint64_t Mask);
  bool integerCall(const Decoded &D, uint64_t Mask);
  bool overflow(const Decoded &D, uint64_t Mask);
  bool reduceVector(const Decoded &D, uint64_t Mask);

private:
  /// Lanes that go the same way until they meet the others.
  struct Side {
    unsigned Block = 0, At = 0;
    uint64_t Mask = 0;
    int Meet = -1; ///< ends before this block; -1: with the function
  };
  struct Frame {
    const Program *P = nullptr;
    std::vector<uint64_t> Registers; ///< [cell * Lanes + lane]
    std::vector<Side> Sides;
    uint64_t Alive = 0;
    uint64_t LocalTop = 0;         ///< of private memory when it was entered
    const Decoded *Call = nullptr; ///< of the caller
    std::vector<uint64_t> Returned;
  };

  Frame &top() { return Frames.back(); }
  uint64_t &cell(unsigned Cell, unsigned Lane) {
    return Base[size_t(Cell) * Lanes + Lane];
  }
  template <typename Function> static void each(uint64_t Mask, Function Do) {
    for (; Mask; Mask &= Mask - 1)
      Do(static_cast<unsigned>(llvm::countr_zero(Mask)));
  }
  /// Result of every cell and lane from those of the first operand, or of the
  /// first two.
  template <typename Function>
  void map(const Decoded &D, uint64_t Mask, Function Do);
  template <typename Function>
  void mapTwo(const Decoded &D, uint64_t Mask, Function Do);

  void push(const Program &P, uint64_t Mask, const Decoded *Call);
  void pop();
  bool step();
  bool execute(const Decoded &D, uint64_t Mask);
  void branch(const Decoded &D, uint64_t Mask);
  void divide(llvm::ArrayRef<uint64_t> Masks);
  void follow(const DecodedBlock &From, unsigned Successor, uint64_t Mask);
  void leave(const Decoded &D, uint64_t Mask);
  bool stop(const llvm::Twine &Reason, const llvm::Instruction *At);
  bool counts() { return Frames.size() == 1; }

  void integer(const Decoded &D, uint64_t Mask);
  void real(const Decoded &D, uint64_t Mask);
  void compare(const Decoded &D, uint64_t Mask);
  bool conversion(const Decoded &D, uint64_t Mask);
  bool element(const Decoded &D, uint64_t Mask);
  bool aggregate(const Decoded &D, uint64_t Mask);
  bool addresses(const Decoded &D, uint64_t Mask);
  bool allocate(const Decoded &D, uint64_t Mask);
  bool load(const Decoded &D, uint64_t Mask);
  bool store(const Decoded &D, uint64_t Mask);
  bool atomic(const Decoded &D, uint64_t Mask);
  bool swap(const Decoded &D, uint64_t Mask);
  void countCondition(const Decoded &D, uint64_t Mask);

  /// One lane's bytes, wherever they are; false: the emulation has stopped.
  bool readBytes(unsigned Lane, uint64_t Address, void *Into, unsigned Bytes,
                 const llvm::Instruction *At);
  bool writeBytes(unsigned Lane, uint64_t Address, const void *From,
                  unsigned Bytes, const llvm::Instruction *At);
  bool loadCells(const Decoded &D, unsigned AddressCell, uint64_t Mask);
  bool storeCells(const Decoded &D, unsigned ValueCell, llvm::Type *Type,
                  unsigned AddressCell, uint64_t Mask);
  bool wild(uint64_t Address, const llvm::Instruction *At);
  void request(const Decoded &D, unsigned AddressCell, unsigned Bytes,
               uint64_t Mask);

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
  EmulatedRequest Reported; ///< kept for its memory
};

/// Bits of a real number in a format, and back.
double realOf(uint64_t Bits, CellFormat Format);
uint64_t bitsOfReal(double V, CellFormat Format);
/// The low Bits of V; V with the sign of its low Bits.
inline uint64_t cut(uint64_t V, unsigned Bits) {
  return Bits >= 64 ? V : V & ((uint64_t(1) << Bits) - 1);
}
inline int64_t withSign(uint64_t V, unsigned Bits) {
  return Bits >= 64 ? int64_t(V) : int64_t(V << (64 - Bits)) >> (64 - Bits);
}
/// To an integer of Bits, cut to its range as devices do.
uint64_t integerOf(double V, unsigned Bits, bool Signed);

template <typename Function>
void Warp::map(const Decoded &D, uint64_t Mask, Function Do) {
  for (unsigned C = 0; C < D.Cells; ++C)
    each(Mask, [&](unsigned L) {
      cell(D.Result + C, L) = Do(cell(D.Operands[0] + C, L));
    });
}

template <typename Function>
void Warp::mapTwo(const Decoded &D, uint64_t Mask, Function Do) {
  for (unsigned C = 0; C < D.Cells; ++C)
    each(Mask, [&](unsigned L) {
      cell(D.Result + C, L) =
          Do(cell(D.Operands[0] + C, L), cell(D.Operands[1] + C, L));
    });
}

} // namespace gpuestimate

#endif
