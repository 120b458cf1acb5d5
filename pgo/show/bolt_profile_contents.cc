#include "pgo/show/bolt_profile_contents.h"

#include <algorithm>

#include "converters/bolt_yaml/bolt_yaml.h"
#include "converters/fdata/fdata.h"
#include "converters/preaggregated/preaggregated.h"
#include "pgo/profile/accounting.h"

namespace pgo {

Result<FdataContents> read_fdata_contents(Bytes bytes, const std::string& path, size_t top) {
  PGO_TRY(FdataProfile profile, parse_fdata(bytes, path));
  FdataContents contents;
  contents.has_pc_samples = profile.pc_samples;
  contents.is_of_bolted_binary = profile.bolted_collection;
  contents.branches = profile.branches.size();
  contents.samples = profile.samples.size();
  contents.memory_accesses = profile.memory.size();
  contents.total = profile.total_count();
  contents.mispredicts = profile.total_mispredicts();
  std::vector<FdataFunction> functions = hottest_functions(profile);
  contents.functions = functions.size();
  functions.resize(std::min(top, functions.size()));
  for (FdataFunction& function : functions)
    contents.hottest.push_back({std::move(function.name), function.count, function.mispredicts});
  contents.events = std::move(profile.events);
  return contents;
}

Result<BoltYamlContents> read_bolt_yaml_contents(Bytes bytes, const std::string& path, size_t top) {
  PGO_TRY(BoltYamlProfile profile, parse_bolt_yaml(bytes, path));
  BoltYamlContents contents;
  contents.binary = profile.binary_name;
  contents.build_id = profile.build_id.hex();
  contents.has_pc_samples = profile.pc_samples;
  for (const BoltYamlFunction& function : profile.functions) {
    contents.total = saturating_add(contents.total, function.count);
    contents.mispredicts = saturating_add(contents.mispredicts, function.mispredicts);
    contents.entries = saturating_add(contents.entries, function.entries);
  }
  contents.functions = profile.functions.size();
  // There may be millions. Names point into the file, so that they sort in its order.
  auto end =
      profile.functions.begin() + static_cast<ptrdiff_t>(std::min(top, profile.functions.size()));
  std::partial_sort(profile.functions.begin(), end, profile.functions.end(),
                    [](const BoltYamlFunction& a, const BoltYamlFunction& b) {
                      return a.count != b.count ? a.count > b.count : a.name.data() < b.name.data();
                    });
  for (auto function = profile.functions.begin(); function != end; ++function)
    contents.hottest.push_back(
        {bolt_yaml_scalar(function->name), function->count, function->mispredicts});
  return contents;
}

Result<PreaggregatedContents> read_preaggregated_contents(Bytes bytes, const std::string& path,
                                                          size_t top) {
  PGO_TRY(PreaggregatedProfile profile, parse_preaggregated(bytes, path));
  PreaggregatedContents contents;
  BinaryCounts& counts = profile.counts;
  contents.build_id = counts.id.hex();
  contents.events = std::move(profile.events);
  contents.records = profile.records;
  contents.traces = counts.traces.size();
  for (const Trace& trace : counts.traces)
    contents.total = saturating_add(contents.total, trace.count);
  for (const Mispredict& branch : counts.mispredicts)
    contents.mispredicts = saturating_add(contents.mispredicts, branch.count);
  contents.samples = counts.pc_sample_count();
  contents.hottest = std::move(counts.traces);
  std::stable_sort(contents.hottest.begin(), contents.hottest.end(),
                   [](const Trace& a, const Trace& b) { return a.count > b.count; });
  contents.hottest.resize(std::min(top, contents.hottest.size()));
  return contents;
}

}  // namespace pgo
