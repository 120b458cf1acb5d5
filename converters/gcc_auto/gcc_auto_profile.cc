#include "converters/gcc_auto/gcc_auto_profile.h"

#include <cstdio>
#include <set>
#include <vector>

#include "pgo/profile/accounting.h"

namespace pgo {
namespace {

using Body = GccAutoProfile::Body;
using Position = GccAutoProfile::Position;

constexpr uint32_t kMagic = 0x67636461, kVersion = 2;
constexpr uint32_t kNames = 0xaa000000, kFunctions = 0xac000000, kModules = 0xae000000,
                   kWorkingSet = 0xaf000000;
constexpr uint32_t kWorkingSetEntries = 128, kWordsOfEntry = 3;
constexpr uint32_t kIndirectCall = 7;     // GCC's HIST_TYPE_INDIR_CALL of old; read over
constexpr size_t kDeepestInlining = 256;  // functions inlined into one another
// A name is in the file once, and in the profile wherever it is referred to: that many bytes for
// each of the file. A reference takes 12.
constexpr uint64_t kNameBytesPerByte = 64, kAlwaysNameBytes = uint64_t{1} << 20;

void put32(std::string& out, uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<char>(value >> shift));
}

void put64(std::string& out, uint64_t value) {
  put32(out, static_cast<uint32_t>(value));
  put32(out, static_cast<uint32_t>(value >> 32));
}

void put_section(std::string& out, uint32_t tag, const std::string& contents) {
  put32(out, tag);
  put32(out, static_cast<uint32_t>((contents.size() + 3) / 4));
  out += contents;
}

void collect_names(const Body& body, std::set<std::string>& names) {
  for (const auto& [place, position] : body.positions)
    for (const auto& [target, count] : position.targets) names.insert(target);
  for (const auto& [key, inlined] : body.inlined) {
    names.insert(key.second);
    collect_names(inlined, names);
  }
}

using Numbers = std::map<std::string, uint32_t>;

void put_body(std::string& out, const std::string& name, const Body& body, const Numbers& numbers) {
  put32(out, numbers.at(name));
  put32(out, static_cast<uint32_t>(body.positions.size()));
  put32(out, static_cast<uint32_t>(body.inlined.size()));
  for (const auto& [place, position] : body.positions) {
    put32(out, place);
    put32(out, static_cast<uint32_t>(position.targets.size()));
    put64(out, position.count);
    for (const auto& [target, count] : position.targets) {
      put32(out, kIndirectCall);
      put64(out, numbers.at(target));
      put64(out, count);
    }
  }
  for (const auto& [key, inlined] : body.inlined) {
    put32(out, key.first);
    put_body(out, key.second, inlined, numbers);
  }
}

class GcovParser {
 public:
  GcovParser(Bytes bytes, const std::string& name)
      : cursor_(bytes),
        name_(name),
        name_bytes_left_(kAlwaysNameBytes + kNameBytesPerByte * bytes.size()) {}

  Result<GccAutoProfile> parse() {
    if (cursor_.u32() != kMagic || cursor_.u32() != kVersion)
      return fail(ErrorKind::kInput,
                  name_ + ": is not a profile for GCC's -fauto-profile, version 2");
    cursor_.u32();
    PGO_CHECK(parse_names());
    GccAutoProfile profile;
    PGO_TRY(uint32_t count, begin_section(kFunctions));
    for (uint32_t i = 0; i < count; i++) {
      GccAutoProfile::Function function;
      function.head = cursor_.u64();
      PGO_TRY(std::string name, parse_name(cursor_.u32()));
      PGO_CHECK(parse_body(function.body, 0));
      profile.functions[name] = std::move(function);
    }
    PGO_TRY(uint32_t modules, begin_section(kModules));
    if (modules != 0) return wrong("groups of modules, which are not supported");
    if (cursor_.u32() != kWorkingSet) return wrong("no working set");
    return profile;
  }

 private:
  Failure wrong(const std::string& what) const {
    char position[32];
    std::snprintf(position, sizeof position, "offset 0x%zx: ", cursor_.position());
    if (!cursor_.ok())
      return fail(ErrorKind::kInput, name_ + ": " + position + "ends early; was it cut short?");
    return fail(ErrorKind::kInput, name_ + ": " + position + what);
  }

  // The number of the section's entries, of which none is smaller than 4 bytes.
  Result<uint32_t> begin_section(uint32_t tag) {
    uint32_t found = cursor_.u32();
    cursor_.u32();
    uint32_t count = cursor_.u32();
    if (!cursor_.ok() || found != tag) return wrong("another section was expected");
    if (count > cursor_.remaining() / 4) return wrong("more entries than fit into the file");
    return count;
  }

  Result<void> parse_names() {
    PGO_TRY(uint32_t count, begin_section(kNames));
    for (uint32_t i = 0; i < count; i++) {
      Bytes text = cursor_.take(cursor_.u32());
      if (!cursor_.ok() || text.empty()) return wrong("a name that is not terminated");
      names_.push_back(until_nul(text));
    }
    return ok();
  }

  Result<std::string> parse_name(uint64_t number) {
    if (!cursor_.ok() || number >= names_.size() || names_[number].empty())
      return wrong("a name that is not in the table");
    if (names_[number].size() > name_bytes_left_)
      return wrong(
          "names that are referred to so often that they would take more than 64 times "
          "the size of the file");
    name_bytes_left_ -= names_[number].size();
    return std::string(names_[number]);
  }

  // After the name.
  Result<void> parse_body(Body& body, size_t depth) {
    if (depth > kDeepestInlining) return wrong("functions inlined into one another without end");
    uint32_t positions = cursor_.u32(), inlined = cursor_.u32();
    for (uint32_t i = 0; i < positions; i++) {
      GccAutoProfile::Place place = cursor_.u32();
      uint32_t targets = cursor_.u32();
      Position position{cursor_.u64(), {}};
      for (uint32_t j = 0; j < targets; j++) {
        cursor_.u32();
        PGO_TRY(std::string target, parse_name(cursor_.u64()));
        position.targets[target] = cursor_.u64();
      }
      if (!cursor_.ok()) return wrong("");
      body.positions[place] = std::move(position);
    }
    for (uint32_t i = 0; i < inlined; i++) {
      GccAutoProfile::Place place = cursor_.u32();
      PGO_TRY(std::string name, parse_name(cursor_.u32()));
      Body callee;
      PGO_CHECK(parse_body(callee, depth + 1));
      body.inlined[{place, name}] = std::move(callee);
    }
    return cursor_.ok() ? ok() : Result<void>(wrong(""));
  }

  ByteCursor cursor_;
  const std::string& name_;
  std::vector<std::string_view> names_;
  uint64_t name_bytes_left_;  // for what is referred to
};

}  // namespace

uint64_t Body::total() const {
  uint64_t sum = 0;
  for (const auto& [place, position] : positions) sum = saturating_add(sum, position.count);
  for (const auto& [key, callee] : inlined) sum = saturating_add(sum, callee.total());
  return sum;
}

bool is_gcc_auto_profile(Bytes bytes) {
  ByteCursor cursor(bytes);
  return cursor.u32() == kMagic && cursor.u32() == kVersion;
}

std::string write_gcc_auto_profile(const GccAutoProfile& profile) {
  std::set<std::string> names{""};
  for (const auto& [name, function] : profile.functions) {
    names.insert(name);
    collect_names(function.body, names);
  }
  Numbers numbers;
  std::string table, functions;
  put32(table, static_cast<uint32_t>(names.size()));
  for (const std::string& name : names) {
    numbers.emplace(name, static_cast<uint32_t>(numbers.size()));
    put32(table, static_cast<uint32_t>(name.size() + 1));
    table += name;
    table.push_back('\0');
  }
  put32(functions, static_cast<uint32_t>(profile.functions.size()));
  for (const auto& [name, function] : profile.functions) {
    put64(functions, function.head);
    put_body(functions, name, function.body, numbers);
  }
  std::string out;
  for (uint32_t word : {kMagic, kVersion, 0u}) put32(out, word);
  put_section(out, kNames, table);
  put_section(out, kFunctions, functions);
  for (uint32_t word : {kModules, 0u, 0u}) put32(out, word);
  put_section(out, kWorkingSet, std::string(kWorkingSetEntries * kWordsOfEntry * 4, '\0'));
  return out;
}

Result<GccAutoProfile> parse_gcc_auto_profile(Bytes bytes, const std::string& name) {
  return GcovParser(bytes, name).parse();
}

}  // namespace pgo
