#include "pgo/stores/s3/aws_settings.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/data/temporary_files.h"

namespace pgo::aws_settings_test {
namespace {

using namespace s3;
using Variables = std::map<std::string, std::string>;

class AwsSettingsTest : public test::TemporaryFiles {
 protected:
  // HOME is the test's directory.
  Result<AwsSettings> read(Variables variables) const {
    variables.emplace("HOME", directory());
    return read_aws_settings([variables](const std::string& name) {
      const auto found = variables.find(name);
      return found == variables.end() ? "" : found->second;
    });
  }
  AwsSettings settings(const Variables& variables) const {
    Result<AwsSettings> found = read(variables);
    EXPECT_TRUE(found) << (found ? "" : found.error().message);
    return found ? *found : AwsSettings();
  }
  std::string error(const Variables& variables) const {
    Result<AwsSettings> found = read(variables);
    return found ? "" : text_of(found.error());
  }
};

TEST_F(AwsSettingsTest, TakesKeysOfVariablesFirst) {
  write(".aws/credentials", "[default]\naws_access_key_id = F\naws_secret_access_key = f\n");
  const AwsSettings found = settings({{"AWS_ACCESS_KEY_ID", "A"},
                                      {"AWS_SECRET_ACCESS_KEY", "S"},
                                      {"AWS_SESSION_TOKEN", "T"},
                                      {"AWS_REGION", "eu-west-1"},
                                      {"AWS_DEFAULT_REGION", "eu-west-2"}});
  EXPECT_EQ(found.source, KeySource::kFixed);
  EXPECT_EQ(found.keys.access_key, "A");
  EXPECT_EQ(found.keys.secret_key, "S");
  EXPECT_EQ(found.keys.session_token, "T");
  EXPECT_EQ(found.origin, "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  EXPECT_EQ(found.region, "eu-west-1");
}

TEST_F(AwsSettingsTest, ReadsAProfile) {
  write(".aws/credentials",
        "[default]\naws_access_key_id = D\naws_secret_access_key = d\n"
        "[queryd]\naws_access_key_id = Q\naws_secret_access_key = q\naws_session_token = t==\n");
  write(".aws/config",
        "[default]\nregion = us-east-2\n"
        "[profile queryd]\nregion = eu-west-3\nendpoint_url = http://store:9000/\n"
        "ca_bundle = /etc/ca.pem\ns3 =\n  addressing_style = virtual\n");
  AwsSettings found = settings({{"AWS_PROFILE", "queryd"}});
  EXPECT_EQ(found.keys.access_key, "Q");
  EXPECT_EQ(found.keys.session_token, "t==");
  EXPECT_EQ(relative(found.origin), "the profile 'queryd' in .aws/credentials");
  EXPECT_EQ(found.region, "eu-west-3");
  EXPECT_EQ(found.endpoint, "http://store:9000");
  EXPECT_EQ(found.ca_file, "/etc/ca.pem");
  EXPECT_EQ(found.addressing, AddressingStyle::kVirtual);
  found = settings({});
  EXPECT_EQ(found.keys.access_key, "D");
  EXPECT_EQ(found.region, "us-east-2");
  EXPECT_EQ(found.endpoint, "");
  EXPECT_EQ(found.addressing, AddressingStyle::kAuto);
}

TEST_F(AwsSettingsTest, ReadsFilesThatVariablesName) {
  write("k", "[default]\naws_access_key_id = K\naws_secret_access_key = k\n");
  write("c", "[profile default]\nregion = eu-north-1\n");
  const AwsSettings found =
      settings({{"AWS_SHARED_CREDENTIALS_FILE", "~/k"}, {"AWS_CONFIG_FILE", path("c")}});
  EXPECT_EQ(found.keys.access_key, "K");
  EXPECT_EQ(found.region, "eu-north-1");
}

TEST_F(AwsSettingsTest, TakesTheEndpointOfTheService) {
  write(".aws/config",
        "[default]\nservices = mine\nendpoint_url = http://d\n"
        "[services mine]\ns3 =\n  endpoint_url = http://s\n");
  EXPECT_EQ(settings({}).endpoint, "http://s");
  EXPECT_EQ(settings({}).sts_endpoint, "http://d");
  EXPECT_EQ(settings({{"AWS_ENDPOINT_URL", "http://e"}}).endpoint, "http://e");
  EXPECT_EQ(
      settings({{"AWS_ENDPOINT_URL", "http://e"}, {"AWS_ENDPOINT_URL_S3", "http://f"}}).endpoint,
      "http://f");
  EXPECT_EQ(settings({{"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "true"}}).endpoint, "");
}

TEST_F(AwsSettingsTest, TakesAWebIdentity) {
  AwsSettings found = settings(
      {{"AWS_WEB_IDENTITY_TOKEN_FILE", "/run/token"}, {"AWS_ROLE_ARN", "arn:aws:iam::1:role/r"}});
  EXPECT_EQ(found.source, KeySource::kWebIdentity);
  EXPECT_EQ(found.token_file, "/run/token");
  EXPECT_EQ(found.role_arn, "arn:aws:iam::1:role/r");
  EXPECT_EQ(found.session_name, "pgo");
  write(".aws/config",
        "[default]\nrole_arn = arn:2\nweb_identity_token_file = /t\nrole_session_name = me\n");
  found = settings({});
  EXPECT_EQ(found.source, KeySource::kWebIdentity);
  EXPECT_EQ(found.session_name, "me");
}

TEST_F(AwsSettingsTest, TakesAContainer) {
  AwsSettings found = settings({{"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "/v2/keys"},
                                {"AWS_CONTAINER_AUTHORIZATION_TOKEN", "t"}});
  EXPECT_EQ(found.source, KeySource::kContainer);
  EXPECT_EQ(found.container_url, "http://169.254.170.2/v2/keys");
  EXPECT_EQ(found.container_token, "t");
  for (const char* url : {"http://127.0.0.1:80/k", "http://localhost/k", "https://keys.example/k",
                          "http://169.254.170.23/v1/credentials", "http://[::1]:1/k",
                          "http://[fd00:ec2::23]/v1/credentials"})
    EXPECT_EQ(settings({{"AWS_CONTAINER_CREDENTIALS_FULL_URI", url}}).container_url, url);
  for (const char* url : {"http://keys.example/k", "http://127.0.0.1.example/k",
                          "http://169.254.170.234/k", "http://[fd00:ec2::24]/k", "https://a@b/k"})
    EXPECT_EQ(error({{"AWS_CONTAINER_CREDENTIALS_FULL_URI", url}}),
              "AWS_CONTAINER_CREDENTIALS_FULL_URI is neither an https: URL nor a URL of this "
              "machine or of "
              "the container service; ")
        << url;
}

TEST_F(AwsSettingsTest, AsksTheInstanceAtLast) {
  const AwsSettings found =
      settings({{"AWS_EC2_METADATA_SERVICE_ENDPOINT", "http://127.0.0.1:1/"}});
  EXPECT_EQ(found.source, KeySource::kInstance);
  EXPECT_EQ(found.instance_endpoint, "http://127.0.0.1:1");
  EXPECT_EQ(settings({}).instance_endpoint, "http://169.254.169.254");
  const char* mode = "AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE";
  EXPECT_EQ(settings({{mode, "IPv6"}}).instance_endpoint, "http://[fd00:ec2::254]");
  EXPECT_EQ(settings({{mode, "IPv4"}}).instance_endpoint, "http://169.254.169.254");
  EXPECT_EQ(settings({{mode, "IPv6"}, {"AWS_EC2_METADATA_SERVICE_ENDPOINT", "http://a"}})
                .instance_endpoint,
            "http://a");
  EXPECT_EQ(settings({{"AWS_EC2_METADATA_DISABLED", "true"}}).source, KeySource::kNone);
}

TEST_F(AwsSettingsTest, IsAnonymousOnRequest) {
  EXPECT_EQ(settings({{"AWS_NO_SIGN_REQUEST", "true"}, {"AWS_ACCESS_KEY_ID", "A"}}).source,
            KeySource::kAnonymous);
}

TEST_F(AwsSettingsTest, NamesWhatIsMissing) {
  EXPECT_EQ(error({{"AWS_ACCESS_KEY_ID", "A"}}),
            "AWS_ACCESS_KEY_ID is set, but AWS_SECRET_ACCESS_KEY is not; ");
  EXPECT_EQ(error({{"AWS_SECRET_ACCESS_KEY", "S"}}),
            "AWS_SECRET_ACCESS_KEY is set, but AWS_ACCESS_KEY_ID is not; ");
  EXPECT_EQ(error({{"AWS_PROFILE", "x"}}),
            "there is no profile 'x' in .aws/credentials or .aws/config; check AWS_PROFILE");
  EXPECT_EQ(error({{"AWS_CONFIG_FILE", path("none")}}),
            "none: cannot open: No such file or directory; ");
  write(".aws/credentials", "[default]\naws_access_key_id = A\n");
  EXPECT_EQ(error({}),
            "the profile 'default' in .aws/credentials has aws_access_key_id, but no "
            "aws_secret_access_key; ");
}

TEST_F(AwsSettingsTest, NamesWhatIsNotSupported) {
  const std::string advice =
      "which is not supported; put its keys into the environment: eval \"$(aws configure "
      "export-credentials --format env)\"";
  for (const char* key : {"sso_session", "sso_start_url", "credential_process", "role_arn"}) {
    write(".aws/config", "[default]\n" + std::string(key) + " = x\n");
    EXPECT_EQ(error({}),
              "the profile 'default' in .aws/config has " + std::string(key) + ", " + advice);
  }
  EXPECT_EQ(settings({{"AWS_ACCESS_KEY_ID", "A"}, {"AWS_SECRET_ACCESS_KEY", "S"}}).source,
            KeySource::kFixed);
}

TEST_F(AwsSettingsTest, RefusesEndpointsThatAreNone) {
  for (const char* endpoint :
       {"store:9000", "ftp://store", "http://user:secret@store", "http://store?x", "http://a b"})
    EXPECT_EQ(error({{"AWS_ENDPOINT_URL", endpoint}}),
              "the endpoint of S3 must be http://HOST[:PORT] or https://HOST[:PORT]; check "
              "AWS_ENDPOINT_URL_S3 and AWS_ENDPOINT_URL");
  EXPECT_EQ(error({{"AWS_S3_ADDRESSING_STYLE", "x"}}),
            "the addressing style of S3 is path, virtual or auto; check AWS_S3_ADDRESSING_STYLE "
            "and s3.addressing_style of the profile 'default'");
}

}  // namespace
}  // namespace pgo::aws_settings_test
