// The refusals of an S3 store as errors: what happened to what, and what to do about it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pgo/base/result.h"
#include "pgo/net/http.h"
#include "pgo/stores/s3/s3_answers.h"

namespace pgo::s3 {

enum class Action { kList, kRead, kWrite };

struct RefusedRequest {
  std::string shown;  // "s3://bucket/key"
  Action action = Action::kRead;
  std::string bucket = {};
  std::string endpoint = {};    // "" of AWS itself
  std::string key_origin = {};  // where the keys come from
  bool is_anonymous = false;    // it has no keys, on request
  int64_t now = 0;              // in seconds since 1970, by this machine's clock
};

// Kind kIo. Texts that the store sends are shown for codes that are not known here only.
Error refusal(const RefusedRequest& request, const net::HttpResponse& response);
// Of a multipart upload that failed after the status 200.
Error refusal(const RefusedRequest& request, const StoreError& error);

}  // namespace pgo::s3
