/* Stands in for the plugin: tells that its analysis begins, and never ends. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void hang(void) {
  const char *watch = getenv("GPU_ESTIMATE_WATCH");
  if (watch)
    dprintf(atoi(watch), "+%d\n", (int)getpid());
  for (;;)
    pause();
}
