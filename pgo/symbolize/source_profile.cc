#include "pgo/symbolize/source_profile.h"

#include <llvm/ProfileData/SampleProf.h>

#include <algorithm>
#include <utility>

#include "pgo/base/parallel.h"
#include "pgo/code/shown_name.h"
#include "pgo/profile/accounting.h"

namespace pgo {
namespace {

using llvm::sampleprof::FunctionSamples;
using llvm::sampleprof::SampleProfileMap;

// Body counts of a function and of everything inlined into it: {sum, records}.
std::pair<uint64_t, uint64_t> body_sum(const FunctionSamples& function) {
  std::pair<uint64_t, uint64_t> sum{0, 0};
  for (const auto& [location, record] : function.getBodySamples()) {
    sum.first = saturating_add(sum.first, record.getSamples());
    sum.second++;
  }
  for (const auto& [location, callees] : function.getCallsiteSamples())
    for (const auto& [name, callee] : callees) {
      auto [samples, records] = body_sum(callee);
      sum.first = saturating_add(sum.first, samples);
      sum.second += records;
    }
  return sum;
}

// LLVM merges what is inlined as well, and keeps the first of what has another checksum.
void warn_of_inlined(llvm::sampleprof_error merged, const FunctionSamples& function,
                     Diagnostics& diagnostics) {
  if (merged != llvm::sampleprof_error::hash_mismatch) return;
  diagnostics.warn("other-checksum",
                   shown_name(function.getContext().toString()) +
                       ": the code inlined into it differs between the binaries; the counts of "
                       "that code are left out for all binaries but one");
}

}  // namespace

SampleFunctions::SampleFunctions() : map_(std::make_unique<SampleProfileMap>()) {}
SampleFunctions::SampleFunctions(const SampleFunctions& other)
    : map_(std::make_unique<SampleProfileMap>(other.map())) {}
SampleFunctions::SampleFunctions(SampleFunctions&& other) noexcept : SampleFunctions() {
  map_.swap(other.map_);
}
SampleFunctions& SampleFunctions::operator=(SampleFunctions other) noexcept {
  map_.swap(other.map_);
  return *this;
}
SampleFunctions::~SampleFunctions() = default;

size_t SourceProfile::function_count() const { return functions().size(); }

std::vector<std::string_view> SourceProfile::function_names() const {
  std::vector<std::string_view> found;
  for (const auto& [key, function] : functions()) {
    if (!function.getFunction().isStringRef()) continue;
    llvm::StringRef name = function.getFunction().stringRef();
    found.emplace_back(name.data(), name.size());
  }
  return found;
}

void LineCoverage::add(const LineCoverage& other) {
  all = saturating_add(all, other.all);
  no_function = saturating_add(no_function, other.no_function);
  lines_only = saturating_add(lines_only, other.lines_only);
  no_line = saturating_add(no_line, other.no_line);
  calls = saturating_add(calls, other.calls);
  calls_no_line = saturating_add(calls_no_line, other.calls_no_line);
  broken_ranges = saturating_add(broken_ranges, other.broken_ranges);
}

void SourceProfile::add(SourceProfile other) {
  if (is_empty()) std::swap(functions_, other.functions_);
  for (auto& [key, function] : other.functions()) {
    auto [found, is_new] = functions().try_emplace(function.getContext(), FunctionSamples());
    FunctionSamples& mine = found->second;
    if (!is_new && mine.getFunctionHash() != function.getFunctionHash())
      diagnostics.warn("other-checksum", shown_name(function.getContext().toString()) +
                                             ": its code differs between the binaries; the counts "
                                             "of the binary that ran it less are left out");
    if (is_new)
      mine = std::move(function);
    else if (mine.getFunctionHash() == function.getFunctionHash())
      warn_of_inlined(mine.merge(function), mine, diagnostics);
    else if (mine.getTotalSamples() < function.getTotalSamples())
      mine = std::move(function);
  }
  is_flow_sensitive |= other.is_flow_sensitive;
  is_probe_based |= other.is_probe_based;
  coverage.add(other.coverage);
  diagnostics.add(other.diagnostics);
  names.insert(names.end(), other.names.begin(), other.names.end());
}

double SourceProfile::density(unsigned jobs) const {
  constexpr uint64_t kCutoffPercent = 99;
  struct Item {
    const FunctionSamples* function = nullptr;
    double density = 0;
    uint64_t sum = 0;
  };
  std::vector<Item> items;
  for (const auto& [key, function] : functions()) items.push_back({&function});
  constexpr size_t kSlice = 512;
  parallel_for((items.size() + kSlice - 1) / kSlice, jobs, [&](size_t slice) {
    for (size_t i = slice * kSlice; i < std::min(items.size(), (slice + 1) * kSlice); i++) {
      auto [sum, records] = body_sum(*items[i].function);
      items[i].sum = sum;
      if (records != 0) items[i].density = static_cast<double>(sum) / static_cast<double>(records);
    }
  });
  std::erase_if(items, [](const Item& item) { return item.sum == 0; });
  uint64_t total = 0;
  for (const Item& item : items) total = saturating_add(total, item.sum);
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
    return a.density != b.density ? a.density > b.density : a.sum < b.sum;
  });
  uint64_t accumulated = 0;
  double density = 0;
  for (const Item& item : items) {
    if (accumulated >= total / 100 * kCutoffPercent + total % 100 * kCutoffPercent / 100) break;
    accumulated = saturating_add(accumulated, item.sum);
    density = item.density;
  }
  return density;
}

}  // namespace pgo
