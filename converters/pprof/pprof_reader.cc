#include "converters/pprof/pprof_reader.h"

#include <algorithm>

#include "converters/pprof/id_table.h"
#include "converters/pprof/message_fields.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/wire.h"

namespace pgo {
namespace {

using pprof::Extent;
using pprof::IdTable;
using pprof::MessageFields;
using pprof::Place;
using wire::kSized;
using wire::kVarint;
using wire::read_field;
using wire::WireField;

// Fields of the whole message.
enum TopField : uint8_t {
  kSampleType = 1,
  kSample,
  kMapping,
  kLocation,
  kFunction,
  kString,
  kDropFrames,
  kKeepFrames,
  kTime,
  kDuration,
  kPeriodType,
  kPeriod,
  kComment,
  kDefaultSampleType,
  kDocUrl,
};
constexpr uint64_t kLastTopField = kDocUrl;

// Which of them hold bytes; the others hold numbers.
constexpr bool holds_bytes(uint64_t number) {
  return (number >= kSampleType && number <= kString) || number == kPeriodType;
}

// Positions in string_table are kept as they are until all strings are there.
using RawString = uint64_t;

struct RawType {
  RawString type = 0, unit = 0;
};

// The message is gone through once for texts, and for where the rest is; then for mappings and
// functions, whose texts are known by now; then locations, whose functions are; then samples. So
// each id is looked up once, and nothing is kept in a raw form that there may be much of: two bytes
// of a message may be one thing.
class PprofParser {
 public:
  PprofParser(Bytes message, const std::string& name, Diagnostics& diagnostics)
      : begin_(message.data()),
        end_(message.data() + message.size()),
        name_(name),
        diagnostics_(diagnostics),
        fields_(message) {}

  Result<StackProfile> parse() {
    if (begin_ == end_) return fail(ErrorKind::kInput, name_ + ": pprof: is empty");
    if (end_ - begin_ > kMaxBytes)
      return fail(ErrorKind::kUnsupported, name_ + ": pprof: is larger than 4 GB");
    if (!read_tables() || !put_texts() || !put_locations() || !put_samples())
      return fail(ErrorKind::kInput, name_ + ": pprof: " + fields_.error());
    if (unknown_mappings_ != 0)
      diagnostics_.warn("unknown-mapping",
                        name_ + ": locations name a mapping that is not in the profile",
                        unknown_mappings_);
    return std::move(profile_);
  }

 private:
  static constexpr std::ptrdiff_t kMaxBytes = std::ptrdiff_t{4} << 30;
  // Each can take a byte or two; profiles have a few.
  static constexpr size_t kMaxTypes = 1024, kMaxComments = 1 << 16;
  static constexpr uint64_t kAlwaysNameBytes = uint64_t{1} << 20, kNameBytesPerByte = 16;

  // The first pass: all but locations and samples.
  bool read_tables() {
    for (const uint8_t* at = begin_; at != end_;) {
      WireField field;
      const uint8_t* next = read_field(at, end_, field);
      if (next == nullptr) return fields_.failed_at({}, at, field.damage);
      if (field.number != 0 && field.number <= kLastTopField && !read_top(field, at, next))
        return false;
      at = next;
    }
    return true;
  }

  bool read_top(const WireField& field, const uint8_t* at, const uint8_t* next) {
    bool may_be_bytes = field.number == kComment || holds_bytes(field.number);
    bool may_be_number = !holds_bytes(field.number);
    if (!(field.type == kSized && may_be_bytes) && !(field.type == kVarint && may_be_number))
      return fields_.failed("field " + std::to_string(field.number) + ", at byte " +
                            std::to_string(at - begin_) + ", has wire type " +
                            std::to_string(field.type));
    int64_t number = static_cast<int64_t>(field.value);
    switch (static_cast<TopField>(field.number)) {
      case kSample: samples_.add(at, next); return true;
      case kLocation: locations_.add(at, next); return true;
      case kString: return read_string(field.bytes);
      case kFunction: functions_.add(at, next); return true;
      case kMapping: mappings_.add(at, next); return true;
      case kSampleType:
        if (types_.size() == kMaxTypes) return too_many("sample types", kMaxTypes);
        return read_type({"sample type", types_.size()}, field.bytes, nullptr);
      case kPeriodType: return read_type({"period type", 0}, field.bytes, &period_type_);
      case kTime:
        if (profile_.time != 0) return concatenated(at);
        profile_.time = number;
        return true;
      case kDuration: profile_.duration = number; return true;
      case kPeriod: profile_.period = number; return true;
      case kComment:
        return fields_.each_number(field, {"comment", comments_.size()}, [&](uint64_t comment) {
          if (comments_.size() == kMaxComments) return too_many("comments", kMaxComments);
          comments_.push_back(comment);
          return true;
        });
      case kDropFrames: drop_frames_ = field.value; return true;
      case kKeepFrames: keep_frames_ = field.value; return true;
      case kDefaultSampleType: default_sample_type_ = field.value; return true;
      case kDocUrl: doc_url_ = field.value; return true;
    }
    return true;
  }

  bool too_many(const char* what, size_t most) {
    return fields_.failed("there are more than " + std::to_string(most) + " " + what);
  }

  bool concatenated(const uint8_t* at) {
    return fields_.failed("another profile begins before byte " + std::to_string(at - begin_) +
                          ": profiles were put one after another into one file; give each its own");
  }

  bool read_string(Bytes text) {
    std::string_view view = as_text(text);
    if (strings_.empty() && !view.empty()) return fields_.failed("string 0 is not empty");
    strings_.push_back(profile_.strings.add(view));
    return true;
  }

  bool read_type(const Place& place, Bytes message, RawType* into) {
    uint64_t numbers[2] = {};
    if (!fields_.read_numbers(message, place, numbers)) return false;
    RawType type{numbers[0], numbers[1]};
    if (into != nullptr) {
      *into = type;
    } else {
      types_.push_back(type);
    }
    return true;
  }

  // All strings are there: what was read so far goes into the profile.
  bool put_texts() {
    if (strings_.empty()) return fields_.failed("there is no string table");
    for (size_t i = 0; i < types_.size(); i++) {
      ValueType type;
      Place place{"sample type", i};
      if (!text(place, types_[i].type, type.type) || !text(place, types_[i].unit, type.unit))
        return false;
      profile_.sample_types.push_back(type);
    }
    if (samples_.messages > 0 && types_.empty())
      return fields_.failed("there are samples, but no sample types");
    Place header{"header field", kPeriodType};
    if (!text(header, period_type_.type, profile_.period_type.type) ||
        !text(header, period_type_.unit, profile_.period_type.unit) ||
        !text({"header field", kDropFrames}, drop_frames_, profile_.drop_frames) ||
        !text({"header field", kKeepFrames}, keep_frames_, profile_.keep_frames) ||
        !text({"header field", kDefaultSampleType}, default_sample_type_,
              profile_.default_sample_type) ||
        !text({"header field", kDocUrl}, doc_url_, profile_.doc_url))
      return false;
    for (size_t i = 0; i < comments_.size(); i++) {
      StringId comment{};
      if (!text({"comment", i}, comments_[i], comment)) return false;
      profile_.comments.push_back(comment);
    }
    return put_mappings() && put_functions();
  }

  bool text(const Place& place, RawString position, StringId& into) {
    if (position >= strings_.size())
      return fields_.failed(place, "there is no string " + std::to_string(position) + ", only " +
                                       std::to_string(strings_.size()));
    into = strings_[position];
    return true;
  }

  // The same for what is a text of its own wherever it is shown: of mappings and functions, which
  // may all name one long text.
  bool name(const Place& place, RawString position, StringId& into) {
    if (!text(place, position, into)) return false;
    name_bytes_ += profile_.text(into).size();
    uint64_t limit = kAlwaysNameBytes + kNameBytesPerByte * static_cast<uint64_t>(end_ - begin_);
    return name_bytes_ <= limit ||
           fields_.failed(
               place,
               "its names are referred to so often that they would take more than 16 times "
               "the size of the profile");
  }

  // `id` is that of the thing at this place, and must be new.
  bool put_id(const Place& place, uint64_t id, IdTable& ids) {
    if (id == 0) return fields_.failed(place, "its id is 0");
    if (!ids.add(id, static_cast<uint32_t>(place.position)))
      return fields_.failed(place, "its id " + std::to_string(id) + " is used before" +
                                       (profile_.strings.size() < strings_.size()
                                            ? "; were profiles put one after another into one file?"
                                            : ""));
    return true;
  }

  bool put_mappings() {
    mapping_ids_ = IdTable(mappings_.messages);
    profile_.mappings.reserve(mappings_.messages);
    return fields_.each_message(kMapping, mappings_, [&](Bytes message) {
      Place place{"mapping", profile_.mappings.size()};
      uint64_t numbers[10] = {};
      StackMapping mapping;
      if (!fields_.read_numbers(message, place, numbers) ||
          !put_id(place, numbers[0], mapping_ids_) || !name(place, numbers[4], mapping.filename) ||
          !name(place, numbers[5], mapping.build_id))
        return false;
      mapping.begin = RuntimeAddr{numbers[1]};
      mapping.end = RuntimeAddr{numbers[2]};
      mapping.file_offset = FileOffset{numbers[3]};
      mapping.has_functions = numbers[6] != 0;
      mapping.has_filenames = numbers[7] != 0;
      mapping.has_line_numbers = numbers[8] != 0;
      mapping.has_inline_frames = numbers[9] != 0;
      profile_.mappings.push_back(mapping);
      return true;
    });
  }

  bool put_functions() {
    function_ids_ = IdTable(functions_.messages);
    profile_.functions.reserve(functions_.messages);
    return fields_.each_message(kFunction, functions_, [&](Bytes message) {
      Place place{"function", profile_.functions.size()};
      uint64_t numbers[5] = {};
      StackFunction function;
      if (!fields_.read_numbers(message, place, numbers) ||
          !put_id(place, numbers[0], function_ids_) || !name(place, numbers[1], function.name) ||
          !name(place, numbers[2], function.system_name) ||
          !name(place, numbers[3], function.filename))
        return false;
      function.start_line = static_cast<int64_t>(numbers[4]);
      profile_.functions.push_back(function);
      return true;
    });
  }

  bool put_locations() {
    location_ids_ = IdTable(locations_.messages);
    profile_.locations.reserve(locations_.messages);
    profile_.lines.reserve(locations_.messages, locations_.messages);
    return fields_.each_message(kLocation, locations_,
                                [&](Bytes message) { return put_location(message); });
  }

  bool put_location(Bytes message) {
    Place place{"location", profile_.locations.size()};
    uint64_t id = 0, mapping = 0;
    StackLocation location;
    bool whole = fields_.each_field(message, place, [&](const WireField& field) {
      if (field.number == 0 || field.number > 5) return true;
      if (field.number == 4) {
        if (field.type != kSized) return fields_.wrong_type(place, field);
        return put_line(field.bytes, place);
      }
      if (field.type != kVarint) return fields_.wrong_type(place, field);
      if (field.number == 1) id = field.value;
      if (field.number == 2) mapping = field.value;
      if (field.number == 3) location.address = RuntimeAddr{field.value};
      if (field.number == 5) location.is_folded = field.value != 0;
      return true;
    });
    if (!whole || !put_id(place, id, location_ids_)) return false;
    if (mapping != 0) {
      uint32_t known = mapping_ids_.find(mapping);
      if (known == IdTable::kMissing) unknown_mappings_++;
      location.mapping = MappingId{known};
      static_assert(static_cast<uint32_t>(kNoMapping) == IdTable::kMissing);
    }
    profile_.lines.end_list();
    profile_.locations.push_back(location);
    return true;
  }

  bool put_line(Bytes message, const Place& location) {
    uint64_t numbers[3] = {};
    if (!fields_.read_numbers(message, location, numbers)) return false;
    uint32_t function = function_ids_.find(numbers[0]);
    if (function == IdTable::kMissing)
      return fields_.failed(location, "a line names function " + std::to_string(numbers[0]) +
                                          ", which is not in the profile");
    profile_.lines.push(
        {FunctionId{function}, static_cast<int64_t>(numbers[1]), static_cast<int64_t>(numbers[2])});
    return true;
  }

  bool put_samples() {
    profile_.samples.reserve(samples_.messages);
    // A value takes a byte at least.
    profile_.values.reserve(
        std::min(samples_.messages * profile_.sample_types.size(), samples_.bytes));
    // Most of a sample is its stack, and most ids take one byte or two.
    profile_.stacks.reserve(samples_.messages, samples_.bytes / 2);
    no_labels_ = profile_.add_labels({});
    return fields_.each_message(kSample, samples_,
                                [&](Bytes message) { return put_sample(message); });
  }

  bool put_sample(Bytes message) {
    Place place{"sample", profile_.samples.size()};
    size_t values = 0;
    labels_.clear();
    bool whole = fields_.each_field(message, place, [&](const WireField& field) {
      if (field.number == 1)
        return fields_.each_number(field, place, [&](uint64_t id) { return put_frame(place, id); });
      if (field.number == 2)
        return fields_.each_number(field, place, [&](uint64_t value) {
          profile_.values.push_back(static_cast<int64_t>(value));
          values++;
          return true;
        });
      if (field.number != 3) return true;
      if (field.type != kSized) return fields_.wrong_type(place, field);
      return put_label(field.bytes, place);
    });
    if (!whole) return false;
    if (values != profile_.sample_types.size())
      return fields_.failed(place, "there are " + std::to_string(values) + " values for " +
                                       std::to_string(profile_.sample_types.size()) +
                                       " sample types");
    profile_.stacks.end_list();
    LabelsId set = labels_.empty() ? no_labels_ : profile_.add_labels(labels_);
    profile_.samples.push_back({StackId{static_cast<uint32_t>(profile_.samples.size())}, set});
    return true;
  }

  bool put_frame(const Place& sample, uint64_t id) {
    uint32_t location = location_ids_.find(id);
    if (location == IdTable::kMissing)
      return fields_.failed(sample, "location " + std::to_string(id) + " is not in the profile");
    profile_.stacks.push(LocationId{location});
    return true;
  }

  bool put_label(Bytes message, const Place& sample) {
    uint64_t numbers[4] = {};
    StackLabel label;
    if (!fields_.read_numbers(message, sample, numbers) || !text(sample, numbers[0], label.key) ||
        !text(sample, numbers[1], label.text))
      return false;
    if (label.is_number()) {
      label.number = static_cast<int64_t>(numbers[2]);
      if (!text(sample, numbers[3], label.unit)) return false;
      if (label.number == 0 && label.unit == kEmptyString) return true;
    }
    labels_.push_back(label);
    return true;
  }

  const uint8_t *begin_, *end_;
  const std::string& name_;
  Diagnostics& diagnostics_;
  MessageFields fields_;
  StackProfile profile_;

  std::vector<StringId> strings_;  // by position in the message
  std::vector<RawType> types_;
  std::vector<RawString> comments_;
  RawType period_type_;
  RawString drop_frames_ = 0, keep_frames_ = 0, default_sample_type_ = 0, doc_url_ = 0;
  Extent mappings_, functions_, locations_, samples_;
  IdTable mapping_ids_{0}, function_ids_{0}, location_ids_{0};
  uint64_t unknown_mappings_ = 0;
  uint64_t name_bytes_ = 0;  // of what mappings and functions name
  LabelsId no_labels_{};
  std::vector<StackLabel> labels_;  // of the sample being read
};

}  // namespace

bool is_pprof(Bytes message) {
  constexpr int kLookedAt = 16;
  const uint8_t *at = message.data(), *end = at + message.size();
  bool has_types = false;
  for (int i = 0; i < kLookedAt && at != end; i++) {
    WireField field;
    const uint8_t* next = read_field(at, end, field);
    // What is looked at may end within a field.
    if (next == nullptr) return has_types && message.size() >= kKindBytes;
    at = next;
    if (field.number == 0) return false;
    if (field.number > kLastTopField) continue;
    if (field.type != (holds_bytes(field.number) ? kSized : kVarint) && field.number != kComment)
      return false;
    has_types = has_types || field.number == kSampleType || field.number == kString;
  }
  return has_types;
}

Result<StackProfile> parse_pprof(Bytes message, const std::string& name, Diagnostics& diagnostics) {
  return PprofParser(message, name, diagnostics).parse();
}

}  // namespace pgo
