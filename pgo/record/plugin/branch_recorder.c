// A plugin for qemu-x86_64 (user mode, QEMU 6.2 to 8.2): records the last 32 taken branches
// of each thread, and every `period` of them one sample, into a perf.data that perf, llvm-profgen
// and perf2bolt read.
//
//   qemu-x86_64 -plugin prodpgo_branch_recorder.so,out=FILE[,period=N][,cpu=MODEL] PROGRAM ...
//
// QEMU tells when a block begins. From two blocks that follow each other the branch between them is
// known exactly. The hard part is when they do not
// follow: a signal handler starts, a fault or a self-modifying store ends a block in its middle,
// a handler returns. Then no branch was taken, and whatever is in the ring does not lead up to
// what runs now: the ring is emptied, so that no stack claims code that did not run. A handler is
// known by the address given to rt_sigaction, since an indirect branch may go anywhere.
//
// Threads run at the same time, each with a ring of its own; only writing a record takes the lock.
// A forked child begins the next part of the recording (part_file.h), and so does every program
// that execve starts (guest_exec.h). Instructions count for the clock when their block begins.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "code_block.h"
#include "guest_exec.h"
#include "guest_maps.h"
#include "guest_memory.h"
#include "note_list.h"
#include "part_file.h"
#include "qemu_plugin.h"

enum { kMaxHandlers = 64, kMaxKnownCreators = 4096, kSetName = 15 /* PR_SET_NAME */ };

// What belongs to one thread of the guest; its memory is written by that thread alone, except
// under the lock when the process ends.
struct ThreadTrace {
  const struct CodeBlock* previous;  // the block that ran before
  bool at_branch;                    // whether it ran to its last instruction, a branch
  uint64_t instructions;             // since the last record
  uint64_t branches;                 // since the last record
  uint64_t until_sample;             // branches to go
  unsigned newest, filled;           // of `ring`
  struct Branch ring[kRingDepth];
  uint64_t call[3];  // arguments of the system call that is running
  uint32_t tid;
  struct ThreadTrace* next;
};

// The process's one recorder: QEMU's callbacks carry no object of ours.
static struct {
  pthread_mutex_t lock;
  uint64_t period;
  uint32_t pid;
  char comm[16];                // of the first program, if it is not its file's name
  bool program_known;           // the COMM and MMAP2 records of this program are written
  struct ThreadTrace* threads;  // all that live
  uint64_t handlers[kMaxHandlers];
  unsigned handler_count;
  uint32_t creators[kMaxKnownCreators];  // by vcpu: the tid of the thread that made it
} recorder = {.lock = PTHREAD_MUTEX_INITIALIZER};

// Initial-exec: the callbacks run for every block, and a plugin's default would be a call.
static _Thread_local struct ThreadTrace* self __attribute__((tls_model("initial-exec")));

static void lock_recorder(void) { pthread_mutex_lock(&recorder.lock); }
static void unlock_recorder(void) { pthread_mutex_unlock(&recorder.lock); }

static struct RecordOrigin origin_of(struct ThreadTrace* thread) {
  return (struct RecordOrigin){recorder.pid, thread->tid, &thread->instructions, &thread->branches};
}

static void record_new_program(struct ThreadTrace* thread, uint64_t first_ip) {
  char path[4096];
  const char* given = qemu_plugin_path_to_binary();
  if (!given || !realpath(given, path)) snprintf(path, sizeof path, "%s", given ? given : "");
  remember_program(path);
  const char* slash = given ? strrchr(given, '/') : NULL;
  const char* name = slash ? slash + 1 : (given ? given : "");
  put_comm(origin_of(thread), recorder.comm[0] ? recorder.comm : name, true);
  record_program(origin_of(thread), path, qemu_plugin_start_code(), first_ip);
  recorder.program_known = true;
}

// Called when the current thread runs its first block.
static __attribute__((noinline)) struct ThreadTrace* adopt_thread(unsigned vcpu,
                                                                  uint64_t first_ip) {
  struct ThreadTrace* thread = calloc(1, sizeof *thread);
  if (!thread) abort();  // without memory QEMU gives up too
  thread->tid = (uint32_t)gettid();
  thread->until_sample = recorder.period;
  lock_recorder();
  thread->next = recorder.threads;
  recorder.threads = thread;
  if (!recorder.program_known) {
    record_new_program(thread, first_ip);
  } else {
    uint32_t creator = vcpu < kMaxKnownCreators ? recorder.creators[vcpu] : recorder.pid;
    put_fork(origin_of(thread), recorder.pid, creator);
  }
  unlock_recorder();
  self = thread;
  return thread;
}

static bool is_signal_handler(uint64_t address) {
  unsigned count = __atomic_load_n(&recorder.handler_count, __ATOMIC_ACQUIRE);
  for (unsigned i = 0; i < count; i++) {
    if (recorder.handlers[i] == address) return true;
  }
  return false;
}

static __attribute__((noinline)) void take_sample(struct ThreadTrace* thread, uint64_t ip) {
  thread->until_sample = recorder.period;
  lock_recorder();
  put_sample(origin_of(thread), ip, thread->ring, thread->newest, thread->filled, recorder.period);
  unlock_recorder();
}

static inline void take_branch(struct ThreadTrace* thread, uint64_t from, uint64_t to) {
  thread->newest = (thread->newest + 1) % kRingDepth;
  thread->ring[thread->newest].from = from;
  thread->ring[thread->newest].to = to;
  if (thread->filled < kRingDepth) thread->filled++;
  thread->branches++;
  if (__builtin_expect(--thread->until_sample == 0, 0)) take_sample(thread, to);
}

// What led from `previous` to `start` was no direct branch and not straight on.
static __attribute__((noinline)) void go_astray(struct ThreadTrace* thread,
                                                const struct CodeBlock* previous, bool at_branch,
                                                uint64_t start) {
  bool inside = start > previous->start && start <= previous->last;
  bool may_branch = previous->kind == kIndirect || (previous->kind == kReturn && !inside);
  if (at_branch && may_branch && !is_signal_handler(start)) {
    take_branch(thread, previous->last, start);
  } else if (start < previous->start || start > previous->next) {
    thread->filled = 0;
  }  // else the same block again from its middle, which is straight on
}

static void on_block(unsigned vcpu, void* userdata) {
  const struct CodeBlock* block = userdata;
  struct ThreadTrace* thread = self;
  if (__builtin_expect(!thread, 0)) thread = adopt_thread(vcpu, block->start);
  const struct CodeBlock* previous = thread->previous;
  bool was_at_branch = thread->at_branch;
  thread->previous = block;
  thread->at_branch = block->sure;
  thread->instructions += block->instructions;
  if (__builtin_expect(!previous, 0)) return;
  if (block->start == previous->next && previous->kind <= kConditional) return;
  if (was_at_branch && block->start == previous->target) {
    take_branch(thread, previous->last, block->start);
    return;
  }
  go_astray(thread, previous, was_at_branch, block->start);
}

static void on_branch(unsigned vcpu, void* userdata) {
  (void)vcpu, (void)userdata;
  self->at_branch = true;
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb* translated) {
  (void)id;
  size_t count = qemu_plugin_tb_n_insns(translated);
  if (count == 0) return;
  struct qemu_plugin_insn* last = NULL;
  size_t size = 0;
  bool has_atomic = false;
  for (size_t i = 0; i < count; i++) {
    last = qemu_plugin_tb_get_insn(translated, i);
    size = qemu_plugin_insn_size(last);
    has_atomic = has_atomic || is_atomic(qemu_plugin_insn_data(last), size);
  }
  struct CodeBlock block = {.start = qemu_plugin_tb_vaddr(translated),
                            .last = qemu_plugin_insn_vaddr(last),
                            .instructions = (uint32_t)count};
  block.next = block.last + size;
  block.kind = classify_branch(qemu_plugin_insn_data(last), size, block.next, &block.target);
  bool watched = must_watch_branch(&block, has_atomic);
  block.sure = block.kind != kNoBranch && !watched;
  lock_recorder();
  struct CodeBlock* kept = intern_block(&block);
  unlock_recorder();
  if (!kept) return;
  qemu_plugin_register_vcpu_tb_exec_cb(translated, on_block, QEMU_PLUGIN_CB_NO_REGS, kept);
  if (watched) {
    qemu_plugin_register_vcpu_insn_exec_cb(last, on_branch, QEMU_PLUGIN_CB_NO_REGS, NULL);
  }
}

// QEMU makes a new thread's vcpu on the thread that asked for it.
static void on_vcpu_init(qemu_plugin_id_t id, unsigned vcpu) {
  (void)id;
  if (vcpu < kMaxKnownCreators) recorder.creators[vcpu] = (uint32_t)gettid();
}

static void remember_handler(uint64_t action) {
  uint64_t handler = 0;
  if (action == 0 || !read_guest(action, &handler, sizeof handler)) return;
  if (handler <= 1 || is_signal_handler(handler)) return;  // default, ignore
  lock_recorder();
  if (recorder.handler_count < kMaxHandlers) {
    recorder.handlers[recorder.handler_count] = handler;
    __atomic_store_n(&recorder.handler_count, recorder.handler_count + 1, __ATOMIC_RELEASE);
  }
  unlock_recorder();
}

static void rename_thread(struct ThreadTrace* thread, uint64_t name_address) {
  char name[16];
  if (!read_guest(name_address, name, sizeof name)) return;
  name[sizeof name - 1] = 0;
  lock_recorder();
  put_comm(origin_of(thread), name, false);
  unlock_recorder();
}

// The lock is held.
static void record_thread_exit(struct ThreadTrace* thread) {
  uint32_t parent = (uint32_t)getppid();
  put_exit(origin_of(thread), parent, parent);
}

static void end_thread(struct ThreadTrace* thread) {
  lock_recorder();
  record_thread_exit(thread);
  struct ThreadTrace** link = &recorder.threads;
  while (*link != thread) link = &(*link)->next;
  *link = thread->next;
  if (!recorder.threads) end_part();
  unlock_recorder();
  self = NULL;
  free(thread);
}

// The other threads may still be running; from here on nothing they do is recorded.
static void end_process(void) {
  lock_recorder();
  for (struct ThreadTrace* thread = recorder.threads; thread; thread = thread->next) {
    record_thread_exit(thread);
  }
  end_part();
  unlock_recorder();
}

static void on_exec(const struct ExecCall* call) {
  struct ExecPlan* plan = plan_exec(call);
  if (!plan) return;
  lock_recorder();
  for (struct ThreadTrace* thread = recorder.threads; thread; thread = thread->next) {
    if (thread != self) record_thread_exit(thread);
  }
  pause_part();
  run_exec_plan(plan);
  unlock_recorder();
}

static void on_syscall(qemu_plugin_id_t id, unsigned vcpu, int64_t number, uint64_t a1, uint64_t a2,
                       uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7,
                       uint64_t a8) {
  (void)id, (void)vcpu, (void)a4, (void)a6, (void)a7, (void)a8;
  struct ThreadTrace* thread = self;
  if (!thread) return;
  thread->call[0] = a1;
  thread->call[1] = a2;
  thread->call[2] = a3;
  switch (number) {
    case SYS_rt_sigaction: remember_handler(a2); break;
    case SYS_prctl:
      if (a1 == kSetName) rename_thread(thread, a2);
      break;
    case SYS_execve: on_exec(&(struct ExecCall){AT_FDCWD_VALUE, a1, a2, a3, 0}); break;
    case SYS_execveat: on_exec(&(struct ExecCall){(int)a1, a2, a3, a4, (int)a5}); break;
    case SYS_exit: end_thread(thread); break;
    case SYS_exit_group: end_process(); break;
  }
}

static void on_syscall_return(qemu_plugin_id_t id, unsigned vcpu, int64_t number, int64_t result) {
  (void)id, (void)vcpu;
  struct ThreadTrace* thread = self;
  if (!thread || (result < 0 && result > -4096)) return;
  if (number != SYS_mmap && number != SYS_mprotect && number != SYS_pkey_mprotect) return;
  if (!(thread->call[2] & PROT_EXEC)) return;
  uint64_t begin = number == SYS_mmap ? (uint64_t)result : thread->call[0];
  lock_recorder();
  record_mappings(origin_of(thread), begin, begin + thread->call[1], (uint32_t)thread->call[2]);
  unlock_recorder();
}

// The child has one thread, the one that forked, and nothing in common with its parent but the
// code: its ring begins empty, as its counters do.
static void after_fork_in_child(void) {
  struct ThreadTrace* thread = self;
  uint32_t parent_pid = recorder.pid;
  recorder.pid = (uint32_t)getpid();
  begin_forked_part();
  recorder.threads = thread;
  if (thread) {
    uint32_t parent_tid = thread->tid;
    thread->tid = (uint32_t)gettid();
    thread->next = NULL;
    thread->filled = 0;
    thread->instructions = thread->branches = 0;
    thread->until_sample = recorder.period;
    put_fork(origin_of(thread), parent_pid, parent_tid);
  }
  unlock_recorder();
}

// How the plugin was started.
struct RecorderOptions {
  const char* out;
  const char* cpu;   // QEMU's CPU model for the programs that are executed; "" for its default
  const char* comm;  // what the kernel would call the first program; "": by its path
  uint64_t period;
  enum PartOwner owner;
  bool quiet;  // see keep_notes_quiet
};

// One argument of the plugin, "name=value"; false when it is none of ours.
static bool read_argument(const char* argument, struct RecorderOptions* options) {
  const char* value = strchr(argument, '=');
  if (!value) return false;
  size_t name = (size_t)(value++ - argument);
  if (name == 3 && strncmp(argument, "out", name) == 0) {
    options->out = value;
  } else if (name == 3 && strncmp(argument, "cpu", name) == 0) {
    options->cpu = value;
  } else if (name == 4 && strncmp(argument, "comm", name) == 0) {
    options->comm = value;
  } else if (name == 4 && strncmp(argument, "join", name) == 0) {
    options->owner = strcmp(value, "on") == 0 ? kJoiningProcess : kFirstProcess;
  } else if (name == 5 && strncmp(argument, "quiet", name) == 0) {
    options->quiet = strcmp(value, "on") == 0;
  } else if (name == 6 && strncmp(argument, "period", name) == 0) {
    char* end = NULL;
    options->period = strtoull(value, &end, 10);
    return *end == 0 && options->period > 0;
  } else {
    return false;
  }
  return true;
}

static bool begin_recording(const struct RecorderOptions* options) {
  char absolute[4096];
  char directory[4096] = "";
  if (options->out[0] != '/' && !getcwd(directory, sizeof directory)) return false;
  int size = snprintf(absolute, sizeof absolute, "%s%s%s", directory, directory[0] ? "/" : "",
                      options->out);
  if (size < 0 || (size_t)size >= sizeof absolute) {
    errno = ENAMETOOLONG;
    return false;
  }
  struct PartEvent event = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, options->period};
  return begin_part(absolute, options->owner, &event);
}

static bool remember_options(const struct RecorderOptions* options) {
  char arguments[3 * 4096] = "join=on,out=";
  append_doubling_commas(arguments, sizeof arguments, recording_path());
  size_t at = strlen(arguments);
  snprintf(arguments + at, sizeof arguments - at, ",period=%llu%s%s%s",
           (unsigned long long)options->period, options->quiet ? ",quiet=on" : "",
           options->cpu[0] ? ",cpu=" : "", options->cpu);
  return remember_exec_options(&(struct ExecOptions){arguments, options->cpu, "is not recorded"});
}

__attribute__((visibility("default"))) extern int qemu_plugin_version;
int qemu_plugin_version = 1;

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id,
                                                               const struct QemuInfo* info,
                                                               int argc, char** argv) {
  struct RecorderOptions options = {"perf.data", "", "", 10007, kFirstProcess, false};
  if (strcmp(info->target_name, "x86_64") != 0) {
    fprintf(stderr, "prodpgo: the branch recorder is for qemu-x86_64, this is qemu-%s\n",
            info->target_name);
    return 1;
  }
  for (int i = 0; i < argc; i++) {
    if (read_argument(argv[i], &options)) continue;
    fprintf(stderr, "prodpgo: unknown plugin argument '%s': use out=FILE, period=N, cpu=MODEL\n",
            argv[i]);
    return 1;
  }
  recorder.period = options.period;
  recorder.pid = (uint32_t)getpid();
  snprintf(recorder.comm, sizeof recorder.comm, "%s", options.comm);
  if (options.quiet) keep_notes_quiet();
  if (!begin_recording(&options)) {
    fprintf(stderr, "prodpgo: cannot write %s: %s\n", options.out, strerror(errno));
    return 1;
  }
  if (!remember_options(&options)) return 1;
  pthread_atfork(lock_recorder, unlock_recorder, after_fork_in_child);
  qemu_plugin_register_vcpu_init_cb(id, on_vcpu_init);
  qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
  qemu_plugin_register_vcpu_syscall_cb(id, on_syscall);
  qemu_plugin_register_vcpu_syscall_ret_cb(id, on_syscall_return);
  return 0;
}
