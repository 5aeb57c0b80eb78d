/// \file
/// `cuda::barrier` and `cuda::pipeline` of the CUDA C++ library, as far as
/// kernels use them to overlap copies with computation.
///
/// Waiting on a barrier is an external call, __gpu_estimate_barrier_wait, since
/// the hardware's way (a loop of test instructions) has no trip count that a
/// static analysis could know. A pipeline of one thread is the hardware's
/// queue of asynchronous copy groups.

#ifndef GPU_ESTIMATE_CUDA_BARRIERS_H
#define GPU_ESTIMATE_CUDA_BARRIERS_H

#include <cstddef>
#include <utility>

#include "async_copy.h"

#if defined(__CUDA__)

/// Waits until the phase that `state` belongs to is complete.
GPU_ESTIMATE_OPAQUE void __gpu_estimate_barrier_wait(void *barrier,
                                                     unsigned long long state);

namespace cuda {

enum thread_scope {
  thread_scope_system,
  thread_scope_device,
  thread_scope_block,
  thread_scope_thread
};

/// A size in bytes together with the alignment of both pointers.
template <std::size_t Alignment> struct aligned_size_t {
  static constexpr std::size_t align = Alignment;
  std::size_t value;
  __host__ __device__ explicit aligned_size_t(std::size_t bytes)
      : value(bytes) {}
  __host__ __device__ operator std::size_t() const { return value; }
};

template <thread_scope Scope, class Completion = void> class barrier {
  unsigned long long state;
  __device__ void *shared() { return &state; }

public:
  typedef unsigned long long arrival_token;
  barrier() = default;
  friend __device__ inline void init(barrier *b, std::ptrdiff_t expected) {
    b->initialise(expected);
  }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  __device__ void initialise(std::ptrdiff_t expected) {
    __nvvm_mbarrier_init((long *)&state, (int)expected);
  }
  __device__ arrival_token arrive(std::ptrdiff_t = 1) {
    return (arrival_token)__nvvm_mbarrier_arrive((long *)&state);
  }
#else
  __device__ void initialise(std::ptrdiff_t expected) { state = expected; }
  __device__ arrival_token arrive(std::ptrdiff_t n = 1) {
    return atomicAdd(&state, (unsigned long long)n);
  }
#endif
  __device__ void wait(arrival_token &&token) {
    __gpu_estimate_barrier_wait(shared(), token);
  }
  __device__ void arrive_and_wait() { wait(arrive()); }
  __device__ void arrive_and_drop() { (void)arrive(); }
};

enum class pipeline_role { producer, consumer };

template <thread_scope Scope, int Stages> struct pipeline_shared_state {
  barrier<Scope> full[Stages], empty[Stages];
};

/// Stages in flight of asynchronous copies; with a scope wider than a thread,
/// producers and consumers also meet at barriers.
template <thread_scope Scope> class pipeline {
  unsigned int head, tail;
  barrier<Scope> *full, *empty;
  int stages;

public:
  __device__ pipeline() : head(0), tail(0), full(0), empty(0), stages(0) {}
  template <int Stages>
  __device__ explicit pipeline(pipeline_shared_state<Scope, Stages> *state)
      : head(0), tail(0), full(state->full), empty(state->empty),
        stages(Stages) {}
  __device__ void producer_acquire() {
    if (empty)
      empty[head % stages].arrive_and_wait();
  }
  __device__ void producer_commit() {
    __pipeline_commit();
    if (full)
      (void)full[head % stages].arrive();
    ++head;
  }
  __device__ void consumer_wait() {
    if (full)
      full[tail % stages].arrive_and_wait();
    else
      __pipeline_wait_prior(head - tail - 1);
  }
  __device__ void consumer_release() {
    if (empty)
      (void)empty[tail % stages].arrive();
    ++tail;
  }
  __device__ void wait_all() { __pipeline_wait_prior(0); }
  __device__ bool quit() { return false; }
};

__device__ inline pipeline<thread_scope_thread> make_pipeline() {
  return pipeline<thread_scope_thread>();
}
template <class Group, thread_scope Scope, int Stages>
__device__ inline pipeline<Scope>
make_pipeline(const Group &, pipeline_shared_state<Scope, Stages> *state) {
  return pipeline<Scope>(state);
}
template <class Group, thread_scope Scope, int Stages, class Role>
__device__ inline pipeline<Scope>
make_pipeline(const Group &, pipeline_shared_state<Scope, Stages> *state,
              Role) {
  return pipeline<Scope>(state);
}
template <int Prior, thread_scope Scope>
__device__ inline void pipeline_consumer_wait_prior(pipeline<Scope> &) {
  __pipeline_wait_prior(Prior);
}

namespace gpu_estimate_detail {
template <class T> struct CopyUnit {
  template <class Size> static constexpr std::size_t of(const Size *) {
    return alignof(T);
  }
  template <std::size_t A>
  static constexpr std::size_t of(const aligned_size_t<A> *) {
    return A;
  }
};
/// Copies part `rank` of `count` in units of the stated alignment.
template <std::size_t Unit>
__device__ inline void copy(void *to, const void *from, std::size_t bytes,
                            std::size_t rank, std::size_t count) {
  constexpr std::size_t unit = Unit >= 16 ? 16 : Unit >= 8 ? 8 : 4;
  for (std::size_t i = rank * unit; i < bytes; i += count * unit)
    __pipeline_memcpy_async((char *)to + i, (const char *)from + i, unit);
}
} // namespace gpu_estimate_detail

/// By the calling thread.
template <class T, class Size, class Completion>
__device__ inline void memcpy_async(T *to, const T *from, Size bytes,
                                    Completion &) {
  gpu_estimate_detail::copy<gpu_estimate_detail::CopyUnit<T>::of((Size *)0)>(
      to, from, bytes, 0, 1);
}
/// By all threads of a group.
template <class Group, class T, class Size, class Completion>
__device__ inline void memcpy_async(const Group &group, T *to, const T *from,
                                    Size bytes, Completion &) {
  gpu_estimate_detail::copy<gpu_estimate_detail::CopyUnit<T>::of((Size *)0)>(
      to, from, bytes, group.thread_rank(), group.size());
}

} // namespace cuda

#endif

#endif
