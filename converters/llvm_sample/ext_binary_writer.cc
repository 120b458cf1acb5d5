#include "converters/llvm_sample/ext_binary_writer.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ProfileData/ProfileCommon.h>
#include <llvm/ProfileData/SampleProf.h>

#include <algorithm>
#include <array>
#include <vector>

#include "pgo/base/parallel.h"

namespace pgo {
namespace {

using llvm::sampleprof::FunctionId;
using llvm::sampleprof::FunctionSamples;
using llvm::sampleprof::LineLocation;

enum SectionType : uint64_t {
  kSummary = 1,
  kNameTable = 2,
  kSymbolList = 3,
  kFuncOffsetTable = 4,
  kFuncMetadata = 5,
  kCsNameTable = 6,
  kLbrProfile = 32,
};

constexpr uint64_t kMagic = 0x5350524f46343204;
constexpr uint64_t kWrittenVersion = 103;
constexpr uint64_t kFlowSensitiveFlag = uint64_t{4} << 32;  // of kSummary
constexpr uint64_t kVtableFlag = uint64_t{32} << 32;        // of kSummary
constexpr uint64_t kUniqueSuffixFlag = uint64_t{4} << 32;   // of kNameTable
constexpr uint64_t kProbeFlag = uint64_t{1} << 32;          // of kFuncMetadata

// Functions handed to a thread at a time.
constexpr size_t kSlice = 256;

void put(std::string& out, uint64_t value) {
  while (value >= 0x80) {
    out += static_cast<char>(value | 0x80);
    value >>= 7;
  }
  out += static_cast<char>(value);
}

void put_u64(std::string& out, uint64_t value) {
  for (int shift = 0; shift < 64; shift += 8) out += static_cast<char>(value >> shift);
}

void put(std::string& out, const LineLocation& location) {
  put(out, location.LineOffset);
  put(out, location.Discriminator);
}

// Names are compared by where they stand in memory first: debug information repeats a name by
// pointing at the same string, and a pointer is found faster than a text.
using NamePlace = std::pair<const char*, uint64_t>;

NamePlace place_of(FunctionId name) { return {name.stringRef().data(), name.stringRef().size()}; }

class NameTable {
 public:
  NameTable(const std::vector<const FunctionSamples*>& functions, unsigned jobs) {
    std::vector<llvm::DenseMap<NamePlace, uint32_t>> slices((functions.size() + kSlice - 1) /
                                                            kSlice);
    parallel_for(slices.size(), jobs, [&](size_t slice) {
      for (size_t i = slice * kSlice; i < std::min(functions.size(), (slice + 1) * kSlice); i++)
        collect(*functions[i], slices[slice]);
    });
    for (const auto& slice : slices)
      for (const auto& [place, unused] : slice) numbers_.try_emplace(place);
    std::vector<llvm::StringRef> sorted;
    for (const auto& [place, unused] : numbers_)
      sorted.emplace_back(place.first, static_cast<size_t>(place.second));
    parallel_sort(sorted, jobs, std::less<llvm::StringRef>());
    names_ = sorted;
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
    uint32_t number = 0;
    for (llvm::StringRef name : sorted) {
      if (name != names_[number]) number++;
      numbers_[{name.data(), name.size()}] = number;
    }
  }

  const std::vector<llvm::StringRef>& names() const { return names_; }
  uint32_t number(FunctionId name) const { return numbers_.find(place_of(name))->second; }

 private:
  static void collect(const FunctionSamples& function,
                      llvm::DenseMap<NamePlace, uint32_t>& places) {
    places.try_emplace(place_of(function.getFunction()));
    for (const auto& [location, record] : function.getBodySamples())
      for (const auto& [callee, count] : record.getCallTargets())
        places.try_emplace(place_of(callee));
    for (const auto& [location, vtables] : function.getCallsiteTypeCounts())
      for (const auto& [vtable, count] : vtables) places.try_emplace(place_of(vtable));
    for (const auto& [location, callees] : function.getCallsiteSamples())
      for (const auto& [name, callee] : callees) collect(callee, places);
  }

  std::vector<llvm::StringRef> names_;           // sorted, unique
  llvm::DenseMap<NamePlace, uint32_t> numbers_;  // index into names_
};

uint64_t count_inlined(const FunctionSamples& function) {
  uint64_t inlined = 0;
  for (const auto& [location, callees] : function.getCallsiteSamples()) inlined += callees.size();
  return inlined;
}

bool has_vtables(const FunctionSamples& function) {
  if (!function.getCallsiteTypeCounts().empty()) return true;
  for (const auto& [location, callees] : function.getCallsiteSamples())
    for (const auto& [name, callee] : callees)
      if (has_vtables(callee)) return true;
  return false;
}

void put_vtables(std::string& out, const FunctionSamples& function, const NameTable& names) {
  put(out, function.getCallsiteTypeCounts().size());
  for (const auto& [location, vtables] : function.getCallsiteTypeCounts()) {
    put(out, location);
    put(out, vtables.size());
    for (const auto& [vtable, count] : vtables) {
      put(out, names.number(vtable));
      put(out, count);
    }
  }
}

// All bodies of a file have counts of vtables, or none has.
enum class Vtables { kLeaveOut, kWrite };

void put_body(std::string& out, const FunctionSamples& function, const NameTable& names,
              Vtables vtables) {
  put(out, names.number(function.getFunction()));
  put(out, function.getTotalSamples());
  put(out, function.getBodySamples().size());
  for (const auto& [location, record] : function.getBodySamples()) {
    put(out, location);
    put(out, record.getSamples());
    put(out, record.getCallTargets().size());
    if (record.getCallTargets().empty()) continue;
    for (const auto& [callee, count] : record.getSortedCallTargets()) {
      put(out, names.number(callee));
      put(out, count);
    }
  }
  put(out, count_inlined(function));
  for (const auto& [location, callees] : function.getCallsiteSamples())
    for (const auto& [name, callee] : callees) {
      put(out, location);
      put_body(out, callee, names, vtables);
    }
  if (vtables == Vtables::kWrite) put_vtables(out, function, names);
}

void put_checksums(std::string& out, const FunctionSamples& function, const NameTable& names) {
  put(out, names.number(function.getFunction()));
  put(out, function.getFunctionHash());
  put(out, count_inlined(function));
  for (const auto& [location, callees] : function.getCallsiteSamples())
    for (const auto& [name, callee] : callees) {
      put(out, location);
      put_checksums(out, callee, names);
    }
}

std::string make_summary(const SourceProfile& profile) {
  llvm::SampleProfileSummaryBuilder builder(llvm::ProfileSummaryBuilder::DefaultCutoffs);
  auto summary = builder.computeSummaryForProfiles(profile.functions());
  std::string out;
  put(out, summary->getTotalCount());
  put(out, summary->getMaxCount());
  put(out, summary->getMaxFunctionCount());
  put(out, summary->getNumCounts());
  put(out, summary->getNumFunctions());
  put(out, summary->getDetailedSummary().size());
  for (const llvm::ProfileSummaryEntry& entry : summary->getDetailedSummary()) {
    put(out, entry.Cutoff);
    put(out, entry.MinCount);
    put(out, entry.NumCounts);
  }
  return out;
}

struct Bodies {
  std::string functions;  // LBRProfile
  std::string offsets;    // FuncOffsetTable
};

Bodies make_bodies(const std::vector<const FunctionSamples*>& functions, const NameTable& names,
                   Vtables vtables, unsigned jobs) {
  struct Slice {
    std::string bytes;
    std::vector<uint64_t> offsets;  // of each function in `bytes`
  };
  std::vector<Slice> slices((functions.size() + kSlice - 1) / kSlice);
  parallel_for(slices.size(), jobs, [&](size_t s) {
    for (size_t i = s * kSlice; i < std::min(functions.size(), (s + 1) * kSlice); i++) {
      slices[s].offsets.push_back(slices[s].bytes.size());
      put(slices[s].bytes, functions[i]->getHeadSamples());
      put_body(slices[s].bytes, *functions[i], names, vtables);
    }
  });
  Bodies bodies;
  put(bodies.offsets, functions.size());
  for (size_t s = 0; s < slices.size(); s++) {
    for (size_t i = 0; i < slices[s].offsets.size(); i++) {
      put(bodies.offsets, names.number(functions[s * kSlice + i]->getFunction()));
      put(bodies.offsets, bodies.functions.size() + slices[s].offsets[i]);
    }
    bodies.functions += slices[s].bytes;
    slices[s] = {};
  }
  return bodies;
}

// What stands in each section, and the flags of those that have any.
struct Contents {
  std::string summary, name_table, metadata;
  uint64_t summary_flags = 0, name_flags = 0, metadata_flags = 0;
  Bodies bodies;
};

std::string assemble(const Contents& contents) {
  struct SectionHeader {
    SectionType type;
    uint64_t flags;
    const std::string* bytes;
    uint64_t offset;
  };
  const std::string empty, no_contexts(1, '\0');
  // In the header's order; in the file, the offset table stands behind the symbol list.
  std::array<SectionHeader, 7> sections{{
      {kSummary, contents.summary_flags, &contents.summary, 0},
      {kNameTable, contents.name_flags, &contents.name_table, 0},
      {kCsNameTable, 0, &no_contexts, 0},
      {kFuncOffsetTable, 0, &contents.bodies.offsets, 0},
      {kLbrProfile, 0, &contents.bodies.functions, 0},
      {kSymbolList, 0, &empty, 0},
      {kFuncMetadata, contents.metadata_flags, &contents.metadata, 0},
  }};
  constexpr std::array<size_t, 7> kFileOrder{0, 1, 2, 4, 5, 3, 6};
  std::string out;
  put(out, kMagic);
  put(out, kWrittenVersion);
  put_u64(out, sections.size());
  uint64_t offset = out.size() + sections.size() * 4 * sizeof(uint64_t);
  for (size_t i : kFileOrder) {
    sections[i].offset = offset;
    offset += sections[i].bytes->size();
  }
  out.reserve(offset);
  for (const SectionHeader& section : sections) {
    put_u64(out, section.type);
    put_u64(out, section.flags);
    put_u64(out, section.offset);
    put_u64(out, section.bytes->size());
  }
  for (size_t i : kFileOrder) out += *sections[i].bytes;
  return out;
}

}  // namespace

bool has_vtables(const SourceProfile& profile) {
  return std::any_of(profile.functions().begin(), profile.functions().end(),
                     [](const auto& entry) { return has_vtables(entry.second); });
}

std::string write_ext_binary(const SourceProfile& profile, unsigned jobs) {
  std::vector<const FunctionSamples*> functions;
  functions.reserve(profile.functions().size());
  for (const auto& [key, function] : profile.functions()) functions.push_back(&function);
  parallel_sort(functions, jobs, [](const FunctionSamples* a, const FunctionSamples* b) {
    if (a->getTotalSamples() != b->getTotalSamples())
      return a->getTotalSamples() > b->getTotalSamples();
    return a->getContext() < b->getContext();
  });

  // The summary has a thread of its own, because LLVM makes it on one.
  Contents contents;
  if (profile.is_flow_sensitive) contents.summary_flags |= kFlowSensitiveFlag;
  const Vtables vtables = has_vtables(profile) ? Vtables::kWrite : Vtables::kLeaveOut;
  if (vtables == Vtables::kWrite) contents.summary_flags |= kVtableFlag;
  parallel_for(2, jobs, [&](size_t part) {
    if (part == 0) {
      contents.summary = make_summary(profile);
      return;
    }
    NameTable names(functions, jobs);
    put(contents.name_table, names.names().size());
    for (llvm::StringRef name : names.names()) {
      contents.name_table.append(name.data(), name.size());
      contents.name_table += '\0';
      if (name.contains(FunctionSamples::UniqSuffix)) contents.name_flags = kUniqueSuffixFlag;
    }
    contents.bodies = make_bodies(functions, names, vtables, jobs);
    if (!profile.is_probe_based) return;
    contents.metadata_flags = kProbeFlag;
    for (const auto& [key, function] : profile.functions())
      put_checksums(contents.metadata, function, names);
  });
  return assemble(contents);
}

}  // namespace pgo
