#include "pgo/stores/s3/s3_errors.h"

#include <algorithm>

#include "pgo/base/number_text.h"
#include "pgo/stores/s3/aws_time.h"

namespace pgo::s3 {

namespace {

// Stores refuse requests whose time differs from theirs by more than this, in seconds.
constexpr int64_t kMaxSkew = 15 * 60;

struct Cause {
  std::string what, advice;
};

const char* permission(Action action) {
  switch (action) {
    case Action::kList: return "s3:ListBucket";
    case Action::kRead: return "s3:GetObject";
    case Action::kWrite: return "s3:PutObject";
  }
  return "";
}

const char* verb(Action action) {
  switch (action) {
    case Action::kList: return "list";
    case Action::kRead: return "read";
    case Action::kWrite: return "write";
  }
  return "";
}

// How far this machine's clock is ahead of the server's, in seconds; nothing when it did not say.
std::optional<int64_t> clock_lead(const RefusedRequest& request,
                                  const net::HttpResponse& response) {
  const std::optional<int64_t> date = parse_http_date(response.header("date"));
  if (!date) return std::nullopt;
  return request.now - *date;
}

Cause skewed_clock(std::optional<int64_t> lead) {
  std::string what = "the clock of this machine is wrong";
  if (lead && (*lead > kMaxSkew || *lead < -kMaxSkew)) {
    const uint64_t minutes = static_cast<uint64_t>(std::abs(*lead)) / 60;
    what = "the clock of this machine is " + format_count(minutes, "minute") +
           (*lead > 0 ? " ahead of" : " behind") + " the store's";
  }
  return {what, "set the clock; a request counts for 15 minutes"};
}

Cause missing_thing(const RefusedRequest& request, const std::string& code) {
  if (code == "NoSuchBucket") {
    const std::string place = request.endpoint.empty() ? "AWS" : request.endpoint;
    return {"there is no bucket '" + request.bucket + "' at " + place,
            "check its name, and AWS_ENDPOINT_URL"};
  }
  if (code == "NoSuchUpload")
    return {"the upload was aborted or completed by somebody else", "start it again"};
  return {"there is no such object", ""};
}

// Of the keys that the request is signed with.
std::optional<Cause> wrong_keys(const RefusedRequest& request, const std::string& code) {
  const std::string keys = "the keys (from " + request.key_origin + ")";
  if (code == "SignatureDoesNotMatch") return Cause{"the secret key is wrong", "check " + keys};
  // The last is what s3s says.
  if (code == "InvalidAccessKeyId" || code == "NotSignedUp")
    return Cause{"the store does not know the access key", "check " + keys};
  if (code == "ExpiredToken" || code == "TokenRefreshRequired" || code == "RequestExpired")
    return Cause{"the session token has expired",
                 "get new keys, for example by `aws sso login`; the old ones are from " +
                     request.key_origin};
  if (code == "InvalidToken" || code == "InvalidClientTokenId")
    return Cause{"the session token is not valid", "check " + keys};
  return std::nullopt;
}

Cause no_permission(const RefusedRequest& request) {
  const std::string action = std::string(verb(request.action)) + " it";
  if (request.is_anonymous)
    return {"nobody may " + action + " without keys", "unset " + request.key_origin +
                                                          ", and set AWS_ACCESS_KEY_ID and " +
                                                          "AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"};
  return {"no permission to " + action, std::string("ask for ") + permission(request.action) +
                                            " on bucket '" + request.bucket +
                                            "' for the keys from " + request.key_origin};
}

Cause cause_of(const RefusedRequest& request, const StoreError& error,
               std::optional<int64_t> lead) {
  const std::string& code = error.code;
  if (code == "RequestTimeTooSkewed") return skewed_clock(lead);
  // Some stores compare no times, and find that the signature is of another day.
  if (code == "SignatureDoesNotMatch" && lead && std::abs(*lead) > kMaxSkew)
    return skewed_clock(lead);
  if (std::optional<Cause> cause = wrong_keys(request, code)) return *cause;
  if (code == "AccessDenied" || code == "AllAccessDisabled" ||
      (code.empty() && error.status == 403))
    return no_permission(request);
  if (code == "NoSuchBucket" || code == "NoSuchKey" || code == "NoSuchUpload")
    return missing_thing(request, code);
  if (code == "InvalidObjectState")
    return {"it is archived, and cannot be read as it is", "restore it in the store first"};
  if (code == "PermanentRedirect" || code == "TemporaryRedirect" ||
      code == "AuthorizationHeaderMalformed" || code == "IllegalLocationConstraintException")
    return {"the bucket is in another region", "set AWS_REGION to the bucket's region"};
  if (code == "SlowDown" || code == "ServiceUnavailable" || error.status == 503)
    return {"the store is too busy", "try again later, or fetch less at once"};
  if (code == "PreconditionFailed" || error.status == 412)
    return {"it changed while it was fetched", "run this again"};
  if (code == "InvalidBucketName")
    return {"'" + request.bucket + "' cannot be the name of a bucket", "check the name"};
  const bool is_store = error.status != 501 || !code.empty();  // what does not know the request
  if (error.status >= 500 && error.message.empty() && is_store)
    return {"the store fails to " + std::string(verb(request.action)) + " it", "try again later"};
  return {error.message.empty()
              ? "the store refuses to " + std::string(verb(request.action)) + " it"
              : error.message,
          request.endpoint.empty() || !code.empty()
              ? ""
              : "check AWS_ENDPOINT_URL: is " + request.endpoint + " an S3 store?"};
}

Error refusal_of(const RefusedRequest& request, const StoreError& error,
                 std::optional<int64_t> lead, unsigned tries) {
  Cause cause = cause_of(request, error, lead);
  std::string text = request.shown + ": " + cause.what + " (" + std::to_string(error.status);
  if (!error.code.empty()) text += " " + error.code;
  if (tries > 1) text += ", tried " + std::to_string(tries) + " times";
  return {ErrorKind::kIo, text + ")", std::move(cause.advice)};
}

}  // namespace

Error refusal(const RefusedRequest& request, const net::HttpResponse& response) {
  return refusal_of(request, parse_error(response.status, response.body),
                    clock_lead(request, response), response.tries);
}

Error refusal(const RefusedRequest& request, const StoreError& error) {
  return refusal_of(request, error, std::nullopt, 1);
}

}  // namespace pgo::s3
