// The answers of profefe's HTTP API, as JSON:
//
//   {"code": 200, "body": [{"id": "...", "type": "cpu", "service": "queryd",
//                           "labels": "host=web-1,version=1.42", "created_at":
//                           "2026-11-26T13:00:00Z"}]}
//   {"code": 404, "error": "nothing found"}
//
// Labels are a text, an object of texts, or a list of {"Key", "Value"}: versions differ.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/labels.h"
#include "pgo/base/result.h"
#include "pgo/net/http.h"

namespace pgo::profefe {

struct StoredProfile {
  std::string id;  // letters, digits and "-._" alone
  std::string service;
  Labels labels;
  std::optional<int64_t> created;  // nanoseconds since 1970

  bool operator==(const StoredProfile&) const = default;
};

inline constexpr size_t kMaxProfiles = 1'000'000, kMaxServices = 10'000;

// `shown` is for messages. Errors: kInput for what is no such answer.
Result<std::vector<std::string>> parse_services(std::string_view answer, const std::string& shown);
Result<std::vector<StoredProfile>> parse_profiles(std::string_view answer,
                                                  const std::string& shown);
// "host=web-1,version=1.42" as requests have it; percent-encoded, because the server decodes each
// part by itself. Error: kUsage for a comma, or for '=' in a key: the answers of the server have
// labels as they are, so these would not come back.
Result<std::string> labels_text(const Labels& labels, const std::string& shown);

// The id of a profile that was pushed.
Result<std::string> parse_pushed(std::string_view answer, const std::string& shown);

// Of an answer that is no success.
Error profefe_error(const std::string& shown, const net::HttpResponse& response);

}  // namespace pgo::profefe
