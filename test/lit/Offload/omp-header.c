// <omp.h> is there also where no OpenMP library is installed.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie | FileCheck %s
// CHECK: 'timed' takes
#include <omp.h>
double timed(float a[1000]) {
  double start = omp_get_wtime();
#pragma omp parallel for
  for (int i = 0; i < 1000; i++)
    a[i] = 1;
  return omp_get_wtime() - start;
}
