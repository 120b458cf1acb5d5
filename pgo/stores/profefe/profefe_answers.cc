#include "pgo/stores/profefe/profefe_answers.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "pgo/base/json_fields.h"
#include "pgo/base/json_nesting.h"
#include "pgo/base/time_text.h"
#include "pgo/net/percent_encoding.h"

namespace pgo::profefe {
namespace {

using nlohmann::json;

constexpr size_t kMaxDepth = 16, kMaxId = 256;

Failure no_answer(const std::string& shown) {
  return fail(ErrorKind::kInput, shown + ": the server did not answer as profefe does",
              "check the URL: /api/0/ is added to it");
}

// The member "body"; nothing in what is no such answer.
std::optional<json> body_of(std::string_view answer) {
  if (is_json_nested_deeper(answer, kMaxDepth)) return std::nullopt;
  json parsed = json::parse(answer, nullptr, false);
  if (!parsed.is_object() || !parsed.contains("body")) return std::nullopt;
  return std::move(parsed["body"]);
}

bool is_id(std::string_view id) {
  return !id.empty() && id.size() <= kMaxId && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_';
  });
}

// "host=web-1,version=1.42"
Labels split_labels(std::string_view text) {
  Labels labels;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    const size_t equals = one.find('=');
    if (equals != one.npos && equals > 0)
      labels.emplace(one.substr(0, equals), one.substr(equals + 1));
  }
  return labels;
}

Labels labels_of(const json& labels) {
  if (labels.is_string()) return split_labels(labels.get_ref<const std::string&>());
  Labels found;
  if (labels.is_object())
    for (const auto& [key, value] : labels.items())
      if (value.is_string()) found.emplace(key, value.get_ref<const std::string&>());
  if (labels.is_array())
    for (const json& label : labels) {
      const bool is_capital = label.is_object() && label.contains("Key");
      std::string key = text_member(label, is_capital ? "Key" : "key");
      if (!key.empty())
        found.emplace(std::move(key), text_member(label, is_capital ? "Value" : "value"));
    }
  return found;
}

}  // namespace

Result<std::vector<std::string>> parse_services(std::string_view answer, const std::string& shown) {
  const std::optional<json> body = body_of(answer);
  if (!body || !(body->is_array() || body->is_null())) return no_answer(shown);
  if (body->size() > kMaxServices)
    return fail(ErrorKind::kInput,
                shown + ": has more than " + std::to_string(kMaxServices) + " services",
                "choose one");
  std::set<std::string> services;
  for (const json& service : *body) {
    if (!service.is_string()) return no_answer(shown);
    services.insert(service.get<std::string>());
  }
  return std::vector<std::string>(services.begin(), services.end());
}

Result<std::vector<StoredProfile>> parse_profiles(std::string_view answer,
                                                  const std::string& shown) {
  const std::optional<json> body = body_of(answer);
  if (!body || !(body->is_array() || body->is_null())) return no_answer(shown);
  if (body->size() > kMaxProfiles)
    return fail(ErrorKind::kInput,
                shown + ": the window has more than " + std::to_string(kMaxProfiles) + " profiles",
                "choose a shorter one");
  std::vector<StoredProfile> profiles;
  for (const json& one : *body) {
    StoredProfile profile;
    profile.id = text_member(one, "id");
    profile.service = text_member(one, "service");
    if (!is_id(profile.id)) return no_answer(shown);
    profile.created = parse_time(text_member(one, "created_at"));
    if (one.contains("labels")) profile.labels = labels_of(one["labels"]);
    profiles.push_back(std::move(profile));
  }
  return profiles;
}

Result<std::string> labels_text(const Labels& labels, const std::string& shown) {
  std::string text;
  for (const auto& [key, value] : labels) {
    if (key.find_first_of(",=") != key.npos || value.find(',') != value.npos)
      return fail(ErrorKind::kUsage,
                  shown + ": profefe takes no label with a comma: " + key + "=" + value);
    text += (text.empty() ? "" : ",") + net::percent_encode(key) + "=" + net::percent_encode(value);
  }
  return text;
}

Result<std::string> parse_pushed(std::string_view answer, const std::string& shown) {
  const std::optional<json> body = body_of(answer);
  std::string id = body ? text_member(*body, "id") : std::string();
  if (!is_id(id)) return no_answer(shown);
  return id;
}

Error profefe_error(const std::string& shown, const net::HttpResponse& response) {
  std::string said;
  if (!is_json_nested_deeper(response.body, kMaxDepth))
    said = text_member(json::parse(response.body, nullptr, false), "error");
  return net::status_error(shown, response, said);
}

}  // namespace pgo::profefe
