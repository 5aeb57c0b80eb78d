// What the configuration says of loops of plain C, analyze and the plugin hear.
// REQUIRES: plugin

// RUN: rm -rf %t && mkdir -p %t && cp %s %t/scale.c
// RUN: printf 'gpu: nvidia-h200\noffload: scale\nassume-independent: true\n' > %t/.gpu-estimate.yaml
// RUN: %analyze %t/scale.c | FileCheck %s
// RUN: %clang -x c -fsyntax-only -fplugin=%plugin %t/scale.c 2>&1 | FileCheck %s
// CHECK: 'scale{{.*}}' has no time

// RUN: printf 'gpu: nvidia-h200\n' > %t/.gpu-estimate.yaml
// RUN: %clang -x c -fsyntax-only -fplugin=%plugin %t/scale.c 2>&1 | FileCheck %s --check-prefix=NONE --allow-empty
// NONE-NOT: takes

void scale(float *p, int n) {
  for (int i = 0; i < n; ++i)
    p[i] *= 2;
}
