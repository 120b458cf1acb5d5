// A plugin for qemu-x86_64 (user mode, QEMU 6.2 to 8.2) that counts what a program executes:
// instructions, and branches taken (a block that does not follow the one before it in memory).
// Prints both to standard error at the end. Unlike time, these are the same on every run.
//
//   qemu-x86_64 -plugin branch_counter.so PROGRAM ...
//
// For programs of one thread: the counters are not atomic. Forked children print their own.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "pgo/record/plugin/qemu_plugin.h"

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, void (*callback)(qemu_plugin_id_t, void*),
                                    void* data);

// A translated block of the guest's code.
struct Block {
  uint64_t begin, end;
  uint64_t instructions;
};

static uint64_t instructions, taken, expected;

static void run_block(unsigned vcpu, void* data) {
  (void)vcpu;
  const struct Block* block = data;
  taken += block->begin != expected;
  expected = block->end;
  instructions += block->instructions;
}

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb* tb) {
  (void)id;
  struct Block* block = malloc(sizeof *block);  // lives as long as QEMU keeps the code
  if (!block) abort();
  block->instructions = qemu_plugin_tb_n_insns(tb);
  const struct qemu_plugin_insn* last = qemu_plugin_tb_get_insn(tb, block->instructions - 1);
  block->begin = qemu_plugin_tb_vaddr(tb);
  block->end = qemu_plugin_insn_vaddr(last) + qemu_plugin_insn_size(last);
  qemu_plugin_register_vcpu_tb_exec_cb(tb, run_block, QEMU_PLUGIN_CB_NO_REGS, block);
}

static void print_counts(qemu_plugin_id_t id, void* data) {
  (void)id, (void)data;
  fprintf(stderr, "instructions %" PRIu64 " taken %" PRIu64 "\n", instructions, taken);
}

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id,
                                                               const struct QemuInfo* info,
                                                               int argc, char** argv) {
  (void)info, (void)argc, (void)argv;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
  qemu_plugin_register_atexit_cb(id, print_counts, NULL);
  return 0;
}
