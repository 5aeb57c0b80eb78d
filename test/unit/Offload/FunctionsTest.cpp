/// \file
/// Whole functions: inlined loops, C++, odd constructs, generated code.
#include "helpers/OffloadTesting.h"

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

#define LOOP "/*L*/for (int i = 0; i < n; i++) "

TEST(OffloadDependences, LoopsOfInlinedFunctions) {
  const HostCode Code(R"(
static void scale(int n, float *a, float *b) {
  /*L*/for (int i = 0; i < n; i++)
    a[i] = 2 * b[i];
}
void f(int n, float *x, float *y) { scale(n, x, y); scale(n - 1, x, x + 1); }
)");
  // The worse of the two calls.
  EXPECT_EQ(summary(Code.dependence("L")).substr(0, 19), "carried 1 iteration");
}

TEST(OffloadDependences, CxxCode) {
  const HostCode Code(R"(
struct Matrix {
  float *data;
  int columns;
  float &at(int i, int j) { return data[i * columns + j]; }
};
void f(Matrix &a, Matrix &b, int n) {
  /*i*/for (int i = 0; i < n; i++)
    /*j*/for (int j = 0; j < n; j++)
      a.at(i, j) = b.at(j, i);
}
)",
                      "test.cpp");
  const LoopDependences Dependences(
      *Code.Module->getFunction("_Z1fR6MatrixS0_i"));
  EXPECT_EQ(summary(Dependences.dependenceOf(Code.loop("i"))), "parallel");
  EXPECT_EQ(summary(Dependences.dependenceOf(Code.loop("j"))), "parallel");
}

TEST(OffloadDependences, OfVouchedLoopsOnlyWhatTheyCombine) {
  const HostCode Code(
      "void f(int n, int *x, float *a, float *b) {\n"
      "/*far*/for (int i = 0; i < n; i++) a[i] = a[x[i]] + 1;\n"
      "/*next*/for (int i = 1; i < n; i++) a[i] = a[i - 1] * 2;\n"
      "float s = 0;\n"
      "/*sum*/for (int i = 0; i < n; i++) s += a[i];\n"
      "/*bins*/for (int i = 0; i < n; i++) b[x[i]] += 1;\n"
      "b[0] = s; }");
  const LoopDependences Dependences(Code.function("f"));
  auto kinds = [&](const char *Mark) {
    return std::pair(
        Dependences.dependenceOf(Code.loop(Mark)).Kind,
        Dependences.dependenceOf(Code.loop(Mark), /*Vouched=*/true).Kind);
  };
  using D = LoopDependence;
  EXPECT_EQ(kinds("far"), std::pair(D::Unknown, D::Parallel));
  EXPECT_EQ(kinds("next"), std::pair(D::Carried, D::Parallel));
  EXPECT_EQ(kinds("sum"), std::pair(D::Reduction, D::Reduction));
  EXPECT_EQ(kinds("bins"), std::pair(D::Unknown, D::Unknown));
  EXPECT_FALSE(
      Dependences.dependenceOf(Code.loop("bins"), true).Updates.empty());
}

TEST(OffloadDependences, AnswersDoNotRestOnWhatWasAskedBefore) {
  // Some are told before counters are widened, as long as none was asked that
  // needs wide ones: of a fresh object the same as of one that has seen all.
  const HostCode Code(
      "void f(int n, int m, int *x, float *a, float *b, float **c) {\n"
      "int k = 0; float *p = a; float s = 0;\n"
      "/*plain*/for (int i = 0; i < n; i++) a[i] = b[i] + 1;\n"
      "/*counted*/for (int i = 0; i < n; i++)\n"
      "  for (int j = 0; j < m; j++) b[k++] += a[j];\n"
      "/*walked*/for (int i = 0; i < n; i++)\n"
      "  for (int j = 0; j < m; j++) *p++ = b[j];\n"
      "/*chosen*/for (int i = 0; i < n; i++) {\n"
      "  if (x[i]) p = a + i; b[i] += *p; }\n"
      "/*loaded*/for (int i = 0; i < n; i++) {\n"
      "  c[x[i]][i] += 1; s += c[i][0]; }\n"
      "a[0] = s; }");
  const LoopDependences All(Code.function("f"));
  for (bool Vouched : {false, true})
    for (const char *Mark :
         {"plain", "counted", "walked", "chosen", "loaded"}) {
      const LoopDependences Fresh(Code.function("f"));
      const LoopDependence Alone = Fresh.dependenceOf(Code.loop(Mark), Vouched);
      const LoopDependence After = All.dependenceOf(Code.loop(Mark), Vouched);
      EXPECT_EQ(summary(Alone), summary(After)) << Mark << Vouched;
      EXPECT_EQ(assumptions(Alone), assumptions(After)) << Mark << Vouched;
      EXPECT_EQ(Alone.Updates.size(), After.Updates.size()) << Mark << Vouched;
    }
}

TEST(OffloadDependences, TheModuleIsNotChanged) {
  const HostCode Code("static float g(float x) { return x * x; }"
                      "void f(int n, float *a) { " LOOP "a[i] = g(a[i]); }");
  auto text = [&] {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    Code.Module->print(OS, nullptr);
    return Text;
  };
  const std::string Before = text();
  EXPECT_EQ(summary(Code.dependence("L")), "parallel");
  EXPECT_EQ(text(), Before);
}

TEST(OffloadDependences, WhatCannotBeAnalysed) {
  const HostCode Code("void g(int); void f(int n) { for (int i = 0; i < n; i++)"
                      "g(i); }");
  EXPECT_EQ(
      summary(LoopDependences(Code.function("g")).dependenceOf({"", 1, 1})),
      "unknown: the function has no body");
  EXPECT_EQ(
      summary(LoopDependences(Code.function("f")).dependenceOf({"", 9, 0})),
      "unknown: no loop starts here");
}

TEST(OffloadDependences, CallsOutsideTheLoopThatIsAskedAbout) {
  // What only works on arrays is left alone, however large.
  std::string Many = "static void g(int n, float *a) {\n";
  for (int I = 0; I != 1200; ++I)
    Many += "for (int i = 0; i < n; i++) a[i] += 1;\n";
  const HostCode Large(Many + "}\nvoid f(int n, float *a) { g(n, a);\n"
                              "/*L*/for (int i = 0; i < n; i++) a[i] = i;\n"
                              "g(n, a); }");
  EXPECT_EQ(
      summary(LoopDependences(Large.main()).dependenceOf(Large.loop("L"))),
      "unknown: the function has more than 1000 loops");
  EXPECT_EQ(summary(LoopDependences(Large.main(), Large.loop("L"))
                        .dependenceOf(Large.loop("L"))),
            "parallel");

  // What gives the loop its arrays and sizes is not: see dependence().
  const HostCode Returned(R"(
static int choose(void) { return 0; }
void f(int n, float *a) {
  int shift = choose();
  /*L*/for (int i = 0; i < n; i++) a[i] = a[i + shift];
}
)");
  EXPECT_EQ(summary(Returned.dependence("L")), "parallel");
  const HostCode Stored(R"(
void *malloc(unsigned long);
static void make(int n, float **a) { *a = malloc(n * sizeof(float)); }
void f(int n) {
  float *a, *b;
  make(n, &a);
  make(n, &b);
  /*L*/for (int i = 0; i < n; i++) a[i] = b[i];
}
)");
  EXPECT_EQ(assumptions(Stored.dependence("L")), "");
  const HostCode Global(R"(
static int Shift;
static void choose(void) { Shift = 0; }
void f(int n, float *a) {
  choose();
  /*L*/for (int i = 0; i < n; i++) a[i] = a[i + Shift];
}
)");
  EXPECT_EQ(summary(Global.dependence("L")), "parallel");
}

TEST(OffloadDependences, GeneratedCodeDoesNotHang) {
  std::string Many = "void f(int n, float *a) {\n";
  for (int I = 0; I != 1200; ++I)
    Many += "for (int i = 0; i < n; i++) a[i] += 1;\n";
  EXPECT_EQ(
      summary(
          LoopDependences(HostCode(Many + "}").main()).dependenceOf({"", 2})),
      "unknown: the function has more than 1000 loops");
  std::string Deep = "void f(int n, float *a) {\n", Index = "0";
  for (int I = 0; I != 40; ++I) {
    const std::string Name = "i" + std::to_string(I);
    Deep += "for (int " + Name + " = 0; " + Name + " < n; " + Name + "++)\n";
    Index += " + " + Name;
  }
  EXPECT_EQ(
      summary(LoopDependences(HostCode(Deep + "a[" + Index + "] = 1; }").main())
                  .dependenceOf({"", 2})),
      "unknown: loops are nested more than 16 deep");
  std::string Wide = "void f(int n, float *a) {\n/*L*/for (int i = 0; i < n; "
                     "i++) {\n";
  for (int I = 0; I != 300; ++I)
    Wide += "a[i * 400 + " + std::to_string(I) + "] = i;\n";
  EXPECT_EQ(summary(Wide + "} }", "L"),
            "unknown: the body has more than 256 memory accesses");
}

// Constructs that have made LLVM's passes or their users stumble.
TEST(OffloadDependences, OddFunctions) {
  const HostCode Code(R"(
extern "C" {
int setjmp(int *) __attribute__((returns_twice));
void sink(int);
int buffer[64];
void jumps(int n, int *a) { if (setjmp(buffer)) return;
  for (int i = 0; i < n; i++) a[i] = 1; }
void labels(int op, int *a) {
  static void *const Table[] = {&&x, &&y};
  goto *Table[op];
x: for (int i = 0; i < op; i++) a[i] = 1;
y: return; }
void throws(int n, int *a) {
  for (int i = 0; i < n; i++) if (a[i] < 0) throw 1; else a[i] = 2; }
void catches(int n, int *a) {
  for (int i = 0; i < n; i++)
    try { sink(a[i]); } catch (int e) { a[i] = e; } }
void variadic(int n, ...) {
  __builtin_va_list l; __builtin_va_start(l, n);
  for (int i = 0; i < n; i++) sink(__builtin_va_arg(l, int));
  __builtin_va_end(l); }
void callsVariadic(int n) { for (int i = 0; i < n; i++) variadic(i, i); }
void switches(int n, int *a, int *k) {
  for (int i = 0; i < n; i++)
    switch (k[i]) { case 0: a[i] = 1; break; case 1: a[i] = 5; } }
void empty() {}
void atomics(int n, int *a) {
  for (int i = 0; i < n; i++) __atomic_fetch_add(a, 1, 0); }
}
)",
                      "test.cpp");
  // Every function by itself, every line: an answer, whatever it is.
  for (const llvm::Function &F : *Code.Module) {
    const LoopDependences Dependences(F);
    for (unsigned Line = 1; Line != 40; ++Line) {
      const LoopDependence D = Dependences.dependenceOf({"", Line, 0});
      EXPECT_TRUE(D.Kind != LoopDependence::Unknown || !D.Reason.empty());
    }
  }
}

} // namespace
