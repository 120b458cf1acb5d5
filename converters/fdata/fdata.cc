#include "converters/fdata/fdata.h"

#include <algorithm>
#include <map>

#include "pgo/base/line_fields.h"
#include "pgo/base/text_start.h"
#include "pgo/profile/accounting.h"

namespace pgo {
namespace {

// BOLT writes a space within a name as "\ ".
std::string unescape(std::string_view name) {
  std::string text;
  text.reserve(name.size());
  for (size_t i = 0; i < name.size(); i++)
    if (name[i] != '\\' || i + 1 == name.size() || name[i + 1] != ' ') text += name[i];
  return text;
}

class FdataParser {
 public:
  FdataParser(Bytes bytes, const std::string& name) : fields_(bytes, name) {}

  Result<FdataProfile> parse() {
    while (fields_.next_line()) PGO_CHECK(read_line());
    PGO_CHECK(fields_.whole());
    if (fields_.line_number() == 0) return fields_.failure("expected fdata, found an empty file");
    return std::move(profile_);
  }

  bool first_line_fits() { return fields_.next_line() && read_line().has_value(); }

 private:
  static constexpr std::string_view kLeading = "0 to 5, boltedcollection or no_lbr";

  Result<void> read_line() {
    PGO_TRY(std::string_view first, fields_.text(kLeading));
    if (!in_records_ && first == "boltedcollection") {
      profile_.bolted_collection = true;
      return fields_.end();
    }
    if (!in_records_ && first == "no_lbr") return read_events();
    in_records_ = true;
    if (first.size() != 1 || first[0] < '0' || first[0] > '5')
      return fields_.unexpected(kLeading, first);
    unsigned kind = static_cast<unsigned>(first[0] - '0');
    if (kind >= kMemoryKind) return read_memory(kind);
    return profile_.pc_samples ? read_sample(kind) : read_branch(kind);
  }

  Result<void> read_events() {
    profile_.pc_samples = true;
    while (fields_.has_more()) {
      PGO_TRY(std::string_view event, fields_.text("an event name"));
      profile_.events.push_back(unescape(event));
    }
    return ok();
  }

  Result<void> read_branch(unsigned from_kind) {
    FdataBranch branch;
    PGO_TRY(branch.from, read_location(from_kind));
    PGO_TRY(branch.to, read_second_location(0));
    PGO_TRY(branch.mispredicts, fields_.decimal("a count of mispredictions"));
    PGO_TRY(branch.count, fields_.decimal("a count"));
    profile_.branches.push_back(branch);
    return fields_.end();
  }

  Result<void> read_sample(unsigned kind) {
    FdataSample sample;
    PGO_TRY(sample.at, read_location(kind));
    PGO_TRY(sample.count, fields_.decimal("a count"));
    profile_.samples.push_back(sample);
    return fields_.end();
  }

  Result<void> read_memory(unsigned kind) {
    FdataSample access;
    PGO_TRY(access.at, read_location(kind - kMemoryKind));
    PGO_TRY(FdataLocation accessed, read_second_location(kMemoryKind));
    (void)accessed;
    PGO_TRY(access.count, fields_.decimal("a count"));
    profile_.memory.push_back(access);
    return fields_.end();
  }

  Result<FdataLocation> read_second_location(unsigned lowest) {
    const std::string_view wanted = lowest == 0 ? "0, 1 or 2" : "3, 4 or 5";
    PGO_TRY(std::string_view field, fields_.text(wanted));
    unsigned kind = field.size() == 1 ? static_cast<unsigned>(field[0] - '0') - lowest : 3;
    if (kind > 2) return fields_.unexpected(wanted, field);
    return read_location(kind);
  }

  Result<FdataLocation> read_location(unsigned kind) {
    FdataLocation location;
    location.kind = static_cast<FdataLocation::Kind>(kind);
    PGO_TRY(std::string_view name, fields_.text("a function's name"));
    PGO_TRY(location.offset, fields_.hex("an offset"));
    location.name = intern(name);
    return location;
  }

  uint32_t intern(std::string_view name) {
    auto known = numbers_.find(name);
    if (known != numbers_.end()) return known->second;
    auto number = static_cast<uint32_t>(profile_.names.size());
    numbers_.emplace(name, number);
    profile_.names.push_back(unescape(name));
    return number;
  }

  static constexpr unsigned kMemoryKind = 3;

  LineFields fields_;
  FdataProfile profile_;
  std::map<std::string_view, uint32_t> numbers_;  // of names as they stand in the text
  bool in_records_ = false;
};

template <typename Records>
uint64_t sum_counts(const Records& records, uint64_t sum) {
  for (const auto& record : records) sum = saturating_add(sum, record.count);
  return sum;
}

}  // namespace

uint64_t FdataProfile::total_count() const {
  return sum_counts(memory, sum_counts(samples, sum_counts(branches, 0)));
}

uint64_t FdataProfile::total_mispredicts() const {
  uint64_t sum = 0;
  for (const FdataBranch& branch : branches) sum = saturating_add(sum, branch.mispredicts);
  return sum;
}

bool is_fdata(Bytes bytes) {
  // The line is read by its own length, which two names of C++ templates make large.
  return FdataParser(first_lines(bytes, 1), "").first_line_fits();
}

Result<FdataProfile> parse_fdata(Bytes bytes, const std::string& name) {
  return FdataParser(bytes, name).parse();
}

std::vector<FdataFunction> hottest_functions(const FdataProfile& profile) {
  std::vector<FdataFunction> functions(profile.names.size());
  for (size_t i = 0; i < functions.size(); i++) functions[i].name = profile.names[i];
  auto add = [&](const FdataLocation& at, uint64_t count, uint64_t mispredicts) {
    if (at.kind == FdataLocation::Kind::kOutside) return;
    FdataFunction& function = functions[at.name];
    function.count = saturating_add(function.count, count);
    function.mispredicts = saturating_add(function.mispredicts, mispredicts);
  };
  for (const FdataBranch& branch : profile.branches)
    add(branch.from, branch.count, branch.mispredicts);
  for (const FdataSample& sample : profile.samples) add(sample.at, sample.count, 0);
  std::erase_if(functions, [](const FdataFunction& function) { return function.count == 0; });
  std::sort(functions.begin(), functions.end(), [](const FdataFunction& a, const FdataFunction& b) {
    return a.count != b.count ? a.count > b.count : a.name < b.name;
  });
  return functions;
}

}  // namespace pgo
