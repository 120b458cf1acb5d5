// The places of a unit are those of its code, row by row of the line table, and the calls that were
// inlined: a profile of a build that did not inline one has counts of the call itself.
#include "pgo/match/source_places.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/ProfileData/SampleProf.h>

#include <algorithm>

#include "pgo/base/parallel.h"
#include "pgo/dwarf/frame_table.h"
#include "pgo/dwarf/split_file.h"
#include "pgo/dwarf/unit_map.h"

namespace pgo {
namespace {

using llvm::sampleprof::FunctionSamples;

// How the discriminators of a unit are read. GCC's are plain numbers.
enum class Reading { kBase, kFirstPass, kWhole };

Reading reading_of(llvm::DWARFUnit& unit, Discriminators discriminators) {
  if (is_compiled_by_gcc(unit)) return Reading::kWhole;
  return discriminators == Discriminators::kWhole ? Reading::kFirstPass : Reading::kBase;
}

uint32_t read_discriminator(uint32_t discriminator, Reading reading) {
  switch (reading) {
    case Reading::kBase:
      return llvm::DILocation::getBaseDiscriminatorFromDiscriminator(discriminator);
    case Reading::kFirstPass: return discriminator & kFirstPassBits;
    case Reading::kWhole: break;
  }
  return discriminator;
}

// What all units look for.
struct Wanted {
  llvm::DenseSet<uint64_t> guids;
  llvm::StringSet<> stems;
};

// The places of one unit, and of static functions the names.
struct UnitPlaces {
  std::vector<SourcePlace> places;
  std::vector<llvm::StringRef> names;
  std::string missing_split_file;
};

class UnitReader {
 public:
  UnitReader(const FrameTable& frames, const Wanted& wanted, Reading reading)
      : frames_(frames), reading_(reading) {
    // Names are compared by where they are: units share strings.
    llvm::DenseMap<const char*, uint64_t> wanted_by_text;
    for (const FrameTable::Frame& frame : frames.frames()) {
      auto [known, is_new] = wanted_by_text.try_emplace(frame.name.data(), kUnwanted);
      if (is_new && !frame.name.empty()) {
        uint64_t guid = function_guid(FunctionSamples::getCanonicalFnName(frame.name));
        if (wanted.guids.contains(guid)) known->second = guid;
      }
      guids_.push_back(known->second);
      is_other_name_.push_back(known->second == kUnwanted &&
                               wanted.stems.contains(static_stem(frame.name)));
      has_code_.push_back(false);
    }
  }

  // Walks the code of the unit in [begin, end).
  void add_code(ElfAddr begin, ElfAddr end) {
    while (begin < end) {
      FrameTable::Place place = frames_.find(begin);
      begin = place.end;
      if (place.frame == FrameTable::kNoFrame) continue;
      add(place.frame, place.line);
      // Upwards to where this was done before.
      for (uint32_t i = place.frame; i != FrameTable::kNoFrame && !has_code_[i];) {
        const FrameTable::Frame& frame = frames_.frames()[i];
        has_code_[i] = true;
        if (frame.parent != FrameTable::kNoFrame) add(frame.parent, frame.call);
        i = frame.parent;
      }
    }
  }

  UnitPlaces finish() {
    std::sort(result_.places.begin(), result_.places.end());
    result_.places.erase(std::unique(result_.places.begin(), result_.places.end()),
                         result_.places.end());
    for (size_t i = 0; i < has_code_.size(); i++)
      if (has_code_[i] && is_other_name_[i]) result_.names.push_back(frames_.frames()[i].name);
    return std::move(result_);
  }

 private:
  static constexpr uint64_t kUnwanted = 0;

  void add(uint32_t frame, SourceLine line) {
    if (guids_[frame] == kUnwanted || line.line == 0) return;
    result_.places.push_back({guids_[frame],
                              (line.line - frames_.frames()[frame].decl_line) & 0xffff,
                              read_discriminator(line.discriminator, reading_)});
  }

  const FrameTable& frames_;
  Reading reading_;
  std::vector<uint64_t> guids_;                 // by frame
  std::vector<bool> is_other_name_, has_code_;  // by frame
  UnitPlaces result_;
};

}  // namespace

uint64_t function_guid(llvm::StringRef name) {
  return llvm::sampleprof::FunctionId(name).getHashCode();
}

SourcePlaces::SourcePlaces(DebugInfo& debug_info, const WantedFunctions& functions,
                           Discriminators discriminators, const SymbolNames& symbol_names) {
  Wanted wanted;
  wanted.guids.insert(functions.guids.begin(), functions.guids.end());
  for (llvm::StringRef name : functions.names) wanted.stems.insert(static_stem(name));

  const std::vector<std::vector<UnitMap::Interval>> code = UnitMap(debug_info).by_unit();
  std::vector<UnitPlaces> results(code.size());
  FrameBudget budget(debug_info);
  parallel_for_by_thread(code.size(), debug_info.context_count(), [&](size_t thread, size_t i) {
    FrameTable frames(debug_info, thread, i, LineZero::kSkip, symbol_names, budget);
    llvm::DWARFUnit& unit = *debug_info.units(thread)[i];
    UnitReader reader(frames, wanted, reading_of(unit, discriminators));
    for (const UnitMap::Interval& interval : code[i]) reader.add_code(interval.begin, interval.end);
    results[i] = reader.finish();
    results[i].missing_split_file = missing_split_file(unit, debug_info.damage());
  });

  if (budget.is_used_up()) results.clear();

  size_t place_count = 0;
  for (const UnitPlaces& unit : results) place_count += unit.places.size();
  places_.reserve(place_count);
  for (UnitPlaces& unit : results) {
    places_.insert(places_.end(), unit.places.begin(), unit.places.end());
    for (llvm::StringRef name : unit.names) add_name(name);
    if (!unit.missing_split_file.empty()) missing_split_files_.push_back(unit.missing_split_file);
    unit = {};
  }
  finish();
}

void SourcePlaces::finish() {
  std::sort(places_.begin(), places_.end());
  places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
  std::sort(missing_split_files_.begin(), missing_split_files_.end());
  missing_split_files_.erase(std::unique(missing_split_files_.begin(), missing_split_files_.end()),
                             missing_split_files_.end());
}

bool SourcePlaces::has_function(uint64_t function) const {
  auto found = std::lower_bound(places_.begin(), places_.end(), SourcePlace{function, 0, 0});
  return found != places_.end() && found->function == function;
}

bool SourcePlaces::has_line(uint64_t function, uint32_t offset) const {
  auto found = std::lower_bound(places_.begin(), places_.end(), SourcePlace{function, offset, 0});
  return found != places_.end() && found->function == function && found->offset == offset;
}

std::span<const SourcePlace> SourcePlaces::of(uint64_t function) const {
  auto by_function = [](const SourcePlace& a, const SourcePlace& b) {
    return a.function < b.function;
  };
  auto [first, last] =
      std::equal_range(places_.begin(), places_.end(), SourcePlace{function, 0, 0}, by_function);
  return {first, last};
}

bool SourcePlaces::has(const SourcePlace& place) const {
  return std::binary_search(places_.begin(), places_.end(), place);
}

}  // namespace pgo
