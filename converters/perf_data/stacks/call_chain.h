// CallChain: where one sample was and who called it, leaf first, with the space of each address.
//
// PERF_SAMPLE_CALLCHAIN holds addresses and markers, numbers that no address has, which say where
// the addresses behind them are: first the kernel's, then the process's. Its first address is
// mostly the sample's own again. Callers are return addresses; but the first address of the process
// below kernel code is where the process was interrupted, or where its system call will return to.
//
// LBR call stacks (perf record --call-graph lbr) hold calls that have not returned, newest first.
// They take the place of the process's callers where the chain has none. One is added to the
// address of the call, so that all callers lie behind the first byte of their call: who takes 1 off
// a return address finds the call.
//
// Not read: copies of the stack (--call-graph dwarf), which must be unwound; user chains in records
// of their own (--call-graph fp,defer): the chain itself then has only a marker and a cookie.
#pragma once

#include <cstdint>
#include <vector>

#include "converters/perf_data/cpu_mode.h"
#include "converters/perf_data/sample_layout.h"

namespace pgo::perf_data {

enum class CodeSpace : uint8_t {
  kProcess,
  kKernel,
  kOtherMachine,  // a guest or a hypervisor: none of whose mappings are known
};

struct Frame {
  RuntimeAddr address;
  CodeSpace space = CodeSpace::kProcess;
  bool operator==(const Frame&) const = default;
};

class CallChain {
 public:
  // Replaces what was read before. `mode` is that of the sample's record. There are no frames where
  // neither the sample nor its chain has an address. O(frames); a record has room for 8191 of
  // them.
  void read(const Sample& sample, CpuMode mode, const EventAttr& event);

  const std::vector<Frame>& frames() const { return frames_; }
  // Are the process's callers in a record of their own?
  bool is_deferred() const { return is_deferred_; }

 private:
  void read_addresses(const Sample& sample, CodeSpace leaf_space);
  void read_lbr(const Sample& sample);
  void add(RuntimeAddr address, CodeSpace space) { frames_.push_back({address, space}); }

  std::vector<Frame> frames_;
  bool has_callers_in_process_ = false;
  bool is_deferred_ = false;
};

}  // namespace pgo::perf_data
