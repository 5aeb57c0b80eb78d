/// \file
/// Single loops: what makes them parallel, a reduction, carried or unknown, and
/// under which assumptions.
#include "helpers/OffloadTesting.h"

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

struct Case {
  const char *Text; ///< with a function f
  const char *Expected;
};

void check(llvm::ArrayRef<Case> Cases) {
  for (const Case &C : Cases)
    EXPECT_EQ(summary(C.Text, "L"), C.Expected) << C.Text;
}

#define LOOP "/*L*/for (int i = 0; i < n; i++) "

TEST(OffloadDependences, Reductions) {
  check({
      {"float f(int n, float *a, float *b) { float s = 0; " LOOP
       "s += a[i] * b[i]; return s; }",
       "reduction +"},
      {"float f(int n, float *a) { float m = a[0]; " LOOP
       "if (a[i] > m) m = a[i]; return m; }",
       "reduction max"},
      {"float fminf(float, float);"
       "float f(int n, float *a) { float m = a[0]; " LOOP
       "m = fminf(m, a[i]); return m; }",
       "reduction min"},
      {"int f(int n, int *a) { int c = 0; " LOOP "if (a[i] > 0) c++;"
       "return c; }",
       "reduction +"},
      {"unsigned f(int n, unsigned *a) { unsigned x = 0; " LOOP
       "x ^= a[i]; return x; }",
       "reduction ^"},
      {"float f(int n, int m, float a[n][m]) { float s = 0; " LOOP
       "for (int j = 0; j < m; j++) s += a[i][j]; return s; }",
       "reduction +"},
      {"void f(int n, float *a, float *r) { float s = 0, m = 0; " LOOP
       "{ s += a[i]; m = a[i] < m ? a[i] : m; } r[0] = s; r[1] = m; }",
       "reduction +, min"},
      {"void f(int n, float *h, float *x) { " LOOP
       "for (int j = 0; j < 10; j++) h[j] += x[i]; }",
       "reduction +"},
  });
}

TEST(OffloadDependences, AReductionSaysWhereAndWhatItAssumes) {
  const HostCode Code("float f(int n, float *a) {\n  float s = 0;\n  " LOOP
                      "\n    s += a[i];\n  return s; }");
  const LoopDependence D = Code.dependence("L");
  EXPECT_EQ(D.Source.Line, 4u);
  EXPECT_EQ(D.SourceText, "update of 's'");
  EXPECT_EQ(assumptions(D),
            "the order of floating-point operations does not matter");
  EXPECT_EQ(assumptions(HostCode("int f(int n, int *a) { int s = 0; " LOOP
                                 "s += a[i]; return s; }")
                            .dependence("L")),
            "");
}

TEST(OffloadDependences, Carried) {
  check({
      {"void f(int n, float *A) { /*L*/for (int i = 3; i < n; i++) "
       "A[i] = A[i - 3]; }",
       "carried 3 iterations: store to 'A' to load from 'A'"},
      {"void f(int n, float *A) { /*L*/for (int i = n - 2; i >= 0; i--) "
       "A[i] = A[i + 1] + 1; }",
       "carried 1 iteration: store to 'A' to load from 'A'"},
      {"void f(int n, float *A) { /*L*/for (int i = 0; i < n; i += 2) "
       "A[i] = A[i + 2]; }",
       "carried 1 iteration: load from 'A' to store to 'A'"},
      {"void f(int m, int n, float *A) { /*L*/for (int i = 0; i < m; i++) "
       "A[i] = A[i + n]; }",
       "carried varies: store to 'A' to load from 'A'"},
      {"void f(int m, int n, float *A) { /*L*/for (int i = n; i < m; i++) "
       "if (n > 0) A[i] = A[i - n]; }",
       "carried n iterations: store to 'A' to load from 'A'"},
      {"void f(int n, float *A) { " LOOP "A[i % 10] = i; }",
       "carried 10 iterations: store to 'A' to store to 'A'"},
      {"void f(int n, float *A, float *t) { " LOOP
       "{ t[0] = A[i]; A[i] = t[0] * t[0]; } }",
       "carried 1 iteration: store to 't' to store to 't'"},
      {"void f(int n, float *A) { float p = 0; " LOOP
       "{ float c = A[i]; A[i] = p; p = c; } }",
       "carried 1 iteration: assignment to 'p' to use of 'p'"},
      {"float f(int n, float *A) { float x = 0; " LOOP
       "{ x += A[i]; if (A[i] < 0) x = 0; } return x; }",
       "carried 1 iteration: assignment to 'x' to use of 'x'"},
      {"struct N { struct N *next; int v; };"
       "void f(struct N *p) { /*L*/while (p) { p->v = 1; p = p->next; } }",
       "carried 1 iteration: assignment to 'p' to use of 'p'"},
  });
}

TEST(OffloadDependences, CarriedNamesTheTwoPlaces) {
  const LoopDependence D = HostCode(R"(void f(int n, float *A, float *B) {
  /*L*/for (int i = 1; i < n; i++) {
    B[i] = A[i - 1];
    A[i] = B[i];
  }
})")
                               .dependence("L");
  EXPECT_EQ(D.Source.Line, 4u);
  EXPECT_EQ(D.Sink.Line, 3u);
  EXPECT_EQ(D.Distance, "1 iteration");
}

TEST(OffloadDependences, ScansAreCarriedWithAnOperator) {
  for (const char *Text :
       {"void f(int n, float *a, float *b) { /*L*/for (int i = 1; i < n; i++) "
        "b[i] = b[i - 1] + a[i]; }",
        "void f(int n, float *a, float *b) { float s = 0; " LOOP
        "{ s += a[i]; b[i] = s; } }"}) {
    const LoopDependence D = HostCode(Text).dependence("L");
    EXPECT_EQ(D.Kind, LoopDependence::Carried) << Text;
    EXPECT_EQ(D.Distance, "1 iteration") << Text;
    EXPECT_EQ(D.ReductionOperator, "+") << Text;
  }
  // Needs old neighbours too: no scan.
  EXPECT_EQ(HostCode("void f(int n, float *a) { /*L*/for (int i = 1; i < n - 1;"
                     " i++) a[i] = a[i - 1] + a[i + 1]; }")
                .dependence("L")
                .ReductionOperator,
            "");
}

TEST(OffloadDependences, Unknown) {
  check({
      {"void f(int n, int *h, int *idx) { " LOOP "h[idx[i]]++; }",
       "unknown: the index of 'h' is loaded from memory"},
      {"void f(int n, float *b, float *a, int *idx) { " LOOP
       "b[idx[i]] = a[i]; }",
       "unknown: the index of 'b' is loaded from memory"},
      {"void f(int n, float *a) { " LOOP "a[i * i] = i; }",
       "unknown: the index of 'a' is not a linear function of the loop "
       "counters"},
      {"int f(char *s) { int i = 0; /*L*/while (s[i]) i++; return i; }",
       "unknown: the number of iterations is not known when the loop starts"},
      {"int f(int n, int *a) { int p = -1; " LOOP
       "if (a[i] == 7) { p = i; break; } return p; }",
       "unknown: the loop can be left early"},
      {"void f(int n, int *a) { " LOOP "{ if (a[i] < 0) return; a[i] = 1; } }",
       "unknown: the loop can be left early"},
      {"float g(float); void f(int n, float *a) { " LOOP "a[i] = g(a[i]); }",
       "unknown: the body calls 'g', whose effects are not known"},
      {"void f(int n, float *a, float (*g)(float)) { " LOOP "a[i] = g(a[i]); }",
       "unknown: the body calls a function through a pointer"},
      {"int f(int n) { int s = 0; " LOOP "s += f(i); return s; }",
       "unknown: the body calls 'f', whose effects are not known"},
      {"void f(int n, volatile int *a) { " LOOP "a[i] = 1; }",
       "unknown: the body has a volatile or atomic access"},
      {"void f(int n) { " LOOP "__asm__ volatile(\"nop\" ::: \"memory\"); }",
       "unknown: the body contains inline assembly"},
      {"void f(int n, int *a) { int i = 0; if (a[0]) goto in; "
       "/*L*/for (; i < n; i++) { a[i] = 1; in: a[i] += 2; } }",
       "unknown: the loop is entered in more than one place"},
      {"void f(int *a) { /*L*/for (;;) a[0]++; }",
       "unknown: the loop never ends"},
  });
}

TEST(OffloadDependences, UnknownNamesThePlaceAndWhatAtomicsWouldDo) {
  const LoopDependence D = HostCode("void f(int n, int *h, int *x) {\n" LOOP
                                    "\n    h[x[i]] += 2;\n}")
                               .dependence("L");
  EXPECT_EQ(D.Place.Line, 3u);
  EXPECT_EQ(D.ReductionOperator, "+");
  const LoopDependence E =
      HostCode("void f(int n, int *h, int *x) {\n" LOOP "\n h[x[i]] = i;\n}")
          .dependence("L");
  EXPECT_EQ(E.ReductionOperator, "");
}

TEST(OffloadDependences, Parallel) {
  check({
      {"void f(int n, float *A) { " LOOP "A[2 * i] = A[2 * i + 1]; }",
       "parallel"},
      {"void f(int n, float *a) { float t; " LOOP
       "{ t = a[i] * 2; a[i] = t * t; } }",
       "parallel"},
      {"void f(int n, float *a) { " LOOP "{ float t[8]; "
       "for (int j = 0; j < 8; j++) t[j] = a[i * 8 + j]; "
       "for (int j = 0; j < 8; j++) a[i * 8 + j] = t[7 - j]; } }",
       "parallel"},
      {"int f(int n, int *a) { int x = 0; " LOOP "x = a[i]; return x; }",
       "parallel"},
      {"void f(unsigned n, float *A) { /*L*/for (unsigned i = 0; i < n; i++) "
       "A[i] += 1; }",
       "parallel"},
      {"void f(int n, float *A) { /*L*/for (int i = n - 1; i >= 0; i--) "
       "A[i] += 1; }",
       "parallel"},
      {"void f(int n, float *A) { /*L*/for (int i = 0; i < n; i += 2) "
       "A[i] = A[i + 1]; }",
       "parallel"},
      {"void f(int n, float (*A)[n]) { " LOOP
       "for (int j = 0; j < n; j++) A[i][j] *= 2; }",
       "parallel"},
      {"void f(float *p, float *e) { /*L*/while (p != e) *p++ = 0; }",
       "parallel"},
      {"struct P { float x, y, z; };"
       "void f(int n, struct P *p) { " LOOP "p[i].x = p[i].y + p[i].z; }",
       "parallel"},
      {"float sinf(float), powf(float, float); void f(int n, float *a) { " LOOP
       "a[i] = sinf(a[i]) + powf(a[i], 3.0f); }",
       "parallel"},
      {"__attribute__((const)) float g(float);"
       "void f(int n, float *a) { " LOOP "a[i] = g(a[i]); }",
       "parallel"},
      {"static float g(float *a, int i) { float t[4]; t[i & 3] = a[i]; "
       "return t[0] + a[i]; } void f(int n, float *a) { " LOOP
       "a[i] = g(a, i); }",
       "parallel"},
      {"void f(int n, int *out) { " LOOP "{ float x = 0; int k = 0; "
       "while (x < 4.0f && k < 1000) { x = x * x + i; k++; } out[i] = k; } }",
       "parallel"},
      {"void f(int n, float *a) { " LOOP "{ if (a[i] < 0) continue; "
       "a[i] = 1; } }",
       "parallel"},
      {"void f(float *a) { /*L*/for (int i = 0; i < 1; i++) a[i] = 1; }",
       "parallel"},
      {"void f(int n, _Complex float *a) { " LOOP "a[i] = a[i] * a[i]; }",
       "parallel"},
  });
}

TEST(OffloadDependences, RowsThatMeet) {
  check({
      {"void f(int n, float A[][16]) { " LOOP
       "for (int j = 0; j < 17; j++) A[i][j] = A[i][j] * 2 + 1; }",
       "unknown: accesses to 'A' in different iterations may meet"},
      {"void f(int n, float *A) { " LOOP
       "for (int j = 0; j < 17; j++) A[i * 16 + j] = 1; }",
       "carried 1 iteration: store to 'A' to store to 'A'"},
      {"void f(int n, float A[][16]) { for (int j = 0; j < n; j++) " LOOP
       "A[j][3] = A[j][3] * 2 + 1; }",
       "carried 1 iteration: store to 'A' to load from 'A'"},
      {"void f(int n, float A[][16]) { " LOOP
       "for (int j = 0; j < 8; j++) A[i][2 * j] = A[i + 1][2 * j + 1]; }",
       "parallel"},
      {"void f(int n, float A[][16]) { " LOOP
       "for (int j = 0; j < 8; j++) A[i][2 * j] = A[i + 1][2 * j]; }",
       "carried 1 iteration: load from 'A' to store to 'A'"},
      // Only one iteration does anything.
      {"void f(int n, float A[][16]) { " LOOP
       "if (i == 5) A[3][2] = A[3][2] * 2 + 1; }",
       "parallel"},
      // Elements that no later iteration comes to again.
      {"void f(int n, float A[][16]) { for (int k = 0; k < n; k++) " LOOP
       "for (int j = i; j < i + 1; j++) A[k][j] = A[k][j] * 2 + 1; }",
       "parallel"},
  });
}

TEST(OffloadDependences, TwoLoopsInARow) {
  const HostCode Code("void f(int n, float *A, float *B) {\n"
                      "/*first*/for (int i = 0; i < n; i++) A[i] = i;\n"
                      "/*second*/for (int i = 1; i < n; i++) "
                      "B[i] = A[i] + B[i - 1]; }");
  EXPECT_EQ(summary(Code.dependence("first")), "parallel");
  EXPECT_EQ(summary(Code.dependence("second")),
            "carried 1 iteration: store to 'B' to load from 'B'");
}

TEST(OffloadDependences, Assumptions) {
  const Case Cases[] = {
      {"void f(int n, float *a, float *b) { " LOOP "a[i] = b[i]; }",
       "'a' and 'b' do not overlap"},
      {"void f(int n, float *restrict a, float *restrict b) { " LOOP
       "a[i] = b[i]; }",
       ""},
      {"void f(int n, float *b, float *a, int *idx) { " LOOP
       "b[i] = a[idx[i]]; }",
       "'a' and 'b' do not overlap"},
      {"struct S { float *x, *y; int n; };"
       "void f(struct S *s) { /*L*/for (int i = 0; i < s->n; i++) "
       "s->x[i] = s->y[i]; }",
       "'x' and 'y' do not overlap"},
      {"void f(int n, int m, int p, float *A) { " LOOP
       "for (int j = 0; j < m; j++) A[i * p + j] = 1; }",
       "p >= m"},
      {"void f(int n, float A[][64]) { " LOOP
       "for (int j = 0; j < n; j++) A[i][j] = 1; }",
       "n <= 64"},
      {"void f(unsigned n, unsigned m, float *A) { "
       "/*L*/for (unsigned i = 0; i < n; i++) "
       "for (unsigned j = 0; j < m; j++) A[i * m + j] = 1; }",
       "no counter or index wraps around"},
      {"__attribute__((pure)) float g(float);"
       "void f(int n, float *a) { " LOOP "a[i] = g(a[i]); }",
       "'g' reads nothing that the loop writes"},
      {"void f(int n, float **A) { " LOOP
       "for (int j = 0; j < n; j++) A[i][j] += 1; }",
       "the rows of 'A' do not overlap"},
      {"void abort(void) __attribute__((noreturn));"
       "void f(int n, int *a) { " LOOP "{ if (a[i] < 0) abort(); a[i] = 2; } }",
       "no iteration ends in an error"},
  };
  for (const Case &C : Cases) {
    const LoopDependence D = HostCode(C.Text).dependence("L");
    EXPECT_EQ(summary(D), "parallel") << C.Text;
    EXPECT_EQ(assumptions(D), C.Expected) << C.Text;
  }
}

// Nothing is assumed that the proof does not need.
TEST(OffloadDependences, RowsThatHaveToEnd) {
  const Case Cases[] = {
      // Reads may go on into the next row, and so may what is in one row.
      {"void f(int n, int m, int p, float A[][64], float B[][32], "
       "float C[restrict][16]) { " LOOP "for (int j = 0; j < m; j++) "
       "for (int k = 0; k < p; k++) C[i][j] += A[i][k] * B[k][j]; }",
       "m <= 16"},
      {"void f(int n, int m, float A[][16]) { for (int j = 0; j < m; j++) " LOOP
       "A[i][j] = 1; }",
       "m <= 16"},
      {"void f(int n, int m, float A[][16]) { for (int j = 0; j < m; j++) " LOOP
       "A[j][i] = 1; }",
       ""},
      {"void f(int n, float A[][16]) { " LOOP
       "for (int j = i + 1; j < n - 2; j++) A[i][j + 1] = A[i][j - 1]; }",
       "n <= 17"},
      {"void f(int n, float A[][16][8]) { " LOOP "for (int j = 0; j < n; j++) "
       "for (int k = 0; k <= j; k++) A[i][j][k] = 1; }",
       "n <= 8"},
      {"void f(int n, int m, float A[][16][8]) { " LOOP
       "for (int j = 0; j < m; j++) for (int k = 0; k <= n; k++) "
       "A[i][j][k] = 1; }",
       "m <= 16; n <= 7"},
      // Conditions that say so already.
      {"void f(int n, float A[][16]) { if (n > 16) return; " LOOP
       "for (int j = 0; j < n; j++) A[i][j] = 1; }",
       ""},
      {"void f(int n, float A[][16]) { " LOOP
       "for (int j = 0; j < n; j++) if (j < 16) A[i][j] = 1; }",
       ""},
      {"void f(int n, unsigned char m, float A[][256]) { " LOOP
       "for (int j = 0; j < m; j++) A[i][j] = 1; }",
       ""},
      // Elements and rows by hand.
      {"struct P { float x[4], y; }; void f(int n, struct P *p) { " LOOP
       "for (int j = 0; j < 4; j++) p[i].x[j] += p[i].y; }",
       ""},
      {"void f(int n, float *A) { " LOOP
       "for (int j = 0; j < 16; j++) A[i * 16 + j] += 1; }",
       ""},
  };
  for (const Case &C : Cases) {
    const LoopDependence D = HostCode(C.Text).dependence("L");
    EXPECT_EQ(summary(D), "parallel") << C.Text;
    EXPECT_EQ(assumptions(D), C.Expected) << C.Text;
  }
}

// Polly would take the call as an error that does not happen.
TEST(OffloadDependences, BranchesThatCallAreTaken) {
  const HostCode Code("void g(void); void f(int n, int k, float *a) {\n"
                      "/*first*/for (int i = 0; i < n; i++) a[i] = 1;\n"
                      "if (k > 0) g();\n"
                      "/*second*/for (int i = 0; i < n; i++) a[i] = a[i + k];"
                      "}");
  EXPECT_EQ(summary(Code.dependence("first")), "parallel");
  EXPECT_NE(Code.dependence("second").Kind, LoopDependence::Parallel);
}

TEST(OffloadDependences, RowsOfPointers) {
  EXPECT_EQ(summary("void f(int n, float **A, float **B) {\n"
                    "for (int i = 0; i < n; i++)\n"
                    "/*L*/for (int j = 0; j < n; j++) A[i][j] += B[i][j]; }",
                    "L"),
            "parallel");
}

} // namespace
