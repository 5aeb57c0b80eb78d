/// \file
/// quantitative-roofline against the tables of Konstantinidis' thesis
/// (test/data/thesis), and what it is fed with.
#include "gpu-estimate/Evaluate/Models/QuantitativeRoofline.h"
#include "gpu-estimate/Evaluate/Evaluator/Evaluate.h"
#include "gpu-estimate/Support/Csv.h"
#include "helpers/EvaluateKernels.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <cmath>
#include <map>

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

/// First column -> (column -> text).
using Table = std::vector<std::map<std::string, std::string>>;
Table table(llvm::StringRef File) {
  std::string Path =
      (GPU_ESTIMATE_SOURCE_DIR "/test/data/thesis/" + File).str();
  auto Text = llvm::MemoryBuffer::getFile(Path);
  if (!Text) {
    ADD_FAILURE() << Path;
    return {};
  }
  auto Rows = readCsv(Path, (*Text)->getBuffer());
  if (!Rows) {
    ADD_FAILURE() << llvm::toString(Rows.takeError());
    return {};
  }
  Table Result;
  for (unsigned I = 1; I < Rows->size(); ++I) {
    Result.emplace_back();
    for (unsigned C = 0; C < (*Rows)[I].size(); ++C)
      Result.back()[(*Rows)[0][C].Text] = (*Rows)[I][C].Text;
  }
  return Result;
}
std::map<std::string, std::string> row(const Table &T,
                                       const std::string &Name) {
  for (const auto &Row : T)
    if (Row.count("gpu") ? Row.at("gpu") == Name : Row.at("kernel") == Name)
      return Row;
  ADD_FAILURE() << "no row " << Name;
  return {};
}

DeviceRates device(const std::string &Gpu) {
  auto R = row(table("rates.csv"), Gpu);
  auto Giga = [&](const char *Key) { return std::stod(R.at(Key)) * 1e9; };
  return {Giga("t_sp_gflops"), Giga("t_dp_gflops"), Giga("t_int_giops"),
          Giga("t_add_giops"), Giga("t_ldst_gops"), Giga("b_mem_gb_s")};
}

/// Tables 4.4, 4.9, 5.10, summed over the iterations.
ProfileCounters counters(const std::string &Kernel) {
  auto R = row(table("counters.csv"), Kernel);
  double Times = std::stod(R.at("iterations_multiplier"));
  auto Sum = [&](const char *Key) { return std::stod(R.at(Key)) * Times; };
  ProfileCounters C;
  C.Fma32 = Sum("m_fma32");
  C.Fma64 = Sum("m_fma64");
  C.Fp32 = Sum("m_fp32");
  C.Fp64 = Sum("m_fp64");
  C.Int = Sum("m_int");
  C.LoadStore = Sum("m_ldst");
  C.WarpInstructions = Sum("m_inst");
  C.DramReads = Sum("m_tran_r");
  C.DramWrites = Sum("m_tran_w");
  return C;
}

/// Tables 4.5, 4.10, 5.11, 5.16, 6.4.
KernelDensities densities(const std::string &Kernel) {
  auto R = row(table("densities.csv"), Kernel);
  auto Fraction = [&](const char *Key) { return std::stod(R.at(Key)) / 100; };
  KernelDensities K;
  K.Type = R.at("k_type") == "fp64"   ? ComputeType::Fp64
           : R.at("k_type") == "fp32" ? ComputeType::Fp32
                                      : ComputeType::Int;
  K.Operations = std::stod(R.at("w_comp_ops"));
  K.TrafficBytes = std::stod(R.at("w_traf_bytes"));
  K.Mix = Fraction("e_mix_pct");
  K.Ops = Fraction("d_ops_pct");
  K.LoadStore = Fraction("d_ldst_pct");
  K.Other = Fraction("d_other_pct");
  return K;
}

TEST(QuantitativeRoofline, CountersGiveThePrintedParameters) {
  for (const auto &Row : table("counters.csv")) {
    const std::string &Kernel = Row.at("kernel");
    KernelDensities Found = kernelDensities(counters(Kernel));
    KernelDensities Printed = densities(Kernel);
    EXPECT_EQ(Found.Type, Printed.Type) << Kernel;
    EXPECT_EQ(Found.Operations, Printed.Operations) << Kernel;
    EXPECT_EQ(Found.TrafficBytes, Printed.TrafficBytes) << Kernel;
    for (auto [A, B] : {std::pair{Found.Mix, Printed.Mix},
                        {Found.Ops, Printed.Ops},
                        {Found.LoadStore, Printed.LoadStore},
                        {Found.Other, Printed.Other}})
      EXPECT_NEAR(A, B, 0.5e-4 + 1e-9) << Kernel;
  }
}

/// All 21 of tables 5.9, 5.12, 5.14 and 6.5; to the printed digit from
/// counters, to that of the printed densities where there are no counters.
TEST(QuantitativeRoofline, ReproducesEveryPredictedTime) {
  Table Counted = table("counters.csv");
  unsigned Times = 0;
  for (const auto &Row : table("predictions.csv")) {
    const std::string &Kernel = Row.at("kernel"),
                      &Text = Row.at("predicted_ms");
    bool HasCounters = llvm::any_of(
        Counted, [&](const auto &R) { return R.at("kernel") == Kernel; });
    KernelDensities K =
        HasCounters ? kernelDensities(counters(Kernel)) : densities(Kernel);
    double Ms =
        quantitativeRoofline(K, device(Row.at("gpu"))).time().value() * 1e3;
    double Digit = std::pow(10.0, -double(Text.size() - Text.find('.') - 1));
    double Tolerance = HasCounters ? 1.5 * Digit : 1e-3 * Ms + 0.5 * Digit;
    EXPECT_NEAR(Ms, std::stod(Text), Tolerance) << Kernel << Row.at("gpu");
    ++Times;
  }
  EXPECT_EQ(Times, 21u);
}

/// The 28 kernels of table 5.16 on seven GPUs: what another program computed
/// from the printed densities.
TEST(QuantitativeRoofline, RodiniaOfTable516) {
  Table Rows = table("rodinia.csv");
  EXPECT_EQ(Rows.size(), 28u * 7);
  for (const auto &Row : Rows) {
    const std::string &Kernel = Row.at("kernel"), &Gpu = Row.at("gpu");
    QuantitativeResult R = quantitativeRoofline(densities(Kernel), device(Gpu));
    double Expected = std::stod(Row.at("predicted_ms"));
    EXPECT_NEAR(R.time().value() * 1e3, Expected, 1e-4 * Expected + 1e-5)
        << Kernel << " " << Gpu;
    EXPECT_EQ(R.IsComputeBound, Row.at("compute_bound") == "1")
        << Kernel << " " << Gpu;
    EXPECT_NEAR(R.Instructions * 100, std::stod(Row.at("e_instr_pct")), 0.006)
        << Kernel << " " << Gpu;
  }
}

/// Of these kernels the text states five times, and that all are too short.
TEST(QuantitativeRoofline, RodiniaAgainstTheMeasuredTimes) {
  for (const auto &Row : table("rodinia_measured.csv")) {
    const std::string &Kernel = Row.at("kernel");
    double Measured =
        std::stod(Row.at("calls")) * std::stod(Row.at("ms_per_call"));
    double Predicted =
        quantitativeRoofline(densities(Kernel), device(Row.at("gpu")))
            .time()
            .value() *
        1e3;
    EXPECT_LT(Predicted, Measured) << Kernel;
    if (const std::string &Error = Row.at("error_pct"); !Error.empty()) {
      EXPECT_NEAR(100 * (Predicted / Measured - 1), std::stod(Error), 1)
          << Kernel;
    }
  }
}

/// Tables 5.6 and 5.7, with two misprints of E_instr (see the data's README).
TEST(QuantitativeRoofline, ReproducesTheDerivationOfSor) {
  KernelDensities K = kernelDensities(counters("red/black SOR"));
  for (const auto &Row : table("sor.csv")) {
    const std::string &Gpu = Row.at("gpu");
    QuantitativeResult R = quantitativeRoofline(K, device(Gpu));
    auto Printed = [&](const char *Key) { return std::stod(Row.at(Key)); };
    EXPECT_NEAR(R.CostOp, Printed("c_op"), 0.0051) << Gpu;
    EXPECT_NEAR(R.CostLoadStore, Printed("c_ldst"), 0.0051) << Gpu;
    EXPECT_NEAR(R.CostOther, Printed("c_other"), 0.0051) << Gpu;
    double Instructions = Gpu == "GTX-1060 6GB"  ? 72.68
                          : Gpu == "Tesla M2050" ? 18.77
                                                 : Printed("e_instr_pct");
    EXPECT_NEAR(R.Instructions * 100, Instructions, 0.02) << Gpu;
    EXPECT_NEAR(R.AdjustedRate / 1e9, Printed("t_op_adjusted_gflops"), 0.02)
        << Gpu;
    EXPECT_NEAR(R.DeviceIntensity, Printed("o_dev_ops_per_byte"), 0.0051)
        << Gpu;
    EXPECT_EQ(R.IsComputeBound, Printed("compute_bound") == 1) << Gpu;
    EXPECT_NEAR(K.Operations / R.time().value() / 1e9,
                Printed("t_predicted_gflops"), 0.01)
        << Gpu;
  }
}

/// Section 4.4: SGEMM on GTX 660.
TEST(QuantitativeRoofline, CaseStudyOfSgemm) {
  QuantitativeResult R = quantitativeRoofline(
      kernelDensities(counters("SGEMM 32x32")), device("GTX-660"));
  EXPECT_NEAR(R.CostOp, 0.35, 0.006);
  EXPECT_NEAR(R.CostLoadStore, 2.79, 0.006);
  EXPECT_NEAR(R.CostOther, 0.25, 0.006);
  EXPECT_NEAR(R.Instructions, 0.1045, 0.00006);
  EXPECT_NEAR(R.AdjustedRate / 1e9, 202.80, 0.03);
  EXPECT_NEAR(R.DeviceIntensity, 1.73, 0.006);
}

/// SGEMM of section 4.4 (C_op 0.35, C_ldst 2.79, D_other 15.73%), of whose
/// other instructions 5% of all were special ones at a tenth of T_SP / 2.
TEST(QuantitativeRoofline, SpecialOperationsAreAClassOfTheirOwn) {
  ProfileCounters C = counters("SGEMM 32x32");
  DeviceRates D = device("GTX-660");
  C.Special = 0.05 * 32 * C.WarpInstructions;
  D.Special = D.Fp32 / 2 / 10;
  KernelDensities K = kernelDensities(C);
  EXPECT_NEAR(K.Special, 0.05, 1e-12);
  EXPECT_NEAR(K.Other, 0.1573 - 0.05, 0.0001);
  QuantitativeResult R = quantitativeRoofline(K, D);
  EXPECT_NEAR(R.CostSpecial, 0.05 * 10, 1e-9);
  EXPECT_NEAR(R.CostOther, 0.1073 * 1.56, 0.001); // W_other of table 4.7
  EXPECT_NEAR(R.Instructions,
              0.3546 / (0.3546 + 2.79 + 0.1073 * 1.56 + 0.05 * 10), 0.0005);
  // At the rate of additions they are what they were: other instructions.
  D.Special = D.Add;
  QuantitativeResult Plain =
      quantitativeRoofline(kernelDensities(counters("SGEMM 32x32")), D);
  EXPECT_NEAR(quantitativeRoofline(K, D).Instructions, Plain.Instructions,
              1e-12);
}

TEST(QuantitativeRoofline, WithoutOperationsItIsTheTimeOfTheBytes) {
  KernelDensities K;
  K.TrafficBytes = 163.36e6;
  QuantitativeResult R = quantitativeRoofline(K, device("GTX-480"));
  EXPECT_FALSE(R.IsComputeBound);
  EXPECT_NEAR(R.time().value(), 1e-3, 1e-12);
}

/// The counters of two loads, a multiply-add in a loop and a store.
OpKernel multiplyAdds() {
  OpKernel K;
  K.Model.Res.RegistersPerThread = 16;
  K.block(-1);
  unsigned A = K.load("a");
  int Loop = K.loop(-1, K.number(1000));
  K.block(Loop);
  unsigned F = K.op(OpClass::Fp32Fma, {{A, false}});
  K.Model.Operations[F].Operands.push_back({F, true});
  K.op(OpClass::IntAdd);
  K.block(-1);
  K.store("c", {{F, false}});
  return K;
}

Prediction predict(const OpKernel &K, const GpuModel &G,
                   const EvaluateOptions &Given = {}) {
  EvaluateOptions Options = Given;
  Options.Model = "quantitative-roofline";
  auto P =
      evaluate(K.Model, G, launch({1 << 12, 1, 1}, {256, 1, 1}), {}, Options);
  if (P)
    return *P;
  ADD_FAILURE() << llvm::toString(P.takeError());
  return {};
}

TEST(QuantitativeRoofline, CountsWithoutAProfile) {
  GpuModel G = plainGpu();
  Prediction P = predict(multiplyAdds(), G);
  EXPECT_EQ(checkConsistency(P), "");
  EXPECT_EQ(P.Bottleneck, "fp32");
  std::map<std::string, double> V(P.Intermediates.begin(),
                                  P.Intermediates.end());
  const double Threads = 256.0 * (1 << 12);
  EXPECT_DOUBLE_EQ(V.at("W_comp"), 2 * 1000 * Threads);
  EXPECT_DOUBLE_EQ(V.at("E_mix"), 1);
  EXPECT_NEAR(V.at("D_ops"), 1000.0 / 2002, 1e-12);
  EXPECT_NEAR(V.at("D_ldst"), 2.0 / 2002, 1e-12);
}

TEST(QuantitativeRoofline, ProfileTakesThePlaceOfOurCounters) {
  ProfileCounters C = counters("SGEMM 32x32");
  EvaluateOptions Options;
  Options.Quantitative.Profile = &C;
  GpuModel G = plainGpu();
  Prediction P = predict(multiplyAdds(), G, Options);
  EXPECT_NEAR(
      P.Time.value(),
      quantitativeRoofline(kernelDensities(C), deviceRates(G)).time().value(),
      1e-9 * P.Time.value());
}

TEST(QuantitativeRoofline, TakesTheUsersCountsAndWeight) {
  GpuModel G = plainGpu();
  EvaluateOptions Options;
  // Half of all instructions are neither arithmetic nor loads and stores.
  const double Threads = 256.0 * (1 << 12);
  Options.Quantitative.Special = {1000 * Threads, 1e9};
  Prediction P = predict(multiplyAdds(), G, Options);
  EXPECT_EQ(checkConsistency(P), "");
  EXPECT_EQ(P.Bottleneck, "sfu");
  EXPECT_GT(P.Time.value(), 1000 * Threads / 1e9);
  // More than there are.
  Options.Quantitative.Special->Count = 2000 * Threads;
  Options.Model = "quantitative-roofline";
  auto Refused = evaluate(multiplyAdds().Model, G,
                          launch({1 << 12, 1, 1}, {256, 1, 1}), {}, Options);
  EXPECT_TRUE(llvm::StringRef(llvm::toString(Refused.takeError()))
                  .contains("--special-operations counts more operations"));
  // SOR is bound by its bytes on GTX 480 (table 5.7).
  ProfileCounters C = counters("red/black SOR");
  Options.Quantitative.Special.reset();
  Options.Quantitative.Profile = &C;
  double Time = predict(multiplyAdds(), G, Options).Time.value();
  Options.Quantitative.TrafficWeight = 100;
  P = predict(multiplyAdds(), G, Options);
  EXPECT_EQ(P.Bottleneck, "dram-bandwidth");
  EXPECT_NEAR(P.Time.value(),
              100 * quantitativeRoofline(kernelDensities(C), deviceRates(G))
                        .Memory.value(),
              1e-9 * P.Time.value());
  EXPECT_GT(P.Time.value(), Time);
  EXPECT_TRUE(
      llvm::is_contained(P.Premises, "the DRAM bytes are weighed by 100"));
}

/// (5.13): twice the time on the reference, twice the time elsewhere; on the
/// reference itself just what was measured.
TEST(QuantitativeRoofline, ReferenceTimeScales) {
  GpuModel G = plainGpu(), Other = plainGpu();
  Other.CoreClock = Hertz(2e9);
  Prediction Plain = predict(multiplyAdds(), G);
  Prediction PlainOther = predict(multiplyAdds(), Other);
  ReferenceTime Reference{&G, Seconds(2 * Plain.Time.value())};
  EvaluateOptions Options;
  Options.Quantitative.Reference = &Reference;
  EXPECT_NEAR(predict(multiplyAdds(), Other, Options).Time / PlainOther.Time, 2,
              1e-9);
  EXPECT_NEAR(predict(multiplyAdds(), G, Options).Time / Reference.Measured, 1,
              1e-9);
}

/// Section 5.2 chooses kernels; a launch that it would have left out says why.
TEST(QuantitativeRoofline, SaysWhatALaunchLacksOfItsCriteria) {
  EvaluateOptions Options;
  Options.Model = "quantitative-roofline";
  auto premises = [&](const Launch &L) {
    auto P = evaluate(multiplyAdds().Model, plainGpu(), L, {}, Options);
    EXPECT_TRUE(bool(P));
    return P ? llvm::join(P->Premises, "; ") : llvm::toString(P.takeError());
  };
  EXPECT_EQ(premises(launch({8, 1, 1}, {32, 1, 1}))
                .find("quantitative-roofline was validated for launches with "
                      "at least 64 threads a block (here 32), 90 blocks (here "
                      "8), 0.5 ms (here "),
            0u);
  EXPECT_EQ(premises(launch({1 << 16, 1, 1}, {256, 1, 1})), "");
}

TEST(QuantitativeRoofline, RefusesMatrixInstructions) {
  OpKernel K;
  K.Model.Res.RegistersPerThread = 16;
  K.block(-1);
  K.op(OpClass::TensorFp16);
  K.last().TensorMultiplyAdds = 4096;
  GpuModel G = plainGpu();
  G.Ops[unsigned(OpClass::TensorFp16)] = {Cycles(32), 512, Pipe::Tensor};
  EvaluateOptions Options;
  Options.Model = "quantitative-roofline";
  auto P = evaluate(K.Model, G, launch({1, 1, 1}, {32, 1, 1}), {}, Options);
  ASSERT_FALSE(bool(P));
  llvm::Error E = P.takeError();
  EXPECT_TRUE(E.isA<ModelRefusal>());
  EXPECT_NE(llvm::toString(std::move(E)).find("matrix units"),
            std::string::npos);
}

} // namespace
