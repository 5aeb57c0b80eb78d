/// \file
/// The table of calls: intrinsics and library functions by name.
#include "Calls.h"
#include "Warp.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace gpuestimate {

namespace {

/// A name that ends in '*' stands for all that begin so; the longest wins.
struct CallRow {
  StringLiteral Name;
  CallHandler Handler;
  unsigned Extra = 0;
};

const CallRow Rows[] = {
    {"llvm.assume", &Warp::ignore},
    {"llvm.experimental.noalias.scope.decl", &Warp::ignore},
    {"llvm.prefetch*", &Warp::ignore},
    {"llvm.nvvm.membar.*", &Warp::ignore},
    {"llvm.nvvm.fence.*", &Warp::ignore},
    {"llvm.nvvm.bar.warp.sync", &Warp::ignore},
    {"llvm.nvvm.nanosleep", &Warp::ignore},
    {"llvm.nvvm.cp.async.commit*", &Warp::ignore},
    {"llvm.nvvm.cp.async.wait*", &Warp::ignore},
    {"llvm.amdgcn.wave.barrier", &Warp::ignore},
    {"llvm.amdgcn.s.waitcnt", &Warp::ignore},
    {"llvm.amdgcn.s.sleep", &Warp::ignore},
    {"llvm.amdgcn.fence", &Warp::ignore},
    {"vprintf", &Warp::ignore},
    {"llvm.trap", &Warp::trap},
    {"llvm.ubsantrap", &Warp::trap},
    {"__assertfail", &Warp::trap},
    {"__assert_fail", &Warp::trap},
    {"llvm.nvvm.exit", &Warp::exit},
    {"llvm.amdgcn.endpgm", &Warp::exit},

    {"llvm.nvvm.barrier0", &Warp::barrier},
    {"llvm.nvvm.barrier.sync", &Warp::barrier},
    {"llvm.nvvm.bar.sync", &Warp::barrier},
    {"llvm.amdgcn.s.barrier", &Warp::barrier},
    {"llvm.nvvm.barrier0.popc", &Warp::barrier, 0},
    {"llvm.nvvm.barrier0.and", &Warp::barrier, 1},
    {"llvm.nvvm.barrier0.or", &Warp::barrier, 2},

    // 0 to 2: index of the thread, 3: its block's, 6: threads, 9: blocks.
    {"llvm.nvvm.read.ptx.sreg.tid.*", &Warp::coordinate, 0},
    {"llvm.nvvm.read.ptx.sreg.ctaid.*", &Warp::coordinate, 3},
    {"llvm.nvvm.read.ptx.sreg.ntid.*", &Warp::coordinate, 6},
    {"llvm.nvvm.read.ptx.sreg.nctaid.*", &Warp::coordinate, 9},
    {"llvm.amdgcn.workitem.id.*", &Warp::coordinate, 0},
    {"llvm.amdgcn.workgroup.id.*", &Warp::coordinate, 3},
    {"__ockl_get_local_id", &Warp::coordinate, 0},
    {"__ockl_get_group_id", &Warp::coordinate, 3},
    {"__ockl_get_local_size", &Warp::coordinate, 6},
    {"__ockl_get_num_groups", &Warp::coordinate, 9},
    {"llvm.nvvm.read.ptx.sreg.laneid", &Warp::laneRegister, 0},
    {"llvm.nvvm.read.ptx.sreg.warpid", &Warp::laneRegister, 1},
    {"llvm.nvvm.read.ptx.sreg.lanemask.eq", &Warp::laneRegister, 2},
    {"llvm.nvvm.read.ptx.sreg.lanemask.lt", &Warp::laneRegister, 3},
    {"llvm.nvvm.read.ptx.sreg.lanemask.le", &Warp::laneRegister, 4},
    {"llvm.nvvm.read.ptx.sreg.lanemask.gt", &Warp::laneRegister, 5},
    {"llvm.nvvm.read.ptx.sreg.lanemask.ge", &Warp::laneRegister, 6},
    {"llvm.nvvm.read.ptx.sreg.warpsize", &Warp::laneRegister, 7},
    {"llvm.amdgcn.wavefrontsize", &Warp::laneRegister, 7},
    {"llvm.nvvm.activemask", &Warp::vote, 3},
    // Clocks, timers and the multiprocessor's number stand still.
    {"llvm.nvvm.read.ptx.sreg.clock*", &Warp::constant},
    {"llvm.nvvm.read.ptx.sreg.globaltimer*", &Warp::constant},
    {"llvm.nvvm.read.ptx.sreg.smid", &Warp::constant},
    {"llvm.readcyclecounter", &Warp::constant},
    {"llvm.amdgcn.s.memtime", &Warp::constant},
    {"llvm.is.constant*", &Warp::constant},
    {"llvm.amdgcn.dispatch.ptr", &Warp::packet, 0},
    {"llvm.amdgcn.implicitarg.ptr", &Warp::packet, 1},

    {"llvm.nvvm.shfl.*", &Warp::shuffle},
    {"llvm.nvvm.vote.all*", &Warp::vote, 0},
    {"llvm.nvvm.vote.any*", &Warp::vote, 1},
    {"llvm.nvvm.vote.uni*", &Warp::vote, 2},
    {"llvm.nvvm.vote.ballot*", &Warp::vote, 3},
    {"llvm.amdgcn.ballot*", &Warp::vote, 3},
    {"llvm.nvvm.match.any.*", &Warp::match},
    {"llvm.nvvm.redux.sync.*", &Warp::redux},
    {"llvm.amdgcn.readfirstlane*", &Warp::readLane, 0},
    {"llvm.amdgcn.readlane*", &Warp::readLane, 1},
    {"llvm.amdgcn.mbcnt.lo", &Warp::mbcnt, 0},
    {"llvm.amdgcn.mbcnt.hi", &Warp::mbcnt, 1},
    {"llvm.amdgcn.ds.bpermute", &Warp::permuteLanes},

    {"llvm.nvvm.ldg.global.*", &Warp::loadCall},
    {"llvm.nvvm.ldu.global.*", &Warp::loadCall},
    {"llvm.nvvm.cp.async.ca.shared.global.4*", &Warp::asyncCopy, 4},
    {"llvm.nvvm.cp.async.ca.shared.global.8*", &Warp::asyncCopy, 8},
    {"llvm.nvvm.cp.async.ca.shared.global.16*", &Warp::asyncCopy, 16},
    {"llvm.nvvm.cp.async.cg.shared.global.16*", &Warp::asyncCopy, 16},
    {"llvm.nvvm.atomic.*", &Warp::atomicCall},
    {"llvm.memcpy.*", &Warp::bulk, 0},
    {"llvm.memmove.*", &Warp::bulk, 0},
    {"llvm.memset.*", &Warp::bulk, 1},
    {"llvm.nvvm.isspacep.shared", &Warp::isSpace, 0},
    {"llvm.nvvm.isspacep.local", &Warp::isSpace, 1},
    {"llvm.nvvm.isspacep.global", &Warp::isSpace, 2},
    {"llvm.nvvm.isspacep.const", &Warp::isSpace, 3},
    {"llvm.amdgcn.is.shared", &Warp::isSpace, 0},
    {"llvm.amdgcn.is.private", &Warp::isSpace, 1},
    {"llvm.nvvm.ptr.*", &Warp::copyFirst},
    {"llvm.expect*", &Warp::copyFirst},
    {"llvm.launder.invariant.group*", &Warp::copyFirst},
    {"llvm.strip.invariant.group*", &Warp::copyFirst},
    {"llvm.ssa.copy*", &Warp::copyFirst},
    {"llvm.arithmetic.fence*", &Warp::copyFirst},
    {"llvm.canonicalize*", &Warp::copyFirst},
    {"llvm.threadlocal.address*", &Warp::copyFirst},

    {"llvm.fma.*", &Warp::fusedReal},
    {"llvm.fmuladd.*", &Warp::fusedReal},
    {"llvm.nvvm.fma.*", &Warp::fusedReal},
    {"llvm.ldexp*", &Warp::scaledReal},
    {"llvm.powi*", &Warp::scaledReal, 1},
    {"llvm.vector.reduce.*", &Warp::reduceVector},
    {"llvm.uadd.with.overflow*", &Warp::overflow, 0},
    {"llvm.usub.with.overflow*", &Warp::overflow, 1},
    {"llvm.umul.with.overflow*", &Warp::overflow, 2},
    {"llvm.sadd.with.overflow*", &Warp::overflow, 3},
    {"llvm.ssub.with.overflow*", &Warp::overflow, 4},
    {"llvm.smul.with.overflow*", &Warp::overflow, 5},
    {"llvm.fptosi.sat*", &Warp::convert},
    {"llvm.fptoui.sat*", &Warp::convert},
};

const CallRow *findRow(StringRef Name) {
  const CallRow *Best = nullptr;
  for (const CallRow &Row : Rows) {
    StringRef Pattern = Row.Name;
    if (Pattern == Name)
      return &Row;
    if (Pattern.consume_back("*") && Name.starts_with(Pattern) &&
        (!Best || Pattern.size() >= Best->Name.size()))
      Best = &Row;
  }
  return Best;
}

} // namespace

bool isAccessCall(const Decoded &D) {
  return D.Handler == &Warp::loadCall || D.Handler == &Warp::asyncCopy ||
         D.Handler == &Warp::atomicCall;
}

void findCallHandler(const CallBase &Call, Decoded &D) {
  D.Handler = &Warp::refuseCall;
  const auto *Callee =
      dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  if (Call.isInlineAsm() || !Callee)
    return;
  if (!Callee->isDeclaration()) {
    if (Callee->arg_size() == Call.arg_size())
      D.Handler = &Warp::enterFunction;
    return;
  }
  StringRef Name = Callee->getName();
  if (const CallRow *Row = findRow(Name)) {
    D.Handler = Row->Handler;
    D.Extra = Row->Extra;
    // The axis is the name's last letter, or a constant operand.
    const auto *Axis = Call.arg_size()
                           ? dyn_cast<ConstantInt>(Call.getArgOperand(0))
                           : nullptr;
    if (D.Handler == &Warp::coordinate && Call.arg_size())
      D.Extra += Axis ? Axis->getZExtValue() % 3 : 0;
    else if (D.Handler == &Warp::coordinate)
      D.Extra += Name.back() - 'x';
    return;
  }
  if (!findRealFunction(Name, D))
    findIntegerFunction(Name, D);
}

bool Warp::ignore(const Decoded &D, uint64_t Mask) {
  for (unsigned C = 0; C < D.Cells; ++C)
    each(Mask, [&](unsigned L) { cell(D.Result + C, L) = 0; });
  return true;
}

bool Warp::refuseCall(const Decoded &D, uint64_t) {
  const auto *Call = cast<CallBase>(D.I);
  const auto *Callee =
      dyn_cast<Function>(Call->getCalledOperand()->stripPointerCasts());
  if (Call->isInlineAsm())
    return stop("inline assembly is not emulated", D.I);
  if (!Callee)
    return stop("calls through a pointer are not emulated", D.I);
  return stop("the call of " + Callee->getName() + " is not emulated", D.I);
}

bool Warp::trap(const Decoded &D, uint64_t) {
  return stop("the kernel runs into a trap or a failed assertion", D.I);
}

bool Warp::constant(const Decoded &D, uint64_t Mask) { return ignore(D, Mask); }

bool Warp::copyFirst(const Decoded &D, uint64_t Mask) {
  map(D, Mask, [](uint64_t V) { return V; });
  return true;
}

bool Warp::isSpace(const Decoded &D, uint64_t Mask) {
  each(Mask, [&](unsigned L) {
    uint64_t A = cell(D.Operands[0], L);
    bool Shared = A >= SharedBase && A < SharedLimit;
    bool Local = A >= LocalBase && A < LocalLimit;
    cell(D.Result, L) = D.Extra == 0   ? Shared
                        : D.Extra == 1 ? Local
                        : D.Extra == 2 ? !Shared && !Local
                                       : false;
  });
  return true;
}

} // namespace gpuestimate
