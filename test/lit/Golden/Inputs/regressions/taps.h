constexpr int Taps = 8;
__device__ const float Weights[Taps] = {0.1f, 0.2f, 0.3f, 0.4f, 0.4f, 0.3f, 0.2f, 0.1f};
