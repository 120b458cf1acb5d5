#include "converters/perf_data/branch_stack.h"

#include <algorithm>

namespace pgo::perf_data {

namespace {

// The ends of entry i of a sample's stack.
RuntimeAddr source_of(const Sample& sample, size_t i) {
  return {load_le<uint64_t>(sample.branches + i * kBranchEntrySize)};
}
RuntimeAddr target_of(const Sample& sample, size_t i) {
  return {load_le<uint64_t>(sample.branches + i * kBranchEntrySize + 8)};
}
bool is_mispredicted(const Sample& sample, size_t i) {
  return (sample.branches[i * kBranchEntrySize + 16] & kBranchMispredicted) != 0;
}

}  // namespace

void BranchStackReader::use_root(MapTree::Root root) {
  recent_ = &recent_by_root_[root % recent_by_root_.size()];
  if (recent_->root == root) return;
  *recent_ = Recent{};
  recent_->root = root;
}

BranchStackReader::Place BranchStackReader::resolve(RuntimeAddr addr) {
  for (const Window& window : recent_->windows)
    if (addr - window.begin < window.size) return window.place(addr);
  return resolve_in_tree(addr);
}

BranchStackReader::Place BranchStackReader::resolve_in_tree(RuntimeAddr addr) {
  if (addr >= kKernelBegin) return {MapPiece::kNoBinary, TraceKey::kNothing, Dropped::kKernel};
  const MapPiece* piece = maps_.find(recent_->root, addr);
  if (piece == nullptr) return {};
  // A mapping may claim to reach into the kernel; what is there is the kernel's all the same.
  Window window{piece->begin,
                std::min(piece->end, kKernelBegin) - piece->begin,
                {piece->binary, 0, piece->outside}};
  if (piece->binary != MapPiece::kNoBinary) {
    const CodeMap& code = *codes_[piece->binary];
    uint64_t index = piece->elf_begin - code.begin();
    uint64_t code_size = code.end() - code.begin();
    if (index >= code_size || addr - piece->begin >= code_size - index)
      return {MapPiece::kNoBinary, TraceKey::kNothing, Dropped::kNotCode};
    window.size = std::min(window.size, code_size - index);
    window.first.index = static_cast<uint32_t>(index);
  }
  bool first_binary = window.first.inside() && !recent_->windows[0].first.inside();
  size_t slot = first_binary ? 0 : 1 + recent_->next++ % (recent_->windows.size() - 1);
  recent_->windows[slot] = window;
  return window.place(addr);
}

bool BranchStackReader::read(const Sample& sample, MapTree::Root root) {
  use_root(root);
  uint64_t used_before = branches_.used;
  size_t n = static_cast<size_t>(sample.branch_count);
  branches_.seen += n;
  last_drop_ = Dropped::kNoBranches;

  // Nearly every entry is a branch inside one binary, and so is the next one. For these, the place
  // of an address is a subtraction from the start of `hot`.
  Window hot = recent_->windows[0];
  uint32_t newer_from = TraceKey::kNothing;  // the newest entry has no `last`
  bool newer_regular = true;
  for (size_t i = 0; i < n; i++) {
    uint64_t from = source_of(sample, i) - hot.begin, to = target_of(sample, i) - hot.begin;
    if (from < hot.size && to < hot.size && hot.first.inside()) {
      uint32_t from_index = hot.first.index + static_cast<uint32_t>(from);
      bool is_code = codes_[hot.first.binary]->at_index(from_index).is_code();
      if (is_code && newer_regular) {
        branches_.used++;
        add({from_index, hot.first.index + static_cast<uint32_t>(to), newer_from,
             TraceKey::pack(hot.first.binary, TraceReading::kBoth)},
            is_mispredicted(sample, i));
        newer_from = from_index;
        continue;
      }
    }
    Entry irregular = entry(sample, i);
    read_irregular(sample, i, irregular);
    hot = recent_->windows[0];
    newer_from = irregular.from.index;
    newer_regular = hot.first.inside() && irregular.from.binary == hot.first.binary &&
                    is_code(irregular.from) && !irregular.kernel;
  }
  return branches_.used != used_before;
}

BranchStackReader::Entry BranchStackReader::entry(const Sample& sample, size_t i) {
  RuntimeAddr from = source_of(sample, i), to = target_of(sample, i);
  Entry entry{resolve(from), resolve(to), std::max(from, to) >= kKernelBegin,
              is_mispredicted(sample, i)};
  if (from == RuntimeAddr() && to == RuntimeAddr())
    entry.from.outside = entry.to.outside = Dropped::kEmptySlot;
  return entry;
}

// An entry that leaves a binary, enters one, or has a newer neighbour that is not in its binary.
void BranchStackReader::read_irregular(const Sample& sample, size_t i, const Entry& entry) {
  if (is_code(entry.from) || is_code(entry.to)) {
    branches_.used++;
  } else {
    Dropped why = reason(entry);
    branches_[why]++;
    // The newest entry says most about its sample; unused slots say nothing.
    if (last_drop_ == Dropped::kNoBranches && why != Dropped::kEmptySlot) last_drop_ = why;
  }
  if (entry.from.inside()) add_readings(sample, i, entry, entry.from.binary);
  if (entry.to.inside() && entry.to.binary != entry.from.binary)
    add_readings(sample, i, entry, entry.to.binary);
}

uint32_t BranchStackReader::index_in(const Place& place, uint32_t binary) const {
  return place.binary == binary ? place.index : TraceKey::kNothing;
}

uint32_t BranchStackReader::code_in(const Place& place, uint32_t binary) const {
  return place.binary == binary && is_code(place) ? place.index : TraceKey::kNothing;
}

// What entry i means for one binary that it touches, for LLVM and for BOLT.
void BranchStackReader::add_readings(const Sample& sample, size_t i, const Entry& entry,
                                     uint32_t binary) {
  constexpr uint32_t kNothing = TraceKey::kNothing;
  uint32_t from = index_in(entry.from, binary), to = index_in(entry.to, binary);
  bool bolt = !entry.kernel, llvm = code_in(entry.to, binary) != kNothing;

  // Up to where the code ran straight through: for BOLT to the source of the next entry that does
  // not touch the kernel, for LLVM to that of the next with an end in the binary's code.
  uint32_t bolt_last = kNothing, llvm_last = kNothing;
  bool find_bolt = bolt && to != kNothing, find_llvm = llvm;
  for (size_t j = i; j > 0 && (find_bolt || find_llvm); j--) {
    Entry newer = this->entry(sample, j - 1);
    if (find_bolt && !newer.kernel) {
      bolt_last = index_in(newer.from, binary);
      find_bolt = false;
    }
    uint32_t newer_from = code_in(newer.from, binary);
    if (find_llvm && (newer_from != kNothing || code_in(newer.to, binary) != kNothing)) {
      llvm_last = newer_from;
      find_llvm = false;
    }
  }

  // LLVM sees no range up to an address that is not code, so one trace with such a `last` can stand
  // for both.
  bool bolt_last_is_code = bolt_last != kNothing && codes_[binary]->at_index(bolt_last).is_code();
  bool agree = !llvm || llvm_last == (bolt_last_is_code ? bolt_last : kNothing);
  if (bolt)
    add({from, to, bolt_last,
         TraceKey::pack(binary, agree ? TraceReading::kBoth : TraceReading::kBolt)},
        entry.mispredicted);
  if (llvm && !(bolt && agree))
    add({from, to, llvm_last, TraceKey::pack(binary, TraceReading::kLlvm)}, false);
}

Dropped BranchStackReader::reason(const Entry& entry) const {
  if (entry.from.inside() || entry.to.inside()) return Dropped::kNotCode;
  if (entry.kernel) return Dropped::kKernel;
  if (entry.from.outside == Dropped::kBuildIdMismatch ||
      entry.from.outside == Dropped::kAmbiguousName)
    return entry.from.outside;
  return entry.to.outside;
}

}  // namespace pgo::perf_data
