// ProcessTree: the processes below this one, their CPU time, and how to end all of them.
//
//   ProcessTree tree;                       // before anything is started
//   PGO_TRY(pid_t server, start_program(program, termination));
//   ProcessTimes before = tree.times();
//   ...
//   double cpu = tree.times().cpu - before.cpu;
//
// A daemon leaves its process group and its session, and its parent ends. Without further measures
// it would then be a child of init, and nothing would tell whose it was. So while a ProcessTree
// exists, this process is a "child subreaper" (prctl(2)): processes below it whose parent ends
// become its own children. Whatever a server starts can be found by following parents in /proc.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <vector>

namespace pgo {

// Of all processes of a tree since each started; those that have ended and were waited for count
// with the process that waited.
struct ProcessTimes {
  double cpu = 0;               // seconds, to the nanosecond for processes that have not ended
  double user = 0, system = 0;  // seconds, in ticks of the kernel: mostly a hundredth
  uint64_t peak_memory = 0;     // bytes: that of the largest process
};

// One at a time. Children that exist already are not part of it. While it exists, ended children
// are kept as zombies, so that their times are not lost; reap() and its end give them up.
class ProcessTree {
 public:
  ProcessTree();
  ProcessTree(const ProcessTree&) = delete;
  ProcessTree& operator=(const ProcessTree&) = delete;
  // Ends what still runs.
  ~ProcessTree();

  bool any_alive() const;
  // Not counted: processes whose parent ignores SIGCHLD and that have ended, which the kernel
  // forgets.
  ProcessTimes times() const;
  void send(int signal) const;
  // False if a process still runs after `timeout`.
  bool wait_for_end(std::chrono::milliseconds timeout) const;
  // Kills all, and waits for them.
  void end_all();

 private:
  struct Process;

  std::vector<Process> processes() const;
  void reap() const;

  std::vector<pid_t> others_;  // children that existed before
  int was_subreaper_ = 0;
};

}  // namespace pgo
