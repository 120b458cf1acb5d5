#include "pgo/base/parallel.h"

#include <sched.h>

namespace pgo {

unsigned resolve_jobs(unsigned jobs) {
  if (jobs != 0) return jobs;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) > 0)
    return static_cast<unsigned>(CPU_COUNT(&allowed));
  unsigned cores = std::thread::hardware_concurrency();
  return cores == 0 ? 1 : cores;
}

}  // namespace pgo
