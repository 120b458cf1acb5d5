// System calls that touch neither errno nor anything else of the C library: for signal handlers.
#pragma once

#include <errno.h>
#include <sys/syscall.h>

// The kernel's answer; an error is its negated number.
static inline long raw_call4(long number, long a, long b, long c, long d) {
  register long fourth __asm__("r10") = d;
  long answer;
  __asm__ volatile("syscall"
                   : "=a"(answer)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth)
                   : "rcx", "r11", "memory");
  return answer;
}
