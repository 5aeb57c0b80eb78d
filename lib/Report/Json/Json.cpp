/// \file
/// The JSON contract, field by field.
#include "gpu-estimate/Report/Json/Json.h"

#include "Report/Text/TargetComparisonText.h"
#include "gpu-estimate/Advice/AccessGroups.h"
#include "gpu-estimate/Advice/CpiStack.h"
#include "gpu-estimate/Model/Result/LaunchTotal.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

static void location(json::OStream &J, StringRef Key, const SourceLocation &L) {
  J.attributeObject(Key, [&] {
    J.attribute("file", L.File);
    J.attribute("line", L.Line);
    J.attribute("column", L.Column);
  });
}

static void sizes(json::OStream &J, StringRef Key,
                  const std::array<uint64_t, 3> &Sizes) {
  J.attributeArray(Key, [&] {
    for (uint64_t Size : Sizes)
      J.value(static_cast<int64_t>(Size));
  });
}

static void numbers(json::OStream &J, StringRef Key,
                    ArrayRef<std::pair<std::string, double>> Values) {
  J.attributeObject(Key, [&] {
    for (const auto &[Name, Value] : Values)
      J.attribute(Name, Value);
  });
}

static void functions(json::OStream &J, const Analysis &A) {
  std::vector<FunctionTotal> Totals = functionTotals(A);
  if (Totals.empty())
    return;
  J.attributeArray("functions", [&] {
    for (const FunctionTotal &T : Totals)
      J.object([&] {
        J.attribute("function", T.Function);
        J.attribute("gpu", T.Gpu);
        J.attribute("time_ms", T.Time.value() * 1e3);
        J.attribute("launches", T.Launches);
      });
  });
}

static void sequences(json::OStream &J, const Analysis &A) {
  if (A.SequenceTotals.empty())
    return;
  J.attributeArray("sequences", [&] {
    for (const SequenceTotal &S : A.SequenceTotals)
      J.object([&] {
        J.attribute("sequence", S.Name);
        J.attribute("file", S.File);
        J.attribute("gpu", S.Gpu);
        J.attribute("time_ms", S.Time.value() * 1e3);
        J.attribute("kernels_ms", S.KernelTime.value() * 1e3);
        J.attribute("copies_ms", S.CopyTime.value() * 1e3);
        J.attribute("idle_ms", S.IdleTime.value() * 1e3);
        J.attribute("launches", S.Launches);
        J.attributeArray("kernels", [&] {
          for (const FunctionTotal::Part &P : S.Parts)
            J.object([&] {
              J.attribute("kernel", P.Kernel);
              J.attribute("launches", P.Launches);
              J.attribute("time_ms", P.Time.value() * 1e3);
            });
        });
        J.attributeArray("not_predicted", [&] {
          for (const SequenceTotal::Missing &M : S.NotPredicted)
            J.object([&] {
              J.attribute("step", M.What);
              J.attribute("count", M.Count);
              J.attribute("line", M.Line);
              J.attribute("reason", M.Why);
            });
        });
        J.attributeArray("premises", [&] {
          for (const std::string &Text : S.Premises)
            J.value(Text);
        });
      });
  });
}

/// Pointer arguments into one buffer with their distances from the first one.
static void sharedBuffers(json::OStream &J, const Prediction &P) {
  if (P.SharedBuffers.empty())
    return;
  J.attributeArray("shared_buffers", [&] {
    for (const SharedBuffer &Buffer : P.SharedBuffers)
      J.object([&] {
        J.attribute("source", Buffer.Source);
        numbers(J, "offset_bytes", Buffer.Pointers);
      });
  });
}

static void launch(json::OStream &J, const Launch &L) {
  J.attributeObject("launch", [&] {
    sizes(J, "grid", L.Grid);
    sizes(J, "block", L.Block);
    J.attribute("dynamic_smem_bytes",
                static_cast<int64_t>(L.DynamicSharedBytes));
    J.attribute("source", L.Source);
    location(J, "location", L.Location);
  });
}

static void occupancy(json::OStream &J, const Occupancy &O) {
  J.attributeObject("occupancy", [&] {
    J.attribute("blocks_per_sm", O.BlocksPerSm);
    J.attribute("warps_per_sm", O.WarpsPerSm);
    J.attribute("fraction", O.Fraction);
    J.attribute("limited_by", O.LimitedBy);
    J.attribute("waves", O.Waves);
  });
}

static void machineCode(json::OStream &J,
                        const std::optional<MachineCode> &Code) {
  if (!Code) {
    J.attribute("machine_code", nullptr);
    return;
  }
  J.attributeObject("machine_code", [&] {
    J.attribute("bytes", static_cast<int64_t>(Code->CodeBytes));
    J.attribute("barriers", Code->Barriers);
    J.attribute("sgprs", Code->ScalarRegisters);
    J.attribute("agprs", Code->AccumulationRegisters);
    J.attribute("dual_issue", Code->DualIssue);
    J.attribute("packed", Code->Packed);
    J.attribute("in_model", Code->WhyIr.empty());
    if (llvm::all_of(Code->Instructions, [](unsigned N) { return N == 0; })) {
      J.attribute("instructions", nullptr);
      return;
    }
    J.attributeObject("instructions", [&] {
      for (unsigned Unit = 0; Unit < NumMachineUnits; ++Unit)
        J.attribute(name(static_cast<MachineUnit>(Unit)),
                    Code->Instructions[Unit]);
    });
  });
}

static void lines(json::OStream &J, const Prediction &P) {
  J.attributeArray("lines", [&] {
    for (const LineCost &Line : P.Lines)
      J.object([&] {
        J.attribute("file", Line.Where.File);
        J.attribute("line", Line.Where.Line);
        J.attribute("share", Line.Share);
        if (P.Power.Board)
          J.attribute("energy_share", Line.EnergyShare);
        numbers(J, "parts", Line.Parts);
      });
  });
  numbers(J, "no_line", P.OffLine);
}

/// Power and energy, or why there are none.
static void power(json::OStream &J, const PowerEstimate &P) {
  if (!P.Board) {
    if (!P.Missing.empty())
      J.attribute("power_unknown", P.Missing);
    return;
  }
  J.attribute("power_w", P.Board->value());
  J.attribute("energy_j", P.Energy.value());
  if (P.Limit)
    J.attribute("power_limit_w", P.Limit->value());
  numbers(J, "energy_breakdown", P.Breakdown);
  if (P.Throttled)
    J.attributeObject("throttled", [&] {
      J.attribute("core_clock_mhz", P.Throttled->Clock.value() * 1e-6);
      J.attribute("time_ms", P.Throttled->Time.value() * 1e3);
      J.attribute("energy_j", P.Throttled->Energy.value());
    });
}

static void counts(json::OStream &J, const Counts &C) {
  J.attributeObject("counts", [&] {
    for (const auto &[Name, Value] : namedCounts(C))
      J.attribute(Name, Value);
    J.attributeObject("by_class", [&] {
      for (const OpClassInfo &Row : opClassTable())
        if (double Count = C.ByClass[static_cast<unsigned>(Row.Class)])
          J.attribute(Row.Name, Count);
    });
  });
}

static void accesses(json::OStream &J, const Prediction &P) {
  J.attributeArray("accesses", [&] {
    for (const AccessReport &A : mergeAccesses(P.Accesses))
      J.object([&] {
        location(J, "location", A.Location);
        J.attribute("space", A.Space);
        J.attribute("kind", A.Kind);
        J.attribute("base", A.Base);
        J.attribute("bytes_per_thread", A.BytesPerThread);
        J.attribute("requests", A.Requests);
        J.attribute("sectors_per_request", A.SectorsPerRequest);
        J.attribute("ideal_sectors_per_request", A.IdealSectorsPerRequest);
        J.attribute("passes_per_request", A.PassesPerRequest);
        J.attribute("l1_hit", A.L1Hit);
        J.attribute("l2_hit", A.L2Hit);
        J.attribute("l2_bytes", A.L2Bytes);
        J.attribute("dram_bytes", A.DramReadBytes + A.DramWriteBytes);
        J.attribute("dram_read_bytes", A.DramReadBytes);
        J.attribute("dram_write_bytes", A.DramWriteBytes);
        J.attribute("data_dependent", A.DataDependent);
        if (!A.StrideClass.empty())
          J.attribute("class", A.StrideClass);
      });
  });
}

/// Null where it is not known how sure the time is.
static void interval(json::OStream &J, const Prediction &P) {
  if (P.Error)
    J.attribute("ratio_error", P.Error->Ratio);
  else
    J.attribute("ratio_error", nullptr);
  if (!P.Interval)
    return J.attribute("interval", nullptr);
  auto Factors = [&](StringRef Key, const TimeFactors &F) {
    J.attributeArray(Key, [&] {
      J.value(F.Low);
      J.value(F.High);
    });
  };
  std::pair<double, double> Range = *intervalMs(P);
  J.attributeObject("interval", [&] {
    J.attribute("level", P.Interval->Level);
    J.attribute("low_ms", Range.first);
    J.attribute("high_ms", Range.second);
    Factors("model_factors", P.Interval->Model);
    Factors("input_factors", P.Interval->Inputs);
  });
}

static void assumptions(json::OStream &J, const Prediction &P) {
  J.attributeArray("assumptions", [&] {
    for (const Assumption &A : P.Assumptions)
      J.object([&] {
        J.attribute("what", A.What);
        J.attribute("value", A.Value);
        J.attribute("why", A.Why);
        J.attribute("low", A.Low);
        J.attribute("high", A.High);
        J.attribute("sensitivity", A.Sensitivity);
        J.attribute("interval_share", A.Share);
        J.attribute("settle", A.Settle);
        location(J, "location", A.Location);
      });
  });
}

static void advice(json::OStream &J, const ExplainedPrediction &E) {
  J.attributeArray("advice", [&] {
    for (const Finding *F : E.advice())
      J.object([&] {
        J.attribute("id", F->Id);
        location(J, "location", F->Location);
        J.attribute("text", F->Remedy);
        J.attribute("predicted_gain", *F->Gain);
        if (F->EnergyGain)
          J.attribute("predicted_energy_gain", *F->EnergyGain);
      });
  });
}

static void findings(json::OStream &J, ArrayRef<Finding> Findings) {
  J.attributeArray("findings", [&] {
    for (const Finding &F : Findings)
      J.object([&] {
        J.attribute("group", F.Group);
        location(J, "location", F.Location);
        J.attribute("text", F.Problem);
        if (F.Gain)
          J.attribute("predicted_gain", *F.Gain);
      });
  });
}

/// "delay.fp32" is the member fp32 of delay_by_pipe.
static void formulas(json::OStream &J, const KernelFormulas &Formulas) {
  static constexpr StringLiteral OfPipe = "delay.";
  auto Text = [](const KernelFormula &F) { return F.Value.str() + F.CutOff; };
  J.attributeObject("symbolic", [&] {
    for (const KernelFormula &F : Formulas.Tuple)
      if (!StringRef(F.Name).starts_with(OfPipe))
        J.attribute(F.Name, Text(F));
    J.attributeObject("delay_by_pipe", [&] {
      for (const KernelFormula &F : Formulas.Tuple)
        if (StringRef Pipe = F.Name; Pipe.consume_front(OfPipe))
          J.attribute(Pipe, Text(F));
    });
    J.attributeArray("parameters", [&] {
      for (const FormulaParameter &P : Formulas.Parameters)
        J.object([&] {
          J.attribute("name", P.Name);
          J.attribute("kind", name(P.Kind));
          if (!std::isnan(P.Value))
            J.attribute("value", P.Value);
          if (!P.Unit.empty())
            J.attribute("unit", P.Unit);
          J.attribute("source", P.Source);
        });
    });
    J.attributeArray("remarks", [&] {
      for (const std::string &Remark : Formulas.Remarks)
        J.value(Remark);
    });
    J.attribute("time_of_longest_warp_cycles", Formulas.TimeOfLongestWarp);
  });
}

/// What stands in place of a time.
static void curve(json::OStream &J, const SizeCurve &C) {
  J.attributeObject("unknown", [&] {
    J.attribute("name", C.Unknown);
    J.attribute("why", C.Why);
    J.attribute("settle", C.Settle);
    J.attributeObject("others", [&] {
      for (const SizeCurve::Other &Each : C.Others)
        J.attribute(Each.Name, Each.Value);
    });
    if (C.FarEnd) {
      J.attribute("fixed_ms", C.FarEnd->Fixed.value() * 1e3);
      J.attribute("per_unit_ms", C.FarEnd->PerUnit.value() * 1e3);
    }
    if (C.Exponent)
      J.attribute("exponent", *C.Exponent);
    if (C.Crossover)
      J.attribute("crossover", *C.Crossover);
  });
  J.attributeArray("curve", [&] {
    for (const SizeCurve::Point &P : C.Points)
      J.object([&] {
        J.attribute("value", P.Value);
        J.attribute("time_ms", P.Time.value() * 1e3);
        if (P.Interval) {
          TimeFactors Range = P.Interval->total();
          J.attribute("low_ms", P.Time.value() * Range.Low * 1e3);
          J.attribute("high_ms", P.Time.value() * Range.High * 1e3);
        }
        J.attribute("bound", P.Bottleneck);
        sizes(J, "grid", P.Grid);
        sizes(J, "block", P.Block);
      });
  });
}

/// The time, or the table over a size that is not known.
static void time(json::OStream &J, const ExplainedPrediction &E) {
  const Prediction &P = E.Estimate;
  if (E.Curve) {
    for (StringRef Key : {"time_ms", "ratio_error", "interval"})
      J.attribute(Key, nullptr);
    curve(J, *E.Curve);
    J.attribute("launch_overhead_ms", P.LaunchOverhead.value() * 1e3);
    J.attribute("execution_ms", nullptr);
    return;
  }
  J.attribute("time_ms", P.Time.value() * 1e3);
  interval(J, P);
  J.attribute("launch_overhead_ms", P.LaunchOverhead.value() * 1e3);
  J.attribute("execution_ms", P.Execution.value() * 1e3);
}

/// What a file tells of the launch, and what follows from it.
static void recorded(json::OStream &J, const ExplainedPrediction &E) {
  if (!E.Recorded)
    return;
  J.attributeObject("recorded", [&] {
    J.attribute("launches", E.Recorded->Launches);
    if (E.Recorded->Time)
      J.attribute("time_ms", E.Recorded->Time->value() * 1e3);
    if (!E.Recorded->Gpu.empty())
      J.attribute("gpu", E.Recorded->Gpu);
    if (E.Recorded->Place.isValid())
      location(J, "location", E.Recorded->Place);
  });
  if (!E.Transferred)
    return;
  const TransferredTime &T = *E.Transferred;
  double Ms = T.Time.value() * 1e3;
  J.attributeObject("transferred", [&] {
    J.attribute("time_ms", Ms);
    if (T.Error) {
      J.attribute("low_ms", Ms * T.Error->Low);
      J.attribute("high_ms", Ms * T.Error->High);
    }
    J.attribute("bottleneck_measured", T.Bottleneck);
  });
}

static void estimate(json::OStream &J, const ExplainedPrediction &E) {
  const Prediction &P = E.Estimate;
  J.attribute("kernel", P.Kernel);
  J.attribute("name", P.Name);
  location(J, "location", P.Location);
  J.attribute("gpu", P.Gpu);
  J.attribute("gpu_name", P.GpuName);
  J.attributeArray("gpu_overrides", [&] {
    for (const std::string &Override : P.WhatIf)
      J.value(Override);
  });
  J.attribute("model", P.Model);
  J.attribute("caches", P.Caches);
  launch(J, P.Used);
  numbers(J, "arguments", P.Arguments);
  sharedBuffers(J, P);
  time(J, E);
  recorded(J, E);
  J.attribute("bottleneck", P.Bottleneck);
  numbers(J, "breakdown", P.Breakdown);
  numbers(J, "cpi_stack", cpiStack(P));
  if (!E.Curve)
    power(J, P.Power);
  lines(J, P);
  if (!P.Intermediates.empty())
    numbers(J, "intermediates", P.Intermediates);
  J.attributeObject("bounds_cycles", [&] {
    for (const Bound &B : P.Bounds)
      J.attribute(B.Name, B.Time.value());
  });
  occupancy(J, P.Occ);
  J.attribute("registers_per_thread", P.RegistersPerThread);
  J.attribute("registers_source", P.RegistersSource);
  J.attribute("shared_bytes_per_block",
              static_cast<int64_t>(P.SharedBytesPerBlock));
  machineCode(J, P.Code);
  counts(J, P.Count);
  J.attributeObject("hit_rates", [&] {
    J.attribute("l1", P.L1HitRate);
    J.attribute("l2", P.L2HitRate);
  });
  J.attributeObject("latency_cycles", [&] {
    for (const LevelLatency &L : P.Latencies)
      J.attributeObject(L.Level, [&] {
        J.attribute("idle", L.Idle.value());
        J.attribute("loaded", L.Loaded.value());
        J.attribute("iterations", static_cast<int64_t>(L.Iterations));
        J.attribute("converged", L.Converged);
      });
  });
  accesses(J, P);
  formulas(J, P.Formulas);
  assumptions(J, P);
  if (!P.Premises.empty())
    J.attributeArray("premises", [&] {
      for (const std::string &Text : P.Premises)
        J.value(Text);
    });
  if (!P.HostFunction.empty()) {
    J.attribute("function", P.HostFunction);
    J.attribute("repeats", P.Repeats);
  }
  if (!E.Against.empty())
    J.attributeArray("against", [&] {
      for (const TargetComparison &C : E.Against)
        J.object([&] { writeComparison(J, C); });
    });
  if (E.FoundAt)
    J.attributeObject("findings_at", [&] {
      launch(J, E.FoundAt->Used);
      numbers(J, "arguments", E.FoundAt->Arguments);
    });
  findings(J, E.Findings);
  advice(J, E);
}

static void budgets(json::OStream &J, ArrayRef<BudgetCheck> Budgets) {
  J.attributeArray("budgets", [&] {
    for (const BudgetCheck &C : Budgets)
      J.object([&] {
        J.attribute("kernel", C.Kernel);
        J.attribute("name", C.Name);
        location(J, "location", C.Location);
        J.attribute("gpu", C.Gpu);
        J.attribute("budget_ms", C.Limit.value() * 1e3);
        J.attribute("source", C.Source);
        J.attribute("exceeded", C.exceeded());
        if (C.Time)
          J.attribute("verdict", C.verdict());
        if (!C.CannotTell.empty()) {
          J.attribute("verdict", "cannot tell");
          J.attribute("reason", C.CannotTell);
        }
        if (!C.Time)
          return;
        J.attribute("time_ms", C.Time->value() * 1e3);
        sizes(J, "grid", C.Used.Grid);
        sizes(J, "block", C.Used.Block);
        auto Terms = [&](StringRef Key, const auto &All) {
          J.attributeObject(Key, [&] {
            for (const auto &[Term, Time] : All)
              J.attribute(Term, Time.value() * 1e3);
          });
        };
        Terms("terms_ms", C.Terms);
        if (C.exceeded() && !C.Kept.empty())
          Terms("kept_terms_ms", C.Kept);
      });
  });
}

void printJson(raw_ostream &OS, const Analysis &A, StringRef ToolVersion,
               const RecordOrigin *Origin) {
  json::OStream J(OS, Origin ? 0 : 2);
  J.object([&] {
    J.attribute("schema", "gpu-estimate/1");
    J.attribute("tool_version", ToolVersion);
    if (A.Compiler)
      J.attribute("compiler", name(*A.Compiler));
    if (Origin) {
      J.attribute("source", Origin->Source);
      J.attribute("directory", Origin->Directory);
      if (!Origin->Key.empty()) {
        J.attribute("key", Origin->Key);
        J.attributeObject("inputs", [&] {
          for (const auto &[File, Hash] : Origin->Inputs)
            J.attribute(File, Hash);
        });
      }
    }
    J.attributeArray("estimates", [&] {
      for (const ExplainedPrediction &E : A.Estimates)
        J.object([&] { estimate(J, E); });
    });
    functions(J, A);
    sequences(J, A);
    J.attributeArray("unresolved", [&] {
      for (const Unresolved &U : A.Unresolveds)
        J.object([&] {
          J.attribute("kernel", U.Kernel);
          J.attribute("name", U.Name);
          location(J, "location", U.Location);
          J.attribute("reason", U.Reason);
        });
    });
    budgets(J, A.Budgets);
    J.attributeArray("notices", [&] {
      for (const Notice &N : A.Notices)
        J.object([&] {
          location(J, "location", N.Location);
          J.attribute("text", N.Text);
        });
    });
  });
  OS << '\n';
}

} // namespace gpuestimate
