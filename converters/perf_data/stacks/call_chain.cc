#include "converters/perf_data/stacks/call_chain.h"

#include <optional>

#include "converters/perf_data/map_tree.h"

namespace pgo::perf_data {
namespace {

// enum perf_callchain_context: numbers from PERF_CONTEXT_MAX on.
constexpr uint64_t marker(uint64_t number) { return ~number + 1; }
constexpr uint64_t kFirstMarker = marker(4095);
constexpr uint64_t kUserDeferred = marker(640);

// Of what is behind a marker; nothing for a number that is none.
std::optional<CodeSpace> space_behind(uint64_t address) {
  switch (address) {
    case marker(128): return CodeSpace::kKernel;
    case marker(512): return CodeSpace::kProcess;
    case marker(32):    // hypervisor
    case marker(2048):  // guest
    case marker(2176):  // guest kernel
    case marker(2560):  // guest process
      return CodeSpace::kOtherMachine;
    default: return std::nullopt;
  }
}

CodeSpace space_of(CpuMode mode, RuntimeAddr address) {
  switch (mode) {
    case CpuMode::kUser: return CodeSpace::kProcess;
    case CpuMode::kKernel: return CodeSpace::kKernel;
    case CpuMode::kUnknown: break;
    default: return CodeSpace::kOtherMachine;
  }
  return address >= kKernelBegin ? CodeSpace::kKernel : CodeSpace::kProcess;
}

}  // namespace

void CallChain::read(const Sample& sample, CpuMode mode, const EventAttr& event) {
  frames_.clear();
  has_callers_in_process_ = is_deferred_ = false;
  const CodeSpace space = space_of(mode, sample.ip);
  if (sample.ip.value != 0) add(sample.ip, space);
  read_addresses(sample, space);
  if (!has_callers_in_process_ && event.has_lbr_call_stacks()) read_lbr(sample);
}

void CallChain::read_addresses(const Sample& sample, CodeSpace leaf_space) {
  CodeSpace space = leaf_space;  // what is before any marker is the sample's
  bool may_repeat_leaf = !frames_.empty();
  for (uint64_t i = 0; i < sample.frame_count; i++) {
    const RuntimeAddr address{load_le<uint64_t>(sample.frames + 8 * i)};
    if (address.value >= kFirstMarker) {
      is_deferred_ = address.value == kUserDeferred;
      std::optional<CodeSpace> behind = space_behind(address.value);
      // A frame pointer that went astray found a number that cannot be an address; what it found
      // behind that is none either. perf shows no stack at all then.
      if (!behind) return;
      space = *behind;
      continue;
    }
    if (address.value == 0) continue;  // where frame pointers end, or went astray
    // Once more where the sample was. Where the processor names a more precise address than its
    // interrupt has, that one counts. A chain without the kernel's part begins elsewhere.
    const bool repeats_leaf = may_repeat_leaf && space == leaf_space;
    may_repeat_leaf = false;
    if (repeats_leaf) continue;
    has_callers_in_process_ |= space == CodeSpace::kProcess;
    add(address, space);
  }
}

void CallChain::read_lbr(const Sample& sample) {
  auto address = [&](uint64_t entry, size_t field) {
    return RuntimeAddr{load_le<uint64_t>(sample.branches + entry * kBranchEntrySize + 8 * field)};
  };
  constexpr size_t kFrom = 0, kTo = 1;
  auto add_call = [&](RuntimeAddr call) {
    if (call.value != 0 && call.value < kFirstMarker) add(call + 1, CodeSpace::kProcess);
  };
  // Where in it the process was when it entered the kernel is not known; that it was in the
  // function called last is.
  const bool is_of_process = !frames_.empty() && frames_.back().space == CodeSpace::kProcess;
  if (!is_of_process && sample.branch_count != 0) add_call(address(0, kTo));
  for (uint64_t i = 0; i < sample.branch_count; i++) add_call(address(i, kFrom));
}

}  // namespace pgo::perf_data
