#include "pgo/profile/stack_profile.h"

#include <algorithm>
#include <ostream>

#include "pgo/profile/stack_order.h"

namespace pgo {
namespace {

template <typename Id, typename T>
Id push(std::vector<T>& column, const T& thing) {
  column.push_back(thing);
  return Id{static_cast<uint32_t>(column.size() - 1)};
}

template <typename Id, typename T>
Id push(FlatLists<T>& column, std::span<const T> list) {
  column.add(list);
  return Id{static_cast<uint32_t>(column.size() - 1)};
}

template <typename T>
std::span<const T> as_span(std::initializer_list<T> list) {
  return {list.begin(), list.size()};
}

// Is each number one of a column of `size` things?
template <typename Id>
bool is_within(Id id, size_t size) {
  return static_cast<size_t>(id) < size;
}

// Labels as "key=text" and "key=12 unit".
void dump_labels(const StackProfile& profile, LabelsId set, std::ostream& out) {
  for (const StackLabel& label : profile.labels[static_cast<size_t>(set)]) {
    out << ' ' << profile.text(label.key) << '=';
    if (!label.is_number())
      out << '"' << profile.text(label.text) << '"';
    else
      out << label.number << profile.text(label.unit);
  }
}

void dump_location(const StackProfile& profile, LocationId id, std::ostream& out) {
  const StackLocation& location = profile.locations[static_cast<size_t>(id)];
  out << "    " << std::hex << location.address.value << std::dec;
  if (location.mapping != kNoMapping)
    out << " in " << profile.text(profile.mappings[static_cast<size_t>(location.mapping)].filename);
  if (location.is_folded) out << " folded";
  const char* separator = ": ";
  for (const StackLine& line : profile.lines[static_cast<size_t>(id)]) {
    const StackFunction& function = profile.functions[static_cast<size_t>(line.function)];
    out << separator << profile.text(function.name) << ':' << line.line;
    if (line.column != 0) out << ':' << line.column;
    separator = " < ";
  }
  out << '\n';
}

void dump_header(const StackProfile& profile, std::ostream& out) {
  auto type = [&](const ValueType& value) {
    out << ' ' << profile.text(value.type) << '/' << profile.text(value.unit);
  };
  out << "types";
  for (const ValueType& value : profile.sample_types) type(value);
  out << "\nperiod " << profile.period;
  type(profile.period_type);
  out << "\ntime " << profile.time << " duration " << profile.duration << '\n';
  for (StringId comment : profile.comments) out << "comment " << profile.text(comment) << '\n';
  for (auto [name, id] : {std::pair{"default", profile.default_sample_type},
                          {"url", profile.doc_url},
                          {"drop", profile.drop_frames},
                          {"keep", profile.keep_frames}})
    if (id != kEmptyString) out << name << ' ' << profile.text(id) << '\n';
}

}  // namespace

MappingId StackProfile::add_mapping(const StackMapping& mapping) {
  return push<MappingId>(mappings, mapping);
}

FunctionId StackProfile::add_function(const StackFunction& function) {
  return push<FunctionId>(functions, function);
}

LocationId StackProfile::add_location(const StackLocation& location,
                                      std::span<const StackLine> its_lines) {
  lines.add(its_lines);
  return push<LocationId>(locations, location);
}

LocationId StackProfile::add_location(const StackLocation& location,
                                      std::initializer_list<StackLine> its_lines) {
  return add_location(location, as_span(its_lines));
}

StackId StackProfile::add_stack(std::span<const LocationId> leaf_first) {
  return push<StackId>(stacks, leaf_first);
}

StackId StackProfile::add_stack(std::initializer_list<LocationId> leaf_first) {
  return add_stack(as_span(leaf_first));
}

LabelsId StackProfile::add_labels(std::span<const StackLabel> set) {
  return push<LabelsId>(labels, set);
}

LabelsId StackProfile::add_labels(std::initializer_list<StackLabel> set) {
  return add_labels(as_span(set));
}

void StackProfile::add_sample(const StackSample& sample, std::span<const int64_t> its_values) {
  samples.push_back(sample);
  values.insert(values.end(), its_values.begin(), its_values.end());
}

void StackProfile::add_sample(const StackSample& sample,
                              std::initializer_list<int64_t> its_values) {
  add_sample(sample, as_span(its_values));
}

BuildId StackProfile::build_id_of(const StackMapping& mapping) const {
  return BuildId::from_hex(text(mapping.build_id)).value_or(BuildId());
}

void StackProfile::normalize() { *this = in_canonical_order(*this); }

std::optional<std::string> StackProfile::check() const {
  if (values.size() != samples.size() * sample_types.size())
    return "there is not one value for each sample and sample type";
  if (lines.size() != locations.size()) return "there is not one list of lines for each location";
  for (const StackSample& sample : samples)
    if (!is_within(sample.stack, stacks.size()) || !is_within(sample.labels, labels.size()))
      return "a sample's stack or labels are not there";
  for (size_t stack = 0; stack < stacks.size(); stack++)
    for (LocationId location : stacks[stack])
      if (!is_within(location, locations.size())) return "a stack's location is not there";
  for (size_t at = 0; at < locations.size(); at++) {
    if (locations[at].mapping != kNoMapping && !is_within(locations[at].mapping, mappings.size()))
      return "a location's mapping is not there";
    for (const StackLine& line : lines[at])
      if (!is_within(line.function, functions.size())) return "a line's function is not there";
  }
  if (in_canonical_order(*this) != *this) return "the columns are not in canonical order";
  return std::nullopt;
}

void StackProfile::dump(std::ostream& out) const {
  dump_header(*this, out);
  for (const StackMapping& mapping : mappings)
    out << "mapping " << std::hex << mapping.begin.value << ' ' << mapping.end.value << ' '
        << mapping.file_offset.value << std::dec << ' ' << text(mapping.filename) << ' '
        << text(mapping.build_id) << (mapping.has_functions ? " functions" : "")
        << (mapping.has_filenames ? " filenames" : "") << (mapping.has_line_numbers ? " lines" : "")
        << (mapping.has_inline_frames ? " inlined" : "") << '\n';
  for (const StackFunction& function : functions)
    out << "function " << text(function.name) << ' ' << text(function.system_name) << ' '
        << text(function.filename) << ':' << function.start_line << '\n';
  for (size_t i = 0; i < samples.size(); i++) {
    out << "sample";
    for (int64_t value : values_of(i)) out << ' ' << value;
    dump_labels(*this, samples[i].labels, out);
    out << '\n';
    for (LocationId id : stacks[static_cast<size_t>(samples[i].stack)])
      dump_location(*this, id, out);
  }
}

}  // namespace pgo
