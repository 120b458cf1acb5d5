#include "converters/perf_data/llvm_profgen.h"

#include <algorithm>

#include "pgo/base/file_name.h"

namespace pgo::perf_data {

// One load address for the binary at a time, whatever the process, because that is all it keeps;
// the last matching mapping wins. Only processes that have one themselves count: a forked child is
// not asked for. Names must be equal, build IDs do not matter.
Result<AddressSpaces> AddressSpaces::as_llvm_profgen(const Recording& recording,
                                                     const ElfImage& binary,
                                                     const std::vector<uint32_t>& pids) {
  constexpr uint64_t kPageMask = ~uint64_t{0xfff};
  std::vector<ElfImage::Segment> code;
  for (const ElfImage::Segment& segment : binary.segments())
    if (segment.executable) code.push_back(segment);
  auto page_offset = [&](size_t i) { return FileOffset{code[i].offset.value & kPageMask}; };
  auto page_addr = [&](size_t i) { return ElfAddr{code[i].addr.value & kPageMask}; };
  auto stops = [&](const std::string& why) {
    return fail(ErrorKind::kUnsupported, recording.path + ": llvm-profgen stops with \"" + why +
                                             "\"; convert without \xFF{compat}");
  };
  if (code.empty()) return stops("no executable segment found");

  AddressSpaces spaces;
  spaces.matches_.resize(1);
  auto matches = [&](const ProcessEvent& event) {
    return event.kind == ProcessEvent::Kind::kMap &&
           file_name(event.name) == file_name(binary.path());
  };
  for (const ProcessEvent& event : recording.process_events)
    if (matches(event) &&
        (pids.empty() || std::find(pids.begin(), pids.end(), event.pid) != pids.end()))
      spaces.counted_pids_.insert(event.pid);
  if (spaces.counted_pids_.empty()) return stops("No relevant mmap event is found in perf data.");
  spaces.matches_[0].by_name = true;

  // Until it is mapped, it is taken to be where it was linked to.
  ElfAddr preferred = page_addr(0);
  RuntimeAddr base{preferred.value};
  ElfAddr code_begin{~uint64_t{0}}, code_end;
  for (const ElfImage::Segment& segment : code) {
    code_begin = std::min(code_begin, segment.addr);
    code_end = std::max(code_end, {saturating_add(segment.addr.value, segment.memory_size)});
  }
  auto rebase = [&](Moment moment) {
    RuntimeAddr begin = base + (code_begin - preferred);
    MapPiece piece{
        begin,     begin + (code_end - code_begin), 0, Dropped::kNotCode, MapPiece::kNoFile,
        code_begin};
    spaces.shared_versions_.push_back({moment, spaces.maps_.assign(MapTree::kEmpty, piece)});
  };
  rebase(Moment{});
  for (const ProcessEvent& event : recording.process_events) {
    if (!matches(event) || !spaces.counted_pids_.contains(event.pid)) continue;
    FileOffset offset = event.offset;
    if (event.begin == base) continue;
    if (offset == page_offset(0)) {
      base = event.begin;
      rebase(event.moment);
      continue;
    }
    // Any other part of the file must lie where the current base puts it.
    size_t i = code.size();
    while (i > 0 && page_offset(i - 1) > offset) i--;
    if (i == 0) return stops("File offset not found");
    uint64_t displacement = page_addr(i - 1) - preferred + (offset - page_offset(i - 1));
    if (event.begin - base != displacement)
      return stops(offset == page_offset(i - 1) ? "Executable segments not loaded consecutively"
                                                : "Segment not loaded by consecutive mmaps");
  }
  return spaces;
}

Result<std::vector<bool>> all_events_as_llvm_profgen(const Recording& recording) {
  auto refuse = [&](const std::string& why) {
    return fail(ErrorKind::kUnsupported, recording.path + ": " + why);
  };
  for (const EventAttr& event : recording.events) {
    // perf script prints no branch stacks then, for any event.
    if (!event.has_branch_stacks() && !event.has_lbr_call_stacks())
      return refuse(
          "event '" + event.name +
          "' has no branch records, so llvm-profgen stops with \"Invalid perf script "
          "input!\"; choose an event that has branch records with \xFF{event}, or convert "
          "without \xFF{compat}");
    if (event.has_lbr_call_stacks())
      return refuse(
          "event '" + event.name +
          "' has LBR call stacks (perf record --call-graph lbr), which llvm-profgen takes "
          "for branch records; convert without \xFF{compat}");
    if ((event.sample_type & kSampleCallchain) != 0)
      return refuse(
          "has call stacks, from which llvm-profgen makes a context-sensitive profile, which is "
          "not supported. Without \xFF{compat} its branch records give a profile by line");
  }
  return std::vector<bool>(recording.events.size(), true);
}

Result<void> check_layout_as_llvm_profgen(const Recording& recording, const AddressSpaces& spaces) {
  struct Line {
    Moment moment;
    bool is_empty_stack;
  };
  std::optional<Moment> first_stack;
  std::vector<Line> lines;
  for (const ProcessEvent& event : recording.process_events)
    if (event.kind == ProcessEvent::Kind::kMap && spaces.counted_pids().contains(event.pid))
      lines.push_back({event.moment, false});
  RecordStream stream(recording.data, recording.block_size);
  while (std::optional<RecordBlock> block = stream.next()) {
    for_each_record(block->records, [&](RecordHeader header, Bytes record, size_t offset) {
      if (header.type != kSample) return;
      std::optional<size_t> event = recording.event_of_sample(record);
      if (!event) return;
      std::optional<Sample> sample = recording.layouts[*event].parse(record);
      if (!sample || !spaces.counted_pids().contains(sample->pid)) return;
      Moment moment{recording.ordered_by_time ? sample->time : 0, block->position + offset};
      if (sample->branch_count == 0)
        lines.push_back({moment, true});
      else if (!first_stack || moment < *first_stack)
        first_stack = moment;
    });
  }
  const Line* before = nullptr;
  for (const Line& line : lines)
    if (first_stack && line.moment < *first_stack &&
        (before == nullptr || before->moment < line.moment))
      before = &line;
  if (before == nullptr || !before->is_empty_stack) return ok();
  return fail(ErrorKind::kUnsupported,
              recording.path +
                  ": llvm-profgen takes this recording for one with call stacks, because a sample "
                  "with an empty branch stack comes first, and reads nothing; convert without "
                  "\xFF{compat}");
}

}  // namespace pgo::perf_data
