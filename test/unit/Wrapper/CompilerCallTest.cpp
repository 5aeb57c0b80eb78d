/// \file
/// What a wrapper reads from compilers' command lines.
#include "gpu-estimate/Wrapper/CompilerCall.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace gpuestimate;

namespace {

using Words = std::vector<std::string>;

TEST(CompilerCall, Nvcc) {
  CompilerCall Call = parseCompilerCall(
      {"/opt/cuda/bin/nvcc", "-gencode", "arch=compute_80,code=sm_80", "-O3",
       "-Xcompiler", "-fPIC", "-I", "folder.cu", "-dc", "a.cu", "b.cpp", "-o",
       "out.o"});
  EXPECT_EQ(Call.Kind, CompilerCall::Nvcc);
  EXPECT_EQ(Call.GpuSources, Words{"a.cu"});
  EXPECT_EQ(Call.HostSources, Words{"b.cpp"});
  EXPECT_EQ(Call.Inputs, (Words{"a.cu", "b.cpp"}));
  EXPECT_EQ(Call.Output, "out.o");
  EXPECT_FALSE(Call.Links);
}

TEST(CompilerCall, HipccTakesCppForHip) {
  CompilerCall Call = parseCompilerCall({"/opt/rocm/bin/hipcc", "a.cpp", "b.cu",
                                         "c.c", "-x", "c++", "d.cpp", "-c"});
  EXPECT_EQ(Call.GpuSources, (Words{"a.cpp", "b.cu"}));
  EXPECT_EQ(Call.HostSources, (Words{"c.c", "d.cpp"}));
}

TEST(CompilerCall, ValuesOfNvccsOptionsAreNoInputs) {
  CompilerCall Call = parseCompilerCall(
      {"nvcc", "--default-stream", "per-thread", "--threads", "4", "--std",
       "c++17", "--x", "cu", "a.c", "-diag-suppress", "177"});
  EXPECT_EQ(Call.Inputs, Words{"a.c"});
  EXPECT_EQ(Call.GpuSources, Words{"a.c"});
  EXPECT_TRUE(Call.Links);
}

TEST(CompilerCall, ClangWithALanguage) {
  CompilerCall Call = parseCompilerCall(
      {"clang++-19", "-xcuda", "a.cpp", "-x", "none", "b.cc", "c.o", "-oprog",
       "--cuda-gpu-arch=sm_80", "--offload-arch=sm_90", "--cuda-host-only"});
  EXPECT_EQ(Call.Kind, CompilerCall::Clang);
  EXPECT_EQ(Call.GpuSources, Words{"a.cpp"});
  EXPECT_EQ(Call.HostSources, Words{"b.cc"});
  EXPECT_EQ(Call.Output, "prog");
  EXPECT_EQ(Call.Architectures, 2u);
  EXPECT_TRUE(Call.Links);
  EXPECT_TRUE(Call.OnlyHost);
}

TEST(CompilerCall, LaunchersStandBeforeTheCompiler) {
  CompilerCall Call = parseCompilerCall(
      {"/usr/bin/gpu-estimate", "cc", "--gpu=nvidia-h200", "--results=r",
       "ccache", "/usr/bin/distcc", "x86_64-linux-gnu-clang++", "-c", "a.hip"});
  EXPECT_EQ(Call.Compiler, 6u);
  EXPECT_EQ(Call.Kind, CompilerCall::Clang);
  EXPECT_EQ(Call.GpuSources, Words{"a.hip"});
  // The C compiler is called cc, too.
  Call = parseCompilerCall({"cc", "-c", "a.c"});
  EXPECT_EQ(Call.Compiler, 0u);
  EXPECT_EQ(Call.HostSources, Words{"a.c"});
}

TEST(CompilerCall, NothingToAnalyse) {
  for (const Words &Line :
       {Words{"nvcc", "-E", "a.cu"}, Words{"nvcc", "--version"},
        Words{"clang++", "-M", "a.cu"}, Words{"clang++", "a.o", "-o", "a.cu"},
        Words{"nvcc", "-dlink", "a.o"}, Words{"nvcc", "-c", "-"},
        Words{"clang++", "-include", "x.cu", "a.o"}, Words{"nvcc"}, Words{}}) {
    CompilerCall Call = parseCompilerCall(Line);
    EXPECT_TRUE(Call.GpuSources.empty() && Call.HostSources.empty());
  }
}

TEST(CompilerCall, TheLastPhaseCounts) {
  CompilerCall Call = parseCompilerCall({"nvcc", "-dlink", "-c", "a.cu"});
  EXPECT_EQ(Call.GpuSources, Words{"a.cu"});
  EXPECT_FALSE(Call.LinksDevice || Call.Links);
  Call = parseCompilerCall({"nvcc", "-dlink", "a.o", "b.o"});
  EXPECT_TRUE(Call.LinksDevice);
}

TEST(CompilerCall, WordsOfAShell) {
  EXPECT_EQ(splitWords("a  'b c'\t\"d \\\" e\"f \\ g ''\n"),
            (Words{"a", "b c", "d \" ef", " g", ""}));
}

TEST(CompilerCall, FilesOfArguments) {
  std::filesystem::path Folder =
      std::filesystem::path(testing::TempDir()) / "compiler-call";
  std::filesystem::create_directories(Folder);
  std::ofstream(Folder / "a.rsp") << "-DX='1 2' @b.rsp";
  std::ofstream(Folder / "b.rsp") << "-c kernel.cu @b.rsp"; // names itself
  std::ofstream(Folder / "loop.c") << "#pragma gpu_estimate kernel\n";
  std::ofstream(Folder / "plain.c") << "int x;\n";
  CompilerCall Call = parseCompilerCall(
      {"nvcc", "@a.rsp", "@missing.rsp", "loop.c", "plain.c"}, Folder);
  EXPECT_EQ(Call.Arguments[0], "-DX=1 2");
  EXPECT_EQ(Call.GpuSources.front(), "kernel.cu");
  EXPECT_LT(Call.GpuSources.size(), 20u);
  Call.GpuSources = {"kernel.cu"};
  EXPECT_EQ(sourcesToAnalyze(Call, /*Offload=*/false, Folder),
            (Words{"kernel.cu", "loop.c"}));
  EXPECT_EQ(sourcesToAnalyze(Call, /*Offload=*/true, Folder),
            (Words{"kernel.cu", "loop.c", "plain.c"}));
  std::filesystem::remove_all(Folder);
}

TEST(CompilerCall, RecordsDoNotCollide) {
  std::string Name = recordName("/d", "s/a.cu", "a.o");
  EXPECT_TRUE(Name.starts_with("a.cu-") && Name.ends_with(".jsonl"));
  EXPECT_EQ(Name, recordName("/d", "s/a.cu", "a.o"));
  EXPECT_NE(Name, recordName("/e", "s/a.cu", "a.o"));
  EXPECT_NE(Name, recordName("/d", "s/a.cu", "b.o"));
  EXPECT_NE(Name, recordName("/d", "t/a.cu", "a.o"));
  EXPECT_NE(Name, recordName("/d", "s/a.cua", ".o"));
}

} // namespace
