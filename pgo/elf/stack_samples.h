// From stacks to addresses: the leaves of a StackProfile as PC samples of the binaries that were
// asked for, and who called whom. What stores hold becomes what counts can be inferred from.
//
// Producers say where a sample was in one of two ways: as the address in the process, which the
// mapping leads to a place in the file, or already as the ELF file's own address (most agents that
// use eBPF). No mapping of a process begins at 0, and an address that is not in its mapping is not
// of the process; that tells the two apart.
#pragma once

#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/elf/elf_image.h"
#include "pgo/profile/address_profile.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

struct StackCounts {
  AddressProfile profile;
  // Of each mapping of the stack profile that is of none of the images: the samples taken in it.
  std::vector<uint64_t> others;
};

// One AddressProfile entry for each of `images`, with PC samples and calls, weighted by the time
// that each sample stands for; samples in the images are pending.
// `sample_type` chooses what is counted ("samples", "cpu"); empty: samples, or else time, which is
// divided by the period. `name` is for messages. Errors: those of
// choose_sample_value(). Profiles without addresses are symbolized_stacks.h's.
Result<StackCounts> count_stack_samples(const StackProfile& profile,
                                        const std::vector<const ElfImage*>& images,
                                        const std::string& sample_type, const std::string& name);

}  // namespace pgo
