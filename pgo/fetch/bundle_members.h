// The members of a bundle: the profiles that were fetched, or merged ones.
#pragma once

#include <string>
#include <vector>

#include "pgo/base/deferred_termination.h"
#include "pgo/base/result.h"
#include "pgo/fetch/bundle_writer.h"
#include "pgo/fetch/fetch.h"

namespace pgo {

// One merged profile, complete.
struct MergedMember {
  BundleMember member;
  std::string contents;
};

// Merges the profiles of each main binary: one is read at a time by each thread. Nothing is
// written. `diagnostics` get what the merge says and the profiles of `result` did not say. Errors:
// kUnsupported for recordings, which cannot be merged; those of merge().
Result<std::vector<MergedMember>> merge_members(const FetchRequest& request,
                                                const FetchResult& result,
                                                Diagnostics& diagnostics);

// Both add the files of all members to `writer`, and return what bundle.json says. Error: kIo.
Result<Bundle> write_merged_members(const FetchRequest& request, const FetchResult& result,
                                    const std::vector<MergedMember>& members, BundleWriter& writer);
// Rewriting profiles may take long, so it stops when `termination` has a signal waiting.
Result<Bundle> write_members(const FetchRequest& request, const FetchResult& result,
                             const DeferredTermination& termination, BundleWriter& writer);

}  // namespace pgo
