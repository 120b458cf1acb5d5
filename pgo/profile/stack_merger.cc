#include "pgo/profile/stack_merger.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "pgo/profile/stack_order.h"

namespace pgo {
namespace {

constexpr uint32_t kNotYet = ~uint32_t{0};

template <typename Id>
size_t index(Id id) {
  return static_cast<size_t>(id);
}

WideCount add_up(WideCount a, WideCount b) {
  WideCount sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  constexpr WideCount kMax = static_cast<WideCount>(~static_cast<unsigned __int128>(0) >> 1);
  return b > 0 ? kMax : -kMax - 1;
}

// To the nearest integer, halves away from zero. Counts in `stopped` what does not fit the answer.
int64_t rounded(WideCount units, uint64_t& stopped) {
  constexpr WideCount kHalf = WideCount{1} << (MergeFactor::kBits - 1);
  constexpr WideCount kMax = std::numeric_limits<int64_t>::max();
  constexpr WideCount kLeast = std::numeric_limits<int64_t>::min();
  // No sum whose rounding could wrap round fits the answer.
  WideCount near =
      std::clamp(units, (kLeast - 1) << MergeFactor::kBits, (kMax + 1) << MergeFactor::kBits);
  WideCount whole =
      near < 0 ? -((-near + kHalf) >> MergeFactor::kBits) : (near + kHalf) >> MergeFactor::kBits;
  WideCount fitting = std::clamp(whole, kLeast, kMax);
  if (fitting != whole) stopped++;
  return static_cast<int64_t>(fitting);
}

std::string list_types(const StackProfile& profile) {
  std::string list;
  auto add = [&](const ValueType& type) {
    list += std::string(profile.text(type.type)) + "/" + std::string(profile.text(type.unit));
  };
  for (const ValueType& type : profile.sample_types) {
    if (!list.empty()) list += ", ";
    add(type);
  }
  if (profile.period_type != ValueType()) {
    list += " by a period of ";
    add(profile.period_type);
  }
  return list;
}

// Mappings of the same size are so but for what is less than a page.
uint64_t size_in_pages(const StackMapping& mapping) {
  constexpr uint64_t kPage = 4096;
  uint64_t size = mapping.end.value - mapping.begin.value;
  return (size + kPage - 1) / kPage;
}

}  // namespace

Result<void> StackMerger::check_types(const StackProfile& profile, const std::string& name) const {
  auto same = [&](const ValueType& a, const ValueType& b) {
    return profile.text(a.type) == merged_.text(b.type) &&
           profile.text(a.unit) == merged_.text(b.unit);
  };
  if (same(profile.period_type, merged_.period_type) &&
      std::equal(profile.sample_types.begin(), profile.sample_types.end(),
                 merged_.sample_types.begin(), merged_.sample_types.end(), same))
    return ok();
  return fail(ErrorKind::kMismatch, name + ": counts " + list_types(profile) + ", but " +
                                        first_name_ + " counts " + list_types(merged_) +
                                        "; \xFF{sample-type} chooses one that both have");
}

StringId StackMerger::add_text(const StackProfile& profile, StringId id) {
  uint32_t& number = text_at_[index(id)];
  if (number != kNotYet) return StringId{number};
  std::string_view text = profile.text(id);
  if (text.empty()) {
    number = 0;
    return kEmptyString;
  }
  number = texts_.find_or_add(
      hash_text(seed_, text),
      [&](uint32_t known) { return merged_.strings[StringId{known}] == text; },
      [&] { return index(merged_.strings.add(text)); });
  return StringId{number};
}

// Of two texts the one that sorts first, but for the empty one.
StringId StackMerger::first_of(StringId a, StringId b) const {
  if (a == kEmptyString || b == kEmptyString) return a == kEmptyString ? b : a;
  return merged_.text(b) < merged_.text(a) ? b : a;
}

void StackMerger::add_header(const StackProfile& profile, const std::string& name) {
  if (profiles_++ == 0) {
    first_name_ = name;
    for (const ValueType& type : profile.sample_types)
      merged_.sample_types.push_back({add_text(profile, type.type), add_text(profile, type.unit)});
    merged_.period_type = {add_text(profile, profile.period_type.type),
                           add_text(profile, profile.period_type.unit)};
  }
  if (profile.time != 0 && (merged_.time == 0 || profile.time < merged_.time))
    merged_.time = profile.time;
  if (__builtin_add_overflow(merged_.duration, profile.duration, &merged_.duration))
    merged_.duration = std::numeric_limits<int64_t>::max();
  merged_.period = std::max(merged_.period, profile.period);
  for (StringId comment : profile.comments) {
    StringId added = add_text(profile, comment);
    if (std::find(merged_.comments.begin(), merged_.comments.end(), added) ==
        merged_.comments.end())
      merged_.comments.push_back(added);
  }
  for (StringId StackProfile::* member :
       {&StackProfile::default_sample_type, &StackProfile::doc_url, &StackProfile::drop_frames,
        &StackProfile::keep_frames})
    merged_.*member = first_of(merged_.*member, add_text(profile, profile.*member));
}

MappingId StackMerger::add_mapping(const StackProfile& profile, MappingId id) {
  uint32_t& number = mapping_at_[index(id)];
  if (number != kNotYet) return MappingId{number};
  StackMapping mapping = profile.mappings[index(id)];
  mapping.filename = add_text(profile, mapping.filename);
  mapping.build_id = add_text(profile, mapping.build_id);
  MappingKey key{mapping.build_id != kEmptyString ? mapping.build_id : mapping.filename,
                 size_in_pages(mapping), mapping.file_offset};
  uint64_t hash =
      hash_more(hash_more(hash_more(seed_, index(key.identity)), key.pages), key.file_offset.value);
  bool is_new = false;
  number = mappings_.find_or_add(
      hash, [&](uint32_t known) { return mapping_keys_[known] == key; },
      [&] {
        is_new = true;
        mapping_keys_.push_back(key);
        return index(merged_.add_mapping(mapping));
      });
  if (is_new) return MappingId{number};
  StackMapping& known = merged_.mappings[number];
  uint64_t size =
      std::max(known.end.value - known.begin.value, mapping.end.value - mapping.begin.value);
  // At 0 it holds no address of a process, and would make the others' the file's own.
  if (known.begin.value == 0 || (mapping.begin.value != 0 && mapping.begin < known.begin))
    known.begin = mapping.begin;
  known.end = RuntimeAddr{known.begin.value + size};
  known.filename = first_of(known.filename, mapping.filename);
  known.build_id = first_of(known.build_id, mapping.build_id);
  known.has_functions &= mapping.has_functions;
  known.has_filenames &= mapping.has_filenames;
  known.has_line_numbers &= mapping.has_line_numbers;
  known.has_inline_frames &= mapping.has_inline_frames;
  return MappingId{number};
}

FunctionId StackMerger::add_function(const StackProfile& profile, FunctionId id) {
  uint32_t& number = function_at_[index(id)];
  if (number != kNotYet) return FunctionId{number};
  StackFunction function = profile.functions[index(id)];
  function.name = add_text(profile, function.name);
  function.system_name = add_text(profile, function.system_name);
  function.filename = add_text(profile, function.filename);
  uint64_t hash = hash_more(seed_, index(function.name) << 32 | index(function.filename));
  hash = hash_more(hash_more(hash, index(function.system_name)),
                   static_cast<uint64_t>(function.start_line));
  number = functions_.find_or_add(
      hash, [&](uint32_t known) { return merged_.functions[known] == function; },
      [&] { return index(merged_.add_function(function)); });
  return FunctionId{number};
}

LocationId StackMerger::add_location(const StackProfile& profile, LocationId id) {
  uint32_t& number = location_at_[index(id)];
  if (number != kNotYet) return LocationId{number};
  StackLocation location = profile.locations[index(id)];
  bool of_process = of_process_at_[index(id)];
  if (of_process) location.address.value -= profile.mappings[index(location.mapping)].begin.value;
  if (location.mapping != kNoMapping) location.mapping = add_mapping(profile, location.mapping);
  uint64_t hash =
      hash_more(hash_more(seed_, location.address.value),
                index(location.mapping) << 2 | (of_process ? 2 : 0) | (location.is_folded ? 1 : 0));
  lines_.clear();
  for (StackLine line : profile.lines[index(id)]) {
    line.function = add_function(profile, line.function);
    lines_.push_back(line);
    hash = hash_more(hash, static_cast<uint64_t>(line.line) << 32 ^ index(line.function));
    hash = hash_more(hash, static_cast<uint64_t>(line.column));
  }
  number = locations_.find_or_add(
      hash,
      [&](uint32_t known) {
        return merged_.locations[known] == location && of_process_[known] == of_process &&
               std::ranges::equal(merged_.lines[known], lines_);
      },
      [&] {
        of_process_.push_back(of_process);
        return index(merged_.add_location(location, lines_));
      });
  return LocationId{number};
}

StackId StackMerger::add_stack(const StackProfile& profile, StackId id) {
  uint32_t& number = stack_at_[index(id)];
  if (number != kNotYet) return StackId{number};
  frames_.clear();
  uint64_t hash = seed_;
  for (LocationId frame : profile.stacks[index(id)]) {
    frames_.push_back(add_location(profile, frame));
    hash = hash_more(hash, index(frames_.back()));
  }
  number = stacks_.find_or_add(
      hash, [&](uint32_t known) { return std::ranges::equal(merged_.stacks[known], frames_); },
      [&] { return index(merged_.add_stack(frames_)); });
  return StackId{number};
}

LabelsId StackMerger::add_labels(const StackProfile& profile, LabelsId id,
                                 const LabelRules& rules) {
  uint32_t& number = labels_at_[index(id)];
  if (number != kNotYet) return LabelsId{number};
  set_.clear();
  for (StackLabel label : profile.labels[index(id)]) {
    std::optional<std::string_view> key = rules.key_for(profile.text(label.key));
    if (!key) continue;
    label.key = key->data() == profile.text(label.key).data() ? add_text(profile, label.key)
                                                              : add_new_text(*key);
    label.text = add_text(profile, label.text);
    label.unit = add_text(profile, label.unit);
    set_.push_back(label);
  }
  sort_labels(set_, merged_.strings);
  uint64_t hash = seed_;
  for (const StackLabel& label : set_) {
    hash = hash_more(hash, index(label.key) << 32 | index(label.text));
    hash = hash_more(hash_more(hash, static_cast<uint64_t>(label.number)), index(label.unit));
  }
  number = labels_.find_or_add(
      hash, [&](uint32_t known) { return std::ranges::equal(merged_.labels[known], set_); },
      [&] { return index(merged_.add_labels(set_)); });
  return LabelsId{number};
}

StringId StackMerger::add_new_text(std::string_view text) {
  if (text.empty()) return kEmptyString;
  return StringId{texts_.find_or_add(
      hash_text(seed_, text),
      [&](uint32_t known) { return merged_.strings[StringId{known}] == text; },
      [&] { return index(merged_.strings.add(text)); })};
}

template <typename Values>
void StackMerger::add_samples(const StackProfile& profile, const LabelRules& rules,
                              const Values& values) {
  size_t types = merged_.sample_types.size();
  for (size_t i = 0; i < profile.samples.size(); i++) {
    bool counts = false;
    for (size_t type = 0; type < types; type++) counts = counts || values(i, type) != 0;
    if (!counts) continue;
    StackSample sample{add_stack(profile, profile.samples[i].stack),
                       add_labels(profile, profile.samples[i].labels, rules)};
    uint32_t number = samples_.find_or_add(
        hash_more(hash_more(seed_, index(sample.stack)), index(sample.labels)),
        [&](uint32_t known) { return merged_.samples[known] == sample; },
        [&] {
          merged_.samples.push_back(sample);
          sums_.resize(sums_.size() + types);
          return merged_.samples.size() - 1;
        });
    for (size_t type = 0; type < types; type++) {
      WideCount& sum = sums_[number * types + type];
      sum = add_up(sum, values(i, type));
    }
  }
}

void StackMerger::begin_profile(const StackProfile& profile, const std::string& name) {
  text_at_.assign(profile.strings.size(), kNotYet);
  mapping_at_.assign(profile.mappings.size(), kNotYet);
  function_at_.assign(profile.functions.size(), kNotYet);
  location_at_.assign(profile.locations.size(), kNotYet);
  stack_at_.assign(profile.stacks.size(), kNotYet);
  labels_at_.assign(profile.labels.size(), kNotYet);
  of_process_at_.clear();
  for (const StackLocation& location : profile.locations)
    of_process_at_.push_back(location.mapping != kNoMapping &&
                             profile.mappings[index(location.mapping)].holds(location.address));
  add_header(profile, name);
}

void StackMerger::add_main(MappingId main) {
  if (std::find(mains_.begin(), mains_.end(), main) == mains_.end()) mains_.push_back(main);
}

Result<void> StackMerger::add(const StackProfile& profile, const std::string& name,
                              std::span<const MergeFactor> factors, const LabelRules& rules) {
  if (!empty()) PGO_CHECK(check_types(profile, name));
  begin_profile(profile, name);
  if (!profile.mappings.empty()) add_main(add_mapping(profile, MappingId{0}));
  size_t types = profile.sample_types.size();
  std::vector<MergeFactor> of_type(types, factors.size() == 1 ? factors[0] : MergeFactor());
  if (factors.size() == types) of_type.assign(factors.begin(), factors.end());
  add_samples(profile, rules, [&](size_t sample, size_t type) {
    return static_cast<WideCount>(profile.values[sample * types + type]) *
           static_cast<WideCount>(of_type[type].units);
  });
  return ok();
}

Result<void> StackMerger::add(StackMerger&& other) {
  if (other.empty()) return ok();
  if (empty()) {
    *this = std::move(other);
    return ok();
  }
  PGO_CHECK(check_types(other.merged_, other.first_name_));
  other.make_absolute();
  begin_profile(other.merged_, other.first_name_);
  of_process_at_ = other.of_process_;
  profiles_ += other.profiles_ - 1;
  for (MappingId main : other.mains_) add_main(add_mapping(other.merged_, main));
  size_t types = merged_.sample_types.size();
  add_samples(other.merged_, {},
              [&](size_t sample, size_t type) { return other.sums_[sample * types + type]; });
  return ok();
}

// Now that the beginnings of mappings are known.
void StackMerger::make_absolute() {
  for (size_t i = 0; i < merged_.locations.size(); i++)
    if (StackLocation& location = merged_.locations[i]; of_process_[i])
      location.address.value += merged_.mappings[index(location.mapping)].begin.value;
}

// Of the profiles' first mappings, the one that is first here.
std::optional<MappingId> StackMerger::find_main() const {
  auto key = [&](MappingId id) {
    const MappingKey& of = mapping_keys_[index(id)];
    std::string_view identity = merged_.text(of.identity);
    std::string_view name = merged_.text(merged_.mappings[index(id)].filename);
    bool is_file = !name.empty() && name[0] != '[';
    return std::tuple(!is_file, identity, of.pages, of.file_offset);
  };
  auto first = std::min_element(mains_.begin(), mains_.end(),
                                [&](MappingId a, MappingId b) { return key(a) < key(b); });
  return first == mains_.end() ? std::nullopt : std::optional(*first);
}

StackProfile StackMerger::finish(Diagnostics& diagnostics) && {
  make_absolute();
  if (std::optional<MappingId> main = find_main(); main && index(*main) != 0) {
    std::swap(merged_.mappings[0], merged_.mappings[index(*main)]);
    for (StackLocation& location : merged_.locations) {
      if (location.mapping == *main)
        location.mapping = MappingId{0};
      else if (location.mapping == MappingId{0})
        location.mapping = *main;
    }
  }
  size_t types = merged_.sample_types.size(), kept = 0;
  uint64_t stopped = 0;
  for (size_t i = 0; i < merged_.samples.size(); i++) {
    size_t begin = merged_.values.size();
    for (size_t type = 0; type < types; type++)
      merged_.values.push_back(rounded(sums_[i * types + type], stopped));
    if (std::all_of(merged_.values.begin() + static_cast<std::ptrdiff_t>(begin),
                    merged_.values.end(), [](int64_t value) { return value == 0; })) {
      merged_.values.resize(begin);
    } else {
      merged_.samples[kept++] = merged_.samples[i];
    }
  }
  if (stopped != 0)
    diagnostics.warn("stopped-counts",
                     std::to_string(stopped) +
                         (stopped == 1 ? " value of the merged samples does"
                                       : " values of the merged samples do") +
                         " not fit 64 bits: the limits are 9223372036854775807 and "
                         "-9223372036854775808");
  merged_.samples.resize(kept);
  merged_.normalize();
  return std::move(merged_);
}

}  // namespace pgo
