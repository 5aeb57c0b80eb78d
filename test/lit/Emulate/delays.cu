// Sums of delayed channels: an index that is computed from data and is nearly
// the same for neighbouring lanes.
// DEFINE: %{sizes} = --gpu nvidia-a100-40gb-pcie --block 8,96 --param in=39398400 --param delay=1536 --param out=51200000
// DEFINE: %{data} = %{sizes} --buffer delay=%S/Inputs/delays.npy

// With the data, requests are those of the executed warps, also in the copies of
// the loop that the trace had no room for.
// REQUIRES: slow
// RUN: %analyze %s --grid 3125,22 %{data} -- -DTILE=1 | FileCheck %s --check-prefix=DATA
// RUN: %analyze %s --grid 3125,4 %{data} -- -DTILE=7 2>&1 | FileCheck %s --check-prefix=DATA
// DATA: global load in * 2.46 G 1.2{{[0-9]*}} 1
// DATA: requests as those

// Without them, lanes of one trial have one delay, whatever it is: a row of 8
// lanes reads neighbouring bytes.
// RUN: %analyze %s --grid 3125,22 %{sizes} -- -DTILE=1 | FileCheck %s --check-prefix=NODATA
// NODATA: global load in * 2.46 G {{[45](\.[0-9]+)?}} 1
constexpr int Samples = 25000, Pitch = 25650, Channels = 1536, Trials = 2048;
__global__ void delaySum(const unsigned char *in, const float *delay,
                         float *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x,
      first = blockIdx.y * blockDim.y * TILE + threadIdx.y;
  if (t >= Samples)
    return;
  for (int k = 0; k < TILE; ++k) {
    int trial = first + k * 96;
    if (trial < Trials) {
      float s = 0;
      for (int c = 0; c < Channels; ++c) {
        unsigned d = trial * 0.02f * delay[c];
        s += in[c * Pitch + t + d];
      }
      out[trial * Samples + t] = s;
    }
  }
}
