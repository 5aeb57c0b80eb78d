// The schedule against a simulation that is as simple as possible: every
// operation lists all operations before it that it must follow, and at each
// moment all operations are looked at.
#include "helpers/RunRecords.h"
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace gpuestimate;

namespace {

struct Naive {
  struct Op {
    int Engine; // 0 none, 1 kernels, 2 copies in, 3 copies out
    RunHandle Stream;
    double IssueNs, DurationNs, Share;
    std::vector<size_t> After;
    double ReadyNs = -1, StartNs = -1, EndNs = -1;
  };

  explicit Naive(const TimelineCosts &C) : C(C) {}

  void push(int Engine, RunHandle Stream, double DurationNs, double Share,
            int Extra = -1) {
    Op O{Engine, Stream, NowNs + C.SubmitNs, DurationNs, Share, {}};
    for (size_t I = 0; I < Ops.size(); ++I) {
      bool Blocks = !NonBlocking[Stream] && !NonBlocking[Ops[I].Stream];
      if (Ops[I].Stream == Stream ||
          (Blocks && (Stream == 0 || Ops[I].Stream == 0)))
        O.After.push_back(I);
    }
    if (Extra >= 0)
      O.After.push_back(Extra);
    Ops.push_back(O);
  }

  /// Runs everything that has been issued from the start.
  void run() {
    for (Op &O : Ops)
      O.ReadyNs = O.StartNs = O.EndNs = -1;
    double Ns = 0;
    while (true) {
      // What ends now has ended before anything starts.
      for (bool Changed = true; Changed;) {
        Changed = false;
        for (Op &O : Ops) {
          bool Ready = O.ReadyNs < 0 && O.IssueNs <= Ns;
          for (size_t I : O.After)
            Ready &= Ops[I].StartNs >= 0 &&
                     Ops[I].StartNs + Ops[I].DurationNs + gap(O) <= Ns;
          if (Ready) {
            O.ReadyNs = Ns;
            Changed = true;
          }
          if (Ready && O.Engine == 0)
            O.StartNs = Ns;
        }
        for (int Engine = 1; Engine <= 3; ++Engine)
          Changed |= serve(Engine, Ns);
      }
      double Next = 1e300;
      for (const Op &O : Ops) {
        if (O.StartNs < 0 && O.IssueNs > Ns)
          Next = std::min(Next, O.IssueNs);
        for (double Gap : {0.0, C.LaunchCallNs - C.LaunchLatencyNs})
          if (O.StartNs >= 0 && O.StartNs + O.DurationNs + Gap > Ns)
            Next = std::min(Next, O.StartNs + O.DurationNs + Gap);
      }
      if (Next == 1e300)
        break;
      Ns = Next;
    }
    for (Op &O : Ops)
      O.EndNs = O.StartNs + O.DurationNs;
  }

  double gap(const Op &O) const {
    return O.Engine == 1 ? C.LaunchCallNs - C.LaunchLatencyNs : 0;
  }

  bool serve(int Engine, double Ns) {
    double Free = 1;
    Op *First = nullptr;
    for (Op &O : Ops) {
      if (O.Engine != Engine)
        continue;
      if (O.StartNs >= 0 && O.StartNs + O.DurationNs > Ns)
        Free -= O.Share;
      if (O.ReadyNs >= 0 && O.StartNs < 0 &&
          (!First || O.ReadyNs < First->ReadyNs))
        First = &O;
    }
    if (!First || First->Share > Free + 1e-9)
      return false;
    First->StartNs = Ns;
    return true;
  }

  void waitFor(const std::vector<size_t> &Which) {
    run();
    for (size_t I : Which)
      NowNs = std::max(NowNs, Ops[I].EndNs + C.CompletionNs);
  }

  TimelineCosts C;
  std::vector<Op> Ops;
  std::map<RunHandle, bool> NonBlocking;
  double NowNs = 0;
};

class RandomProgram {
public:
  explicit RandomProgram(unsigned Seed)
      : Random(Seed), Clock(testCosts()), Oracle(testCosts()) {}

  void play(unsigned Length) {
    for (RunHandle Stream = 3; Stream <= 4; ++Stream) {
      Clock.add(callOf(RunStream{Stream, true, false}, HostNs));
      Oracle.NonBlocking[Stream] = true;
      Oracle.NowNs += Oracle.C.StreamCallNs;
    }
    for (unsigned I = 0; I < Length; ++I)
      step();
    check();
  }

private:
  // Odd numbers: operations hardly ever end at the same time.
  double number(double Low, double High) {
    return std::uniform_real_distribution<double>(Low, High)(Random);
  }
  unsigned pick(unsigned Count) {
    return static_cast<unsigned>(Random() % Count);
  }

  void step() {
    double Worked = pick(3) ? 0 : number(0, 5000);
    HostNs += Worked;
    Oracle.NowNs += Worked;
    RunHandle Stream = pick(5);
    RunHandle Event = 1 + pick(3);
    switch (pick(10)) {
    default: {
      LaunchCost Cost{number(100, 20000), pick(2) ? 1 : number(0.05, 0.6)};
      Clock.add(launchOn(Stream, 0, HostNs), &Cost);
      Oracle.NowNs += Oracle.C.LaunchCallNs;
      Oracle.push(1, Stream, Cost.Ns, Cost.Share);
      return;
    }
    case 0:
    case 1: {
      bool In = pick(2);
      auto Bytes = static_cast<uint64_t>(number(1000, 200000));
      Clock.add(
          copyOf(In ? RunCopyKind::HostToDevice : RunCopyKind::DeviceToHost,
                 Bytes, true, true, Stream, HostNs));
      Oracle.NowNs += Oracle.C.CopyCallNs;
      Oracle.push(In ? 2 : 3, Stream,
                  Oracle.C.CopyStartNs + Bytes / Oracle.C.LinkRate, 1);
      return;
    }
    case 2:
    case 3:
      Clock.add(callOf(RunEventRecord{Event, Stream}, HostNs));
      Oracle.NowNs += Oracle.C.CallNs;
      Oracle.push(0, Stream, 0, 0);
      Events[Event] = static_cast<int>(Oracle.Ops.size()) - 1;
      return;
    case 4:
      Clock.add(callOf(RunStreamWait{Stream, Event}, HostNs));
      Oracle.NowNs += Oracle.C.CallNs;
      Oracle.push(0, Stream, 0, 0, Events.count(Event) ? Events[Event] : -1);
      return;
    case 5:
      wait(static_cast<RunWait::KindType>(pick(3)), Stream, Event);
      return;
    }
  }

  void wait(RunWait::KindType On, RunHandle Stream, RunHandle Event) {
    RunReply Reply = Clock.add(
        callOf(RunWait{On, On == RunWait::Event ? Event : Stream}, HostNs));
    Oracle.NowNs += Oracle.C.CallNs;
    std::vector<size_t> Which;
    for (size_t I = 0; I < Oracle.Ops.size(); ++I)
      if (On == RunWait::Device ||
          (On == RunWait::Stream && Oracle.Ops[I].Stream == Stream))
        Which.push_back(I);
    if (On == RunWait::Event && Events.count(Event))
      Which.push_back(Events[Event]);
    Oracle.waitFor(Which);
    EXPECT_NEAR(Reply.NowNs, Oracle.NowNs, 1e-3);
  }

  void check() {
    Oracle.run();
    TimelineResult R = Clock.finish();
    ASSERT_EQ(R.Operations.size(), Oracle.Ops.size());
    for (size_t I = 0; I < Oracle.Ops.size(); ++I) {
      EXPECT_NEAR(R.Operations[I].StartNs, Oracle.Ops[I].StartNs, 1e-3) << I;
      EXPECT_NEAR(R.Operations[I].EndNs, Oracle.Ops[I].EndNs, 1e-3) << I;
    }
    double Sum = 0;
    for (const CriticalPiece &P : R.CriticalPath)
      Sum += P.Ns;
    EXPECT_NEAR(Sum, R.Totals.WallNs, 1e-3);
    EXPECT_NEAR(R.Totals.ProgramNs + R.Totals.CallNs + R.Totals.WaitNs,
                R.Totals.WallNs, 1e-3);
  }

  std::mt19937 Random;
  Timeline Clock;
  Naive Oracle;
  std::map<RunHandle, int> Events;
  double HostNs = 0;
};

} // namespace

TEST(TimelineOracle, RandomProgramsOfStreamsAndEvents) {
  for (unsigned Seed = 0; Seed < 300; ++Seed) {
    SCOPED_TRACE(Seed);
    RandomProgram(Seed).play(10 + Seed % 50);
    if (HasFailure())
      break;
  }
}
