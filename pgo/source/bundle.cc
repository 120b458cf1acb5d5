#include "pgo/source/bundle.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <utility>

#include "pgo/base/json_nesting.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/time_text.h"
#include "pgo/base/unique_fd.h"
#include "pgo/base/utf8.h"

namespace pgo {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr size_t kMaxDepth = 32;
constexpr uint64_t kMaxBundle = uint64_t{64} << 20;
constexpr size_t kMaxPath = 4096, kMaxMembers = size_t{1} << 20;
// So that all whole weights (at most Weight::kMaxPart times this) are exact as a double, too.
constexpr uint64_t kMaxDenominator = 1'000'000'000;
constexpr std::pair<TimeEvidence, std::string_view> kEvidence[] = {
    {TimeEvidence::kStore, "store"},
    {TimeEvidence::kName, "name"},
    {TimeEvidence::kModified, "modified"},
    {TimeEvidence::kNone, "none"}};

// Writing.

// Weights as whole numbers of a common part.
struct CommonWeights {
  uint64_t denominator = 1;
  std::vector<uint64_t> numerators;
};

CommonWeights common_weights(const std::vector<BundleMember>& members) {
  CommonWeights result;
  for (const BundleMember& member : members) {
    const uint64_t part =
        member.weight.denominator / std::gcd(member.weight.numerator, member.weight.denominator);
    result.denominator = std::lcm(result.denominator, part);  // both are at most 10^9
    if (result.denominator > kMaxDenominator) break;
  }
  const bool exact = result.denominator <= kMaxDenominator;
  if (!exact) {  // so many parts that the largest weight has at most kMaxPart of them
    result.denominator = Weight::kMaxPart;
    for (const BundleMember& member : members)
      result.denominator = std::min(
          result.denominator, std::max<uint64_t>(1, Weight::kMaxPart * member.weight.denominator /
                                                        member.weight.numerator));
  }
  for (const BundleMember& member : members) {
    const Weight& weight = member.weight;  // n * d: at most 10^6 * 10^9
    uint64_t numerator = weight.numerator * result.denominator;
    if (!exact) numerator += weight.denominator / 2;
    numerator /= weight.denominator;
    result.numerators.push_back(std::max<uint64_t>(1, numerator));
  }
  return result;
}

__extension__ using Wide = unsigned __int128;

// In lowest terms, and rounded where a part is too large then.
RelativeWeight relative_weight(Wide numerator, Wide denominator) {
  Wide divisor = numerator, rest = denominator;
  while (rest != 0) divisor = std::exchange(rest, divisor % rest);
  numerator /= divisor;
  denominator /= divisor;
  while (std::max(numerator, denominator) > RelativeWeight::kMaxPart) {
    numerator = std::max<Wide>(1, (numerator + 1) / 2);
    denominator = std::max<Wide>(1, (denominator + 1) / 2);
  }
  return {static_cast<uint64_t>(numerator), static_cast<uint64_t>(denominator)};
}

json accounting_json(const Accounting& accounting) {
  json dropped = json::object();
  for (size_t i = 0; i < kDroppedCount; i++)
    if (accounting.dropped[i] != 0)
      dropped[std::string(dropped_name(static_cast<Dropped>(i)))] = accounting.dropped[i];
  return {{"seen", accounting.seen},
          {"used", accounting.used},
          {"pending", accounting.pending},
          {"dropped", dropped}};
}

json member_json(const BundleMember& member, uint64_t weight) {
  json result = {{"path", member.path},     {"size", member.size},     {"digest", member.digest},
                 {"source", member.source}, {"object", member.object}, {"labels", member.labels},
                 {"weight", weight},        {"builds", member.builds}, {"samples", member.samples}};
  if (member.window)
    result["window"] = {{"from", format_time(member.window->begin)},
                        {"to", format_time(member.window->end)},
                        {"evidence", time_evidence_name(member.window_evidence)}};
  if (!member.build_samples.empty()) result["build_samples"] = member.build_samples;
  if (member.accounting) result["accounting"] = accounting_json(*member.accounting);
  if (member.merged)
    result["merged"] = {{"profiles", member.merged->profiles}, {"labels", member.merged->labels}};
  return result;
}

// Reading. All texts are of whoever made the file.

// Is `path` below `directory`, links followed? Both exist.
bool is_below(const std::string& path, const std::string& directory) {
  std::error_code error;
  const fs::path root = fs::canonical(directory, error);
  const fs::path real = error ? fs::path() : fs::canonical(path, error);
  if (error) return false;
  auto [in_root, in_path] = std::mismatch(root.begin(), root.end(), real.begin(), real.end());
  return in_root == root.end() && in_path != real.end();
}

bool is_hexadecimal(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == text.npos;
}

bool is_digest(std::string_view text) {
  constexpr std::string_view kPrefix = "sha256:";
  return text.size() == kPrefix.size() + 64 && text.starts_with(kPrefix) &&
         is_hexadecimal(text.substr(kPrefix.size()));
}

// One object of the file. What it should have and has not, or of another type, is an error, which
// is kept until failure().
class Fields {
 public:
  Fields(const json& object, std::string place) : object_(object), place_(std::move(place)) {
    if (!object.is_object()) note(place_ + " is not an object");
  }

  std::string text(const char* key) {
    const json* value = find(key);
    if (value != nullptr && value->is_string()) return value->get<std::string>();
    wrong(key, "a text");
    return "";
  }
  uint64_t number(const char* key, uint64_t min, uint64_t max) {
    const json* value = find(key);
    if (value != nullptr && value->is_number_unsigned()) {
      const auto number = value->get<uint64_t>();
      if (min <= number && number <= max) return number;
    }
    wrong(key, "a whole number from " + std::to_string(min) + " to " + std::to_string(max));
    return min;
  }
  std::vector<uint64_t> numbers(const char* key) {
    const json* value = find(key);
    std::vector<uint64_t> result;
    bool fits = value != nullptr && value->is_array();
    for (size_t i = 0; fits && i < value->size(); i++) {
      fits = (*value)[i].is_number_unsigned();
      if (fits) result.push_back((*value)[i].get<uint64_t>());
    }
    if (!fits) wrong(key, "a list of whole numbers");
    return result;
  }
  std::vector<std::string> texts(const char* key) {
    const json* value = find(key);
    std::vector<std::string> result;
    bool fits = value != nullptr && value->is_array();
    for (size_t i = 0; fits && i < value->size(); i++) {
      fits = (*value)[i].is_string();
      if (fits) result.push_back((*value)[i].get<std::string>());
    }
    if (!fits) wrong(key, "a list of texts");
    return result;
  }
  Labels labels(const char* key) {
    const json* value = find(key);
    Labels result;
    bool fits = value != nullptr && value->is_object();
    if (fits)
      for (auto label = value->begin(); fits && label != value->end(); ++label) {
        fits = label->is_string();
        if (fits) result[label.key()] = label->get<std::string>();
      }
    if (!fits) wrong(key, "an object of texts");
    return result;
  }
  int64_t time(const char* key) {
    const json* value = find(key);
    std::optional<int64_t> time;
    if (value != nullptr && value->is_string()) time = parse_time(value->get<std::string>());
    if (!time) wrong(key, "a time such as 2026-11-26T13:00:00Z");
    return time.value_or(0);
  }
  // Null when there is none.
  const json* find(const char* key) const {
    if (!object_.is_object()) return nullptr;
    auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
  }
  void wrong(const char* key, const std::string& wanted) {
    note("'" + std::string(key) + "' of " + place_ + " is not " + wanted);
  }
  void note(std::string problem) {
    if (!problem_) problem_ = std::move(problem);
  }
  // What was wrong first.
  const std::optional<std::string>& problem() const { return problem_; }

 private:
  const json& object_;
  std::string place_;
  std::optional<std::string> problem_;
};

// Adds what is wrong with an object in this one.
void join(Fields& outer, const Fields& inner) {
  if (inner.problem()) outer.note(*inner.problem());
}

Accounting parse_accounting(Fields& member, const json& object, const std::string& place) {
  constexpr uint64_t kMax = ~uint64_t{0};
  Accounting result;
  Fields fields(object, "the accounting of " + place);
  result.seen = fields.number("seen", 0, kMax);
  result.used = fields.number("used", 0, kMax);
  result.pending = fields.number("pending", 0, kMax);
  const json* dropped = fields.find("dropped");
  if (dropped == nullptr || !dropped->is_object()) {
    fields.wrong("dropped", "an object of numbers");
  } else {
    Fields numbers(*dropped, "the accounting of " + place);
    for (auto row = dropped->begin(); row != dropped->end(); ++row) {
      const uint64_t number = numbers.number(row.key().c_str(), 0, kMax);
      // A reason that this version does not know still balances.
      const Dropped reason = find_dropped(row.key()).value_or(Dropped::kFiltered);
      result[reason] = saturating_add(result[reason], number);
    }
    join(fields, numbers);
  }
  if (!fields.problem())
    if (std::optional<std::string> broken = result.check())
      fields.note("the accounting of " + place + ": " + *broken);
  join(member, fields);
  return result;
}

MergedProfiles parse_merged(Fields& member, const json& object, const std::string& place) {
  constexpr uint64_t kMax = ~uint64_t{0};
  MergedProfiles result;
  Fields fields(object, "'merged' of " + place);
  result.profiles = fields.number("profiles", 1, kMax);
  const json* labels = fields.find("labels");
  if (labels == nullptr || !labels->is_object()) {
    fields.wrong("labels", "an object of objects");
  } else {
    for (auto label = labels->begin(); label != labels->end(); ++label) {
      Fields values(*label, "the label '" + valid_utf8(label.key()) + "' of " + place);
      for (auto value = label->begin(); !values.problem() && value != label->end(); ++value)
        result.labels[label.key()][value.key()] = values.number(value.key().c_str(), 1, kMax);
      join(fields, values);
    }
  }
  join(member, fields);
  return result;
}

void parse_window(Fields& fields, const json& object, const std::string& place,
                  BundleMember& member) {
  Fields window(object, "the window of " + place);
  member.window = TimeWindow{window.time("from"), window.time("to")};
  const std::string evidence = window.text("evidence");
  auto known = std::find_if(std::begin(kEvidence), std::end(kEvidence),
                            [&](const auto& row) { return row.second == evidence; });
  if (known != std::end(kEvidence)) member.window_evidence = known->first;
  if (member.window->end < member.window->begin)
    window.note("the window of " + place + " ends before it begins");
  join(fields, window);
}

Weight parse_weight(Fields& fields, uint64_t denominator, const std::string& place) {
  const uint64_t numerator = fields.number("weight", 1, Weight::kMaxPart * kMaxDenominator);
  const uint64_t divisor = std::gcd(numerator, denominator);
  Weight weight{numerator / divisor, denominator / divisor};
  if (weight.numerator > Weight::kMaxPart || weight.denominator > Weight::kMaxPart)
    fields.note("the weight of " + place + ", " + std::to_string(weight.numerator) + "/" +
                std::to_string(weight.denominator) + ", has a part above 1000000");
  return weight;
}

BundleMember parse_member(Fields& bundle, const json& object, size_t index, uint64_t denominator) {
  const std::string place = "member " + std::to_string(index + 1);
  Fields fields(object, place);
  BundleMember member;
  member.path = fields.text("path");
  if (!fields.problem() && !is_member_path(member.path))
    fields.note(place + " has a path that is none below the directory: " +
                valid_utf8(member.path.substr(0, 200)));
  member.size = fields.number("size", 0, uint64_t{1} << 62);
  member.digest = fields.text("digest");
  if (!fields.problem() && !is_digest(member.digest))
    fields.wrong("digest", "'sha256:' and 64 hexadecimal digits");
  member.source = fields.text("source");
  member.object = fields.text("object");
  member.labels = fields.labels("labels");
  if (const json* window = fields.find("window")) parse_window(fields, *window, place, member);
  member.weight = parse_weight(fields, denominator, place);
  member.builds = fields.texts("builds");
  for (const std::string& build : member.builds)
    if (build.empty() || !is_hexadecimal(build))
      fields.note("'builds' of " + place + " has an entry that is not a build ID");
  if (fields.find("build_samples") != nullptr) {
    member.build_samples = fields.numbers("build_samples");
    if (!fields.problem() && member.build_samples.size() != member.builds.size())
      fields.wrong("build_samples", "as long as 'builds'");
  }
  member.samples = fields.number("samples", 0, ~uint64_t{0});
  if (const json* accounting = fields.find("accounting"))
    member.accounting = parse_accounting(fields, *accounting, place);
  if (const json* merged = fields.find("merged"))
    member.merged = parse_merged(fields, *merged, place);
  join(bundle, fields);
  return member;
}

}  // namespace

std::string_view time_evidence_name(TimeEvidence evidence) {
  for (const auto& [value, name] : kEvidence)
    if (value == evidence) return name;
  return "none";
}

bool is_member_path(std::string_view path) {
  if (path.empty() || path.size() > kMaxPath || path == kBundleName) return false;
  for (char c : path)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return false;
  while (true) {
    const std::string_view part = path.substr(0, path.find('/'));
    if (part.empty() || part == "." || part == "..") return false;
    if (part.size() == path.size()) return true;
    path.remove_prefix(part.size() + 1);
  }
}

Origins BundleMember::origins() const {
  std::optional<Origins::Window> its_window;
  if (window) its_window = {window->begin, window->end};
  if (!merged) return Origins::of(labels, its_window);
  Origins all = Origins::of(labels, its_window, merged->profiles);
  for (const auto& [key, values] : merged->labels)
    for (const auto& [value, count] : values)
      all.add(Origins::of({{key, value}}, std::nullopt, count));
  all.profiles = all.labels.empty() && !all.window ? 0 : merged->profiles;
  return all;
}

std::vector<uint64_t> whole_weights(const Bundle& bundle) {
  std::vector<uint64_t> weights = common_weights(bundle.members).numerators;
  uint64_t divisor = 0;
  for (uint64_t weight : weights) divisor = std::gcd(divisor, weight);
  for (uint64_t& weight : weights) weight /= divisor;
  return weights;
}

std::vector<RelativeWeight> relative_weights(const Bundle& bundle) {
  const std::vector<uint64_t> weights = common_weights(bundle.members).numerators;
  Wide sum = 0;
  for (uint64_t weight : weights) sum += weight;
  std::vector<RelativeWeight> result;
  for (uint64_t weight : weights)
    result.push_back(relative_weight(Wide{weight} * weights.size(), sum));
  return result;
}

std::string bundle_text(const Bundle& bundle) {
  const CommonWeights weights = common_weights(bundle.members);
  std::vector<size_t> order(bundle.members.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return bundle.members[a].path < bundle.members[b].path; });
  json members = json::array();
  for (size_t i : order) members.push_back(member_json(bundle.members[i], weights.numerators[i]));
  const json result = {{"version", Bundle::kVersion},
                       {"tool_version", bundle.tool_version},
                       {"sources", bundle.sources},
                       {"query", bundle.query},
                       {"weight_denominator", weights.denominator},
                       {"members", std::move(members)}};
  return result.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

Result<Bundle> parse_bundle(std::string_view text, const std::string& name) {
  auto wrong = [&](const std::string& what) {
    return fail(ErrorKind::kInput, name + ": is not a bundle: " + what);
  };
  if (text.size() > kMaxBundle) return wrong("it is larger than 64 MB");
  if (is_json_nested_deeper(text, kMaxDepth))
    return wrong("it is nested more than " + std::to_string(kMaxDepth) + " levels deep");
  const json object = json::parse(text, nullptr, false);
  if (object.is_discarded()) return wrong("it is not valid JSON");
  Fields fields(object, "the bundle");
  const uint64_t version = fields.number("version", 1, ~uint64_t{0});
  if (!fields.problem() && version > Bundle::kVersion)
    return fail(ErrorKind::kUnsupported,
                name + ": is a bundle of version " + std::to_string(version) +
                    ", and this pgo reads version " + std::to_string(Bundle::kVersion),
                "use a newer pgo, or fetch the profiles again");
  Bundle bundle;
  bundle.tool_version = fields.text("tool_version");
  bundle.sources = fields.texts("sources");
  bundle.query = fields.labels("query");
  const uint64_t denominator = fields.number("weight_denominator", 1, kMaxDenominator);
  const json* members = fields.find("members");
  if (members == nullptr || !members->is_array() || members->size() > kMaxMembers) {
    fields.wrong("members", "a list of at most " + std::to_string(kMaxMembers));
    return wrong(fields.problem().value_or(""));
  }
  std::set<std::string_view> paths;
  bundle.members.reserve(members->size());  // so that `paths` stays valid
  for (size_t i = 0; i < members->size() && !fields.problem(); i++) {
    bundle.members.push_back(parse_member(fields, (*members)[i], i, denominator));
    if (!paths.insert(bundle.members.back().path).second)
      fields.note("member " + std::to_string(i + 1) + " has the path of another, " +
                  bundle.members.back().path);
  }
  if (fields.problem()) return wrong(*fields.problem());
  std::sort(bundle.members.begin(), bundle.members.end(),
            [](const BundleMember& a, const BundleMember& b) { return a.path < b.path; });
  return bundle;
}

Result<void> check_member_file(const std::string& directory, const std::string& path,
                               uint64_t size) {
  const std::string file = directory + (directory.ends_with('/') ? "" : "/") + path;
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status))
    return fail(ErrorKind::kInput, file + ": is missing, and its bundle names it",
                "fetch the profiles again");
  if (!fs::is_regular_file(status))
    return fail(ErrorKind::kInput, file + ": is not a regular file, and its bundle names it");
  if (!is_below(file, directory))
    return fail(ErrorKind::kInput, file + ": is a link that leaves its bundle");
  const uint64_t actual = fs::file_size(file, error);
  if (error || actual == size) return ok();
  return fail(ErrorKind::kInput,
              file + ": has " + std::to_string(actual) + " bytes, and its bundle says " +
                  std::to_string(size),
              "fetch the profiles again");
}

Failure changed_member(const std::string& file) {
  return fail(ErrorKind::kInput,
              file + ": was changed: its SHA-256 digest is not what its bundle says",
              "fetch the profiles again");
}

Result<std::optional<Bundle>> read_bundle(const std::string& directory) {
  const std::string path = directory + (directory.ends_with('/') ? "" : "/") + kBundleName;
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::optional<Bundle>();
    return io_failure(path, "cannot open");
  }
  if (!S_ISREG(status.st_mode))
    return fail(ErrorKind::kInput, path + ": is not a bundle: it is not a regular file");
  if (static_cast<uint64_t>(status.st_size) > kMaxBundle)
    return fail(ErrorKind::kInput, path + ": is not a bundle: it is larger than 64 MB");
  PGO_TRY(MappedFile file, MappedFile::open(path));
  PGO_TRY(Bundle bundle, parse_bundle(as_text(file.bytes()), path));
  return std::optional<Bundle>(std::move(bundle));
}

}  // namespace pgo
