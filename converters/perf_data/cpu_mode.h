// CpuMode: what perf says about the processor when it took a sample: was it in the kernel? On
// x86-64 an address tells, too (map_tree.h). In a recording of a 32-bit machine only this does:
// there the kernel begins at 3 GB, or wherever it was built for.
#pragma once

#include <cstdint>

#include "pgo/base/perf_data_layout.h"
#include "pgo/profile/accounting.h"

namespace pgo::perf_data {

enum class CpuMode : uint16_t {
  kUnknown = 0,
  kKernel = 1,
  kUser = 2,
  kHypervisor = 3,
  kGuestKernel = 4,
  kGuestUser = 5,
};

inline CpuMode cpu_mode_of(Bytes record) {
  return static_cast<CpuMode>(load_header(record.data()).misc & kMiscModeBits);
}

// Why a sample of `record` is left out whose address is in no mapping.
inline Dropped reason_for_unmapped(Bytes record) {
  CpuMode mode = cpu_mode_of(record);
  return mode == CpuMode::kKernel || mode == CpuMode::kGuestKernel ? Dropped::kKernel
                                                                   : Dropped::kUnmapped;
}

}  // namespace pgo::perf_data
