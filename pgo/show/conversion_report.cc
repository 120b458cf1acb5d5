#include "pgo/show/conversion_report.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>

#include "pgo/base/json_fields.h"
#include "pgo/base/sha256.h"
#include "pgo/base/time_text.h"

namespace pgo {
namespace {

using nlohmann::json;

// What is read takes some forty times the bytes; reports are far shorter. LLVM's JSON would take
// six hundred times: its objects of one field have room for 64.
constexpr size_t kMaxReport = size_t{16} << 20;

const json* field(const json* object, const char* key) {
  if (object == nullptr || !object->is_object()) return nullptr;
  auto found = object->find(key);
  return found == object->end() ? nullptr : &*found;
}

uint64_t count_of(const json* value) {
  return value != nullptr && value->is_number_unsigned() ? value->get<uint64_t>() : 0;
}

// Versions before this one wrote density and overlap as texts.
std::optional<double> number_of(const json* value) {
  if (value == nullptr) return std::nullopt;
  if (value->is_number()) return value->get<double>();
  const std::string text = value->is_string() ? value->get<std::string>() : "";
  const char* end = text.data() + text.size();
  double number = 0;
  auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::string text_of(const json* value) {
  return value != nullptr && value->is_string() ? value->get<std::string>() : "";
}

Accounting accounting_of(const json* object) {
  Accounting accounting;
  accounting.seen = count_of(field(object, "seen"));
  accounting.used = count_of(field(object, "used"));
  const json* dropped = field(object, "dropped");
  for (size_t i = 0; i < kDroppedCount; i++) {
    std::string name(dropped_name(static_cast<Dropped>(i)));
    accounting.dropped[i] = count_of(field(dropped, name.c_str()));
  }
  return accounting;
}

// Calls visit(element) for each element of a list; what is not a list has none.
template <typename Visit>
void for_each(const json* list, const Visit& visit) {
  if (list == nullptr || !list->is_array()) return;
  for (const json& element : *list) visit(&element);
}

// Widens `window` to what "from" and "to" of `object` say.
void add_window(const json* object, std::optional<std::pair<int64_t, int64_t>>& window) {
  const std::optional<int64_t> from = parse_time(text_of(field(object, "from")));
  const std::optional<int64_t> to = parse_time(text_of(field(object, "to")));
  if (!from || !to) return;
  if (!window) window = {*from, *to};
  window = {std::min(window->first, *from), std::max(window->second, *to)};
}

std::vector<ConversionReport::Profile> profiles_of(const json* root) {
  std::map<std::string, const json*> binaries;  // by path
  for_each(field(root, "binaries"),
           [&](const json* binary) { binaries.emplace(text_of(field(binary, "path")), binary); });
  std::vector<ConversionReport::Profile> profiles;
  for_each(field(root, "outputs"), [&](const json* output) {
    ConversionReport::Profile profile;
    profile.digest = text_of(field(output, "digest"));
    if (!is_sha256_digest(profile.digest)) return;
    // In reports of earlier versions there are only those of all binaries together.
    auto own_or_all = [&](const char* key) {
      const json* own = field(output, key);
      return text_of(own == nullptr ? field(root, key) : own);
    };
    profile.evidence = own_or_all("evidence");
    profile.quality = own_or_all("quality");
    auto binary = binaries.find(text_of(field(output, "binary")));
    const json* figures = binary == binaries.end() ? root : binary->second;
    profile.build_id = text_of(field(figures, "build_id"));
    profile.density = number_of(field(figures, "density"));
    profile.split_half_overlap = number_of(field(figures, "split_half_overlap"));
    profiles.push_back(std::move(profile));
  });
  return profiles;
}

std::string only_one(const std::set<std::string>& texts) {
  return texts.size() == 1 ? *texts.begin() : "";
}

// What bundles say of themselves ("provenance"), and their members or other inputs ("origins"); of
// recordings that do not say when they were made, the times of their files ("modified").
ConversionReport::Provenance provenance_of(const json* root) {
  ConversionReport::Provenance result;
  const json* origins = field(root, "origins");
  std::set<std::string> services, tools, sources;
  if (const json* values = field(field(origins, "labels"), "service");
      values != nullptr && values->is_object())
    for (auto value = values->begin(); value != values->end(); ++value)
      services.insert(value.key());
  add_window(field(origins, "window"), result.window);
  add_window(field(field(root, "modified"), "window"), result.window);
  for_each(field(root, "provenance"), [&](const json* bundle) {
    if (std::string service = text_of(field(field(bundle, "query"), "service")); !service.empty())
      services.insert(service);
    if (std::string tool = text_of(field(bundle, "tool_version")); !tool.empty())
      tools.insert(tool);
    for_each(field(bundle, "sources"),
             [&](const json* source) { sources.insert(text_of(source)); });
    add_window(field(field(bundle, "members"), "window"), result.window);
  });
  result.service = only_one(services);
  result.tool = only_one(tools);
  result.sources.assign(sources.begin(), sources.end());
  return result;
}

}  // namespace

Result<ConversionReport> read_conversion_report(Bytes bytes, const std::string& path) {
  ConversionReport report;
  report.contents = as_text(bytes);
  PGO_TRY(const json contents,
          parse_json(report.contents, kMaxReport, path, "is not a report of a conversion"));
  const json* root = &contents;
  report.evidence = text_of(field(root, "evidence"));
  report.quality = text_of(field(root, "quality"));
  report.density = number_of(field(root, "density"));
  report.split_half_overlap = number_of(field(root, "split_half_overlap"));
  report.is_inferred = field(root, "inference") != nullptr;
  report.unsampled_flow_share = number_of(field(field(root, "inference"), "unsampled_flow_share"));
  report.samples = accounting_of(field(root, "samples"));
  report.branches = accounting_of(field(root, "branches"));
  report.lost = count_of(field(root, "lost"));
  for_each(field(root, "binaries"), [&](const json* binary) {
    report.binaries.push_back({text_of(field(binary, "path")), text_of(field(binary, "build_id")),
                               text_of(field(binary, "evidence")),
                               text_of(field(binary, "quality")), count_of(field(binary, "traces")),
                               count_of(field(binary, "samples"))});
  });
  for_each(field(root, "outputs"), [&](const json* output) {
    report.outputs.push_back({text_of(field(output, "path")), count_of(field(output, "size"))});
  });
  for_each(field(root, "unused_inputs"), [&](const json* input) {
    report.unused_inputs.push_back(
        {text_of(field(input, "path")), text_of(field(input, "reason"))});
  });
  for_each(field(root, "warnings"), [&](const json* warning) {
    for_each(field(warning, "messages"),
             [&](const json* message) { report.warnings.push_back(text_of(message)); });
  });
  report.profiles = profiles_of(root);
  report.provenance = provenance_of(root);
  return report;
}

}  // namespace pgo
