// A search in an open-addressing hash table ends after a few slots.
// RUN: %analyze %s --gpu nvidia-a100-40gb-pcie | FileCheck %s
constexpr unsigned Empty = 0xffffffff, Capacity = 1 << 20;
struct Entry {
  unsigned key, value;
};

__global__ void insert(Entry *table, const Entry *entries) {
  Entry e = entries[blockIdx.x * blockDim.x + threadIdx.x];
  unsigned slot = (e.key * 2654435761u) & (Capacity - 1);
  while (true) {
    unsigned old = atomicCAS(&table[slot].key, Empty, e.key);
    if (old == Empty || old == e.key) {
      table[slot].value = e.value;
      return;
    }
    slot = (slot + 1) & (Capacity - 1);
  }
}
// CHECK-LABEL: 'insert' takes
// CHECK: trip count of the loop at hash-table.cu:11 = 2: what the loop reads at a place that wraps around the end of a table ends it

// The place wraps where it is used, and the size of the table is a bound.
__global__ void find(const Entry *__restrict__ table, unsigned *values,
                     unsigned capacity) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned key = values[i], hash = key * 2654435761u;
  for (unsigned step = 0; step < capacity; ++step) {
    Entry e = table[(hash + step * step) % capacity];
    if (e.key == key || e.key == Empty) {
      values[i] = e.value;
      break;
    }
  }
}
// CHECK-LABEL: 'find' takes
// CHECK: trip count of the loop at hash-table.cu:[[# @LINE - 9]] = 2: what the loop reads at a place that wraps around the end of a table ends it

// Bits of the counter are no place in a table.
__global__ void scan(const unsigned *__restrict__ values, unsigned *first) {
  unsigned i = 0;
  while (values[i] != threadIdx.x)
    i += 2;
  first[threadIdx.x] = i;
}
// CHECK-LABEL: 'scan' takes
// CHECK: trip count of the loop at hash-table.cu:[[# @LINE - 5]] = 16: its end depends on data

void host(Entry *table, const Entry *entries, unsigned *values) {
  insert<<<1024, 256>>>(table, entries);
  find<<<1024, 256>>>(table, values, Capacity);
  scan<<<1024, 256>>>(values, values);
}
