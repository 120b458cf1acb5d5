// StackProfile: stacks with values, in pprof's shape but in columns: what stores speak, and what
// merges, flame graphs and Go's compiler need.
//
//   StackProfile profile;
//   profile.sample_types = {{profile.strings.add("samples"), profile.strings.add("count")}};
//   FunctionId work = profile.add_function({profile.strings.add("work")});
//   LocationId location = profile.add_location({kNoMapping, RuntimeAddr{0x1234}}, {{work, 12, 0}});
//   StackId stack = profile.add_stack({location});
//   profile.add_sample({stack, profile.add_labels({})}, {1});
//   profile.normalize();
//
// A profile that is being put together may hold things twice, in any order, and things that no
// sample needs. normalize() gives it the one form that all ways of saying the same share: sorted,
// each thing once, nothing unused. Numbers of things are then what sorts them, so equal profiles
// are equal column by column, and a writer that goes through the columns is deterministic.
//
// One order has a meaning and stays: the first mapping is the main binary, by pprof's convention.
// Addresses are as in the process, or as the file has them (some store them less the load bias):
// StackMapping::holds() tells which. The first address of a stack is where the sample was; the
// others are what the producer says of callers, mostly return addresses.
#pragma once

#include <compare>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pgo/base/build_id.h"
#include "pgo/base/diagnostics.h"
#include "pgo/base/flat_lists.h"
#include "pgo/profile/address.h"
#include "pgo/profile/string_table.h"

namespace pgo {

enum class MappingId : uint32_t {};
enum class FunctionId : uint32_t {};
enum class LocationId : uint32_t {};
enum class StackId : uint32_t {};
enum class LabelsId : uint32_t {};
inline constexpr MappingId kNoMapping{~uint32_t{0}};  // sorts last

// What is counted, and in which unit: "cpu", "nanoseconds".
struct ValueType {
  StringId type{}, unit{};
  auto operator<=>(const ValueType&) const = default;
};

// A piece of a file in memory, from `begin` to before `end`. What the producer has found out of all
// code in it: has_functions and the like.
struct StackMapping {
  StringId filename{};
  StringId build_id{};  // as the producer wrote it, mostly hexadecimal
  RuntimeAddr begin{}, end{};
  FileOffset file_offset{};  // of `begin`
  bool has_functions = false, has_filenames = false;
  bool has_line_numbers = false, has_inline_frames = false;

  // Is this an address of the process, in here? Others are the file's own already.
  bool holds(RuntimeAddr address) const {
    return begin.value != 0 && address >= begin && address < end;
  }
  auto operator<=>(const StackMapping&) const = default;
};

struct StackFunction {
  StringId name{};         // for people
  StringId system_name{};  // as the linker knows it (mangled); may be empty
  StringId filename{};
  int64_t start_line = 0;  // 0: not known
  auto operator<=>(const StackFunction&) const = default;
};

struct StackLine {
  FunctionId function{};
  int64_t line = 0, column = 0;  // 0: not known
  auto operator<=>(const StackLine&) const = default;
};

struct StackLocation {
  MappingId mapping = kNoMapping;
  RuntimeAddr address{};   // 0: not known
  bool is_folded = false;  // several functions' code at this address was made one by the linker
  auto operator<=>(const StackLocation&) const = default;
};

// A text or a number with a unit. What has an empty text and no number and no unit is no label.
struct StackLabel {
  StringId key{}, text{};
  StringId unit{};
  int64_t number = 0;

  bool is_number() const { return text == kEmptyString; }
  auto operator<=>(const StackLabel&) const = default;
};

struct StackSample {
  StackId stack{};
  LabelsId labels{};
  auto operator<=>(const StackSample&) const = default;
};

struct StackProfile {
  StringTable strings;
  std::vector<StackMapping> mappings;
  std::vector<StackFunction> functions;
  std::vector<StackLocation> locations;
  FlatLists<StackLine> lines;    // of each location; the innermost inlined function first
  FlatLists<LocationId> stacks;  // leaf first
  FlatLists<StackLabel> labels;  // sets of labels; values of one key keep their order
  std::vector<StackSample> samples;
  std::vector<int64_t> values;  // of each sample, one for each of `sample_types`

  std::vector<ValueType> sample_types;
  ValueType period_type;
  int64_t period = 0;
  int64_t time = 0;      // nanoseconds since 1970; 0: not known
  int64_t duration = 0;  // nanoseconds
  std::vector<StringId> comments;
  StringId default_sample_type{};
  StringId doc_url{};
  StringId drop_frames{}, keep_frames{};  // see converters/pprof/frame_pruning.h

  MappingId add_mapping(const StackMapping& mapping);
  FunctionId add_function(const StackFunction& function);
  LocationId add_location(const StackLocation& location, std::span<const StackLine> its_lines);
  LocationId add_location(const StackLocation& location,
                          std::initializer_list<StackLine> its_lines);
  StackId add_stack(std::span<const LocationId> leaf_first);
  StackId add_stack(std::initializer_list<LocationId> leaf_first);
  LabelsId add_labels(std::span<const StackLabel> set);
  LabelsId add_labels(std::initializer_list<StackLabel> set);
  // `its_values`: one for each of `sample_types`.
  void add_sample(const StackSample& sample, std::span<const int64_t> its_values);
  void add_sample(const StackSample& sample, std::initializer_list<int64_t> its_values);

  std::string_view text(StringId id) const { return strings[id]; }
  std::span<const int64_t> values_of(size_t sample) const {
    return std::span(values).subspan(sample * sample_types.size(), sample_types.size());
  }
  // Empty when the producer wrote none, or something else than hexadecimal digits.
  BuildId build_id_of(const StackMapping& mapping) const;

  // The one form of this profile; see above. Values of samples that become one are added up and
  // stop at the largest number. O(n log n).
  void normalize();
  // The first broken invariant of a normalized profile, or nothing.
  std::optional<std::string> check() const;
  // Stable text, the format of golden tests.
  void dump(std::ostream& out) const;
  // Column by column: profiles that say the same are equal once both are normalized.
  bool operator==(const StackProfile&) const = default;
};

}  // namespace pgo
