#include "converters/perf_data/address_space.h"

#include <algorithm>
#include <map>

#include "pgo/base/file_name.h"
#include "pgo/elf/image_match.h"

namespace pgo::perf_data {
namespace {

// What a mapping without a file of ours is, by the name that perf gives it.
Dropped kind_of_name(std::string_view name) {
  if (name.starts_with("[kernel") || name.starts_with("[guest.kernel")) return Dropped::kKernel;
  if (name.starts_with("[vdso") || name.starts_with("[vsyscall")) return Dropped::kVdso;
  if (name.empty() || name.starts_with('[') || name.starts_with("//anon") ||
      name.starts_with("/memfd:") || name.starts_with("/dev/zero") ||
      name.starts_with("anon_inode:") || name.starts_with("/SYSV") || name.starts_with("/dev/shm/"))
    return Dropped::kAnonymous;
  return Dropped::kOtherBinary;
}

// The names of JIT code, which run-times write for perf: what has this one has no file's offsets.
bool is_perf_map(std::string_view name) {
  return name.starts_with("/tmp/perf-") && name.ends_with(".map");
}

RuntimeAddr saturated_end(const ProcessEvent& map) {
  return {saturating_add(map.begin.value, map.size)};
}

}  // namespace

template <typename Map>
void AddressSpaces::replay(const Recording& recording, const Map& map) {
  for (const ProcessEvent& event : recording.process_events) {
    switch (event.kind) {
      case ProcessEvent::Kind::kMap: map(event); break;
      case ProcessEvent::Kind::kExec: become(event.pid, event.moment, MapTree::kEmpty); break;
      case ProcessEvent::Kind::kFork:
        // A fork within one process is a new thread.
        if (event.pid != event.parent_pid)
          become(event.pid, event.moment,
                 event.ran_before ? MapTree::kEmpty : current(event.parent_pid));
        break;
      case ProcessEvent::Kind::kComm: break;
    }
  }
}

AddressSpaces::AddressSpaces(const Recording& recording,
                             const std::vector<const ElfImage*>& binaries)
    : matches_(binaries.size()) {
  replay(recording, [&](const ProcessEvent& event) { map(event, recording, binaries); });
}

AddressSpaces AddressSpaces::of_recorded_files(const Recording& recording,
                                               std::vector<RecordedFile>& files) {
  AddressSpaces spaces;
  std::unordered_map<std::string, uint32_t> known;  // by path and build ID
  spaces.replay(recording, [&](const ProcessEvent& event) {
    if (event.begin >= kKernelBegin) return;
    MapPiece piece;
    piece.outside = kind_of_name(event.name);
    if (piece.outside == Dropped::kOtherBinary) {
      BuildId id = recording.build_id_of(event);
      auto [found, is_new] =
          known.try_emplace(event.name + '\0' + id.hex(), static_cast<uint32_t>(files.size()));
      if (is_new) files.push_back({event.name, id});
      piece.binary = found->second;
    }
    spaces.map_piece(event, piece);
  });
  return spaces;
}

AddressSpaces AddressSpaces::of_mappings(const Recording& recording, RecordedMappings& mappings) {
  AddressSpaces spaces;
  std::map<std::string_view, uint16_t> known;  // names of memory
  auto number = [&](const std::string& name) {
    if (auto found = known.find(name); found != known.end()) return found->second;
    if (mappings.memory.size() == MapPiece::kNoFile) return MapPiece::kNoFile;
    mappings.memory.push_back(name);
    return known[name] = static_cast<uint16_t>(mappings.memory.size() - 1);
  };
  spaces.replay(recording, [&](const ProcessEvent& event) {
    MapPiece piece;
    piece.outside = event.pid == kKernelPid   ? Dropped::kKernel
                    : is_perf_map(event.name) ? Dropped::kAnonymous
                                              : kind_of_name(event.name);
    // Programs run from memory, too (memfd_create), and have a build ID then.
    if (piece.outside == Dropped::kAnonymous && !event.build_id.empty())
      piece.outside = Dropped::kOtherBinary;
    if (piece.outside == Dropped::kAnonymous) {
      piece.file = number(event.name);
    } else {
      piece.binary = static_cast<uint32_t>(mappings.files.size());
      mappings.files.push_back(&event);
    }
    spaces.map_piece(event, piece);
  });
  return spaces;
}

MapTree::Root AddressSpaces::current(uint32_t pid) const {
  auto found = versions_.find(pid);
  return found == versions_.end() ? MapTree::kEmpty : found->second.back().root;
}

void AddressSpaces::become(uint32_t pid, Moment moment, MapTree::Root root) {
  versions_[pid].push_back({moment, root});
}

MapTree::Root AddressSpaces::state(uint32_t pid, Moment moment) const {
  const std::vector<Version>* versions = &shared_versions_;
  if (shared_versions_.empty()) {
    auto found = versions_.find(pid);
    if (found == versions_.end()) return MapTree::kEmpty;
    versions = &found->second;
  } else if (!counted_pids_.contains(pid)) {
    return MapTree::kEmpty;
  }
  auto after = std::upper_bound(
      versions->begin(), versions->end(), moment,
      [](Moment wanted, const Version& version) { return wanted < version.moment; });
  return after == versions->begin() ? MapTree::kEmpty : std::prev(after)->root;
}

void AddressSpaces::map(const ProcessEvent& event, const Recording& recording,
                        const std::vector<const ElfImage*>& binaries) {
  if (event.begin >= kKernelBegin) return;  // kernel addresses are known by their value
  MapPiece piece = identify(event, recording, binaries);
  if (piece.binary != MapPiece::kNoBinary)
    return map_binary(event, *binaries[piece.binary], piece.binary);
  map_piece(event, piece);
}

void AddressSpaces::map_piece(const ProcessEvent& event, MapPiece piece) {
  piece.begin = event.begin;
  piece.end = saturated_end(event);
  MapTree::Root root = current(event.pid);
  // Code that was moved to huge pages: what stood there before still describes it.
  if (piece.outside == Dropped::kAnonymous && piece.binary == MapPiece::kNoBinary &&
      maps_.has_binary(root, piece.begin, piece.end))
    return;
  become(event.pid, event.moment, maps_.assign(root, piece));
}

// A mapping may cover several segments, and segments may lie elsewhere in memory than in the file:
// one piece for each executable segment that the mapped part of the file touches.
void AddressSpaces::map_binary(const ProcessEvent& event, const ElfImage& image, uint32_t index) {
  MapPiece whole{event.begin,       saturated_end(event), MapPiece::kNoBinary,
                 Dropped::kNotCode, MapPiece::kNoFile,    {}};
  MapTree::Root root = maps_.assign(current(event.pid), whole);
  for (const ElfImage::Segment& segment : image.segments()) {
    if (!segment.executable) continue;
    FileOffset file_begin = std::max(segment.offset, event.offset);
    FileOffset file_end{std::min(saturating_add(segment.offset.value, segment.file_size),
                                 saturating_add(event.offset.value, whole.end - whole.begin))};
    if (file_begin >= file_end) continue;
    RuntimeAddr begin = whole.begin + (file_begin - event.offset);
    root = maps_.assign(root, {begin, begin + (file_end - file_begin), index, Dropped::kNotCode,
                               MapPiece::kNoFile, segment.addr + (file_begin - segment.offset)});
  }
  become(event.pid, event.moment, root);
}

MapPiece AddressSpaces::identify(const ProcessEvent& event, const Recording& recording,
                                 const std::vector<const ElfImage*>& binaries) {
  BuildId id = recording.build_id_of(event);
  auto [cached, is_new] = identified_.try_emplace(event.name + '\0' + id.hex());
  MapPiece& piece = cached->second;
  if (!is_new) return piece;
  piece.outside = kind_of_name(event.name);
  ImageMatch match = match_image(id, event.name, binaries);
  if (match.image) {
    piece.binary = static_cast<uint32_t>(*match.image);
    (match.by_name ? matches_[*match.image].by_name : matches_[*match.image].by_build_id) = true;
    return piece;
  }
  if (match.reason != Dropped::kOtherBinary) piece.outside = match.reason;
  if (piece.outside == Dropped::kOtherBinary && other_files_.size() < MapPiece::kNoFile) {
    piece.file = static_cast<uint16_t>(other_files_.size());
    other_files_.push_back({event.name, id});
  }
  if (match.is_ambiguous())
    diagnostics_.warn("ambiguous-name",
                      recording.path + ": " + describe_ambiguity(match, id, event.name, binaries));
  return piece;
}

}  // namespace pgo::perf_data
