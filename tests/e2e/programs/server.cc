// A server as it was always written: the parent hands jobs to children that it forked at the start,
// and each child answers through its pipe. What the children call, the parent never does.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "shapes.h"

__attribute__((noinline)) static int64_t answer(int job) {
  return rounds_of_work(4) + static_cast<int64_t>(fibonacci(10)) + job;
}

__attribute__((noinline)) static void serve(int jobs, int answers) {
  for (int job; read(jobs, &job, sizeof job) == sizeof job;) {
    int64_t result = answer(job);
    if (write(answers, &result, sizeof result) != sizeof result) std::abort();
  }
}

__attribute__((noinline)) static int64_t dispatch(const int* jobs, const int* answers, int n) {
  int64_t sum = 0;
  for (int job = 0; job < n; ++job) {
    if (write(jobs[job % 2], &job, sizeof job) != sizeof job) std::abort();
    for (int i = 0; i < 3000; ++i) sum += i % 3 ? job : -i;
  }
  for (int job = 0; job < n; ++job) {
    int64_t result = 0;
    if (read(answers[job % 2], &result, sizeof result) != sizeof result) std::abort();
    sum += result;
  }
  return sum;
}

int main() {
  int jobs[2], answers[2];
  for (int child = 0; child < 2; ++child) {
    int down[2], up[2];
    if (pipe(down) != 0 || pipe(up) != 0) return 1;
    if (fork() == 0) {
      close(down[1]);
      if (child == 1) close(jobs[0]);
      serve(down[0], up[1]);
      std::exit(0);
    }
    close(down[0]);
    jobs[child] = down[1];
    answers[child] = up[0];
  }
  std::printf("%lld\n", static_cast<long long>(dispatch(jobs, answers, 12)));
  close(jobs[0]);
  close(jobs[1]);
  while (wait(nullptr) > 0) continue;
}
