#include "pgo/registry/reference.h"

#include <gtest/gtest.h>

namespace pgo::reference_test {
namespace {

using Kind = RegistryReference::Kind;
const std::string kDigest = "sha256:" + std::string(64, 'a');

RegistryReference parsed(const std::string& text) {
  Result<RegistryReference> reference = parse_reference(text);
  EXPECT_TRUE(reference) << text << ": " << reference.error().message;
  if (!reference) return {};
  EXPECT_EQ(reference_text(*reference), text);
  return *reference;
}

std::string error_of(const std::string& text) {
  Result<RegistryReference> reference = parse_reference(text);
  EXPECT_FALSE(reference) << text;
  if (reference) return "";
  EXPECT_EQ(reference.error().kind, ErrorKind::kUsage);
  return reference.error().message +
         (reference.error().advice.empty() ? "" : "; " + reference.error().advice);
}

TEST(RegistryReference, NamesADirectory) {
  EXPECT_EQ(parsed("oci-dir:profiles"), (RegistryReference{Kind::kLayout, "", "profiles", "", ""}));
  EXPECT_EQ(parsed("oci-dir:/srv/profiles:week-48"),
            (RegistryReference{Kind::kLayout, "", "/srv/profiles", "week-48", ""}));
  EXPECT_EQ(parsed("oci-dir:/srv/profiles@" + kDigest),
            (RegistryReference{Kind::kLayout, "", "/srv/profiles", "", kDigest}));
  EXPECT_EQ(parsed("oci-dir:a:b@" + kDigest),
            (RegistryReference{Kind::kLayout, "", "a", "b", kDigest}));
  // What is behind a '/' is no tag, and '@' may be in a path.
  EXPECT_EQ(parsed("oci-dir:/srv/a:b/c").path, "/srv/a:b/c");
  EXPECT_EQ(parsed("oci-dir:/srv/a:b/").path, "/srv/a:b/");
  EXPECT_EQ(parsed("oci-dir:/srv/a:b:c"),
            (RegistryReference{Kind::kLayout, "", "/srv/a:b", "c", ""}));
  EXPECT_EQ(parsed("oci-dir:me@work").path, "me@work");
  EXPECT_EQ(reference_text({Kind::kLayout, "", "a:b", "", kDigest}), "oci-dir:a:b/@" + kDigest);
}

TEST(RegistryReference, NamesARepository) {
  EXPECT_EQ(parsed("oci://localhost:5000/team/server"),
            (RegistryReference{Kind::kRemote, "localhost:5000", "team/server", "", ""}));
  EXPECT_EQ(
      parsed("oci://registry.example.com/a/b-c__d.e:v1@" + kDigest),
      (RegistryReference{Kind::kRemote, "registry.example.com", "a/b-c__d.e", "v1", kDigest}));
  EXPECT_EQ(parsed("oci://[::1]:5000/server").host, "[::1]:5000");
}

TEST(RegistryReference, SaysTheVersion) {
  EXPECT_EQ(parsed("oci-dir:p").version(), "");
  EXPECT_EQ(parsed("oci-dir:p:t").version(), "t");
  EXPECT_EQ(parsed("oci-dir:p:t@" + kDigest).version(), kDigest);
  EXPECT_EQ(repository_text(parsed("oci://h/r:t@" + kDigest)), "oci://h/r");
}

TEST(RegistryReference, RefusesWhatIsNone) {
  EXPECT_EQ(error_of("/srv/profiles"),
            "/srv/profiles: a reference expected: oci-dir:PATH[:TAG] or "
            "oci://HOST/REPOSITORY[:TAG]");
  EXPECT_EQ(error_of("oci-dir:"), "oci-dir:: the path of a directory expected behind oci-dir:");
  EXPECT_EQ(error_of("oci-dir::tag"),
            "oci-dir::tag: the path of a directory expected behind oci-dir:");
  EXPECT_EQ(
      error_of("oci-dir:a:b c"),
      "oci-dir:a:b c: 'b c' after the last ':' is not a valid tag: at most 128 letters, digits, "
      "'_', '.' and '-'; end the path in '/' when the ':' belongs to it");
  EXPECT_EQ(error_of("oci-dir:a@sha256:abc"),
            "oci-dir:a@sha256:abc: 64 hexadecimal digits (0-9, a-f) expected behind @sha256:");
  EXPECT_EQ(error_of("oci://host"),
            "oci://host: the name of a repository expected behind the host, such as "
            "oci://HOST/team/server: lower-case letters, digits, '.', '_', '-' and '/'");
  EXPECT_EQ(error_of("oci:///r"), "oci:///r: HOST or HOST:PORT expected behind oci://");
  for (const char* host : {"a b", "host:0", "host:65536", "host:x", "[::1", "[]", "-a"})
    EXPECT_EQ(error_of("oci://" + std::string(host) + "/r"),
              "oci://" + std::string(host) + "/r: HOST or HOST:PORT expected behind oci://");
  for (const char* name : {"A", "a//b", "a/", "a..b", "a___b", "a_", "-a", "a.-b"})
    EXPECT_NE(error_of("oci://h/" + std::string(name)).find("the name of a repository"),
              std::string::npos);
  EXPECT_EQ(error_of("oci-dir:a\nb"),
            "oci-dir:a\nb: a reference is at most 4096 bytes of UTF-8 without control characters");
  EXPECT_EQ(error_of("oci-dir:\xff"),
            "oci-dir:?: a reference is at most 4096 bytes of UTF-8 without control characters");
}

// A password must not get into messages, nor into lock files.
TEST(RegistryReference, RefusesCredentialsWithoutRepeatingThem) {
  EXPECT_EQ(
      error_of("oci://me:secret@host/r"),
      "oci://: a reference must not have a user name or a password; 'docker login' keeps them "
      "where they are found");
}

TEST(RegistryReference, KnowsTags) {
  for (const char* tag : {"v1", "_a", "2026-11-26T13.00", "A-b_c"}) EXPECT_TRUE(is_tag(tag)) << tag;
  for (const char* tag : {"", ".a", "-a", "a:b", "a/b", "ä"}) EXPECT_FALSE(is_tag(tag)) << tag;
  EXPECT_TRUE(is_tag(std::string(128, 'a')));
  EXPECT_FALSE(is_tag(std::string(129, 'a')));
}

}  // namespace
}  // namespace pgo::reference_test
