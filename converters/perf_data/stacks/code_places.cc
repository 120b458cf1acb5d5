#include "converters/perf_data/stacks/code_places.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <unordered_set>

#include "pgo/base/hash.h"
#include "pgo/profile/interner.h"

namespace pgo::perf_data {
namespace {

// Which files there are; each gets a number.
class Files {
 public:
  explicit Files(std::vector<CodeFile>& files) : files_(files) {}

  uint32_t number(const CodeFile& file) {
    uint64_t hash = hash_text(hash_text(seed_, file.path), as_text(file.id.bytes()));
    return numbers_.find_or_add(
        hash_more(hash, file.executable ? 1 : 0),
        [&](uint32_t known) {
          return files_[known].path == file.path && files_[known].id == file.id &&
                 files_[known].executable == file.executable;
        },
        [&] {
          files_.push_back(file);
          return files_.size() - 1;
        });
  }

 private:
  std::vector<CodeFile>& files_;
  Interner numbers_;
  uint64_t seed_ = process_seed();
};

// Tells programs from libraries: the loader maps a program before all that it needs.
class ProgramFinder {
 public:
  // To be called for all events, in their order.
  void see(const ProcessEvent& event) {
    if (event.kind == ProcessEvent::Kind::kExec) begun_.erase(event.pid);
    if (event.kind != ProcessEvent::Kind::kFork || event.pid == event.parent_pid) return;
    if (!event.ran_before && begun_.contains(event.parent_pid))
      begun_.insert(event.pid);
    else
      begun_.erase(event.pid);
  }
  // Is this mapping of a file, which see() has been shown, that of a program?
  bool is_program(const ProcessEvent& map) {
    return map.executable && begun_.insert(map.pid).second;
  }

 private:
  std::unordered_set<uint32_t> begun_;  // processes whose program is known
};

BuildId build_id_of(const ProcessEvent& map, const Recording& recording) {
  BuildId id = recording.build_id_of(map);
  return id.empty() && map.name.starts_with("[kernel.") ? recording.kernel_build_id : id;
}

Dropped kind_of(const ProcessEvent& map) {
  if (map.pid == kKernelPid) return Dropped::kKernel;
  bool is_of_kernel = map.name.starts_with("[vdso") || map.name.starts_with("[vsyscall");
  return is_of_kernel ? Dropped::kVdso : Dropped::kOtherBinary;
}

}  // namespace

// What one mapping has of a file.
struct CodePlaces::Extent {
  uint32_t file = 0;
  uint64_t begin = 0, end = 0;  // offsets
  RuntimeAddr address;          // of `begin`
};

CodePlaces::CodePlaces(const Recording& recording, RecordedMappings mappings)
    : spaces_(AddressSpaces::of_mappings(recording, mappings)) {
  Files files(files_);
  ProgramFinder programs;
  std::vector<Extent> extents;
  for (const std::string& name : mappings.memory)
    memory_files_.push_back(files.number({name, {}, Dropped::kAnonymous}));
  for (const ProcessEvent& event : recording.process_events) {
    programs.see(event);
    if (event.kind != ProcessEvent::Kind::kMap) continue;
    bool is_of_file =
        loads_.size() < mappings.files.size() && mappings.files[loads_.size()] == &event;
    if (!is_of_file) {
      extents.push_back({files.number({event.name, {}, Dropped::kAnonymous}), event.begin.value,
                         saturating_add(event.begin.value, event.size), event.begin});
      continue;
    }
    uint32_t file =
        files.number({event.name, build_id_of(event, recording), kind_of(event), event.executable});
    if (files_[file].kind == Dropped::kOtherBinary && programs.is_program(event))
      files_[file].is_program = true;
    loads_.push_back({file, event.begin.value - event.offset.value});
    extents.push_back(
        {file, event.offset.value, saturating_add(event.offset.value, event.size), event.begin});
  }
  put_pieces(std::move(extents));
}

void CodePlaces::put_pieces(std::vector<Extent> extents) {
  auto key = [](const Extent& extent) {
    return std::tuple(extent.file, extent.begin, extent.end, extent.address);
  };
  std::sort(extents.begin(), extents.end(),
            [&](const Extent& a, const Extent& b) { return key(a) < key(b); });
  constexpr RuntimeAddr kUnknown{std::numeric_limits<uint64_t>::max()};
  for (const Extent& extent : extents) {
    if (extent.begin == extent.end) continue;
    if (pieces_.empty() || pieces_.back().file != extent.file ||
        extent.begin > pieces_.back().end_offset.value)
      pieces_.push_back({extent.file, {extent.begin}, {extent.end}, kUnknown});
    CodePiece& piece = pieces_.back();
    piece.end_offset.value = std::max(piece.end_offset.value, extent.end);
    // Where the whole piece would begin. No process has anything at 0, nor below.
    uint64_t before = extent.begin - piece.begin_offset.value;
    if (extent.address.value > before)
      piece.begin = std::min(piece.begin, {extent.address.value - before});
  }
  for (CodePiece& piece : pieces_)
    if (piece.begin == kUnknown) piece.begin = {std::max<uint64_t>(piece.begin_offset.value, 1)};
}

CodePlace CodePlaces::find(MapTree::Root root, RuntimeAddr address) const {
  const MapPiece* piece = spaces_.maps().find(root, address);
  if (piece != nullptr && piece->binary != MapPiece::kNoBinary) {
    const Load& load = loads_[piece->binary];
    return {load.file, address.value - load.shift};
  }
  if (piece != nullptr && piece->file != MapPiece::kNoFile)
    return {memory_files_[piece->file], address.value};
  return {CodePlace::kNowhere, address.value};
}

std::optional<size_t> CodePlaces::piece_of(const CodePlace& place) const {
  auto after = std::upper_bound(
      pieces_.begin(), pieces_.end(), place, [](const CodePlace& wanted, const CodePiece& piece) {
        return std::pair(wanted.file, wanted.at) < std::pair(piece.file, piece.begin_offset.value);
      });
  if (place.file == CodePlace::kNowhere || after == pieces_.begin()) return std::nullopt;
  const CodePiece& piece = *std::prev(after);
  if (piece.file != place.file || place.at >= piece.end_offset.value) return std::nullopt;
  return static_cast<size_t>(std::prev(after) - pieces_.begin());
}

}  // namespace pgo::perf_data
