#include "pgo/elf/bolt/moved_code.h"

#include <elf.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "pgo/elf/bolt/x86_jump.h"

namespace pgo {
namespace {

constexpr uint64_t kLongestWalk = 1 << 16;  // bytes between two entries of the table

bool is_in_code(const ElfImage& image, const ElfImage::Symbol& symbol) {
  return image.sections()[symbol.section].executable && !symbol.name.empty();
}

// The code symbols of a file: by name in the order of the symbol table, and by address.
struct CodeSymbols {
  struct Named {
    const ElfImage::Symbol* symbol = nullptr;
    size_t ordinal = 0;  // among those of its name
  };

  explicit CodeSymbols(const ElfImage& image) {
    for (const ElfImage::Symbol& symbol : image.symbols()) {
      if (!is_in_code(image, symbol)) continue;
      std::vector<const ElfImage::Symbol*>& same_name = by_name[symbol.name];
      by_address[symbol.addr].push_back({&symbol, same_name.size()});
      same_name.push_back(&symbol);
    }
  }

  uint64_t size_at(ElfAddr addr) const {
    uint64_t size = 0;
    auto found = by_address.find(addr);
    if (found != by_address.end())
      for (const Named& named : found->second) size = std::max(size, named.symbol->size);
    return size;
  }

  std::map<std::string_view, std::vector<const ElfImage::Symbol*>> by_name;
  std::map<ElfAddr, std::vector<Named>> by_address;
};

const ElfImage::Section* code_section_at(const ElfImage& image, ElfAddr addr) {
  for (const ElfImage::Section& section : image.sections())
    if (section.executable && addr.value - section.addr.value < section.size) return &section;
  return nullptr;
}

ElfAddr plus(ElfAddr addr, uint64_t offset) { return ElfAddr{addr.value + offset}; }

// Where code that begins at `begin` ends: by its symbol's size, else where the next begins.
ElfAddr end_of(const ElfImage& image, const CodeSymbols& symbols, ElfAddr begin) {
  if (uint64_t size = symbols.size_at(begin)) return plus(begin, size);
  const ElfImage::Section* section = code_section_at(image, begin);
  if (section == nullptr) return begin;
  ElfAddr end = plus(section->addr, section->size);
  auto next = symbols.by_address.upper_bound(begin);
  return next == symbols.by_address.end() ? end : std::min(end, next->first);
}

}  // namespace

class MovedCode::Builder {
 public:
  explicit Builder(MovedCode& moved)
      : moved_(moved),
        bolted_(moved.bolted_.symbol_image()),
        input_(moved.input_.symbol_image()),
        bolted_symbols_(bolted_),
        input_symbols_(input_) {}

  void add(const AddressTranslation& table) {
    for (const AddressTranslation::Fragment& fragment : table.fragments()) add(fragment);
    for (Function& function : moved_.functions_) {
      std::sort(function.starts.begin(), function.starts.end());
      function.starts.erase(std::unique(function.starts.begin(), function.starts.end()),
                            function.starts.end());
    }
    // Sizes of symbols that overlap must not hide a fragment.
    std::vector<Fragment>& fragments = moved_.fragments_;
    for (size_t i = 1; i < fragments.size(); i++)
      fragments[i - 1].end = std::min(fragments[i - 1].end, fragments[i].begin);
  }

 private:
  void add(const AddressTranslation::Fragment& from) {
    Fragment fragment;
    fragment.begin = from.begin;
    fragment.end = end_of(bolted_, bolted_symbols_, from.begin);
    fragment.hot = from.begin == from.function;
    fragment.function = function_of(from.function);
    fragment.entries = from.entries;
    for (uint32_t i = 0; i < fragment.entries.size(); i++) {
      const Entry& entry = fragment.entries[i];
      if (!entry.branch && fragment.function)
        moved_.functions_[*fragment.function].starts.push_back(entry.input);
      // An entry at the end is a block that is gone.
      if (entry.output >= fragment.end.value - fragment.begin.value) continue;
      if (!entry.branch) fragment.blocks.push_back({i, i + 1, false, {}});
      if (entry.branch && !fragment.blocks.empty()) fragment.blocks.back().end = i + 1;
    }
    moved_.fragments_.push_back(std::move(fragment));
  }

  // The function whose hot fragment is at this address of the BOLTed file.
  std::optional<uint32_t> function_of(ElfAddr bolted) {
    auto known = numbers_.find(bolted);
    if (known != numbers_.end()) return known->second;
    std::optional<uint32_t> number;
    if (std::optional<ElfAddr> begin = find_in_input(bolted)) {
      number = static_cast<uint32_t>(moved_.functions_.size());
      moved_.functions_.push_back({*begin, end_of(input_, input_symbols_, *begin), {}});
    }
    numbers_.emplace(bolted, number);
    return number;
  }

  std::optional<ElfAddr> find_in_input(ElfAddr bolted) const {
    std::optional<ElfAddr> lowest;
    auto here = bolted_symbols_.by_address.find(bolted);
    if (here == bolted_symbols_.by_address.end()) return lowest;
    for (const CodeSymbols::Named& named : here->second) {
      auto same_name = input_symbols_.by_name.find(named.symbol->name);
      if (same_name == input_symbols_.by_name.end()) continue;
      if (same_name->second.size() != bolted_symbols_.by_name.at(named.symbol->name).size())
        continue;
      ElfAddr begin = same_name->second[named.ordinal]->addr;
      if (!lowest || begin < *lowest) lowest = begin;
    }
    return lowest;
  }

  MovedCode& moved_;
  const ElfImage& bolted_;
  const ElfImage& input_;
  CodeSymbols bolted_symbols_, input_symbols_;
  std::map<ElfAddr, std::optional<uint32_t>> numbers_;
};

Result<MovedCode> MovedCode::build(const TargetBinary& bolted, const TargetBinary& input) {
  const BuildId &bolted_id = bolted.image->build_id(), &input_id = input.image->build_id();
  if (!bolted_id.empty() && !input_id.empty() && !bolted_id.matches_bolted(input_id))
    return fail(ErrorKind::kMismatch, bolted.image->path() + ": build ID " + bolted_id.hex() +
                                          " is not that of " + input.image->path() + " (" +
                                          input_id.hex() +
                                          ") as llvm-bolt changes it: give the binary that "
                                          "llvm-bolt was run on");
  PGO_TRY(AddressTranslation table, read_address_translation(*bolted.image));
  MovedCode moved(bolted, input);
  Builder(moved).add(table);
  if (!moved.fragments_.empty() && moved.functions_.empty())
    return fail(ErrorKind::kMismatch, input.image->path() + ": names none of the " +
                                          std::to_string(moved.fragments_.size()) +
                                          " functions that llvm-bolt moved in " +
                                          bolted.image->path() + ": is one of them stripped?");
  return moved;
}

MovedCode::Place MovedCode::find(ElfAddr bolted) const {
  Place place;
  auto after = std::upper_bound(
      fragments_.begin(), fragments_.end(), bolted,
      [](ElfAddr addr, const Fragment& fragment) { return addr < fragment.begin; });
  if (after == fragments_.begin() || bolted >= std::prev(after)->end) {
    if (code_section_at(*input_.image, bolted) != nullptr) place.kind = Kind::kUnmoved;
    return place;
  }
  const Fragment& fragment = *std::prev(after);
  place.fragment = static_cast<uint32_t>(&fragment - fragments_.data());
  if (!fragment.function) return place;
  uint64_t offset = bolted.value - fragment.begin.value;
  auto next = std::upper_bound(fragment.blocks.begin(), fragment.blocks.end(), offset,
                               [&](uint64_t at, const BlockEntries& block) {
                                 return at < fragment.entries[block.start].output;
                               });
  if (next == fragment.blocks.begin()) {
    // Before the first entry, or without any: the body was not changed.
    if (!fragment.hot) return place;
    place.kind = Kind::kMoved;
    place.block = static_cast<uint32_t>(fragment.blocks.size());
    return place;
  }
  place.kind = Kind::kMoved;
  place.block = static_cast<uint32_t>(next - fragment.blocks.begin()) - 1;
  return place;
}

MovedCode::Block MovedCode::block(const Place& place) {
  Fragment& fragment = fragments_[place.fragment];
  if (place.block >= fragment.blocks.size()) return {function_of(fragment).begin, {}};
  BlockEntries& block = fragment.blocks[place.block];
  if (!block.known) {
    block.in_input = find_in_input(fragment, block);
    block.known = true;
  }
  return block.in_input;
}

ElfAddr MovedCode::to_input(const Place& place, ElfAddr addr) {
  ElfAddr in_input = target_to_input(place, addr);
  OptElfAddr last = block(place).last;
  return last && in_input > *last ? *last : in_input;
}

bool MovedCode::is_added(const Place& place, ElfAddr addr) {
  OptElfAddr last = block(place).last;
  return last && target_to_input(place, addr) > *last;
}

ElfAddr MovedCode::target_to_input(const Place& place, ElfAddr addr) {
  const Block in_input = block(place);
  const Fragment& fragment = fragments_[place.fragment];
  uint64_t offset = addr.value - fragment.begin.value;
  if (place.block >= fragment.blocks.size()) return plus(in_input.first, offset);

  const BlockEntries& entries = fragment.blocks[place.block];
  uint32_t anchor = entries.start;
  while (anchor + 1 < entries.end && fragment.entries[anchor + 1].output <= offset) anchor++;
  ElfAddr from = plus(fragment.begin, fragment.entries[anchor].output);
  ElfAddr to = in_input.first;
  if (anchor != entries.start)
    to = plus(function_of(fragment).begin, fragment.entries[anchor].input);
  // As many instructions after the entry here as there.
  while (from < addr && (!in_input.last || to <= *in_input.last)) {
    if (!bolted_at(from).is_code() || !input_at(to).is_code()) break;
    from.value += bolted_at(from).size();
    to = after(to);
  }
  return to;
}

bool MovedCode::starts_block(const Place& place, ElfAddr addr) const {
  const Fragment& fragment = fragments_[place.fragment];
  return place.block < fragment.blocks.size() &&
         fragment.begin.value + fragment.entries[fragment.blocks[place.block].start].output ==
             addr.value;
}

bool MovedCode::may_return(OptElfAddr from) const {
  return !from || bolted_at(*from).kind() == CodeByte::kReturn;
}

std::optional<ElfAddr> MovedCode::rest_after_call(const Place& place) {
  const Fragment& fragment = fragments_[place.fragment];
  if (place.block == 0 || place.block >= fragment.blocks.size()) return std::nullopt;
  Place before = place;
  before.block--;
  const BlockEntries& entries = fragment.blocks[before.block];
  const Entry& call = fragment.entries[entries.end - 1];
  CodeByte byte = bolted_at(plus(fragment.begin, call.output));
  bool returns_here =
      byte.kind() == CodeByte::kCall &&
      call.output + byte.size() == fragment.entries[fragment.blocks[place.block].start].output;
  const Block in_input = block(before);
  if (!returns_here || !in_input.last) return std::nullopt;
  ElfAddr call_in_input = entries.end - 1 == entries.start
                              ? find_call(in_input)
                              : plus(function_of(fragment).begin, call.input);
  if (call_in_input >= *in_input.last) return std::nullopt;
  return after(call_in_input);
}

ElfAddr MovedCode::source_to_input(const Place& place, ElfAddr addr) {
  const Fragment& fragment = fragments_[place.fragment];
  if (place.block >= fragment.blocks.size()) return to_input(place, addr);
  const BlockEntries& entries = fragment.blocks[place.block];
  uint64_t offset = addr.value - fragment.begin.value;
  for (uint32_t i = entries.start + 1; i < entries.end; i++)
    if (fragment.entries[i].output == offset) return to_input(place, addr);

  // Not listed: a jump that llvm-bolt added, or the block's first instruction.
  const Block in_input = block(place);
  if (!in_input.last) return in_input.first;
  CodeByte byte = bolted_at(addr);
  if (byte.kind() == CodeByte::kDirectJump || byte.kind() == CodeByte::kReturn)
    return *in_input.last;
  if (offset != fragment.entries[entries.start].output) return to_input(place, addr);
  // There may have been nops before it in the input.
  if (byte.kind() == CodeByte::kCall) return find_call(in_input);
  return is_alone(fragment, place.block, plus(addr, byte.size())) ? *in_input.last : in_input.first;
}

// Is nothing but a jump between `addr` and the end of the block?
bool MovedCode::is_alone(const Fragment& fragment, uint32_t block, ElfAddr addr) const {
  ElfAddr end = fragment.end;
  if (block + 1 < fragment.blocks.size())
    end = plus(fragment.begin, fragment.entries[fragment.blocks[block + 1].start].output);
  CodeByte byte = bolted_at(addr);
  if (addr < end && byte.kind() == CodeByte::kDirectJump) addr.value += byte.size();
  return addr >= end;
}

// The first call in a block of the input; its start when there is none.
ElfAddr MovedCode::find_call(const Block& in_input) const {
  for (ElfAddr addr = in_input.first; addr <= *in_input.last;) {
    CodeByte byte = input_at(addr);
    if (!byte.is_code()) break;
    if (byte.kind() == CodeByte::kCall) return addr;
    addr.value += byte.size();
  }
  return in_input.first;
}

bool MovedCode::falls_through(ElfAddr last, ElfAddr first) const {
  CodeByte byte = input_at(last);
  if (!byte.is_code() || byte.is_barrier()) return false;
  ElfAddr next = after(last);
  // A branch that skips the nops was taken.
  if (next != first && x86_jump_target(x86_bytes(last), last) == first) return false;
  while (next < first && is_x86_nop(x86_bytes(next))) next = after(next);
  return next == first;
}

std::vector<ElfAddr> MovedCode::bypassed_jumps(ElfAddr from, ElfAddr to) const {
  constexpr size_t kMaxJumps = 4;  // a chain of so many is no compiler's work
  CodeByte byte = input_at(from);
  Bytes bytes = x86_bytes(from);
  if (bytes.empty() || byte.kind() == CodeByte::kCall || byte.kind() == CodeByte::kReturn ||
      is_x86_indirect_jump(bytes))
    return {};
  std::optional<ElfAddr> taken = x86_jump_target(bytes, from);
  std::optional<ElfAddr> next;
  if (!byte.is_barrier()) next = plus(from, byte.size());
  if (taken == to || next == to) return {};
  for (std::optional<ElfAddr> way : {next, taken}) {
    std::vector<ElfAddr> jumps;
    while (way && way != to && jumps.size() < kMaxJumps &&
           input_at(*way).kind() == CodeByte::kDirectJump) {
      jumps.push_back(*way);
      way = x86_jump_target(x86_bytes(*way), *way);
    }
    if (way == to) return jumps;
  }
  return {};
}

Bytes MovedCode::x86_bytes(ElfAddr addr) const {
  const ElfImage::Section* section =
      input_.image->machine() == EM_X86_64 ? code_section_at(*input_.image, addr) : nullptr;
  CodeByte byte = input_at(addr);
  if (section == nullptr || !byte.is_code()) return {};
  uint64_t offset = addr.value - section->addr.value;
  if (offset > section->bytes.size() || byte.size() > section->bytes.size() - offset) return {};
  return section->bytes.subspan(static_cast<size_t>(offset), byte.size());
}

MovedCode::Block MovedCode::find_in_input(const Fragment& fragment,
                                          const BlockEntries& block) const {
  const Function& function = function_of(fragment);
  const Entry& start = fragment.entries[block.start];
  ElfAddr first = plus(function.begin, start.input);
  // An emptied block and the one after it start at the same place, and the table has the first of
  // them only. The branches of the other tell where it was.
  if (block.start + 1 < block.end) {
    const Entry& branch = fragment.entries[block.start + 1];
    ElfAddr branch_in_input = plus(function.begin, branch.input);
    ElfAddr other{branch_in_input.value - (branch.output - start.output)};
    if (!reaches(first, branch_in_input) && reaches(other, branch_in_input)) first = other;
  }
  if (!input_.code->is_code(first)) return {first, {}};
  return {first, find_end(function, fragment, block, first)};
}

ElfAddr MovedCode::find_end(const Function& function, const Fragment& fragment,
                            const BlockEntries& block, ElfAddr first) const {
  auto is_branch = [&](ElfAddr addr) {
    uint64_t offset = addr.value - function.begin.value;
    return std::any_of(fragment.entries.begin() + block.start + 1,
                       fragment.entries.begin() + block.end,
                       [&](const Entry& entry) { return entry.input == offset; });
  };
  auto next_start = std::upper_bound(function.starts.begin(), function.starts.end(),
                                     first.value - function.begin.value);
  ElfAddr end = function.end;
  if (next_start != function.starts.end()) end = std::min(end, plus(function.begin, *next_start));
  for (ElfAddr addr = first;;) {
    CodeByte byte = input_at(addr);
    ElfAddr next = plus(addr, byte.size());
    bool leaves = byte.kind() == CodeByte::kReturn || byte.kind() == CodeByte::kDirectJump ||
                  (byte.kind() == CodeByte::kOther && (is_branch(addr) || is_x86_branch(addr)));
    if (leaves || next >= end || !input_.code->is_code(next)) return addr;
    addr = next;
  }
}

// A conditional or indirect jump? The table leaves them out at the start of a block.
bool MovedCode::is_x86_branch(ElfAddr addr) const {
  Bytes bytes = x86_bytes(addr);
  return x86_jump_target(bytes, addr).has_value() || is_x86_indirect_jump(bytes);
}

// Does straight-line code lead from `first` to `last`?
bool MovedCode::reaches(ElfAddr first, ElfAddr last) const {
  ElfAddr addr = first;
  while (addr < last && last.value - addr.value <= kLongestWalk) {
    CodeByte byte = input_at(addr);
    if (!byte.is_code() || byte.kind() == CodeByte::kReturn || byte.kind() == CodeByte::kDirectJump)
      return false;
    addr.value += byte.size();
  }
  return addr == last && input_.code->is_code(last);
}

}  // namespace pgo
