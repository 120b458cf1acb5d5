// Signatures in the format of minisign (https://jedisct1.github.io/minisign/), by libsodium:
// Ed25519 over the BLAKE2b-512 hash of a message, or, in signatures of its earlier versions, over
// the message itself.
//
//   PGO_TRY(minisign::PublicKey key, minisign::parse_public_key(text, "release.pub"));
//   PGO_TRY(std::string comment, minisign::verify(key, signature, message, "server.minisig"));
//
// All texts are those of the program's files. A signature covers the message and its trusted
// comment; the untrusted one is for people.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "pgo/base/bytes.h"
#include "pgo/base/result.h"

namespace pgo::minisign {

using KeyId = std::array<uint8_t, 8>;

struct PublicKey {
  KeyId id{};
  std::array<uint8_t, 32> key{};

  bool operator==(const PublicKey&) const = default;
};

class SecretKey {
 public:
  SecretKey() = default;
  SecretKey(SecretKey&&) noexcept = default;
  SecretKey& operator=(SecretKey&&) noexcept = default;
  ~SecretKey();  // overwrites the key

  KeyId id{};
  std::array<uint8_t, 64> key{};
};

// A file of `minisign -G`, or its second line alone ("RWQ..."). `name` is for messages. Error:
// kInput.
Result<PublicKey> parse_public_key(std::string_view text, const std::string& name);
// The second line of its file, without a newline: 56 characters.
std::string public_key_text(const PublicKey& key);
PublicKey public_key_of(const SecretKey& key);

// `ask_password` is called once, and only for an encrypted key. Errors: kInput for what is no key
// of minisign and for a wrong password; kUnsupported for a key that takes more than 2 GB to
// decrypt; those of `ask_password`. Decrypting takes as long as minisign made it: usually seconds,
// and 1 GB.
Result<SecretKey> parse_secret_key(std::string_view text, const std::string& name,
                                   const std::function<Result<std::string>()>& ask_password);

// "C8A1B2...", as minisign shows it: without leading zeros.
std::string key_id_text(const KeyId& id);

// The text of a .minisig file over the hash of `message`. The same for the same arguments. Comments
// are one line each.
std::string sign(const SecretKey& key, Bytes message, std::string_view trusted_comment,
                 std::string_view untrusted_comment);

// Who says to have made `signature`, which is not checked. Error: kInput for what is no signature.
Result<KeyId> claimed_signer(std::string_view signature, const std::string& name);

// The trusted comment of `signature`, the text of a .minisig file, if `key` made it for `message`.
// Errors: kInput for what is no signature; kMismatch for another key, another message, or a changed
// comment. O(size of the message).
Result<std::string> verify(const PublicKey& key, std::string_view signature, Bytes message,
                           const std::string& name);

}  // namespace pgo::minisign
