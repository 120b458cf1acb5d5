#include "pgo/signature/minisign.h"

#include <sodium.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "pgo/base/base64.h"
#include "pgo/base/text_bytes.h"

namespace pgo::minisign {
namespace {

constexpr std::string_view kUntrusted = "untrusted comment: ", kTrusted = "trusted comment: ";
constexpr std::string_view kPlain = "Ed", kHashed = "ED";  // of the message, of its hash
constexpr std::string_view kScrypt = "Sc", kBlake2b = "B2";
constexpr std::string_view kUnencrypted("\0\0", 2);
constexpr uint64_t kMaxPasswordMemory = uint64_t{2} << 30;
constexpr size_t kMaxText = 64 << 10;

// Where in the bytes of a secret key each part begins (minisign's SeckeyStruct).
constexpr size_t kSalt = 6, kOperations = 38, kMemory = 46, kSecret = 54, kSecretEnd = 158;
constexpr size_t kChecksum = crypto_generichash_BYTES;  // at its end

void initialize() {
  // It fails only where the system has no random numbers, which nothing here needs.
  static const int result = sodium_init();
  (void)result;
}

// The lines of a text, without line ends, at most `limit`.
std::vector<std::string_view> lines_of(std::string_view text, size_t limit) {
  std::vector<std::string_view> lines;
  while (!text.empty() && lines.size() < limit) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// Exactly `size` bytes, or nothing.
std::optional<std::vector<uint8_t>> decode(std::string_view base64, size_t size) {
  const std::optional<std::string> bytes = from_base64(base64);
  if (!bytes || bytes->size() != size) return std::nullopt;
  return std::vector<uint8_t>(bytes->begin(), bytes->end());
}

std::string encode(Bytes bytes) { return to_base64(as_text(bytes)); }

bool begins_with(Bytes bytes, std::string_view text) { return as_text(bytes).starts_with(text); }

// The parts, one behind the other; a signature or a key follows its algorithm and ID.
std::vector<uint8_t> joined(std::initializer_list<Bytes> parts) {
  std::vector<uint8_t> bytes;
  for (Bytes part : parts)
    for (uint8_t byte : part) bytes.push_back(byte);
  return bytes;
}

std::array<uint8_t, crypto_generichash_BYTES_MAX> hash_of(Bytes message) {
  std::array<uint8_t, crypto_generichash_BYTES_MAX> hash;
  crypto_generichash(hash.data(), hash.size(), message.data(), message.size(), nullptr, 0);
  return hash;
}

// What the second signature of a file covers: the first one, and the trusted comment.
std::vector<uint8_t> commented(Bytes signature, std::string_view comment) {
  return joined({signature, as_bytes(comment)});
}

Failure no_key(const std::string& name, const char* kind) {
  return fail(ErrorKind::kInput, name + ": is not a minisign " + kind + " key",
              "minisign -G makes a pair of keys");
}

// What a password hides of a secret key: its ID, the key, and a checksum.
Result<void> decrypt(std::span<uint8_t> key, const std::string& name, const std::string& password) {
  const uint64_t operations = load_le<uint64_t>(&key[kOperations]);
  const uint64_t memory = load_le<uint64_t>(&key[kMemory]);
  if (memory > kMaxPasswordMemory || operations > kMaxPasswordMemory)
    return fail(ErrorKind::kUnsupported, name + ": takes more than 2 GB of memory to decrypt");
  std::array<uint8_t, kSecretEnd - kSecret> stream;
  if (crypto_pwhash_scryptsalsa208sha256(stream.data(), stream.size(), password.data(),
                                         password.size(), &key[kSalt], operations,
                                         static_cast<size_t>(memory)) != 0)
    return fail(ErrorKind::kIo, name + ": there is not enough memory to decrypt the key");
  for (size_t i = 0; i < stream.size(); i++) key[kSecret + i] ^= stream[i];
  sodium_memzero(stream.data(), stream.size());
  return ok();
}

// A password that is wrong makes another key. A key without password has no checksum.
bool has_checksum(const SecretKey& key, Bytes checksum) {
  std::vector<uint8_t> covered = joined({as_bytes(kPlain), key.id, key.key});
  std::array<uint8_t, kChecksum> expected;
  crypto_generichash(expected.data(), expected.size(), covered.data(), covered.size(), nullptr, 0);
  sodium_memzero(covered.data(), covered.size());
  return std::equal(expected.begin(), expected.end(), checksum.begin(), checksum.end());
}

struct Signature {
  bool is_hashed = false;
  KeyId id{};
  std::array<uint8_t, crypto_sign_BYTES> signature{}, comment_signature{};
  std::string_view comment;
};

Result<Signature> parse_signature(std::string_view text, const std::string& name) {
  const auto no_signature = [&](const char* what) {
    return fail(ErrorKind::kInput, name + ": is not a minisign signature: " + what);
  };
  if (text.size() > kMaxText) return no_signature("it has more than 64 KB");
  const std::vector<std::string_view> lines = lines_of(text, 4);
  if (lines.size() < 4) return no_signature("it has fewer than four lines");
  if (!lines[0].starts_with(kUntrusted)) return no_signature("line 1 is not an untrusted comment");
  const auto first = decode(lines[1], 2 + sizeof(KeyId) + crypto_sign_BYTES);
  if (!first || (!begins_with(*first, kPlain) && !begins_with(*first, kHashed)))
    return no_signature("line 2 is not an Ed25519 signature");
  if (!lines[2].starts_with(kTrusted)) return no_signature("line 3 is not a trusted comment");
  const auto second = decode(lines[3], crypto_sign_BYTES);
  if (!second) return no_signature("line 4 is not an Ed25519 signature");
  Signature parsed;
  parsed.is_hashed = begins_with(*first, kHashed);
  std::copy_n(first->begin() + 2, parsed.id.size(), parsed.id.begin());
  std::copy(first->begin() + 2 + sizeof(KeyId), first->end(), parsed.signature.begin());
  std::copy(second->begin(), second->end(), parsed.comment_signature.begin());
  parsed.comment = lines[2].substr(kTrusted.size());
  return parsed;
}

}  // namespace

SecretKey::~SecretKey() { sodium_memzero(key.data(), key.size()); }

Result<PublicKey> parse_public_key(std::string_view text, const std::string& name) {
  initialize();
  if (text.size() > kMaxText) return no_key(name, "public");
  const std::vector<std::string_view> lines = lines_of(text, 2);
  if (lines.empty()) return no_key(name, "public");
  const bool has_comment = lines[0].starts_with(kUntrusted);
  if (has_comment && lines.size() < 2) return no_key(name, "public");
  PublicKey key;
  const auto bytes = decode(lines[has_comment ? 1 : 0], 2 + key.id.size() + key.key.size());
  if (!bytes || !begins_with(*bytes, kPlain)) return no_key(name, "public");
  std::copy_n(bytes->begin() + 2, key.id.size(), key.id.begin());
  std::copy(bytes->begin() + 2 + sizeof(KeyId), bytes->end(), key.key.begin());
  return key;
}

std::string public_key_text(const PublicKey& key) {
  return encode(joined({as_bytes(kPlain), key.id, key.key}));
}

PublicKey public_key_of(const SecretKey& key) {
  PublicKey result{.id = key.id};
  crypto_sign_ed25519_sk_to_pk(result.key.data(), key.key.data());
  return result;
}

Result<SecretKey> parse_secret_key(std::string_view text, const std::string& name,
                                   const std::function<Result<std::string>()>& ask_password) {
  initialize();
  if (text.size() > kMaxText) return no_key(name, "secret");
  const std::vector<std::string_view> lines = lines_of(text, 2);
  if (lines.size() < 2 || !lines[0].starts_with(kUntrusted)) return no_key(name, "secret");
  auto bytes = decode(lines[1], kSecretEnd);
  if (!bytes || !begins_with(*bytes, kPlain) ||
      !begins_with(std::span(*bytes).subspan(4), kBlake2b))
    return no_key(name, "secret");
  const auto method = std::span(*bytes).subspan(2);
  const bool is_encrypted = begins_with(method, kScrypt);
  if (!is_encrypted && !begins_with(method, kUnencrypted)) return no_key(name, "secret");
  if (is_encrypted) {
    PGO_TRY(std::string password, ask_password());
    Result<void> decrypted = decrypt(*bytes, name, password);
    sodium_memzero(password.data(), password.size());
    PGO_CHECK(decrypted);
  }
  SecretKey key;
  std::copy_n(&(*bytes)[kSecret], key.id.size(), key.id.begin());
  std::copy_n(&(*bytes)[kSecret + sizeof(KeyId)], key.key.size(), key.key.begin());
  const bool is_right = !is_encrypted || has_checksum(key, std::span(*bytes).last(kChecksum));
  sodium_memzero(bytes->data(), bytes->size());
  if (!is_right)
    return fail(ErrorKind::kInput, name + ": the password is wrong, or the key is damaged");
  return key;
}

std::string key_id_text(const KeyId& id) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string text;
  for (auto byte = id.rbegin(); byte != id.rend(); ++byte) {  // a little-endian number
    text += kDigits[*byte >> 4];
    text += kDigits[*byte & 15];
  }
  return text.substr(std::min(text.find_first_not_of('0'), text.size() - 1));
}

std::string sign(const SecretKey& key, Bytes message, std::string_view trusted_comment,
                 std::string_view untrusted_comment) {
  const auto hash = hash_of(message);
  std::array<uint8_t, crypto_sign_BYTES> signature, comment_signature;
  crypto_sign_detached(signature.data(), nullptr, hash.data(), hash.size(), key.key.data());
  const std::vector<uint8_t> covered = commented(signature, trusted_comment);
  crypto_sign_detached(comment_signature.data(), nullptr, covered.data(), covered.size(),
                       key.key.data());
  const std::vector<uint8_t> bytes = joined({as_bytes(kHashed), key.id, signature});
  std::string text(kUntrusted);
  text.append(untrusted_comment).append("\n").append(encode(bytes)).append("\n");
  text.append(kTrusted).append(trusted_comment).append("\n");
  return text.append(encode(comment_signature)).append("\n");
}

Result<KeyId> claimed_signer(std::string_view signature, const std::string& name) {
  PGO_TRY(const Signature parsed, parse_signature(signature, name));
  return parsed.id;
}

Result<std::string> verify(const PublicKey& key, std::string_view signature, Bytes message,
                           const std::string& name) {
  initialize();
  PGO_TRY(Signature parsed, parse_signature(signature, name));
  if (parsed.id != key.id)
    return fail(ErrorKind::kMismatch, name + ": was made by the key " + key_id_text(parsed.id) +
                                          ", not by " + key_id_text(key.id));
  const auto is_signed = [&](Bytes by, Bytes what) {
    return crypto_sign_verify_detached(by.data(), what.data(), what.size(), key.key.data()) == 0;
  };
  const bool is_valid = parsed.is_hashed ? is_signed(parsed.signature, hash_of(message))
                                         : is_signed(parsed.signature, message);
  if (!is_valid)
    return fail(ErrorKind::kMismatch,
                name + ": is not a signature of this data by the key " + key_id_text(key.id));
  if (!is_signed(parsed.comment_signature, commented(parsed.signature, parsed.comment)))
    return fail(ErrorKind::kMismatch, name + ": the trusted comment was changed");
  return std::string(parsed.comment);
}

}  // namespace pgo::minisign
