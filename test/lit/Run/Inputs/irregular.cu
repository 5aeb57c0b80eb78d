// Kernels whose work depends on data. Before each launch the host prints what
// check_exact.py expects of its prediction: "LAUNCH kernel", then lines
//   EXACT trips VALUE           mean trip count of the loop, for each entry by a warp
//   EXACT share VALUE           share of threads for which the condition holds
//   EXACT sectors BASE VALUE    mean of 32-byte sectors of a request to a parameter
//   EXACT requests BASE VALUE   of all warps
// counted on the data by brute force. All 64 warps of a launch are traced.
#include <algorithm>
#include <cstdio>
#include <set>
#include <vector>

constexpr int N = 2048, Block = 128, Warps = N / 32;

static unsigned State = 1;
static unsigned draw() { return (State = State * 1664525 + 1013904223) >> 8; }

template <typename T> static T *toDevice(const std::vector<T> &V) {
  T *Device = nullptr;
  cudaMalloc(&Device, V.size() * sizeof(T));
  cudaMemcpy(Device, V.data(), V.size() * sizeof(T), cudaMemcpyHostToDevice);
  return Device;
}

/// Requests of 4-byte elements, by the indices of the active lanes.
struct SectorCount {
  double Requests = 0, Sectors = 0;
  void add(const std::vector<int> &Indices) {
    std::set<int> Different;
    for (int I : Indices)
      Different.insert(I / 8);
    ++Requests;
    Sectors += Different.size();
  }
  void print(const char *Base) const {
    std::printf("EXACT sectors %s %.17g\n", Base, Sectors / Requests);
  }
};

__global__ void spmv(const int *start, const int *column, const float *value,
                     const float *x, float *y) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int k = start[r]; k < start[r + 1]; ++k)
    s += value[k] * x[column[k]];
  y[r] = s;
}

/// A row has 1 + 400 / (r + 1) elements, r in another order: few long rows.
static void multiplySkewedMatrix() {
  std::vector<int> Start = {0}, Column;
  for (int R = 0; R < N; ++R) {
    int Length = 1 + 400 / (1 + R * 7 % N);
    for (int K = 0; K < Length; ++K)
      Column.push_back(draw() % N);
    Start.push_back(Column.size());
  }
  double Trips = 0;
  SectorCount OfX, OfColumn;
  for (int W = 0; W < Warps; ++W) {
    int Longest = 0;
    for (int R = W * 32; R < W * 32 + 32; ++R)
      Longest = std::max(Longest, Start[R + 1] - Start[R]);
    Trips += Longest;
    for (int K = 0; K < Longest; ++K) {
      std::vector<int> X, Columns;
      for (int R = W * 32; R < W * 32 + 32; ++R)
        if (Start[R] + K < Start[R + 1]) {
          Columns.push_back(Start[R] + K);
          X.push_back(Column[Start[R] + K]);
        }
      OfX.add(X);
      OfColumn.add(Columns);
    }
  }
  std::printf("LAUNCH spmv\nEXACT trips %.17g\n", Trips / Warps);
  OfX.print("x");
  OfColumn.print("column");
  float *Y = nullptr;
  cudaMalloc(&Y, N * 4);
  spmv<<<N / Block, Block>>>(toDevice(Start), toDevice(Column),
                             toDevice(std::vector<float>(Column.size(), 1)),
                             toDevice(std::vector<float>(N, 1)), Y);
  cudaDeviceSynchronize();
}

__global__ void expandGrid(const int *start, const int *target,
                           const int *level, int *next, int depth) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (level[v] == depth)
    for (int e = start[v]; e < start[v + 1]; ++e)
      next[target[e]] = depth + 1;
}

__global__ void expandPowerLaw(const int *start, const int *target,
                               const int *level, int *next, int depth) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (level[v] == depth)
    for (int e = start[v]; e < start[v + 1]; ++e)
      next[target[e]] = depth + 1;
}

/// One level of a breadth-first search from vertex 0.
template <typename Kernel>
static void search(const char *Name, Kernel Expand,
                   const std::vector<std::vector<int>> &Graph, int Depth) {
  std::vector<int> Level(N, -1), Start = {0}, Target;
  for (const std::vector<int> &Edges : Graph) {
    Target.insert(Target.end(), Edges.begin(), Edges.end());
    Start.push_back(Target.size());
  }
  Level[0] = 0;
  for (int D = 0; D < Depth; ++D)
    for (int V = 0; V < N; ++V)
      if (Level[V] == D)
        for (int T : Graph[V])
          if (Level[T] < 0)
            Level[T] = D + 1;
  double Active = 0, Trips = 0, Entries = 0;
  SectorCount OfNext;
  for (int W = 0; W < Warps; ++W) {
    size_t Longest = 0;
    for (int V = W * 32; V < W * 32 + 32; ++V)
      if (Level[V] == Depth) {
        ++Active;
        Longest = std::max(Longest, Graph[V].size());
      }
    Entries += Longest > 0;
    Trips += Longest;
    for (size_t K = 0; K < Longest; ++K) {
      std::vector<int> Targets;
      for (int V = W * 32; V < W * 32 + 32; ++V)
        if (Level[V] == Depth && K < Graph[V].size())
          Targets.push_back(Graph[V][K]);
      OfNext.add(Targets);
    }
  }
  std::printf("LAUNCH %s\nEXACT share %.17g\nEXACT trips %.17g\n", Name, Active / N,
              Trips / Entries);
  OfNext.print("next");
  Expand<<<N / Block, Block>>>(toDevice(Start), toDevice(Target),
                               toDevice(Level),
                               toDevice(std::vector<int>(N, -1)), Depth);
  cudaDeviceSynchronize();
}

static void searchGraphs() {
  std::vector<std::vector<int>> Grid(N), PowerLaw(N);
  constexpr int Columns = 64, Rows = N / Columns;
  for (int V = 0; V < N; ++V) {
    int X = V % Columns, Y = V / Columns;
    if (X > 0)
      Grid[V].push_back(V - 1);
    if (X + 1 < Columns)
      Grid[V].push_back(V + 1);
    if (Y > 0)
      Grid[V].push_back(V - Columns);
    if (Y + 1 < Rows)
      Grid[V].push_back(V + Columns);
  }
  // New vertices link to ends of old edges (Barabasi and Albert 1999).
  std::vector<int> Ends = {0};
  for (int V = 1; V < N; ++V) {
    int T = Ends[draw() % Ends.size()];
    PowerLaw[V].push_back(T);
    PowerLaw[T].push_back(V);
    Ends.push_back(V);
    Ends.push_back(T);
  }
  search("expandGrid", expandGrid, Grid, 20);
  search("expandPowerLaw", expandPowerLaw, PowerLaw, 2);
}

#define HISTOGRAM(NAME)                                                        \
  __global__ void NAME(const int *data, int *bins) {                           \
    atomicAdd(&bins[data[blockIdx.x * blockDim.x + threadIdx.x]], 1);          \
  }
HISTOGRAM(histogramOfConstant)
HISTOGRAM(histogramOfUniform)
HISTOGRAM(histogramOfSkewed)

template <typename Kernel>
static void countBins(const char *Name, Kernel Histogram,
                      const std::vector<int> &Data) {
  SectorCount OfBins;
  for (int W = 0; W < Warps; ++W)
    OfBins.add(std::vector<int>(Data.begin() + W * 32,
                                Data.begin() + W * 32 + 32));
  std::printf("LAUNCH %s\n", Name);
  OfBins.print("bins");
  Histogram<<<N / Block, Block>>>(toDevice(Data),
                                  toDevice(std::vector<int>(4096)));
  cudaDeviceSynchronize();
}

static void countHistograms() {
  std::vector<int> Uniform, Skewed;
  for (int I = 0; I < N; ++I) {
    Uniform.push_back(draw() % 4096);
    Skewed.push_back(4095 / (1 + draw() % 4096));
  }
  countBins("histogramOfConstant", histogramOfConstant, std::vector<int>(N, 7));
  countBins("histogramOfUniform", histogramOfUniform, Uniform);
  countBins("histogramOfSkewed", histogramOfSkewed, Skewed);
}

constexpr int Channels = 24, Samples = 4096;

__global__ void dedisperse(const float *in, const int *shift, float *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int c = 0; c < Channels; ++c)
    s += in[c * Samples + t + shift[c]];
  out[t] = s;
}

/// The delay grows with the inverse square of the channel's frequency.
static void sumShiftedChannels() {
  std::vector<int> Shift;
  for (int C = 0; C < Channels; ++C) {
    double Frequency = 1.5 - 0.02 * C;
    Shift.push_back(
        int(1000 * (1 / (Frequency * Frequency) - 1 / (1.5 * 1.5))));
  }
  SectorCount OfIn;
  for (int W = 0; W < Warps; ++W)
    for (int C = 0; C < Channels; ++C) {
      std::vector<int> Indices;
      for (int L = 0; L < 32; ++L)
        Indices.push_back(C * Samples + W * 32 + L + Shift[C]);
      OfIn.add(Indices);
    }
  std::printf("LAUNCH dedisperse\n");
  OfIn.print("in");
  float *Out = nullptr;
  cudaMalloc(&Out, N * 4);
  dedisperse<<<N / Block, Block>>>(
      toDevice(std::vector<float>(Channels * Samples)), toDevice(Shift), Out);
  cudaDeviceSynchronize();
}

__global__ void clip(const float *a, float low, float high, float *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[t] * 3, y = a[t] * 5 + 1;
  if (x >= low && y < high)
    out[t] = sqrtf(x) / y;
}

/// Both comparisons have the place of the whole condition and the name of the
/// first; the second one counts as its opposite. It always holds.
static void clipRange() {
  std::vector<float> A;
  double Above = 0;
  for (int I = 0; I < N; ++I) {
    A.push_back(float(draw() % 1000));
    Above += A.back() * 3 >= 300;
  }
  std::printf("LAUNCH clip\nEXACT share %.17g\nEXACT requests out %d\n",
              Above / N, Warps);
  clip<<<N / Block, Block>>>(toDevice(A), 300, 1e6f,
                             toDevice(std::vector<float>(N)));
  cudaDeviceSynchronize();
}

int main() {
  clipRange();
  multiplySkewedMatrix();
  searchGraphs();
  countHistograms();
  sumShiftedChannels();
}
