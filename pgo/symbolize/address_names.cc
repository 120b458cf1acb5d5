#include "pgo/symbolize/address_names.h"

#include <llvm/ADT/StringMap.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "pgo/base/parallel.h"
#include "pgo/code/demangled_name.h"
#include "pgo/code/function_symbols.h"
#include "pgo/dwarf/file_paths.h"
#include "pgo/dwarf/frame_table.h"
#include "pgo/dwarf/split_file.h"
#include "pgo/dwarf/unit_map.h"
#include "pgo/symbolize/inline_stacks.h"

namespace pgo {
namespace {

constexpr uint32_t kNoNumber = ~uint32_t{0};

// Addresses [first, last) of those that were asked for, which are all of one unit.
struct UnitAddresses {
  uint32_t unit = 0;
  size_t first = 0, last = 0;
};

// By unit, and by address in each. O(addresses + intervals).
std::vector<UnitAddresses> split_by_unit(const UnitMap& map, std::span<const ElfAddr> addresses) {
  std::vector<UnitAddresses> pieces;
  size_t at = 0;
  for (const UnitMap::Interval& interval : map.intervals()) {
    while (at < addresses.size() && addresses[at] < interval.begin) at++;
    size_t first = at;
    while (at < addresses.size() && addresses[at] < interval.end) at++;
    if (first != at) pieces.push_back({interval.unit, first, at});
  }
  std::sort(pieces.begin(), pieces.end(), [](const UnitAddresses& a, const UnitAddresses& b) {
    return std::tie(a.unit, a.first) < std::tie(b.unit, b.first);
  });
  return pieces;
}

// What one unit says of its addresses. Names point into the debug information.
struct UnitNames {
  struct Function {
    llvm::StringRef name;
    FileNumber file;
    uint32_t start_line = 0;
  };
  std::vector<Function> functions;
  FlatLists<AddressNames::Frame> stacks;
  // Of code that is in no function.
  struct LineAlone {
    ElfAddr address;
    FileNumber file;
    uint32_t line = 0;
  };
  std::vector<LineAlone> lines;         // by address
  std::vector<uint32_t> stack_numbers;  // of the addresses of its pieces, in order; or kNoNumber
  std::string missing_file;             // the .dwo file that it refers to, if not found
};

// How many frames are believed, of different stacks, and of those of all addresses. Inlining is a
// few functions deep on average.
struct StackBudget {
  StackBudget(const DebugInfo& debug_info, size_t addresses)
      : of_places(debug_info.entry_limit()),
        of_addresses(2 * debug_info.entry_limit() + 16 * addresses) {}

  bool is_used_up() const { return of_places.is_used_up() || of_addresses.is_used_up(); }

  EntryBudget of_places, of_addresses;
};

class UnitReader {
 public:
  UnitReader(const FrameTable& frames, StackBudget& budget)
      : frames_(frames),
        budget_(budget),
        functions_(frames.frames().size(), kNoNumber),
        stacks_(frames, budget.of_places) {}

  void add(std::span<const ElfAddr> addresses) {
    FrameTable::Place place;
    uint32_t stack = kNoNumber;
    for (ElfAddr address : addresses) {
      if (budget_.is_used_up()) return;
      if (address >= place.end) {
        place = frames_.find(address);
        stack = place.frame == FrameTable::kNoFrame
                    ? kNoNumber
                    : stacks_.number_of(place, [&](uint32_t frame) { return function_of(frame); });
      }
      result_.stack_numbers.push_back(stack);
      if (stack == kNoNumber) add_line_alone(address);
      if (stack != kNoNumber) budget_.of_addresses.use(stacks_.lists()[stack].size());
    }
  }

  UnitNames finish() {
    result_.stacks = stacks_.take_lists();
    return std::move(result_);
  }

 private:
  void add_line_alone(ElfAddr address) {
    const FrameTable::Place place = frames_.find_line_alone(address);
    if (place.line.line != 0)
      result_.lines.push_back({address, frames_.file_number(place.file), place.line.line});
  }

  // What is inlined at many places is one function.
  uint32_t function_of(uint32_t frame) {
    uint32_t& number = functions_[frame];
    if (number != kNoNumber) return number;
    const FrameTable::Frame& self = frames_.frames()[frame];
    auto [found, is_new] =
        known_.try_emplace({self.name.data(), self.name.size(), self.decl_file, self.decl_line},
                           static_cast<uint32_t>(result_.functions.size()));
    if (is_new) result_.functions.push_back({self.name, self.decl_file, self.decl_line});
    return number = found->second;
  }

  const FrameTable& frames_;
  StackBudget& budget_;
  std::vector<uint32_t> functions_;  // by frame, once it has a number
  std::map<std::tuple<const char*, size_t, FileNumber, uint32_t>, uint32_t> known_;
  InlineStacks<AddressNames::Frame> stacks_;
  UnitNames result_;
};

// Puts the names of all units and of symbols together, each thing once.
class Namer {
 public:
  Namer(const Binary& binary, std::span<const ElfAddr> addresses, unsigned jobs)
      : binary_(binary), addresses_(addresses), jobs_(resolve_jobs(jobs)) {
    names_.stack_numbers.resize(addresses.size());
    names_.sources.resize(addresses.size(), AddressNames::Source::kNothing);
    names_.files.emplace_back();
  }

  AddressNames name() {
    if (has_debug_info(binary_.debug_image())) add_debug_info();
    add_symbols();
    demangle();
    return std::move(names_);
  }

 private:
  // Of the bytes of names and paths. Names of many functions may be parts of one text, files may
  // share directories, and a short name may become a long one when it is demangled.
  uint64_t text_limit() const {
    uint64_t bytes = binary_.image->bytes().size() + binary_.debug_image().bytes().size();
    return (uint64_t{1} << 20) + saturating_multiply(4, bytes);
  }

  void add_debug_info();
  std::vector<UnitNames> read_units(DebugInfo& debug_info, std::span<const UnitAddresses> pieces);
  bool add_units(DebugInfo& debug_info, const std::vector<UnitNames>& units,
                 std::span<const UnitAddresses> pieces);
  std::optional<std::vector<uint32_t>> add_files(DebugInfo& debug_info,
                                                 const std::vector<FileNumber>& numbers,
                                                 EntryBudget& text);
  void warn_of_missing_files(const std::vector<UnitNames>& units);
  void add_symbols();
  uint32_t add_name(llvm::StringRef name);
  uint32_t add_function(const AddressNames::Function& function);
  void demangle();
  void warn_of_long_names(const char* what_follows);

  const Binary& binary_;
  std::span<const ElfAddr> addresses_;
  unsigned jobs_;
  AddressNames names_;
  llvm::StringMap<uint32_t> name_numbers_;
  std::map<AddressNames::Function, uint32_t> function_numbers_;
  // File and line of code that is in no function of the debug information.
  std::map<ElfAddr, std::pair<uint32_t, uint32_t>> lines_alone_;
};

// Pieces of one unit are neighbours; gives where each unit's begin, and the end.
std::vector<size_t> find_units(std::span<const UnitAddresses> pieces) {
  std::vector<size_t> begins;
  for (size_t i = 0; i < pieces.size(); i++)
    if (i == 0 || pieces[i].unit != pieces[i - 1].unit) begins.push_back(i);
  begins.push_back(pieces.size());
  return begins;
}

void Namer::add_debug_info() {
  const ElfImage& image = binary_.debug_image();
  Result<std::unique_ptr<DebugInfo>> opened = DebugInfo::open(image, jobs_);
  if (!opened) {
    names_.diagnostics.warn(DebugDamage::kKind, opened.error().message);
    return;
  }
  DebugInfo& debug_info = **opened;
  std::vector<UnitAddresses> pieces = split_by_unit(UnitMap(debug_info), addresses_);
  std::vector<UnitNames> units = read_units(debug_info, pieces);
  names_.has_debug_info = add_units(debug_info, units, pieces);
  if (names_.has_debug_info) warn_of_missing_files(units);
  names_.diagnostics.add(debug_info.damage().diagnostics(image.path()));
}

// None when there is more than a file of this size can have: which units were read by then depends
// on the threads.
std::vector<UnitNames> Namer::read_units(DebugInfo& debug_info,
                                         std::span<const UnitAddresses> pieces) {
  const SymbolNames symbol_names(binary_.symbol_image(), UnnamedUnits::kAll);
  const std::vector<size_t> begins = find_units(pieces);
  std::vector<UnitNames> units(begins.size() - 1);
  FrameBudget budget(debug_info);
  StackBudget stack_budget(debug_info, addresses_.size());
  parallel_for_by_thread(units.size(), debug_info.context_count(), [&](size_t thread, size_t i) {
    const uint32_t unit = pieces[begins[i]].unit;
    FrameTable frames(debug_info, thread, unit, LineZero::kWrite, symbol_names, budget);
    UnitReader reader(frames, stack_budget);
    for (size_t k = begins[i]; k < begins[i + 1]; k++)
      reader.add(addresses_.subspan(pieces[k].first, pieces[k].last - pieces[k].first));
    units[i] = reader.finish();
    units[i].missing_file =
        missing_split_file(*debug_info.units(thread)[unit], debug_info.damage());
  });
  if (stack_budget.is_used_up())
    debug_info.damage().add(".debug_info",
                            "there are more inline stacks than a file of its size can have");
  if (budget.is_used_up() || stack_budget.is_used_up()) units.clear();
  return units;
}

// False, and nothing is added, when the units were not read, or their texts are too long.
bool Namer::add_units(DebugInfo& debug_info, const std::vector<UnitNames>& units,
                      std::span<const UnitAddresses> pieces) {
  EntryBudget text(text_limit());
  std::vector<FileNumber> numbers;
  for (const UnitNames& unit : units)
    for (const UnitNames::Function& function : unit.functions) {
      numbers.push_back(function.file);
      text.use(function.name.size());
    }
  for (const UnitNames& unit : units)
    for (const UnitNames::LineAlone& line : unit.lines) numbers.push_back(line.file);
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::optional<std::vector<uint32_t>> files = add_files(debug_info, numbers, text);
  if (!files || (units.empty() && !pieces.empty())) return false;

  auto file_of = [&](const FileNumber& wanted) {
    auto number = std::lower_bound(numbers.begin(), numbers.end(), wanted);
    return (*files)[static_cast<size_t>(number - numbers.begin())];
  };
  const std::vector<size_t> begins = find_units(pieces);
  for (size_t i = 0; i < units.size(); i++) {
    const UnitNames& unit = units[i];
    for (const UnitNames::LineAlone& line : unit.lines)
      lines_alone_[line.address] = {file_of(line.file), line.line};
    std::vector<uint32_t> functions;
    for (const UnitNames::Function& function : unit.functions)
      functions.push_back(
          add_function({add_name(function.name), file_of(function.file), function.start_line}));
    const size_t first_stack = names_.stacks.size();
    for (size_t stack = 0; stack < unit.stacks.size(); stack++) {
      for (const AddressNames::Frame& frame : unit.stacks[stack])
        names_.stacks.push({functions[frame.function], frame.line});
      names_.stacks.end_list();
    }
    size_t at = 0;
    for (size_t k = begins[i]; k < begins[i + 1]; k++)
      for (size_t address = pieces[k].first; address < pieces[k].last; address++) {
        uint32_t stack = unit.stack_numbers[at++];
        if (stack == kNoNumber) continue;
        names_.stack_numbers[address] = static_cast<uint32_t>(first_stack + stack);
        names_.sources[address] = AddressNames::Source::kDebugInfo;
      }
  }
  return true;
}

// The numbers of these files in names_; nothing when texts are too long.
std::optional<std::vector<uint32_t>> Namer::add_files(DebugInfo& debug_info,
                                                      const std::vector<FileNumber>& numbers,
                                                      EntryBudget& text) {
  std::vector<std::string> paths = read_file_paths(debug_info, numbers, text);
  if (text.is_used_up()) {
    debug_info.damage().add(".debug_info",
                            "names and paths are longer than a file of its size can have");
    return std::nullopt;
  }
  llvm::StringMap<uint32_t> known;
  known.try_emplace("", 0);
  std::vector<uint32_t> files;
  for (std::string& path : paths) {
    auto [found, is_new] = known.try_emplace(path, static_cast<uint32_t>(names_.files.size()));
    if (is_new) names_.files.push_back(std::move(path));
    files.push_back(found->second);
  }
  return files;
}

void Namer::warn_of_missing_files(const std::vector<UnitNames>& units) {
  for (const UnitNames& unit : units)
    if (!unit.missing_file.empty())
      names_.diagnostics.warn(kMissingSplitFile,
                              binary_.debug_image().path() + ": " + unit.missing_file +
                                  ", which has the debug information of a part of it (split "
                                  "DWARF), is not there; that part is named by its symbols");
}

void Namer::add_symbols() {
  EntryBudget text(text_limit());
  std::optional<FunctionSymbols> symbols;
  struct Place {
    uint32_t symbol = 0, file = 0, line = 0;
    auto operator<=>(const Place&) const = default;
  };
  std::map<Place, uint32_t> stacks;
  for (size_t i = 0; i < addresses_.size(); i++) {
    if (names_.sources[i] != AddressNames::Source::kNothing) continue;
    if (!symbols) symbols.emplace(*binary_.image, binary_.symbol_image());
    std::optional<uint32_t> symbol = symbols->find(addresses_[i]);
    if (!symbol) continue;
    Place place{*symbol};
    if (auto line = lines_alone_.find(addresses_[i]); line != lines_alone_.end())
      std::tie(place.file, place.line) = line->second;
    auto [found, is_new] = stacks.try_emplace(place, static_cast<uint32_t>(names_.stacks.size()));
    if (is_new) {
      std::string_view name = symbols->functions()[*symbol].name;
      text.use(name.size());
      if (text.is_used_up())
        return warn_of_long_names("code without debug information is not all named");
      const uint32_t function = add_function({add_name({name.data(), name.size()}), place.file, 0});
      names_.stacks.push({function, place.line});
      names_.stacks.end_list();
    }
    names_.stack_numbers[i] = found->second;
    names_.sources[i] = AddressNames::Source::kSymbol;
  }
}

uint32_t Namer::add_name(llvm::StringRef name) {
  auto [found, is_new] =
      name_numbers_.try_emplace(name, static_cast<uint32_t>(names_.names.size()));
  if (is_new) names_.names.push_back({name.str(), {}});
  return found->second;
}

uint32_t Namer::add_function(const AddressNames::Function& function) {
  auto [found, is_new] =
      function_numbers_.try_emplace(function, static_cast<uint32_t>(names_.functions.size()));
  if (is_new) names_.functions.push_back(function);
  return found->second;
}

void Namer::demangle() {
  constexpr size_t kSlice = 64;
  EntryBudget text(text_limit());
  std::vector<AddressNames::Name>& names = names_.names;
  parallel_for((names.size() + kSlice - 1) / kSlice, jobs_, [&](size_t slice) {
    for (size_t i = slice * kSlice; i < std::min(names.size(), (slice + 1) * kSlice); i++) {
      if (text.is_used_up()) return;
      names[i].demangled = demangled_name(names[i].linkage_name);
      text.use(names[i].demangled.size());
    }
  });
  if (!text.is_used_up()) return;
  for (AddressNames::Name& name : names) name.demangled = name.linkage_name;
  warn_of_long_names("they are not demangled");
}

void Namer::warn_of_long_names(const char* what_follows) {
  names_.diagnostics.warn("long-names", binary_.image->path() +
                                            ": the names of its functions are longer than a file "
                                            "of its size can have; " +
                                            what_follows);
}

}  // namespace

AddressNames name_addresses(const Binary& binary, std::span<const ElfAddr> addresses,
                            unsigned jobs) {
  return Namer(binary, addresses, jobs).name();
}

}  // namespace pgo
