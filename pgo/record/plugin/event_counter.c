// A plugin for qemu-x86_64 (user mode, QEMU 6.2 to 8.2): counts the instructions that a program
// executes and the branches that it takes, with those of its threads, of the processes that it
// forks and of the programs that these execute. Unlike time, they do not depend on the machine.
//
//   qemu-x86_64 -plugin prodpgo_event_counter.so,out=FILE[,cpu=MODEL][,quiet=on] PROGRAM ...
//
// FILE has the layout of count_state.h. Counted is by block: all instructions of one when it
// begins, and its branch when the next one is known. So a signal, or a fault in the middle of a
// block, is an error of one block. A repeated string instruction (rep movsb) counts once, as on a
// processor, although QEMU runs it as a loop. So does an instruction that lies in two pages: QEMU
// shows it, perhaps cut off, at the end of one block, and runs it in the next.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "code_block.h"
#include "count_state.h"
#include "guest_exec.h"
#include "note_list.h"
#include "qemu_plugin.h"

// What belongs to one thread of the guest.
struct ThreadCount {
  const struct CodeBlock* previous;  // the block that ran before
  struct CountSlot* slot;            // written by this thread alone
  struct ThreadCount* next;          // in `idle`
};

// The process's one counter: QEMU's callbacks carry no object of ours.
static struct {
  pthread_mutex_t lock;
  char path[4096];  // of the file
  struct CountState* state;
  struct CountSlot* slots;
  struct CountSlot uncounted;  // for threads beyond the last slot
  struct ThreadCount* idle;    // of threads that have ended; new ones continue their slots
  bool program_known;
} counter = {.lock = PTHREAD_MUTEX_INITIALIZER};

// Initial-exec: the callbacks run for every block, and a plugin's default would be a call.
static _Thread_local struct ThreadCount* self __attribute__((tls_model("initial-exec")));

static void lock_counter(void) { pthread_mutex_lock(&counter.lock); }
static void unlock_counter(void) { pthread_mutex_unlock(&counter.lock); }

static struct CountSlot* take_slot(void) {
  uint32_t number = __atomic_fetch_add(&counter.state->slots, 1, __ATOMIC_RELAXED);
  return number < kCountSlots ? &counter.slots[number] : &counter.uncounted;
}

// The path of the program is known once it runs.
static void remember_this_program(void) {
  char path[4096];
  const char* given = qemu_plugin_path_to_binary();
  if (!given || !realpath(given, path)) snprintf(path, sizeof path, "%s", given ? given : "");
  remember_program(path);
  counter.program_known = true;
}

// Called when the current thread runs its first block.
static __attribute__((noinline)) struct ThreadCount* adopt_thread(void) {
  lock_counter();
  if (!counter.program_known) remember_this_program();
  struct ThreadCount* thread = counter.idle;
  if (thread) counter.idle = thread->next;
  unlock_counter();
  if (!thread) {
    thread = calloc(1, sizeof *thread);
    if (!thread) abort();  // without memory QEMU gives up too
    thread->slot = take_slot();
  }
  thread->previous = NULL;
  self = thread;
  return thread;
}

static void on_block(unsigned vcpu, void* userdata) {
  (void)vcpu;
  const struct CodeBlock* block = userdata;
  struct ThreadCount* thread = self;
  if (__builtin_expect(!thread, 0)) thread = adopt_thread();
  const struct CodeBlock* previous = thread->previous;
  struct CountSlot* slot = thread->slot;
  thread->previous = block;
  slot->instructions += block->instructions;
  if (__builtin_expect(!previous, 0)) return;
  if (block->start == previous->last && previous->target != previous->last) {
    slot->instructions--;  // the last one of `previous` runs only now, or goes on
  } else if (previous->kind != kNoBranch) {
    slot->taken_branches += previous->kind != kConditional || block->start != previous->next;
  }
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb* translated) {
  (void)id;
  size_t count = qemu_plugin_tb_n_insns(translated);
  if (count == 0) return;
  struct qemu_plugin_insn* last = qemu_plugin_tb_get_insn(translated, count - 1);
  const size_t size = qemu_plugin_insn_size(last);
  struct CodeBlock block = {.start = qemu_plugin_tb_vaddr(translated),
                            .last = qemu_plugin_insn_vaddr(last),
                            .instructions = (uint32_t)count};
  block.next = block.last + size;
  block.kind = classify_branch(qemu_plugin_insn_data(last), size, block.next, &block.target);
  lock_counter();
  struct CodeBlock* kept = intern_block(&block);
  unlock_counter();
  if (!kept) abort();
  qemu_plugin_register_vcpu_tb_exec_cb(translated, on_block, QEMU_PLUGIN_CB_NO_REGS, kept);
}

static void end_thread(void) {
  lock_counter();
  self->next = counter.idle;
  counter.idle = self;
  unlock_counter();
  self = NULL;
}

static void on_exec(const struct ExecCall* call) {
  struct ExecPlan* plan = plan_exec(call);
  if (plan) run_exec_plan(plan);
}

static void on_syscall(qemu_plugin_id_t id, unsigned vcpu, int64_t number, uint64_t a1, uint64_t a2,
                       uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7,
                       uint64_t a8) {
  (void)id, (void)vcpu, (void)a6, (void)a7, (void)a8;
  if (!self) return;
  switch (number) {
    case SYS_execve: on_exec(&(struct ExecCall){AT_FDCWD_VALUE, a1, a2, a3, 0}); break;
    case SYS_execveat: on_exec(&(struct ExecCall){(int)a1, a2, a3, a4, (int)a5}); break;
    case SYS_exit: end_thread(); break;
  }
}

// The child has one thread, the one that forked. All other slots are its parent's.
static void after_fork_in_child(void) {
  counter.idle = NULL;
  if (self) self->slot = take_slot();
  unlock_counter();
}

struct CounterOptions {
  const char* out;
  const char* cpu;  // QEMU's CPU model for the programs that are executed; "" for its default
  bool joins;       // the file is there: this process was counted before it executed QEMU again
  bool quiet;       // see keep_notes_quiet
};

static bool has_name(const char* argument, const char* name) {
  size_t size = strlen(name);
  return strncmp(argument, name, size) == 0 && argument[size] == '=';
}

// One argument of the plugin, "name=value"; false when it is none of ours.
static bool read_argument(const char* argument, struct CounterOptions* options) {
  const char* value = strchr(argument, '=');
  if (!value) return false;
  value++;
  if (has_name(argument, "out")) {
    options->out = value;
  } else if (has_name(argument, "cpu")) {
    options->cpu = value;
  } else if (has_name(argument, "join")) {
    options->joins = strcmp(value, "on") == 0;
  } else if (has_name(argument, "quiet")) {
    options->quiet = strcmp(value, "on") == 0;
  } else {
    return has_name(argument, "comm");  // see run_exec_plan
  }
  return true;
}

// Maps the file, which is made unless the process joins; false, with errno, when it cannot.
static bool open_counts(const struct CounterOptions* options) {
  const size_t size = kSlotsOffset + kCountSlots * sizeof(struct CountSlot);
  int fd = open(counter.path, O_RDWR | O_CLOEXEC | (options->joins ? 0 : O_CREAT | O_TRUNC), 0666);
  if (fd < 0) return false;
  int error = options->joins ? 0 : posix_fallocate(fd, 0, (off_t)size);
  void* mapped = MAP_FAILED;
  if (error == 0) {
    mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    error = errno;
  }
  close(fd);
  errno = error;
  if (mapped == MAP_FAILED) return false;
  counter.state = mapped;
  counter.slots = (struct CountSlot*)((char*)mapped + kSlotsOffset);
  keep_notes_in(&counter.state->notes);
  return true;
}

// The guest may change its directory.
static bool make_absolute(const char* path) {
  char directory[2048] = "";
  if (path[0] != '/' && !getcwd(directory, sizeof directory)) return false;
  int size = snprintf(counter.path, sizeof counter.path, "%s%s%s", directory,
                      directory[0] ? "/" : "", path);
  if (size >= 0 && (size_t)size < sizeof counter.path) return true;
  errno = ENAMETOOLONG;
  return false;
}

static bool remember_options(const struct CounterOptions* options) {
  char arguments[3 * 4096] = "join=on,out=";
  append_doubling_commas(arguments, sizeof arguments, counter.path);
  size_t at = strlen(arguments);
  snprintf(arguments + at, sizeof arguments - at, "%s%s%s", options->quiet ? ",quiet=on" : "",
           options->cpu[0] ? ",cpu=" : "", options->cpu);
  return remember_exec_options(&(struct ExecOptions){arguments, options->cpu, "is not counted"});
}

__attribute__((visibility("default"))) extern int qemu_plugin_version;
int qemu_plugin_version = 1;

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id,
                                                               const struct QemuInfo* info,
                                                               int argc, char** argv) {
  struct CounterOptions options = {"", "", false, false};
  if (strcmp(info->target_name, "x86_64") != 0) {
    fprintf(stderr, "prodpgo: the event counter is for qemu-x86_64, this is qemu-%s\n",
            info->target_name);
    return 1;
  }
  for (int i = 0; i < argc; i++) {
    if (read_argument(argv[i], &options)) continue;
    fprintf(stderr, "prodpgo: unknown plugin argument '%s': use out=FILE, cpu=MODEL, quiet=on\n",
            argv[i]);
    return 1;
  }
  if (options.quiet) keep_notes_quiet();
  if (!make_absolute(options.out) || !open_counts(&options)) {
    fprintf(stderr, "prodpgo: cannot write '%s': %s\n", options.out, strerror(errno));
    return 1;
  }
  if (!remember_options(&options)) return 1;
  pthread_atfork(lock_counter, unlock_counter, after_fork_in_child);
  qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
  qemu_plugin_register_vcpu_syscall_cb(id, on_syscall);
  return 0;
}
