// Any bytes as a signature and as keys of minisign: an error, or what can be written again. No
// bytes are a signature of the message.
#include <cstdlib>

#include "pgo/signature/minisign.h"

using namespace pgo;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  minisign::PublicKey key{.id = {}, .key = {1, 2, 3}};
  if (minisign::verify(key, text, Bytes(data, size), "fuzz")) std::abort();
  if (Result<minisign::PublicKey> parsed = minisign::parse_public_key(text, "fuzz")) {
    Result<minisign::PublicKey> again =
        minisign::parse_public_key(minisign::public_key_text(*parsed), "fuzz");
    if (!again || *again != *parsed) std::abort();
  }
  // A password would take seconds.
  (void)minisign::parse_secret_key(
      text, "fuzz", []() -> Result<std::string> { return fail(ErrorKind::kUsage, "no password"); });
  return 0;
}
