#include "pgo/stores/s3/credentials.h"

#include <gtest/gtest.h>

#include "tests/data/temporary_files.h"

namespace pgo::credentials_test {
namespace {

using namespace s3;
using net::HttpRequest;
using net::HttpResponse;

constexpr const char* kKeyDocument =
    R"({"Code": "Success", "AccessKeyId": "A", "SecretAccessKey": "S", "Token": "T",
"Expiration": "1970-01-01T01:00:00Z"})";
constexpr const char* kStsAnswer =
    "<AssumeRoleWithWebIdentityResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\">"
    "<AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>A</AccessKeyId>"
    "<SecretAccessKey>S</SecretAccessKey><SessionToken>T</SessionToken>"
    "<Expiration>1970-01-01T01:00:00Z</Expiration></Credentials>"
    "</AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>";

HttpResponse response(int status, std::string body) {
  HttpResponse answer;
  answer.status = status;
  answer.body = std::move(body);
  return answer;
}

class CredentialsTest : public test::TemporaryFiles {
 protected:
  // Answers requests with `answers_`, and writes down what they were.
  Credentials credentials(AwsSettings settings) {
    return Credentials(
        std::move(settings),
        [this](HttpRequest request) -> Result<HttpResponse> {
          std::string text = request.method + " " + request.url;
          for (const auto& [name, value] : request.headers) text += " " + name + ": " + value;
          sent_.push_back(text + (request.body.empty() ? "" : " " + request.body));
          if (sent_.size() > answers_.size()) return fail(ErrorKind::kIo, "no answer");
          return answers_[sent_.size() - 1];
        },
        [this] { return now_; });
  }
  std::string keys_text(Credentials& credentials) {
    Result<std::optional<AwsKeys>> keys = credentials.keys();
    if (!keys) return text_of(keys.error());
    if (!*keys) return "anonymous";
    return (*keys)->access_key + " " + (*keys)->secret_key + " " + (*keys)->session_token;
  }

  std::vector<HttpResponse> answers_;
  std::vector<std::string> sent_;
  int64_t now_ = 0;
};

TEST_F(CredentialsTest, AreFixed) {
  Credentials fixed = credentials({.source = KeySource::kFixed, .keys = {"A", "S", "T"}});
  EXPECT_EQ(keys_text(fixed), "A S T");
  EXPECT_FALSE(fixed.reject());
  EXPECT_EQ(fixed.generation(), 1u);
}

TEST_F(CredentialsTest, AreRefusedWhenTheyWouldEndAHeader) {
  Credentials fixed = credentials({.source = KeySource::kFixed,
                                   .origin = "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
                                   .keys = {"A", "S\n", ""}});
  EXPECT_EQ(keys_text(fixed),
            "the keys of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY contain spaces or control "
            "characters; ");
}

TEST_F(CredentialsTest, AreNone) {
  Credentials anonymous = credentials({.source = KeySource::kAnonymous});
  EXPECT_EQ(keys_text(anonymous), "anonymous");
  Credentials none = credentials({});
  EXPECT_EQ(keys_text(none),
            "there are no keys for S3 in the environment or in ~/.aws; set AWS_ACCESS_KEY_ID and "
            "AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or AWS_NO_SIGN_REQUEST=true for a public "
            "bucket");
}

TEST_F(CredentialsTest, ComeFromAWebIdentity) {
  answers_ = {response(200, kStsAnswer)};
  Credentials role = credentials({.region = "eu-west-1",
                                  .source = KeySource::kWebIdentity,
                                  .token_file = write("token", "abc+/=\n"),
                                  .role_arn = "arn:aws:iam::1:role/r",
                                  .session_name = "pgo"});
  EXPECT_EQ(keys_text(role), "A S T");
  EXPECT_EQ(sent_, std::vector<std::string>{
                       "POST https://sts.eu-west-1.amazonaws.com/ content-type: "
                       "application/x-www-form-urlencoded Action=AssumeRoleWithWebIdentity&"
                       "RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fr&RoleSessionName=pgo&"
                       "Version=2011-06-15&WebIdentityToken=abc%2B%2F%3D"});
}

TEST_F(CredentialsTest, NameWhatStsRefuses) {
  answers_ = {
      response(403, "<ErrorResponse><Error><Code>AccessDenied</Code></Error></ErrorResponse>"),
      response(200, "<html/>")};
  AwsSettings settings{.sts_endpoint = "http://sts",
                       .source = KeySource::kWebIdentity,
                       .token_file = write("token", "secret"),
                       .role_arn = "arn"};
  Credentials role = credentials(settings);
  EXPECT_EQ(keys_text(role),
            "STS (http://sts/): answered 403 AccessDenied for the web identity in token; check "
            "AWS_ROLE_ARN, and that the role trusts this identity");
  EXPECT_EQ(keys_text(role), "STS (http://sts/): its answer has no keys; ");
  settings.token_file = write("token", "two words");
  EXPECT_EQ(keys_text(*std::make_unique<Credentials>(credentials(settings))),
            "token: is not a token; ");
  settings.token_file = write("token", "\n");
  EXPECT_EQ(keys_text(*std::make_unique<Credentials>(credentials(settings))),
            "token: is empty: no token; ");
}

TEST_F(CredentialsTest, ComeFromAnInstance) {
  answers_ = {response(200, "token"), response(200, "my role\nother\n"),
              response(200, kKeyDocument)};
  Credentials instance =
      credentials({.source = KeySource::kInstance, .instance_endpoint = "http://imds"});
  EXPECT_EQ(keys_text(instance), "A S T");
  const std::string base = "http://imds/latest/", header = " x-aws-ec2-metadata-token: token";
  EXPECT_EQ(sent_, (std::vector<std::string>{
                       "PUT " + base + "api/token x-aws-ec2-metadata-token-ttl-seconds: 21600",
                       "GET " + base + "meta-data/iam/security-credentials/" + header,
                       "GET " + base + "meta-data/iam/security-credentials/my%20role" + header}));
}

TEST_F(CredentialsTest, SayThatThereIsNoInstance) {
  answers_ = {response(200, "token"), response(404, "")};
  Credentials instance =
      credentials({.source = KeySource::kInstance, .instance_endpoint = "http://imds"});
  const std::string advice =
      "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or "
      "AWS_NO_SIGN_REQUEST=true for a public bucket";
  EXPECT_EQ(keys_text(instance),
            "there are no keys for S3 in the environment or in ~/.aws, and this machine is not an "
            "instance with a role (this instance has no role); " +
                advice);
  EXPECT_EQ(keys_text(instance),
            "there are no keys for S3 in the environment or in ~/.aws, and this machine is not an "
            "instance with a role (no answer); " +
                advice);
}

TEST_F(CredentialsTest, ComeFromAContainer) {
  answers_ = {response(200, kKeyDocument), response(403, ""), response(200, "[1]"),
              response(200, R"({"AccessKeyId": "A", "SecretAccessKey": 7})"),
              response(200, std::string(100'000, '['))};
  Credentials container = credentials({.source = KeySource::kContainer,
                                       .origin = "AWS_CONTAINER_CREDENTIALS_FULL_URI",
                                       .container_url = "http://127.0.0.1/k",
                                       .container_token_file = write("token", "Bearer:x")});
  EXPECT_EQ(keys_text(container), "A S T");
  EXPECT_EQ(sent_, std::vector<std::string>{"GET http://127.0.0.1/k authorization: Bearer:x"});
  const std::string name =
      "the credentials of this container (AWS_CONTAINER_CREDENTIALS_FULL_URI): ";
  EXPECT_TRUE(container.reject());
  EXPECT_EQ(keys_text(container), name + "answered 403; ");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(keys_text(container), name + "its answer has no keys; ");
}

TEST_F(CredentialsTest, AreRenewedBeforeTheyExpire) {
  answers_ = {response(200, kKeyDocument),
              response(200, R"({"AccessKeyId": "B", "SecretAccessKey": "S"})")};
  Credentials container =
      credentials({.source = KeySource::kContainer, .container_url = "http://127.0.0.1/k"});
  EXPECT_EQ(keys_text(container), "A S T");
  now_ = 3299;
  EXPECT_EQ(keys_text(container), "A S T");
  EXPECT_EQ(container.generation(), 1u);
  now_ = 3300;
  EXPECT_EQ(keys_text(container), "B S ");
  EXPECT_EQ(container.generation(), 2u);
  now_ = int64_t{1} << 40;
  EXPECT_EQ(keys_text(container), "B S ");
}

TEST_F(CredentialsTest, AreFetchedAgainWhenTheStoreRejectsThem) {
  answers_ = {response(200, kKeyDocument), response(200, kKeyDocument)};
  Credentials container =
      credentials({.source = KeySource::kContainer, .container_url = "http://127.0.0.1/k"});
  EXPECT_EQ(keys_text(container), "A S T");
  EXPECT_TRUE(container.reject());
  EXPECT_EQ(keys_text(container), "A S T");
  EXPECT_EQ(sent_.size(), 2u);
}

}  // namespace
}  // namespace pgo::credentials_test
