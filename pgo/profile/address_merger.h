// AddressMerger: many AddressProfiles into one, one after another, each times a factor: the one way
// in which profiles are added up. Memory is that of the result, and of the largest input.
//
//   AddressMerger merger;
//   for (…) merger.add(std::move(profile), factor);
//   AddressProfile merged = std::move(merger).finish();
//
// Nothing depends on the order. Counts are exact sums of products in units of 2^-32, rounded to the
// nearest integer (halves up) once, at the end, where they stop at the largest number; rows that
// come to 0 are left out. What was seen is the sum of what was used and dropped, each rounded. So
// inputs can be spread over several mergers, and those be merged.
#pragma once

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "pgo/profile/address_profile.h"
#include "pgo/profile/merge_factor.h"
#include "pgo/profile/summed_rows.h"
#include "pgo/profile/wide_sum.h"

namespace pgo {

class AddressMerger {
 public:
  void add(AddressProfile profile, MergeFactor factor = {});
  // Adds what another merger was given.
  void add(AddressMerger&& other);
  // The result, normalized.
  AddressProfile finish() &&;

 private:
  struct BinarySums {
    std::string path_hint;  // the one that sorts first
    SummedRows<Trace> traces;
    SummedRows<Mispredict> mispredicts;
    SummedRows<PcSample> pc_samples;
    SummedRows<CallEdge> calls;
  };
  struct AccountingSums {
    WideSum used = 0, pending = 0;
    std::array<WideSum, kDroppedCount> dropped{};

    void add(const Accounting& accounting, MergeFactor factor);
    void add(const AccountingSums& other);
    Accounting rounded() const;
  };
  struct EventSums {
    WideSum samples = 0;
    BranchRecords branch_records = BranchRecords::kNone;

    void add(const EventSums& other);
  };
  using BinaryKey = std::pair<BuildId, std::string>;  // the path only where there is no id
  using EventKey = std::pair<std::string, std::pair<bool, uint64_t>>;

  BinarySums& binary(const BuildId& id, const std::string& path_hint);

  std::map<BinaryKey, BinarySums> binaries_;
  std::map<EventKey, EventSums> events_;
  AccountingSums samples_, branches_;
  WideSum lost_ = 0;
  Origins origins_;
  Diagnostics diagnostics_;
};

}  // namespace pgo
