// Files without kernels compile as if the plugin were not there.
// REQUIRES: plugin

// RUN: rm -rf %t && mkdir -p %t
// RUN: %clang -x c -O2 -c %s -o %t/a.o
// RUN: %clang -x c -O2 -c %s -o %t/b.o -fplugin=%plugin 2>&1 | count 0
// RUN: cmp %t/a.o %t/b.o
// RUN: %clang -x c++ -O2 -c %s -o %t/a.o
// RUN: %clang -x c++ -O2 -c %s -o %t/b.o -fplugin=%plugin 2>&1 | count 0
// RUN: cmp %t/a.o %t/b.o

int sum(const int *p, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i)
    s += p[i];
  return s;
}
