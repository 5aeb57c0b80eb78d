/// \file
/// Loops of the PolyBench kind: which ones are parallel, reductions, carried.
#include "helpers/OffloadTesting.h"

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

/// A function with marked loops, and what is expected of each.
struct Nest {
  const char *Name;
  const char *Text;
  std::vector<std::pair<std::string, std::string>> Loops;
};

void PrintTo(const Nest &N, std::ostream *OS) { *OS << N.Name; }

class OffloadNests : public ::testing::TestWithParam<Nest> {};

TEST_P(OffloadNests, Dependences) {
  const HostCode Code(GetParam().Text);
  const LoopDependences Dependences(Code.main());
  for (const auto &[Mark, Expected] : GetParam().Loops)
    EXPECT_EQ(summary(Dependences.dependenceOf(Code.loop(Mark))), Expected)
        << Mark;
}

const std::string StoreLoad =
    "carried 1 iteration: store to 'A' to load from 'A'";

const Nest Nests[] = {
    {"Gemm",
     R"(
void gemm(int ni, int nj, int nk, float s, float *A, float *B, float *C) {
  /*i*/for (int i = 0; i < ni; i++)
    /*j*/for (int j = 0; j < nj; j++) {
      C[i * nj + j] *= s;
      /*k*/for (int k = 0; k < nk; k++)
        C[i * nj + j] += A[i * nk + k] * B[k * nj + j];
    }
}
)",
     {{"i", "parallel"}, {"j", "parallel"}, {"k", "reduction +"}}},
    {"GemmWithLocalSum",
     R"(
void gemm(int n, float A[n][n], float B[n][n], float C[n][n]) {
  /*i*/for (int i = 0; i < n; i++)
    /*j*/for (int j = 0; j < n; j++) {
      float s = 0;
      /*k*/for (int k = 0; k < n; k++)
        s += A[i][k] * B[k][j];
      C[i][j] = s;
    }
}
)",
     {{"i", "parallel"}, {"j", "parallel"}, {"k", "reduction +"}}},
    {"Syrk",
     R"(
void syrk(int n, int m, float s, float A[][1024], float C[][1024]) {
  /*i*/for (int i = 0; i < n; i++)
    /*j*/for (int j = 0; j < n; j++) {
      C[i][j] *= s;
      /*k*/for (int k = 0; k < m; k++)
        C[i][j] += A[i][k] * A[j][k];
    }
}
)",
     {{"i", "parallel"}, {"j", "parallel"}, {"k", "reduction +"}}},
    {"Convolution2D",
     R"(
void conv(int n, float A[n][n], float B[n][n]) {
  /*i*/for (int i = 1; i < n - 1; i++)
    /*j*/for (int j = 1; j < n - 1; j++)
      B[i][j] = A[i - 1][j - 1] + 2 * A[i][j] - A[i + 1][j] + A[i][j + 1];
}
)",
     {{"i", "parallel"}, {"j", "parallel"}}},
    {"Jacobi",
     R"(
void jacobi(int steps, int n, float *A, float *B) {
  /*t*/for (int t = 0; t < steps; t++) {
    /*i*/for (int i = 1; i < n - 1; i++)
      B[i] = A[i - 1] + A[i] + A[i + 1];
    /*copy*/for (int i = 1; i < n - 1; i++)
      A[i] = B[i];
  }
}
)",
     {{"t", StoreLoad}, {"i", "parallel"}, {"copy", "parallel"}}},
    {"Seidel",
     R"(
void seidel(int steps, int n, double A[n][n]) {
  /*t*/for (int t = 0; t < steps; t++)
    /*i*/for (int i = 1; i < n - 1; i++)
      /*j*/for (int j = 1; j < n - 1; j++)
        A[i][j] = A[i - 1][j] + A[i][j - 1] + A[i][j] + A[i][j + 1] +
                  A[i + 1][j];
}
)",
     {{"t", StoreLoad}, {"i", StoreLoad}, {"j", StoreLoad}}},
    {"Fdtd",
     R"(
void fdtd(int steps, int n, float A[n][n], float E[n][n], float H[n][n]) {
  /*t*/for (int t = 0; t < steps; t++) {
    /*e*/for (int i = 1; i < n; i++)
      /*ej*/for (int j = 0; j < n; j++)
        E[i][j] -= 0.5f * (H[i][j] - H[i - 1][j]);
    /*h*/for (int i = 0; i < n - 1; i++)
      /*hj*/for (int j = 0; j < n; j++)
        H[i][j] -= 0.7f * (E[i + 1][j] - E[i][j]);
  }
}
)",
     {{"t", "carried 1 iteration: store to 'H' to load from 'H'"},
      {"e", "parallel"},
      {"ej", "parallel"},
      {"h", "parallel"},
      {"hj", "parallel"}}},
    {"GramSchmidt",
     R"(
float sqrtf(float);
void gramschmidt(int m, int n, float A[m][n], float R[n][n], float Q[m][n]) {
  /*k*/for (int k = 0; k < n; k++) {
    float norm = 0;
    /*norm*/for (int i = 0; i < m; i++)
      norm += A[i][k] * A[i][k];
    R[k][k] = sqrtf(norm);
    /*q*/for (int i = 0; i < m; i++)
      Q[i][k] = A[i][k] / R[k][k];
    /*j*/for (int j = k + 1; j < n; j++) {
      R[k][j] = 0;
      /*r*/for (int i = 0; i < m; i++)
        R[k][j] += Q[i][k] * A[i][j];
      /*a*/for (int i = 0; i < m; i++)
        A[i][j] -= Q[i][k] * R[k][j];
    }
  }
}
)",
     {{"k", StoreLoad},
      {"norm", "reduction +"},
      {"q", "parallel"},
      {"j", "parallel"},
      {"r", "reduction +"},
      {"a", "parallel"}}},
    {"Correlation",
     R"(
float sqrtf(float);
void correlation(int m, int n, float D[n][m], float mean[m], float dev[m],
                 float C[m][m]) {
  /*mean*/for (int j = 0; j < m; j++) {
    mean[j] = 0;
    /*sum*/for (int i = 0; i < n; i++)
      mean[j] += D[i][j];
    mean[j] /= n;
  }
  /*dev*/for (int j = 0; j < m; j++) {
    dev[j] = sqrtf(dev[j] / n);
    dev[j] = dev[j] <= 0.1f ? 1.0f : dev[j];
  }
  /*i*/for (int i = 0; i < n; i++)
    /*j*/for (int j = 0; j < m; j++)
      D[i][j] = (D[i][j] - mean[j]) / (sqrtf(n) * dev[j]);
  /*p*/for (int p = 0; p < m - 1; p++) {
    C[p][p] = 1;
    /*q*/for (int q = p + 1; q < m; q++) {
      C[p][q] = 0;
      /*k*/for (int k = 0; k < n; k++)
        C[p][q] += D[k][p] * D[k][q];
      C[q][p] = C[p][q];
    }
  }
}
)",
     {{"mean", "parallel"},
      {"sum", "reduction +"},
      {"dev", "parallel"},
      {"i", "parallel"},
      {"j", "parallel"},
      {"p", "parallel"},
      {"q", "parallel"},
      {"k", "reduction +"}}},
    {"Lu",
     R"(
void lu(int n, double A[n][n]) {
  /*k*/for (int k = 0; k < n; k++) {
    /*l*/for (int i = k + 1; i < n; i++)
      A[i][k] /= A[k][k];
    /*i*/for (int i = k + 1; i < n; i++)
      /*j*/for (int j = k + 1; j < n; j++)
        A[i][j] -= A[i][k] * A[k][j];
  }
}
)",
     {{"k", StoreLoad},
      {"l", "parallel"},
      {"i", "parallel"},
      {"j", "parallel"}}},
    {"Cholesky",
     R"(
double sqrt(double);
void cholesky(int n, double A[n][n]) {
  /*i*/for (int i = 0; i < n; i++) {
    /*j*/for (int j = 0; j < i; j++) {
      /*k*/for (int k = 0; k < j; k++)
        A[i][j] -= A[i][k] * A[j][k];
      A[i][j] /= A[j][j];
    }
    /*d*/for (int k = 0; k < i; k++)
      A[i][i] -= A[i][k] * A[i][k];
    A[i][i] = sqrt(A[i][i]);
  }
}
)",
     {{"i", StoreLoad},
      {"j", StoreLoad},
      {"k", "reduction +"},
      {"d", "reduction +"}}},
    {"Trmm",
     R"(
void trmm(int m, int n, double A[m][m], double B[m][n]) {
  /*i*/for (int i = 0; i < m; i++)
    /*j*/for (int j = 0; j < n; j++)
      /*k*/for (int k = i + 1; k < m; k++)
        B[i][j] += A[k][i] * B[k][j];
}
)",
     {{"i", "carried 1 iteration: load from 'B' to store to 'B'"},
      {"j", "parallel"},
      {"k", "reduction +"}}},
    {"Wavefront",
     R"(
void wavefront(int n, float A[n][n]) {
  /*i*/for (int i = 1; i < n; i++)
    /*j*/for (int j = 1; j < n; j++)
      A[i][j] = A[i - 1][j] + A[i][j - 1];
}
)",
     {{"i", StoreLoad}, {"j", StoreLoad}}},
    {"Triangle",
     R"(
void lower(int n, float A[n][n]) {
  /*i*/for (int i = 0; i < n; i++)
    /*j*/for (int j = 0; j < i; j++)
      A[i][j] = A[j][i];
}
)",
     {{"i", "parallel"}, {"j", "parallel"}}},
    {"Cube",
     R"(
void sweep(int n, float *A) {
  /*z*/for (int z = 1; z < n; z++)
    /*y*/for (int y = 0; y < n; y++)
      /*x*/for (int x = 0; x < n; x++)
        A[(z * n + y) * n + x] += A[((z - 1) * n + y) * n + x];
}
)",
     {{"z", StoreLoad}, {"y", "parallel"}, {"x", "parallel"}}},
    {"SparseRows",
     R"(
void spmv(int n, int *row, int *col, float *v, float *x, float *y) {
  /*i*/for (int i = 0; i < n; i++) {
    y[i] = 0;
    /*k*/for (int k = row[i]; k < row[i + 1]; k++)
      y[i] += v[k] * x[col[k]];
  }
}
)",
     {{"i", "parallel"}, {"k", "reduction +"}}},
};

INSTANTIATE_TEST_SUITE_P(PolyBench, OffloadNests, ::testing::ValuesIn(Nests),
                         [](const auto &Info) { return Info.param.Name; });

} // namespace
