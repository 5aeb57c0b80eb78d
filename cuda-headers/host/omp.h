/* The run-time calls of OpenMP, so that a file which includes <omp.h> can be
 * analysed where no OpenMP library is installed. Found last, behind any other. */
#ifndef GPU_ESTIMATE_OMP_H
#define GPU_ESTIMATE_OMP_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  void *state;
} omp_lock_t;
typedef struct {
  void *state;
} omp_nest_lock_t;
typedef enum {
  omp_sched_static = 1,
  omp_sched_dynamic = 2,
  omp_sched_guided = 3,
  omp_sched_auto = 4
} omp_sched_t;

int omp_get_thread_num(void);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_num_procs(void);
int omp_get_thread_limit(void);
int omp_get_level(void);
int omp_in_parallel(void);
int omp_get_dynamic(void);
int omp_get_nested(void);
void omp_set_num_threads(int threads);
void omp_set_dynamic(int on);
void omp_set_nested(int on);
void omp_set_schedule(omp_sched_t kind, int chunk);
void omp_get_schedule(omp_sched_t *kind, int *chunk);

int omp_get_num_teams(void);
int omp_get_team_num(void);
int omp_get_num_devices(void);
int omp_get_default_device(void);
void omp_set_default_device(int device);
int omp_is_initial_device(void);

void omp_init_lock(omp_lock_t *lock);
void omp_destroy_lock(omp_lock_t *lock);
void omp_set_lock(omp_lock_t *lock);
void omp_unset_lock(omp_lock_t *lock);
int omp_test_lock(omp_lock_t *lock);
void omp_init_nest_lock(omp_nest_lock_t *lock);
void omp_destroy_nest_lock(omp_nest_lock_t *lock);
void omp_set_nest_lock(omp_nest_lock_t *lock);
void omp_unset_nest_lock(omp_nest_lock_t *lock);
int omp_test_nest_lock(omp_nest_lock_t *lock);

double omp_get_wtime(void);
double omp_get_wtick(void);

#ifdef __cplusplus
}
#endif

#endif
