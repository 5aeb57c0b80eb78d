__global__ void broken() { nothing(); }
