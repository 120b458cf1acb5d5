#include "converters/pprof/pprof_writer.h"

#include <algorithm>

#include "pgo/base/wire_writer.h"
#include "pgo/profile/stack_selection.h"

namespace pgo {
namespace {

using wire::WireWriter;

class MessageWriter {
 public:
  explicit MessageWriter(const StackProfile& profile) : profile_(profile) {}

  std::string write() {
    for (const ValueType& type : profile_.sample_types) put_type(1, type);
    for (size_t i = 0; i < profile_.samples.size(); i++) put_sample(i);
    for (size_t i = 0; i < profile_.mappings.size(); i++) put_mapping(i);
    for (size_t i = 0; i < profile_.locations.size(); i++) put_location(i);
    for (size_t i = 0; i < profile_.functions.size(); i++) put_function(i);
    for (uint32_t i = 0; i < profile_.strings.size(); i++)
      out_.bytes(6, profile_.strings[StringId{i}]);
    put_header();
    return out_.take();
  }

 private:
  template <typename Id>
  static uint64_t id_of(Id position) {
    return static_cast<uint64_t>(position) + 1;
  }

  // Ends the part that was written to part_.
  void put_part(unsigned field) {
    out_.bytes(field, part_.view());
    part_.clear();
  }

  void put_type(unsigned field, const ValueType& type) {
    part_.number(1, type.type);
    part_.number(2, type.unit);
    put_part(field);
  }

  template <typename Items, typename ToNumber>
  void put_packed(unsigned field, const Items& items, const ToNumber& to_number) {
    if (items.empty()) return;
    for (const auto& item : items) inner_.varint(to_number(item));
    part_.bytes(field, inner_.view());
    inner_.clear();
  }

  void put_sample(size_t i) {
    const StackSample& sample = profile_.samples[i];
    put_packed(1, profile_.stacks[static_cast<size_t>(sample.stack)], id_of<LocationId>);
    put_packed(2, profile_.values_of(i),
               [](int64_t value) { return static_cast<uint64_t>(value); });
    for (const StackLabel& label : profile_.labels[static_cast<size_t>(sample.labels)]) {
      inner_.number(1, label.key);
      inner_.number(2, label.text);
      inner_.number(3, label.number);
      inner_.number(4, label.unit);
      part_.bytes(3, inner_.view());
      inner_.clear();
    }
    put_part(2);
  }

  void put_mapping(size_t i) {
    const StackMapping& mapping = profile_.mappings[i];
    part_.number(1, id_of(i));
    part_.number(2, mapping.begin.value);
    part_.number(3, mapping.end.value);
    part_.number(4, mapping.file_offset.value);
    part_.number(5, mapping.filename);
    part_.number(6, mapping.build_id);
    part_.number(7, mapping.has_functions);
    part_.number(8, mapping.has_filenames);
    part_.number(9, mapping.has_line_numbers);
    part_.number(10, mapping.has_inline_frames);
    put_part(3);
  }

  void put_location(size_t i) {
    const StackLocation& location = profile_.locations[i];
    part_.number(1, id_of(i));
    if (location.mapping != kNoMapping) part_.number(2, id_of(location.mapping));
    part_.number(3, location.address.value);
    for (const StackLine& line : profile_.lines[i]) {
      inner_.number(1, id_of(line.function));
      inner_.number(2, line.line);
      inner_.number(3, line.column);
      part_.bytes(4, inner_.view());
      inner_.clear();
    }
    part_.number(5, location.is_folded);
    put_part(4);
  }

  void put_function(size_t i) {
    const StackFunction& function = profile_.functions[i];
    part_.number(1, id_of(i));
    part_.number(2, function.name);
    part_.number(3, function.system_name);
    part_.number(4, function.filename);
    part_.number(5, function.start_line);
    put_part(5);
  }

  void put_header() {
    out_.number(7, profile_.drop_frames);
    out_.number(8, profile_.keep_frames);
    out_.number(9, profile_.time);
    out_.number(10, profile_.duration);
    if (profile_.period_type != ValueType{}) put_type(11, profile_.period_type);
    out_.number(12, profile_.period);
    put_packed(13, profile_.comments, [](StringId id) { return static_cast<uint64_t>(id); });
    out_.append(part_.view());
    part_.clear();
    out_.number(14, profile_.default_sample_type);
    out_.number(15, profile_.doc_url);
  }

  const StackProfile& profile_;
  WireWriter out_, part_, inner_;
};

}  // namespace

std::string write_pprof(const StackProfile& profile) { return MessageWriter(profile).write(); }

Result<StackProfile> for_go(const StackProfile& profile, Diagnostics& diagnostics) {
  auto is_wanted = [&](size_t type) {
    std::string name = type_name(profile, type);
    return name == "samples/count" || name == "cpu/nanoseconds";
  };
  size_t type = 0;
  while (type < profile.sample_types.size() && !is_wanted(type)) type++;
  if (type == profile.sample_types.size())
    return fail(ErrorKind::kUnsupported,
                "go: the profile counts neither samples/count nor cpu/nanoseconds, and Go's "
                "compiler uses no others; take CPU profiles");
  if (std::none_of(profile.functions.begin(), profile.functions.end(),
                   [](const StackFunction& function) { return function.start_line != 0; }))
    return fail(ErrorKind::kUnsupported,
                "go: no function has a start line, without which Go's compiler cannot place lines; "
                "take CPU profiles of programs built by Go 1.20 or later");
  StackProfile slim = profile;
  LabelsId none = slim.add_labels({});
  for (StackSample& sample : slim.samples) sample.labels = none;
  slim.comments.clear();
  slim.time = 0;
  slim.doc_url = kEmptyString;
  slim.normalize();
  if (NegativeSamples left_out = drop_negative_samples(slim, type); left_out.samples != 0) {
    std::string what = std::to_string(left_out.samples) +
                       (left_out.samples == 1 ? " sample" : " samples") +
                       " with negative values (" + std::to_string(left_out.sum) + " in all, of " +
                       type_name(slim, type) + "); is the input a difference of profiles?";
    if (slim.samples.empty()) return fail(ErrorKind::kEmpty, "go: there are only " + what);
    diagnostics.warn("negative-values", "go: left out " + what);
    slim.normalize();
  }
  return slim;
}

}  // namespace pgo
