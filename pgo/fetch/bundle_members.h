// The members of a bundle: the profiles that were fetched, or merged ones.
#pragma once

#include "pgo/base/result.h"
#include "pgo/fetch/bundle_writer.h"
#include "pgo/fetch/fetch.h"

namespace pgo {

// Adds the files of all members to `writer`, and returns what bundle.json says. With
// BundleForm::kMerged, profiles of one main binary are merged: one profile is read at a time by
// each thread. Errors: kIo; kUnsupported for recordings, which cannot be merged; those of merge().
Result<Bundle> write_members(const FetchRequest& request, const FetchResult& result,
                             BundleWriter& writer);

}  // namespace pgo
