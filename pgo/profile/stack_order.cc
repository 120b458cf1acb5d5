#include "pgo/profile/stack_order.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

namespace pgo {
namespace {

__extension__ using Wide = __int128;

int64_t clamp(Wide sum) {
  constexpr Wide kLeast = std::numeric_limits<int64_t>::min();
  constexpr Wide kMax = std::numeric_limits<int64_t>::max();
  return static_cast<int64_t>(std::clamp(sum, kLeast, kMax));
}

// The new number of each thing that is needed, by its old one.
class Renumbering {
 public:
  explicit Renumbering(size_t things) : needed_(things), number_(things) {}

  void need(uint32_t thing) { needed_[thing] = true; }
  bool needs(uint32_t thing) const { return needed_[thing]; }
  uint32_t operator[](uint32_t thing) const { return number_[thing]; }

  // Numbers the needed things in the order of `less(old, old)`, those that are equal alike, and
  // calls `add(old)` for each that is new.
  template <typename Less, typename Add>
  void number(const Less& less, const Add& add) {
    std::vector<uint32_t> order;
    for (uint32_t thing = 0; thing < needed_.size(); thing++)
      if (needed_[thing]) order.push_back(thing);
    std::sort(order.begin(), order.end(), less);
    uint32_t next = 0;
    for (size_t i = 0; i < order.size(); i++) {
      if (i == 0 || less(order[i - 1], order[i])) {
        add(order[i]);
        next++;
      }
      number_[order[i]] = next - 1;
    }
  }

 private:
  std::vector<bool> needed_;
  std::vector<uint32_t> number_;
};

template <typename Id>
uint32_t row(Id id) {
  return static_cast<uint32_t>(id);
}

bool less_items(auto a, auto b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

class Canonical {
 public:
  explicit Canonical(const StackProfile& from)
      : from_(from),
        strings_(from.strings.size()),
        mappings_(from.mappings.size()),
        functions_(from.functions.size()),
        locations_(from.locations.size()),
        stacks_(from.stacks.size()),
        labels_(from.labels.size()) {}

  StackProfile make() {
    find_needed();
    number_strings();
    put_header();
    put_mappings();
    put_functions();
    put_locations();
    put_stacks();
    put_labels();
    put_samples();
    return std::move(to_);
  }

 private:
  void need_text(StringId id) { strings_.need(row(id)); }

  void find_needed() {
    for (const StackSample& sample : from_.samples) {
      stacks_.need(row(sample.stack));
      labels_.need(row(sample.labels));
    }
    for (uint32_t stack = 0; stack < from_.stacks.size(); stack++)
      if (stacks_.needs(stack))
        for (LocationId location : from_.stacks[stack]) locations_.need(row(location));
    if (!from_.mappings.empty()) mappings_.need(0);
    for (uint32_t at = 0; at < from_.locations.size(); at++) {
      if (!locations_.needs(at)) continue;
      MappingId mapping = from_.locations[at].mapping;
      if (mapping != kNoMapping) mappings_.need(row(mapping));
      for (const StackLine& line : from_.lines[at]) functions_.need(row(line.function));
    }
    find_needed_strings();
  }

  void find_needed_strings() {
    need_text(kEmptyString);
    for (const ValueType& type : from_.sample_types) need_text(type.type), need_text(type.unit);
    need_text(from_.period_type.type), need_text(from_.period_type.unit);
    for (StringId comment : from_.comments) need_text(comment);
    for (StringId id :
         {from_.default_sample_type, from_.doc_url, from_.drop_frames, from_.keep_frames})
      need_text(id);
    for (uint32_t at = 0; at < from_.mappings.size(); at++)
      if (mappings_.needs(at))
        need_text(from_.mappings[at].filename), need_text(from_.mappings[at].build_id);
    for (uint32_t at = 0; at < from_.functions.size(); at++) {
      if (!functions_.needs(at)) continue;
      const StackFunction& function = from_.functions[at];
      for (StringId id : {function.name, function.system_name, function.filename}) need_text(id);
    }
    for (uint32_t set = 0; set < from_.labels.size(); set++)
      if (labels_.needs(set))
        for (const StackLabel& label : from_.labels[set])
          need_text(label.key), need_text(label.text), need_text(label.unit);
  }

  void number_strings() {
    auto text = [&](uint32_t id) { return from_.strings[StringId{id}]; };
    strings_.number([&](uint32_t a, uint32_t b) { return text(a) < text(b); },
                    [&](uint32_t id) { to_.strings.add(text(id)); });
  }

  StringId moved(StringId id) const { return StringId{strings_[row(id)]}; }
  ValueType moved(ValueType type) const { return {moved(type.type), moved(type.unit)}; }

  void put_header() {
    for (const ValueType& type : from_.sample_types) to_.sample_types.push_back(moved(type));
    to_.period_type = moved(from_.period_type);
    to_.period = from_.period;
    to_.time = from_.time;
    to_.duration = from_.duration;
    for (StringId comment : from_.comments) to_.comments.push_back(moved(comment));
    std::sort(to_.comments.begin(), to_.comments.end());
    to_.comments.erase(std::unique(to_.comments.begin(), to_.comments.end()), to_.comments.end());
    to_.default_sample_type = moved(from_.default_sample_type);
    to_.doc_url = moved(from_.doc_url);
    to_.drop_frames = moved(from_.drop_frames);
    to_.keep_frames = moved(from_.keep_frames);
  }

  // The first stays the first.
  void put_mappings() {
    std::vector<StackMapping> moved_to = from_.mappings;
    for (uint32_t at = 0; at < moved_to.size(); at++) {
      if (!mappings_.needs(at)) continue;
      moved_to[at].filename = moved(moved_to[at].filename);
      moved_to[at].build_id = moved(moved_to[at].build_id);
    }
    auto key = [&](uint32_t at) {
      return std::pair<bool, const StackMapping&>(moved_to[at] != moved_to[0], moved_to[at]);
    };
    mappings_.number([&](uint32_t a, uint32_t b) { return key(a) < key(b); },
                     [&](uint32_t at) { to_.mappings.push_back(moved_to[at]); });
  }

  void put_functions() {
    std::vector<StackFunction> moved_to = from_.functions;
    for (uint32_t at = 0; at < moved_to.size(); at++) {
      if (!functions_.needs(at)) continue;
      StackFunction& function = moved_to[at];
      function.name = moved(function.name);
      function.system_name = moved(function.system_name);
      function.filename = moved(function.filename);
    }
    functions_.number([&](uint32_t a, uint32_t b) { return moved_to[a] < moved_to[b]; },
                      [&](uint32_t at) { to_.functions.push_back(moved_to[at]); });
  }

  void put_locations() {
    std::vector<StackLocation> moved_to = from_.locations;
    FlatLists<StackLine> lines = from_.lines;
    for (uint32_t at = 0; at < moved_to.size(); at++) {
      if (!locations_.needs(at)) continue;
      if (moved_to[at].mapping != kNoMapping)
        moved_to[at].mapping = MappingId{mappings_[row(moved_to[at].mapping)]};
      for (StackLine& line : lines.at(at))
        line.function = FunctionId{functions_[row(line.function)]};
    }
    locations_.number(
        [&](uint32_t a, uint32_t b) {
          auto order = moved_to[a] <=> moved_to[b];
          return order == 0 ? less_items(lines[a], lines[b]) : order < 0;
        },
        [&](uint32_t at) { to_.add_location(moved_to[at], lines[at]); });
  }

  void put_stacks() {
    FlatLists<LocationId> moved_to = from_.stacks;
    for (uint32_t stack = 0; stack < moved_to.size(); stack++)
      if (stacks_.needs(stack))
        for (LocationId& location : moved_to.at(stack))
          location = LocationId{locations_[row(location)]};
    stacks_.number([&](uint32_t a, uint32_t b) { return less_items(moved_to[a], moved_to[b]); },
                   [&](uint32_t stack) { to_.stacks.add(moved_to[stack]); });
  }

  void put_labels() {
    FlatLists<StackLabel> moved_to = from_.labels;
    for (uint32_t set = 0; set < moved_to.size(); set++) {
      if (!labels_.needs(set)) continue;
      for (StackLabel& label : moved_to.at(set)) {
        label.key = moved(label.key);
        label.text = moved(label.text);
        label.unit = moved(label.unit);
      }
      sort_labels(moved_to.at(set), to_.strings);
    }
    labels_.number([&](uint32_t a, uint32_t b) { return less_items(moved_to[a], moved_to[b]); },
                   [&](uint32_t set) { to_.labels.add(moved_to[set]); });
  }

  void put_samples() {
    size_t types = from_.sample_types.size();
    auto moved_to = [&](uint32_t at) {
      const StackSample& sample = from_.samples[at];
      return StackSample{StackId{stacks_[row(sample.stack)]},
                         LabelsId{labels_[row(sample.labels)]}};
    };
    std::vector<uint32_t> order(from_.samples.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](uint32_t a, uint32_t b) { return moved_to(a) < moved_to(b); });
    std::vector<Wide> sums(types);
    for (size_t i = 0; i < order.size(); i++) {
      StackSample sample = moved_to(order[i]);
      std::span<const int64_t> values = from_.values_of(order[i]);
      for (size_t type = 0; type < types; type++) sums[type] += values[type];
      if (i + 1 < order.size() && moved_to(order[i + 1]) == sample) continue;
      to_.samples.push_back(sample);
      for (Wide& sum : sums) to_.values.push_back(clamp(sum)), sum = 0;
    }
  }

  const StackProfile& from_;
  StackProfile to_;
  Renumbering strings_, mappings_, functions_, locations_, stacks_, labels_;
};

}  // namespace

void sort_labels(std::span<StackLabel> set, const StringTable& strings) {
  auto key = [&](const StackLabel& label) {
    return std::pair(label.is_number(), strings[label.key]);
  };
  auto less = [&](const StackLabel& a, const StackLabel& b) { return key(a) < key(b); };
  if (!std::is_sorted(set.begin(), set.end(), less)) std::stable_sort(set.begin(), set.end(), less);
}

StackProfile in_canonical_order(const StackProfile& profile) { return Canonical(profile).make(); }

}  // namespace pgo
