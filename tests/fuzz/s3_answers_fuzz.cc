// Any bytes as what a store like S3, or a service of keys, answers: an error, or values that fit
// into requests and messages.
#include <cstdlib>

#include "pgo/stores/s3/credentials.h"
#include "pgo/stores/s3/s3_answers.h"

using namespace pgo;

namespace {

void check_line(std::string_view text, size_t limit) {
  if (text.size() > limit) std::abort();
  for (char c : text)
    if (static_cast<uint8_t>(c) < ' ' || c == 127) std::abort();
}

void check_keys(const Result<s3::TemporaryKeys>& keys) {
  if (!keys) return;
  const s3::AwsKeys& found = keys->keys;
  if (found.access_key.empty() || found.secret_key.empty()) std::abort();
  check_line(found.access_key, found.access_key.size());
  check_line(found.session_token, found.session_token.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Result<s3::ListPage> page = s3::parse_list(text, "fuzz");
  if (page) {
    for (const s3::ListedObject& object : page->objects)
      if (object.key.empty() || object.key.size() > 4096) std::abort();
    if (page->objects.size() > size) std::abort();
  }
  const s3::StoreError error = s3::parse_error(403, text);
  check_line(error.code, 64);
  check_line(error.message, 4 * 200);  // bytes of 200 characters
  if (!error.region.empty() && !s3::is_region(error.region)) std::abort();
  (void)s3::parse_upload_id(text, "fuzz");
  (void)s3::parse_completion(text);
  check_keys(s3::parse_sts_answer(text, "fuzz"));
  check_keys(s3::parse_key_document(text, "fuzz"));
  return 0;
}
