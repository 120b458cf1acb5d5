// The part of QEMU's TCG plugin interface (version 1 as of QEMU 6.2 to 8.2, user mode) that the
// branch recorder calls, declared here because distributions ship qemu-user without its plugin
// header. The functions live in the qemu executable and are bound when it loads the plugin. Source
// of the signatures: the symbols that qemu-x86_64 exports and QEMU's documentation, "QEMU TCG
// Plugins".
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef uint64_t qemu_plugin_id_t;

// What qemu says about itself at install time; only `target_name` is used here, so the members
// behind it are left out (the struct is qemu's and is only ever seen through a pointer).
struct QemuInfo {
  const char* target_name;
};

struct qemu_plugin_tb;
struct qemu_plugin_insn;

// Callbacks here never look at guest registers.
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS = 0 };

typedef void (*QemuVcpuCallback)(qemu_plugin_id_t id, unsigned vcpu);
typedef void (*QemuExecCallback)(unsigned vcpu, void* userdata);
typedef void (*QemuTranslateCallback)(qemu_plugin_id_t id, struct qemu_plugin_tb* block);
typedef void (*QemuSyscallCallback)(qemu_plugin_id_t id, unsigned vcpu, int64_t number, uint64_t a1,
                                    uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6,
                                    uint64_t a7, uint64_t a8);
typedef void (*QemuSyscallReturnCallback)(qemu_plugin_id_t id, unsigned vcpu, int64_t number,
                                          int64_t result);

void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t id, QemuVcpuCallback callback);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, QemuTranslateCallback callback);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb* block, QemuExecCallback callback,
                                          enum qemu_plugin_cb_flags flags, void* userdata);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn* instruction,
                                            QemuExecCallback callback,
                                            enum qemu_plugin_cb_flags flags, void* userdata);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t id, QemuSyscallCallback callback);
void qemu_plugin_register_vcpu_syscall_ret_cb(qemu_plugin_id_t id,
                                              QemuSyscallReturnCallback callback);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb* block);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb* block);
struct qemu_plugin_insn* qemu_plugin_tb_get_insn(const struct qemu_plugin_tb* block, size_t index);
const void* qemu_plugin_insn_data(const struct qemu_plugin_insn* instruction);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn* instruction);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn* instruction);

const char* qemu_plugin_path_to_binary(void);  // the guest program, as qemu was given it
uint64_t qemu_plugin_start_code(void);         // lowest executable guest address of that program

// Host address of guest address 0, exported by qemu's user mode although it is not part of the
// plugin interface; 0 for nearly every x86-64 guest on an x86-64 host.
extern uintptr_t guest_base __attribute__((weak));
