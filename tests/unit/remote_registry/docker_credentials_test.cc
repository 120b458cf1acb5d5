#include "pgo/remote_registry/docker_credentials.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "pgo/base/temporary_directory.h"

namespace pgo::docker_credentials_test {
namespace {

using Found = Result<std::optional<RegistryCredentials>>;

Found find(const std::string& config, const std::string& host = "reg.example:5000") {
  return find_credentials(config, "config.json", host);
}

std::string shown(const Found& found) {
  if (!found) return "error: " + found.error().message;
  if (!*found) return "none";
  const RegistryCredentials& one = **found;
  return one.user + "|" + one.password + "|" + one.identity_token;
}

// A helper that is first on PATH while this lives.
class Helper {
 public:
  explicit Helper(const std::string& script)
      : path_(std::getenv("PATH")), directory_(*TemporaryDirectory::make()) {
    const std::string program = directory_.path() + "/docker-credential-test";
    std::ofstream(program) << "#!/bin/sh\n" << script;
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    setenv("PATH", (directory_.path() + ":" + path_).c_str(), 1);
  }
  ~Helper() { setenv("PATH", path_.c_str(), 1); }
  std::string path() const { return directory_.path() + "/docker-credential-test"; }

 private:
  std::string path_;
  TemporaryDirectory directory_;
};

TEST(DockerCredentials, FindsThoseOfAHost) {
  // "u:p:w" and "a:b".
  const std::string config = R"({"auths": {"reg.example:5000": {"auth": "dTpwOnc="},
                                           "https://other.example/v1/": {"auth": "YTpi"},
                                           "empty.example": {},
                                           "plain.example": {"username": "x", "password": "y"},
                                           "token.example": {"identitytoken": "t"}}})";
  EXPECT_EQ(shown(find(config)), "u|p:w|");
  EXPECT_EQ(shown(find(config, "other.example")), "a|b|");
  EXPECT_EQ(shown(find(config, "plain.example")), "x|y|");
  EXPECT_EQ(shown(find(config, "token.example")), "||t");
  EXPECT_EQ(shown(find(config, "empty.example")), "none");
  EXPECT_EQ(shown(find(config, "reg.example")), "none");
  EXPECT_EQ(shown(find("{}")), "none");
}

TEST(DockerCredentials, RefusesWrongFilesWithoutTheirSecrets) {
  EXPECT_EQ(shown(find("secret")),
            "error: config.json: is not docker's configuration: line 1 is not valid JSON");
  EXPECT_EQ(shown(find(R"({"auths": {"reg.example:5000": {"auth": "c2VjcmV0"}}})")),
            "error: config.json: \"auth\" of reg.example:5000 is not user:password in base64");
  EXPECT_EQ(shown(find(R"({"credHelpers": 5})")).substr(0, 20), "error: config.json: ");
}

TEST(DockerCredentials, AsksHelpersOnTheirStandardInput) {
  const Helper helper(
      "test \"$1\" = get && printf '{\"Username\":\"of %s\",\"Secret\":\"s\"}' \"$(cat)\"\n");
  EXPECT_EQ(shown(find(R"({"credHelpers": {"reg.example:5000": "test"}})")),
            "of reg.example:5000|s|");
  EXPECT_EQ(shown(find(R"({"credsStore": "test", "auths": {"reg.example:5000": {}}})")),
            "of reg.example:5000|s|");
  EXPECT_EQ(shown(find(R"({"credHelpers": {"other": "test"}})")), "none");
}

TEST(DockerCredentials, KnowsTokensAndWhatIsMissing) {
  {
    const Helper helper("echo '{\"Username\":\"<token>\",\"Secret\":\"t\"}'\n");
    EXPECT_EQ(shown(find(R"({"credsStore": "test"})")), "||t");
  }
  {
    const Helper helper("echo 'credentials not found in native keychain'; exit 1\n");
    EXPECT_EQ(shown(find(R"({"credsStore": "test"})")), "none");
  }
}

TEST(DockerCredentials, SaysWhatIsWrongWithAHelper) {
  EXPECT_EQ(
      shown(find(R"({"credsStore": "nowhere"})")),
      "error: docker-credential-nowhere: the credential helper for reg.example:5000 was not found");
  EXPECT_EQ(
      shown(find(R"({"credsStore": "../x"})")),
      "error: docker-credential-../x: the credential helper for reg.example:5000 was not found");
  const Helper helper("echo secret; echo secret >&2; exit 3\n");
  EXPECT_EQ(shown(find(R"({"credsStore": "test"})")),
            "error: " + helper.path() + " get: ended with exit status 3");
}

}  // namespace
}  // namespace pgo::docker_credentials_test
