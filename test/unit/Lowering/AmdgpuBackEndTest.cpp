/// \file
/// Reading the assembly of LLVM's AMDGPU back end; running it.
#include "gpu-estimate/Lowering/Registers/AmdgpuBackEnd.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"
#include <tuple>

using namespace gpuestimate;

namespace {

TEST(LoweringAmdgpu, SpillsAreAccessesToFixedPlacesOfTheStack) {
  auto Kernels =
      parseAmdgpuAssembly("_Z1aPf:                  ; @_Z1aPf\n"
                          "; %bb.0:\n"
                          "\tv_mov_b32_e32 v1, 0\n"
                          "\tbuffer_store_dword v6, off, s[28:31], "
                          "0 offset:184 ; 4-byte Folded Spill\n"
                          "\tbuffer_load_dword v0, off, s[28:31], 0\n"
                          "\tscratch_load_b128 v[0:3], off, off "
                          "offset:16\n"
                          "\tscratch_store_b64 off, v[0:1], s32\n"
                          // an element of an array, by its index
                          "\tbuffer_load_dword v0, v1, s[0:3], 0 "
                          "offen\n"
                          "\tglobal_load_dword v0, v1, s[0:1]\n"
                          "helper:\n"
                          "\tbuffer_load_dword v0, off, s[28:31], 0\n"
                          "\t.amdgpu_metadata\n"
                          "---\n"
                          "amdhsa.kernels:\n"
                          "  - .group_segment_fixed_size: 1024\n"
                          "    .name:           _Z1aPf\n"
                          "    .private_segment_fixed_size: 604\n"
                          "    .vgpr_count:     128\n"
                          "...\n"
                          "\n"
                          "\t.end_amdgpu_metadata\n");
  ASSERT_EQ(Kernels.size(), 1u);
  EXPECT_EQ(Kernels[0].Mangled, "_Z1aPf");
  EXPECT_EQ(Kernels[0].Registers, 128u);
  EXPECT_EQ(Kernels[0].StackBytes, 604u);
  EXPECT_EQ(Kernels[0].StaticSharedBytes, 1024u);
  EXPECT_EQ(Kernels[0].SpillStoreBytes, 4u + 8u);
  EXPECT_EQ(Kernels[0].SpillLoadBytes, 4u + 16u);
}

TEST(LoweringAmdgpu, InstructionsCountByTheirUnit) {
  auto Kernels = parseAmdgpuAssembly(
      "k:                                      ; @k\n"
      "\ts_load_b64 s[0:1], s[0:1], 0x0\n"
      "\ts_mov_b32 s2, 3\n"
      "\ts_waitcnt lgkmcnt(0)\n"
      "\ts_clause 0x1\n"
      "\tglobal_load_b32 v1, v0, s[0:1]\n"
      "\tds_load_b32 v2, v0\n"
      "\tv_sqrt_f32_e32 v1, v1\n"
      "\tv_dual_mul_f32 v1, v1, v2 :: v_dual_add_f32 v3, v2, v2\n"
      "\tv_pk_fma_f32 v[0:1], v[0:1], v[2:3], v[0:1]\n"
      "\tv_mfma_f32_32x32x1_2b32 a[0:31], v0, v1, a[0:31]\n"
      "\ts_cbranch_scc1 .LBB0_1\n"
      "\ts_endpgm\n"
      "; codeLenInByte = 76\n"
      "\t.amdgpu_metadata\n"
      "---\n"
      "amdhsa.kernels:\n"
      "  - .name:           k\n"
      "    .sgpr_count:     24\n"
      "    .agpr_count:     32\n"
      "...\n"
      "\n"
      "\t.end_amdgpu_metadata\n");
  ASSERT_EQ(Kernels.size(), 1u);
  const MachineCode &Code = Kernels[0].Code;
  EXPECT_EQ(describeCode(Code),
            "76 bytes, 24 SGPRs, 32 AGPRs; instructions: 2 VALU, 1 "
            "transcendental, 1 MFMA/WMMA, 1 SALU, 1 SMEM, 1 VMEM, 1 LDS, 2 "
            "branch; 1 of them dual issue; 1 of them packed");
}

/// Instructions of a loop for one iteration of the source.
double instructions(const LoopCode &L, MachineUnit Unit) {
  return double(L.Instructions[static_cast<unsigned>(Unit)]) / L.Copies;
}

TEST(LoweringAmdgpu, InstructionsCountByLoopWithoutSpills) {
  auto Kernels = parseAmdgpuAssembly(
      "k:                                      ; @k\n"
      "; %bb.0:                                ; %loop.0.0.1.1.\n"
      "\tv_mov_b32_e32 v1, 0\n"
      ".LBB0_1:                                ; %loop.2.0.4.12.3\n"
      "\tv_add_f32_e32 v1, v1, v2\n"
      "\tv_add_f32_e32 v1, v1, v3\n"
      "\tbuffer_store_dword v6, off, s[0:3], 0\n"
      ".LBB0_2:                                ;   in Loop: "
      "Header=BB0_1 Depth=1\n"
      "\tv_add_f32_e32 v1, v1, v3\n"
      "; %bb.3:                                ; %Flow\n"
      "\tv_add_f32_e32 v1, v1, v3\n"
      "\t.amdgpu_metadata\n---\namdhsa.kernels:\n  - .name: k\n...\n\n"
      "\t.end_amdgpu_metadata\n");
  ASSERT_EQ(Kernels.size(), 1u);
  const std::vector<LoopCode> &Loops = Kernels[0].Code.Loops;
  ASSERT_EQ(Loops.size(), 3u);
  EXPECT_EQ(instructions(Loops[0], MachineUnit::VectorAlu), 2);
  EXPECT_EQ(Loops[2].Copies, 4u);
  EXPECT_EQ(instructions(Loops[2], MachineUnit::VectorAlu), 0.75);
  EXPECT_EQ(instructions(Loops[2], MachineUnit::VectorMemory), 0);
}

TEST(LoweringAmdgpu, CodeWithCallsHasNoInstructionsByLoop) {
  auto Kernels = parseAmdgpuAssembly(
      "k:                                      ; @k\n"
      "\tv_mov_b32_e32 v1, 0\n"
      "\ts_swappc_b64 s[30:31], s[4:5]\n"
      "\t.amdgpu_metadata\n---\namdhsa.kernels:\n  - .name: k\n...\n\n"
      "\t.end_amdgpu_metadata\n");
  ASSERT_EQ(Kernels.size(), 1u);
  EXPECT_TRUE(Kernels[0].Code.Loops.empty());
}

TEST(LoweringAmdgpu, SpillsCountAsOftenAsTheirBlockRuns) {
  auto Kernels = parseAmdgpuAssembly(
      "k:                                      ; @k\n"
      "; %bb.0:                                ; %loop.0.0.1.1.\n"
      "\tbuffer_store_dword v6, off, s[0:3], 0\n"
      ".LBB0_1:                                ; %loop.1.0.1.12.3\n"
      "                                        ; =>This "
      "Inner Loop Header: Depth=1\n"
      "\tbuffer_store_dword v6, off, s[0:3], 0\n"
      "; %bb.2:                                ; %Flow\n"
      "                                        ;   in Loop: "
      "Header=BB0_1 Depth=1\n"
      "\tbuffer_load_dword v0, off, s[0:3], 0\n"
      ".LBB0_3:                                ; %loop.0.0.1.1.4\n"
      "\tbuffer_load_dword v0, off, s[0:3], 0\n"
      "\t.amdgpu_metadata\n"
      "---\n"
      "amdhsa.kernels:\n"
      "  - .name:           k\n"
      "    .vgpr_count:     128\n"
      "...\n"
      "\n"
      "\t.end_amdgpu_metadata\n");
  ASSERT_EQ(Kernels.size(), 1u);
  EXPECT_EQ(Kernels[0].SpillStoreBytes, 4u + 12 * 4u);
  // A block of the back end's own runs as often as the header of its loop.
  EXPECT_EQ(Kernels[0].SpillLoadBytes, 12 * 4u + 4u);
}

/// Latencies by which the code waits for spilled values.
double waits(llvm::StringRef Code, llvm::StringRef Target = "gfx1032") {
  auto Kernels = parseAmdgpuAssembly(
      ("\t.amdgcn_target \"amdgcn-amd-amdhsa--" + Target + "\"\nk:\n" + Code +
       "\t.amdgpu_metadata\n---\namdhsa.kernels:\n"
       "  - .name:           k\n    .vgpr_count:     128\n...\n\n"
       "\t.end_amdgpu_metadata\n")
          .str());
  return Kernels.size() == 1 ? Kernels[0].SpillWaits : -1;
}

TEST(LoweringAmdgpu, WaitsForSpillsAreTheLongestPathThroughTheirLoads) {
  const std::string Load = "\tbuffer_load_dword v0, off, s[0:3], 0\n",
                    Other = "\tglobal_load_dword v1, v2, s[4:5]\n",
                    Store = "\tbuffer_store_dword v0, off, s[0:3], 0\n",
                    All = "\ts_waitcnt vmcnt(0)\n",
                    AllButOne = "\ts_waitcnt vmcnt(1)\n";
  EXPECT_EQ(waits(Load + Load + Load), 0);
  EXPECT_EQ(waits(Load + Load + Load + All), 1);
  EXPECT_EQ(waits(Load + All + Load + All), 2);
  // The second load is under way while the first is waited for.
  EXPECT_EQ(waits(Load + Load + AllButOne + All), 1);
  EXPECT_EQ(waits(Load + Load + AllButOne + Load + AllButOne + All), 2);
  // Other loads have their time in the kernel model.
  EXPECT_EQ(waits(Other + All), 0);
  EXPECT_EQ(waits(Load + Other + AllButOne), 1);
  // A wait for the LDS.
  EXPECT_EQ(waits(Load + "\ts_waitcnt lgkmcnt(0)\n"), 0);
  EXPECT_EQ(waits(Load + "\ts_wait_loadcnt 0x0\n", "gfx1201"), 1);
  // Stores count on GFX9.
  EXPECT_EQ(waits(Load + Store + AllButOne), 0);
  EXPECT_EQ(waits(Load + Store + AllButOne, "gfx90a"), 1);
}

TEST(LoweringAmdgpu, NonsenseGivesNothing) {
  EXPECT_TRUE(parseAmdgpuAssembly("").empty());
  EXPECT_TRUE(parseAmdgpuAssembly("\t.amdgpu_metadata\n- 1\n"
                                  "\t.end_amdgpu_metadata\n")
                  .empty());
}

/// A kernel whose Live values are all loaded before the first is stored.
std::string kernel(unsigned Live, llvm::StringRef Attributes) {
  std::string Loads, Stores;
  for (unsigned I = 0; I < Live; ++I) {
    Loads += llvm::formatv("  %p{0} = getelementptr float, ptr addrspace(1) "
                           "%row, i32 {1}\n"
                           "  %v{0} = load volatile float, ptr addrspace(1) "
                           "%p{0}\n",
                           I, 64 * I);
    Stores += llvm::formatv(
        "  store volatile float %v{0}, ptr addrspace(1) %p{0}\n", I);
  }
  return "target triple = \"amdgcn-amd-amdhsa\"\n"
         "declare i64 @__ockl_get_local_size(i32)\n"
         "declare i64 @__ockl_get_group_id(i32)\n"
         "define amdgpu_kernel void @k(ptr addrspace(1) %a) #0 {\n"
         "  %size = call i64 @__ockl_get_local_size(i32 0)\n"
         "  %block = call i64 @__ockl_get_group_id(i32 0)\n"
         "  %first = mul i64 %size, %block\n"
         "  %row = getelementptr float, ptr addrspace(1) %a, i64 %first\n" +
         Loads + Stores + "  ret void\n}\nattributes #0 = { " +
         Attributes.str() + " }\n";
}

CompiledKernel compile(unsigned Live, llvm::StringRef Attributes) {
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Problem;
  auto M =
      llvm::parseAssemblyString(kernel(Live, Attributes), Problem, Context);
  if (!M)
    return ADD_FAILURE() << Problem.getMessage().str(), CompiledKernel();
  auto Kernels = runAmdgpuBackEnd(*M, [](llvm::StringRef) { return true; });
  if (!Kernels || Kernels->size() != 1)
    return ADD_FAILURE() << llvm::toString(Kernels.takeError()),
           CompiledKernel();
  return Kernels->front();
}

TEST(LoweringAmdgpu, ValuesBeyondTheRegistersAreSpilled) {
  CompiledKernel Fits = compile(40, R"("target-cpu"="gfx1032")");
  EXPECT_EQ(Fits.Mangled, "k");
  EXPECT_GE(Fits.Registers, 40u);
  EXPECT_LT(Fits.Registers, 64u);
  EXPECT_EQ(Fits.SpillStoreBytes, 0u);
  // 1024 threads a block leave 128 registers of gfx1032.
  CompiledKernel Spills =
      compile(200, R"("target-cpu"="gfx1032" )"
                   R"("amdgpu-flat-work-group-size"="1,1024")");
  EXPECT_LE(Spills.Registers, 128u);
  EXPECT_GE(Spills.SpillStoreBytes, 4u * (200 - 128));
  EXPECT_LE(Spills.SpillStoreBytes, 4u * 200);
  EXPECT_GE(Spills.SpillLoadBytes, Spills.SpillStoreBytes);
  EXPECT_GE(Spills.StackBytes, Spills.SpillStoreBytes);
}

/// A kernel that loads and stores 200 values in each of 12 iterations; they do
/// not fit into the 128 registers of a block of 1024 threads.
const char *SpillsInALoop = R"(
target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(ptr addrspace(1) %a) #0 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %row = getelementptr [12800 x float], ptr addrspace(1) %a, i32 %i
{0}  %next = add i32 %i, 1
  %done = icmp eq i32 %next, 12
  br i1 %done, label %exit, label %loop
exit:
  ret void
}
attributes #0 = { "target-cpu"="gfx1032" "amdgpu-flat-work-group-size"="1,1024" }
)";

TEST(LoweringAmdgpu, SpillsInALoopCountOnceInEachIteration) {
  std::string Body, Stores;
  for (unsigned I = 0; I < 200; ++I) {
    std::string N = std::to_string(I);
    Body += "  %p" + N + " = getelementptr float, ptr addrspace(1) %row, i32 " +
            std::to_string(64 * I) + "\n  %v" + N +
            " = load volatile float, ptr addrspace(1) %p" + N + "\n";
    Stores +=
        "  store volatile float %v" + N + ", ptr addrspace(1) %p" + N + "\n";
  }
  llvm::StringRef Text(SpillsInALoop);
  auto [Before, After] = Text.split("{0}");
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Problem;
  auto M = llvm::parseAssemblyString((Before + Body + Stores + After).str(),
                                     Problem, Context);
  ASSERT_TRUE(M) << Problem.getMessage().str();
  auto Kernels = runAmdgpuBackEnd(*M, [](llvm::StringRef) { return true; });
  ASSERT_TRUE(bool(Kernels)) << llvm::toString(Kernels.takeError());
  ASSERT_EQ(Kernels->size(), 1u);
  EXPECT_GE(Kernels->front().SpillStoreBytes, 12 * 4u * (200 - 128));
  EXPECT_LE(Kernels->front().SpillStoreBytes, 12 * 4u * 200);
  EXPECT_GE(Kernels->front().SpillLoadBytes, 12 * 4u * (200 - 128));
  EXPECT_LT(Kernels->front().StackBytes, 4u * 200);
}

/// A loop at line 7 in which each iteration adds one number to a sum.
const char *Sums = R"(
target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(ptr addrspace(1) %a, i32 %n) #0 !dbg !4 {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %place = getelementptr float, ptr addrspace(1) %a, i32 %i
  %value = load float, ptr addrspace(1) %place
  %more = fadd float %sum, %value
  %next = add nsw i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %loop, !dbg !6, !llvm.loop !7
exit:
  %all = phi float [ 0.0, %entry ], [ %more, %loop ]
  store float %all, ptr addrspace(1) %a
  ret void
}
attributes #0 = { "target-cpu"="gfx1032" }
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !2, emissionKind: LineTablesOnly)
!2 = !DIFile(filename: "f.hip", directory: "/")
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "k", file: !2, line: 3, type: !3, unit: !1, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 7, column: 3, scope: !4)
!7 = distinct !{!7, !6{0}}
{1})";

/// The machine code of Sums, unrolled as the entry of the loop's metadata says.
MachineCode codeOfSums(llvm::StringRef Entry, llvm::StringRef Definition) {
  std::string Text = llvm::StringRef(Sums).str();
  Text.replace(Text.find("{0}"), 3, Entry.str());
  Text.replace(Text.find("{1}"), 3, Definition.str());
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Problem;
  auto M = llvm::parseAssemblyString(Text, Problem, Context);
  if (!M)
    return ADD_FAILURE() << Problem.getMessage().str(), MachineCode();
  auto Kernels = runAmdgpuBackEnd(*M, [](llvm::StringRef) { return true; });
  if (!Kernels || Kernels->size() != 1)
    return ADD_FAILURE() << llvm::toString(Kernels.takeError()), MachineCode();
  return Kernels->front().Code;
}

TEST(LoweringAmdgpu, UnrolledLoopsKeepTheirPlaceAndTellTheirCopies) {
  for (auto [Entry, Definition, Copies] :
       {std::tuple(", !8", "!8 = !{!\"llvm.loop.unroll.disable\"}", 1u),
        std::tuple(", !8", "!8 = !{!\"llvm.loop.unroll.count\", i32 4}", 4u)}) {
    MachineCode Code = codeOfSums(Entry, Definition);
    unsigned Most = 0;
    for (const LoopCode &L : Code.Loops) {
      if (L.Copies <= Most || !L.Location.isValid())
        continue;
      Most = L.Copies;
      EXPECT_EQ(L.Location.Line, 7u);
      EXPECT_EQ(instructions(L, MachineUnit::VectorAlu), 1);
    }
    EXPECT_EQ(Most, Copies);
  }
}

/// Two kernels, of which one calls the device library.
const char *CallsTheLibrary = R"(
target triple = "amdgcn-amd-amdhsa"
declare float @__ocml_sin_f32(float)
define amdgpu_kernel void @calls(ptr addrspace(1) %a, float %x) #0 {
  %s = call float @__ocml_sin_f32(float %x)
  store float %s, ptr addrspace(1) %a
  ret void
}
define amdgpu_kernel void @copies(ptr addrspace(1) %a, float %x) #0 {
  store float %x, ptr addrspace(1) %a
  ret void
}
attributes #0 = { "target-cpu"="gfx90a" }
)";

TEST(LoweringAmdgpu, KernelsThatCallTheDeviceLibraryAreLeftOut) {
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Problem;
  auto M = llvm::parseAssemblyString(CallsTheLibrary, Problem, Context);
  ASSERT_TRUE(M);
  auto Kernels = runAmdgpuBackEnd(*M, [](llvm::StringRef) { return true; });
  ASSERT_TRUE(bool(Kernels)) << llvm::toString(Kernels.takeError());
  ASSERT_EQ(Kernels->size(), 1u);
  EXPECT_EQ(Kernels->front().Mangled, "copies");

  auto None = runAmdgpuBackEnd(
      *M, [](llvm::StringRef Mangled) { return Mangled == "calls"; });
  ASSERT_FALSE(None);
  EXPECT_EQ(llvm::toString(None.takeError()),
            "the body of __ocml_sin_f32 is not known");
}

} // namespace
