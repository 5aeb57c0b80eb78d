// Breadth-first search by levels on two graphs of equal size: a grid, whose
// many levels are small, and a graph with a few vertices of high degree. How
// long each launch takes depends on data that only the running program has.
//
//   gpu-estimate run bfs.cu --gpu nvidia-h100-sxm

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

constexpr int Side = 96, Vertices = Side * Side;

struct Graph {
  std::vector<int> Rows, Columns; // compressed rows
};

// One thread for each vertex: the vertices of the level visit their neighbours.
__global__ void expandLevel(const int *rows, const int *columns, int *levels,
                            int level, int vertices, int *found) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vertices || levels[v] != level)
    return;
  for (int e = rows[v]; e < rows[v + 1]; ++e) {
    int neighbour = columns[e];
    if (atomicCAS(&levels[neighbour], -1, level + 1) == -1)
      *found = 1;
  }
}

static Graph makeGrid() {
  Graph G;
  G.Rows.push_back(0);
  for (int y = 0; y < Side; ++y)
    for (int x = 0; x < Side; ++x) {
      int v = y * Side + x;
      if (x > 0)
        G.Columns.push_back(v - 1);
      if (x + 1 < Side)
        G.Columns.push_back(v + 1);
      if (y > 0)
        G.Columns.push_back(v - Side);
      if (y + 1 < Side)
        G.Columns.push_back(v + Side);
      G.Rows.push_back(G.Columns.size());
    }
  return G;
}

// Vertex v has edges to v / 2 and to vertices of small number, which therefore
// have many.
static Graph makeSkewed() {
  std::vector<std::vector<int>> Edges(Vertices);
  unsigned State = 1;
  for (int v = 1; v < Vertices; ++v) {
    State = State * 1664525u + 1013904223u;
    int Hub = (State >> 8) % (1 + v / 512);
    for (int Other : {v / 2, Hub})
      if (Other != v) {
        Edges[v].push_back(Other);
        Edges[Other].push_back(v);
      }
  }
  Graph G;
  G.Rows.push_back(0);
  for (const std::vector<int> &Of : Edges) {
    G.Columns.insert(G.Columns.end(), Of.begin(), Of.end());
    G.Rows.push_back(G.Columns.size());
  }
  return G;
}

static std::vector<int> searchOnHost(const Graph &G) {
  std::vector<int> Levels(Vertices, -1), Queue = {0};
  Levels[0] = 0;
  for (size_t I = 0; I < Queue.size(); ++I)
    for (int E = G.Rows[Queue[I]]; E < G.Rows[Queue[I] + 1]; ++E)
      if (Levels[G.Columns[E]] < 0) {
        Levels[G.Columns[E]] = Levels[Queue[I]] + 1;
        Queue.push_back(G.Columns[E]);
      }
  return Levels;
}

static int searchOnDevice(const char *Name, const Graph &G) {
  int *rows, *columns, *levels, *found;
  cudaMalloc(&rows, G.Rows.size() * sizeof(int));
  cudaMalloc(&columns, G.Columns.size() * sizeof(int));
  cudaMalloc(&levels, Vertices * sizeof(int));
  cudaMalloc(&found, sizeof(int));
  cudaMemcpy(rows, G.Rows.data(), G.Rows.size() * sizeof(int),
             cudaMemcpyHostToDevice);
  cudaMemcpy(columns, G.Columns.data(), G.Columns.size() * sizeof(int),
             cudaMemcpyHostToDevice);
  cudaMemset(levels, 0xff, Vertices * sizeof(int));
  cudaMemset(levels, 0, sizeof(int));
  int Level = 0;
  for (int Found = 1; Found; ++Level) {
    cudaMemset(found, 0, sizeof(int));
    expandLevel<<<(Vertices + 127) / 128, 128>>>(rows, columns, levels, Level,
                                                 Vertices, found);
    cudaMemcpy(&Found, found, sizeof(int), cudaMemcpyDeviceToHost);
  }
  std::vector<int> Levels(Vertices);
  cudaMemcpy(Levels.data(), levels, Vertices * sizeof(int),
             cudaMemcpyDeviceToHost);
  std::vector<int> Expected = searchOnHost(G);
  int Wrong = 0;
  for (int v = 0; v < Vertices; ++v)
    Wrong += Levels[v] != Expected[v];
  printf("bfs: %s: %d levels, %d wrong\n", Name, Level, Wrong);
  cudaFree(rows);
  cudaFree(columns);
  cudaFree(levels);
  cudaFree(found);
  return Wrong;
}

int main() {
  int Wrong = searchOnDevice("grid", makeGrid());
  Wrong += searchOnDevice("skewed", makeSkewed());
  return Wrong != 0;
}
