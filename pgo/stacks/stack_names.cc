#include "pgo/stacks/stack_names.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "pgo/elf/mapping_owners.h"
#include "pgo/profile/accounting.h"
#include "pgo/profile/stack_selection.h"
#include "pgo/stacks/bolted_code.h"
#include "pgo/stacks/frame_addresses.h"
#include "pgo/symbolize/address_names.h"

namespace pgo {
namespace {

constexpr std::string_view kKernel = "[kernel]";

// Where the name of a location is from.
enum class NamedBy : uint8_t { kNothing, kProfile, kSymbol, kDebugInfo };

std::vector<const ElfImage*> images_of(const BinarySet& binaries) {
  std::vector<const ElfImage*> images;
  for (const Binary& binary : binaries.binaries()) images.push_back(binary.image.get());
  return images;
}

// The names of one binary's addresses, as they are put into the profile.
struct BinaryNames {
  std::vector<ElfAddr> addresses;  // sorted, unique
  AddressNames names;
  std::vector<std::optional<FunctionId>> functions;                 // of names.functions, once put
  std::vector<std::optional<std::pair<StringId, StringId>>> texts;  // of names.names
  std::vector<std::optional<StringId>> files;                       // of names.files
};

class StackNamer {
 public:
  StackNamer(StackProfile& profile, const BinarySet& binaries, const StackNameOptions& options)
      : profile_(profile),
        options_(options),
        images_(images_of(binaries)),
        owners_(profile, images_, OtherBuilds::kAreOthers),
        frames_(profile, binaries, owners_),
        binaries_(binaries),
        bolted_(images_.size()),
        names_(images_.size()) {}

  StackNaming name() {
    for (size_t i = 0; i < profile_.locations.size(); i++)
      has_function_.push_back(has_function(profile_.lines[i]));
    look_up();
    put_locations();
    put_stacks();
    weigh();
    profile_.normalize();
    return std::move(naming_);
  }

 private:
  // Code that is looked up, in the binary of this number.
  struct Code {
    size_t binary = 0;
    ElfAddr addr;
  };
  // How a binary is named through the input of BOLT, if it is; made when first needed.
  struct Bolted {
    bool is_made = false;
    std::unique_ptr<BoltedCode> code;
  };
  using RoleIds = std::array<LocationId, kFrameRoles.size()>;

  bool has_function(std::span<const StackLine> lines) const;
  bool is_wanted(size_t location) const;
  BoltedCode* bolted_code(size_t binary);
  std::optional<Code> find_code(size_t location, FrameRole role);
  void look_up();
  void put_locations();
  void put_stacks();
  NamedBy name_location(size_t location, FrameRole role, std::vector<StackLine>& lines);
  FunctionId function_of(BinaryNames& binary, uint32_t function);
  FunctionId kernel_function();
  void note_resolution(const StackLocation& location, std::span<const StackLine> lines);
  void weigh();

  StackProfile& profile_;
  const StackNameOptions& options_;
  const std::vector<const ElfImage*> images_;
  const MappingOwners owners_;
  const FrameAddresses frames_;
  const BinarySet& binaries_;
  std::vector<Bolted> bolted_;      // of binaries
  std::vector<bool> has_function_;  // of the locations as they were
  std::vector<BinaryNames> names_;  // of binaries
  std::vector<RoleIds> ids_;        // of what the locations became
  std::vector<NamedBy> named_by_;   // of the locations as they are now
  std::optional<FunctionId> kernel_;
  StackNaming naming_;
};

// "[kernel]" is none.
bool StackNamer::has_function(std::span<const StackLine> lines) const {
  return std::any_of(lines.begin(), lines.end(), [&](const StackLine& line) {
    std::string_view name =
        profile_.text(profile_.functions[static_cast<size_t>(line.function)].name);
    return !name.empty() && name != kKernel;
  });
}

bool StackNamer::is_wanted(size_t location) const {
  MappingId mapping = profile_.locations[location].mapping;
  if (mapping == kNoMapping || !owners_[mapping].image) return false;
  return !has_function_[location] ||
         !profile_.mappings[static_cast<size_t>(mapping)].has_inline_frames;
}

BoltedCode* StackNamer::bolted_code(size_t binary) {
  Bolted& bolted = bolted_[binary];
  if (!std::exchange(bolted.is_made, true))
    if (std::optional<BoltedCode> found = BoltedCode::find(binaries_, binary, naming_.diagnostics))
      bolted.code = std::make_unique<BoltedCode>(*std::move(found));
  return bolted.code.get();
}

std::optional<StackNamer::Code> StackNamer::find_code(size_t location, FrameRole role) {
  const OptElfAddr addr = frames_.find_code(LocationId{static_cast<uint32_t>(location)}, role);
  const MappingId mapping = profile_.locations[location].mapping;
  if (!addr || mapping == kNoMapping) return std::nullopt;
  const std::optional<size_t> binary = owners_[mapping].image;
  if (!binary) return std::nullopt;
  if (BoltedCode* bolted = bolted_code(*binary))
    if (OptElfAddr in_input = bolted->find_in_input(*addr)) return Code{bolted->input(), *in_input};
  return Code{*binary, *addr};
}

void StackNamer::look_up() {
  for (size_t i = 0; i < profile_.locations.size(); i++) {
    if (!is_wanted(i)) continue;
    LocationId id{static_cast<uint32_t>(i)};
    for (FrameRole role : kFrameRoles) {
      if (!frames_.is_used(id, role)) continue;
      if (std::optional<Code> code = find_code(i, role))
        names_[code->binary].addresses.push_back(code->addr);
    }
  }
  for (size_t i = 0; i < names_.size(); i++) {
    BinaryNames& binary = names_[i];
    if (binary.addresses.empty()) continue;
    std::sort(binary.addresses.begin(), binary.addresses.end());
    binary.addresses.erase(std::unique(binary.addresses.begin(), binary.addresses.end()),
                           binary.addresses.end());
    binary.names = name_addresses(binaries_.binaries()[i], binary.addresses, options_.jobs);
    binary.functions.resize(binary.names.functions.size());
    binary.texts.resize(binary.names.names.size());
    binary.files.resize(binary.names.files.size());
    naming_.addresses += binary.addresses.size();
    naming_.diagnostics.add(binary.names.diagnostics);
  }
}

// What a location is called in one role: its lines, new or old, are put into `lines`.
NamedBy StackNamer::name_location(size_t location, FrameRole role, std::vector<StackLine>& lines) {
  std::span<const StackLine> old = profile_.lines[location];
  lines.assign(old.begin(), old.end());
  NamedBy by_old = has_function_[location] ? NamedBy::kProfile : NamedBy::kNothing;
  LocationId id{static_cast<uint32_t>(location)};
  if (by_old == NamedBy::kNothing && frames_.is_kernel(id))
    lines.assign(1, StackLine{kernel_function()});
  if (!is_wanted(location)) return by_old;
  std::optional<Code> code = find_code(location, role);
  if (!code) return by_old;
  BinaryNames& binary = names_[code->binary];
  auto found = std::lower_bound(binary.addresses.begin(), binary.addresses.end(), code->addr);
  const size_t address = static_cast<size_t>(found - binary.addresses.begin());
  AddressNames::Source source = binary.names.sources[address];
  bool is_better = source == AddressNames::Source::kDebugInfo ||
                   (source == AddressNames::Source::kSymbol && by_old == NamedBy::kNothing);
  if (!is_better) return by_old;
  lines.clear();
  for (const AddressNames::Frame& frame : binary.names.stack_of(address))
    lines.push_back({function_of(binary, frame.function), frame.line, 0});
  return source == AddressNames::Source::kDebugInfo ? NamedBy::kDebugInfo : NamedBy::kSymbol;
}

FunctionId StackNamer::function_of(BinaryNames& binary, uint32_t number) {
  std::optional<FunctionId>& id = binary.functions[number];
  if (id) return *id;
  const AddressNames::Function& function = binary.names.functions[number];
  auto& texts = binary.texts[function.name];
  if (!texts) {
    const AddressNames::Name& name = binary.names.names[function.name];
    StringId linkage_name = profile_.strings.add(name.linkage_name);
    bool is_mangled = name.demangled != name.linkage_name;
    texts = {is_mangled ? profile_.strings.add(name.demangled) : linkage_name, linkage_name};
  }
  std::optional<StringId>& file = binary.files[function.file];
  if (!file) file = profile_.strings.add(binary.names.files[function.file]);
  id = profile_.add_function({texts->first, texts->second, *file, function.start_line});
  return *id;
}

FunctionId StackNamer::kernel_function() {
  if (!kernel_) kernel_ = profile_.add_function({profile_.strings.add(kKernel), {}, {}, 0});
  return *kernel_;
}

// What is known of all code of a mapping, by what is known of some.
void StackNamer::note_resolution(const StackLocation& location, std::span<const StackLine> lines) {
  StackMapping& mapping = profile_.mappings[static_cast<size_t>(location.mapping)];
  for (const StackLine& line : lines) {
    const StackFunction& function = profile_.functions[static_cast<size_t>(line.function)];
    mapping.has_functions |= function.name != kEmptyString;
    mapping.has_filenames |= function.filename != kEmptyString;
    mapping.has_line_numbers |= line.line != 0;
  }
}

// One location for each that there was, or two, where it has other names as a return address.
void StackNamer::put_locations() {
  std::vector<StackLocation> locations;
  FlatLists<StackLine> all_lines;
  std::vector<StackLine> lines;
  auto put = [&](const StackLocation& location, NamedBy named_by) {
    locations.push_back(location);
    all_lines.add(lines);
    named_by_.push_back(named_by);
    if (named_by == NamedBy::kSymbol || named_by == NamedBy::kDebugInfo)
      note_resolution(location, lines);
    return LocationId{static_cast<uint32_t>(locations.size() - 1)};
  };
  for (size_t i = 0; i < profile_.locations.size(); i++) {
    const StackLocation& location = profile_.locations[i];
    LocationId id{static_cast<uint32_t>(i)};
    RoleIds& ids = ids_.emplace_back();
    bool is_put = false;
    for (FrameRole role : kFrameRoles) {
      if (!frames_.is_used(id, role)) continue;
      NamedBy named_by = name_location(i, role, lines);
      LocationId& mine = ids[static_cast<size_t>(role)];
      bool is_same = is_put && std::ranges::equal(lines, all_lines[locations.size() - 1]);
      mine = is_same ? ids[0] : put(location, named_by);
      is_put = true;
    }
  }
  // What debug information was read for can say no more than it did.
  for (size_t i = 0; i < profile_.mappings.size(); i++) {
    const std::optional<size_t> image = owners_[MappingId{static_cast<uint32_t>(i)}].image;
    if (!image) continue;
    const BoltedCode* bolted = bolted_[*image].code.get();
    const BinaryNames& named_by = names_[bolted == nullptr ? *image : bolted->input()];
    profile_.mappings[i].has_inline_frames |= named_by.names.has_debug_info;
  }
  profile_.locations = std::move(locations);
  profile_.lines = std::move(all_lines);
}

void StackNamer::put_stacks() {
  FlatLists<LocationId> stacks;
  for (size_t s = 0; s < profile_.stacks.size(); s++) {
    std::span<const LocationId> stack = profile_.stacks[s];
    for (size_t i = 0; i < stack.size(); i++)
      stacks.push(
          ids_[static_cast<size_t>(stack[i])][static_cast<size_t>(frames_.role_of(stack, i))]);
    stacks.end_list();
  }
  profile_.stacks = std::move(stacks);
}

void add_weight(NamedWeight& weight, NamedBy named_by, uint64_t more) {
  uint64_t& sum = named_by == NamedBy::kDebugInfo ? weight.by_debug_info
                  : named_by == NamedBy::kSymbol  ? weight.by_symbol
                  : named_by == NamedBy::kProfile ? weight.by_profile
                                                  : weight.unnamed;
  sum = saturating_add(sum, more);
}

void StackNamer::weigh() {
  if (profile_.sample_types.empty()) return;
  const size_t type = options_.sample_type.value_or(shown_type(profile_));
  std::map<std::pair<std::string_view, std::string_view>, StackNaming::File> files;
  std::vector<bool> used(profile_.mappings.size());
  for (size_t s = 0; s < profile_.samples.size(); s++) {
    int64_t value = profile_.values_of(s)[type];
    if (value <= 0) continue;
    std::span<const LocationId> stack =
        profile_.stacks[static_cast<size_t>(profile_.samples[s].stack)];
    MappingId mapping = kNoMapping;
    NamedBy named_by = NamedBy::kNothing;
    if (!stack.empty()) {
      mapping = profile_.locations[static_cast<size_t>(stack[0])].mapping;
      named_by = named_by_[static_cast<size_t>(stack[0])];
    }
    std::pair<std::string_view, std::string_view> key;
    if (mapping != kNoMapping) {
      const StackMapping& of_leaf = profile_.mappings[static_cast<size_t>(mapping)];
      key = {profile_.text(of_leaf.filename), profile_.text(of_leaf.build_id)};
      used[static_cast<size_t>(mapping)] = true;
    }
    auto [found, is_new] = files.try_emplace(key);
    StackNaming::File& file = found->second;
    if (is_new) {
      file.path = key.first, file.build_id = key.second;
      if (mapping != kNoMapping) file.binary = owners_[mapping].image;
    }
    add_weight(file.weight, named_by, static_cast<uint64_t>(value));
    add_weight(naming_.weight, named_by, static_cast<uint64_t>(value));
  }
  for (auto& [key, file] : files) naming_.files.push_back(std::move(file));
  std::stable_sort(naming_.files.begin(), naming_.files.end(), [](const auto& a, const auto& b) {
    return a.weight.total() > b.weight.total();
  });
  owners_.warn_of_names(used, options_.name, naming_.diagnostics);
}

}  // namespace

uint64_t NamedWeight::total() const {
  return saturating_add(saturating_add(by_debug_info, by_symbol),
                        saturating_add(by_profile, unnamed));
}

StackNaming name_stacks(StackProfile& profile, const BinarySet& binaries,
                        const StackNameOptions& options) {
  Diagnostics assumed;
  binaries.assume_build_ids(profile, options.name, assumed);
  StackNaming naming = StackNamer(profile, binaries, options).name();
  naming.diagnostics.add(assumed);
  return naming;
}

}  // namespace pgo
