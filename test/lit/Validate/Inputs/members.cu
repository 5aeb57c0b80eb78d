struct Shape {
  int width, height, offset;
};

__global__ void sum(const float *x, float *y, Shape p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float total = 0;
  for (int row = 0; row < p.height; ++row)
    for (int column = p.offset; column < p.width; ++column)
      total += x[i + p.width * row + column];
  y[i] = n * total;
}

int main(int argc, char **argv) {
  Shape p = {8, 4, argc};
  sum<<<4096, 256>>>(nullptr, nullptr, p, 8);
}
