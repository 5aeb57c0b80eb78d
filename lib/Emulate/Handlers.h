/// \file
/// Handlers of instructions and calls, one table of calls per family.
///
/// A handler executes an instruction for the lanes of a mask. It returns false
/// when the emulation has stopped.
#ifndef GPU_ESTIMATE_LIB_EMULATE_HANDLERS_H
#define GPU_ESTIMATE_LIB_EMULATE_HANDLERS_H

#include "WarpState.h"

namespace gpuestimate {

/// A call by its name; a name that ends in '*' matches every name with that
/// prefix, and the longest match wins.
struct CallRow {
  llvm::StringLiteral Name;
  InstructionHandler Handler;
  unsigned Extra = 0; ///< Decoded::Extra
};
llvm::ArrayRef<CallRow> integerCalls();
llvm::ArrayRef<CallRow> realCalls();
llvm::ArrayRef<CallRow> memoryCalls();
llvm::ArrayRef<CallRow> collectiveCalls();
llvm::ArrayRef<CallRow> controlCalls();

/// Sets the handler of a function that is found by the parts of its name; false
/// if there is none.
bool findRealCall(llvm::StringRef Name, Decoded &D);
bool findIntegerCall(llvm::StringRef Name, Decoded &D);

// IntegerHandlers.cpp
bool integerArithmetic(WarpState &W, const Decoded &D, uint64_t Mask);
bool compareNumbers(WarpState &W, const Decoded &D, uint64_t Mask);
bool convertNumber(WarpState &W, const Decoded &D, uint64_t Mask);
bool integerCall(WarpState &W, const Decoded &D, uint64_t Mask);
bool convertCall(WarpState &W, const Decoded &D, uint64_t Mask);
bool reinterpret(WarpState &W, const Decoded &D, uint64_t Mask);
bool overflowArithmetic(WarpState &W, const Decoded &D, uint64_t Mask);
bool reduceVector(WarpState &W, const Decoded &D, uint64_t Mask);

// RealHandlers.cpp
bool realArithmetic(WarpState &W, const Decoded &D, uint64_t Mask);
bool negate(WarpState &W, const Decoded &D, uint64_t Mask);
bool unaryReal(WarpState &W, const Decoded &D, uint64_t Mask);
bool binaryReal(WarpState &W, const Decoded &D, uint64_t Mask);
bool fusedReal(WarpState &W, const Decoded &D, uint64_t Mask);
bool scaledReal(WarpState &W, const Decoded &D, uint64_t Mask);
bool testReal(WarpState &W, const Decoded &D, uint64_t Mask);
bool sinCos(WarpState &W, const Decoded &D, uint64_t Mask);
bool normReal(WarpState &W, const Decoded &D, uint64_t Mask);

// MemoryHandlers.cpp
bool elementAddress(WarpState &W, const Decoded &D, uint64_t Mask);
bool allocate(WarpState &W, const Decoded &D, uint64_t Mask);
bool load(WarpState &W, const Decoded &D, uint64_t Mask);
bool store(WarpState &W, const Decoded &D, uint64_t Mask);
bool atomic(WarpState &W, const Decoded &D, uint64_t Mask);
bool compareAndSwap(WarpState &W, const Decoded &D, uint64_t Mask);
bool atomicCall(WarpState &W, const Decoded &D, uint64_t Mask);
bool loadCall(WarpState &W, const Decoded &D, uint64_t Mask);
bool asyncCopy(WarpState &W, const Decoded &D, uint64_t Mask);
bool bulkCopy(WarpState &W, const Decoded &D, uint64_t Mask);
bool testAddressSpace(WarpState &W, const Decoded &D, uint64_t Mask);

// CollectiveHandlers.cpp
bool coordinate(WarpState &W, const Decoded &D, uint64_t Mask);
bool laneRegister(WarpState &W, const Decoded &D, uint64_t Mask);
bool launchPacket(WarpState &W, const Decoded &D, uint64_t Mask);
bool shuffleLanes(WarpState &W, const Decoded &D, uint64_t Mask);
bool voteLanes(WarpState &W, const Decoded &D, uint64_t Mask);
bool matchLanes(WarpState &W, const Decoded &D, uint64_t Mask);
bool reduceLanes(WarpState &W, const Decoded &D, uint64_t Mask);
bool readLane(WarpState &W, const Decoded &D, uint64_t Mask);
bool maskedBitCount(WarpState &W, const Decoded &D, uint64_t Mask);
bool permuteLanes(WarpState &W, const Decoded &D, uint64_t Mask);

// Handlers.cpp
bool selectValue(WarpState &W, const Decoded &D, uint64_t Mask);
bool copyFirst(WarpState &W, const Decoded &D, uint64_t Mask);
bool vectorElement(WarpState &W, const Decoded &D, uint64_t Mask);
bool aggregateField(WarpState &W, const Decoded &D, uint64_t Mask);
bool setZero(WarpState &W, const Decoded &D, uint64_t Mask);
bool refuseCall(WarpState &W, const Decoded &D, uint64_t Mask);
bool trapLane(WarpState &W, const Decoded &D, uint64_t Mask);
bool constantZero(WarpState &W, const Decoded &D, uint64_t Mask);
bool exitThread(WarpState &W, const Decoded &D, uint64_t Mask);
bool enterFunction(WarpState &W, const Decoded &D, uint64_t Mask);
bool barrier(WarpState &W, const Decoded &D, uint64_t Mask);
bool refuseInstruction(WarpState &W, const Decoded &D, uint64_t Mask);

} // namespace gpuestimate

#endif
