#include "pgo/signature/minisign.h"

#include <gtest/gtest.h>

#include <string>

namespace pgo::minisign_test {
namespace {

// Made by minisign 0.11: `minisign -G -W`, `minisign -S -m m`, and `minisign -S -l -m m` (of its
// earlier versions' kind). The file m has the message.
constexpr const char* kPublic =
    "untrusted comment: minisign public key 1ED64F26CF951AF8\n"
    "RWT4GpXPJk/WHteX+sXjI8da2MCH3J7qXGI+Fg5wBvNZPn+tkC2N5nr3\n";
constexpr const char* kSecret =
    "untrusted comment: minisign encrypted secret key\n"
    "RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA+BqVzyZP1h5K6hMnYQo6+"
    "fG5lB0K1cyGmZDhbFilGhcAQbk1J3ugd9eX+sXjI8da2MCH3J7qXGI+Fg5wBvNZPn+"
    "tkC2N5nr3AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n";
constexpr const char* kHashed =
    "untrusted comment: for people\n"
    "RUT4GpXPJk/"
    "WHlLUxw+IUJhcP5bn2Vwf04T52bBx5StgB80cICHUmY9DxLIeFVlvO2M1yGQyjnwNlB4v1JrifXJzVMUlQiYFZgE=\n"
    "trusted comment: of server, 2026-11-20\n"
    "S4LXaKspVARdIBzFz63zmnNfIExnMtcLLEG1ZT3Xz0jZXnAXZE3O1oHcbOIyisoqY32lmVXpncqwJzRG5EHODQ==\n";
constexpr const char* kPlain =
    "untrusted comment: signature from minisign secret key\n"
    "RWT4GpXPJk/WHqOvSUEcCae7y5Grhv/"
    "Tono4PhVDye3sqkiNm+wA7ElXwmcNrHzoUTDthX68cvVMmjgRFvK1wEJalMzpmG+jxwQ=\n"
    "trusted comment: legacy\n"
    "XOy9SS5JNE04za6AVnun2d4QtZmVc4b099H8x6MgDiSbWIf/OTycSHcZiv/cpZEyXZpq3sFETGUxTCroOnMQCQ==\n";
constexpr std::string_view kMessage = "a manifest\n";
// Of another key, encrypted with the password "secret"; needs 1 GB to decrypt.
constexpr const char* kEncrypted =
    "untrusted comment: minisign encrypted secret key\n"
    "RWRTY0Iyfvwq2qZ94lmVmTHJUFB9mNkNNiRsyru8SfiuehuRvO4AAAACAAAAAAAAAEAAAAAAZTJeq0W0o+TU+/"
    "8hjfwtCEJdmXsQ9C1aL8NhZ09eAuzJQZTnEP4l4Tq+"
    "U76LSotj47oikYZ0DSjRWtZfIpVNjeCuiGiXPT4CDrvR5wTBShr4cG1A5HUI/gz1ISnpBackwNZWKYo01+U=\n";

Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}
std::string message_of(const Error& error) { return error.message; }

Result<std::string> no_password() { return fail(ErrorKind::kUsage, "asked for a password"); }

minisign::PublicKey public_key() {
  auto key = minisign::parse_public_key(kPublic, "k.pub");
  EXPECT_TRUE(key) << key.error().message;
  return *key;
}

minisign::SecretKey secret_key() {
  auto key = minisign::parse_secret_key(kSecret, "k.key", no_password);
  EXPECT_TRUE(key) << key.error().message;
  return std::move(*key);
}

std::string refusal(std::string_view signature, std::string_view message = kMessage) {
  auto verified = minisign::verify(public_key(), signature, bytes_of(message), "s");
  return verified ? "verified" : message_of(verified.error());
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const size_t place = text.find(from);
  EXPECT_NE(place, text.npos);
  return text.replace(place, from.size(), to);
}

TEST(Minisign, ReadsKeysOfTheProgram) {
  EXPECT_EQ(minisign::key_id_text(public_key().id), "1ED64F26CF951AF8");
  EXPECT_EQ(minisign::public_key_of(secret_key()), public_key());
  const std::string line = minisign::public_key_text(public_key());
  EXPECT_NE(std::string(kPublic).find("\n" + line + "\n"), std::string::npos);
  auto alone = minisign::parse_public_key(line + "\r\n", "argument");
  ASSERT_TRUE(alone);
  EXPECT_EQ(*alone, public_key());
}

TEST(Minisign, VerifiesBothKindsOfSignature) {
  auto hashed = minisign::verify(public_key(), kHashed, bytes_of(kMessage), "s");
  ASSERT_TRUE(hashed) << hashed.error().message;
  EXPECT_EQ(*hashed, "of server, 2026-11-20");
  auto plain = minisign::verify(public_key(), kPlain, bytes_of(kMessage), "s");
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_EQ(*plain, "legacy");
}

TEST(Minisign, SignsAsTheProgramDoes) {
  EXPECT_EQ(minisign::sign(secret_key(), bytes_of(kMessage), "of server, 2026-11-20", "for people"),
            kHashed);
}

// minisign 0.11 shows this ID so.
TEST(Minisign, ShowsIdsWithoutLeadingZeros) {
  EXPECT_EQ(minisign::key_id_text({0x5D, 0x02, 0x66, 0xC7, 0x18, 0xBF, 0x7C, 0x0E}),
            "E7CBF18C766025D");
  EXPECT_EQ(minisign::key_id_text({}), "0");
}

TEST(Minisign, NamesTheSigner) {
  EXPECT_EQ(minisign::claimed_signer(kHashed, "s").value(), public_key().id);
  EXPECT_EQ(message_of(minisign::claimed_signer("x", "s").error()),
            "s: is not a minisign signature: it has fewer than four lines");
}

TEST(Minisign, RefusesWhatWasChanged) {
  const std::string text = kHashed;
  EXPECT_EQ(refusal(text, "a manifesto\n"),
            "s: is not a signature of this data by the key 1ED64F26CF951AF8");
  EXPECT_EQ(refusal(replaced(text, "of server", "of Server")),
            "s: the trusted comment was changed");
  EXPECT_EQ(refusal(replaced(text, "for people", "anything")), "verified");
  EXPECT_EQ(refusal(replaced(text, "RUT4", "RUT5")),
            "s: was made by the key 1ED64F26CF951AF9, not by 1ED64F26CF951AF8");
  EXPECT_EQ(refusal(replaced(text, "RUT4", "RWT4")),
            "s: is not a signature of this data by the key 1ED64F26CF951AF8");
}

TEST(Minisign, RefusesWhatIsNoSignature) {
  const std::string text = kHashed;
  EXPECT_EQ(refusal(""), "s: is not a minisign signature: it has fewer than four lines");
  EXPECT_EQ(refusal(std::string(65537, 'a')),
            "s: is not a minisign signature: it has more than 64 KB");
  EXPECT_EQ(refusal("x" + text),
            "s: is not a minisign signature: line 1 is not an untrusted comment");
  EXPECT_EQ(refusal(replaced(text, "RUT4", "RXT4")),
            "s: is not a minisign signature: line 2 is not an Ed25519 signature");
  EXPECT_EQ(refusal(replaced(text, "YFZgE=", "YFZgE")),
            "s: is not a minisign signature: line 2 is not an Ed25519 signature");
  EXPECT_EQ(refusal(replaced(text, "trusted comment: of", "comment: of")),
            "s: is not a minisign signature: line 3 is not a trusted comment");
  EXPECT_EQ(refusal(replaced(text, "HODQ==", "HODQ==A")),
            "s: is not a minisign signature: line 4 is not an Ed25519 signature");
}

TEST(Minisign, RefusesWhatIsNoKey) {
  for (const char* text :
       {"", "untrusted comment: a\n", "RWQ", "untrusted comment: a\nRWQ\n", kSecret})
    EXPECT_EQ(message_of(minisign::parse_public_key(text, "k").error()),
              "k: is not a minisign public key");
  for (const char* text : {"", "untrusted comment: a\n", kPublic})
    EXPECT_EQ(message_of(minisign::parse_secret_key(text, "k", no_password).error()),
              "k: is not a minisign secret key");
}

TEST(Minisign, AsksForAPasswordWhereThereIsOne) {
  auto key = minisign::parse_secret_key(kEncrypted, "e.key", no_password);
  ASSERT_FALSE(key);
  EXPECT_EQ(key.error().message, "asked for a password");
}

TEST(Minisign, RefusesKeysThatTakeTooMuchMemory) {
  // The limit of memory is 8 bytes, of which this sets a high one.
  auto key = minisign::parse_secret_key(replaced(kEncrypted, "AAAAEAAAAAA", "AAAAEAA//8A"), "e.key",
                                        [] { return Result<std::string>(std::string("secret")); });
  ASSERT_FALSE(key);
  EXPECT_EQ(key.error().message, "e.key: takes more than 2 GB of memory to decrypt");
}

}  // namespace
}  // namespace pgo::minisign_test
