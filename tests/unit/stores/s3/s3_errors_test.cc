#include "pgo/stores/s3/s3_errors.h"

#include <gtest/gtest.h>

namespace pgo::s3_errors_test {
namespace {

using namespace s3;

// "message; advice"
std::string refused(int status, const std::string& code, Action action = Action::kRead,
                    const std::string& date = "", const std::string& message = "") {
  const RefusedRequest request{.shown = "s3://b/k",
                               .action = action,
                               .bucket = "b",
                               .endpoint = "http://store:9000",
                               .key_origin = "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
                               .now = 1'369'353'600};
  net::HttpResponse response;
  response.status = status;
  response.headers["date"] = date;
  if (!code.empty())
    response.body = "<Error><Code>" + code + "</Code><Message>" + message + "</Message></Error>";
  const Error error = refusal(request, response);
  EXPECT_EQ(error.kind, ErrorKind::kIo);
  return error.message + "; " + error.advice;
}

TEST(Refusal, NamesWrongKeys) {
  const std::string advice = "check the keys (from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY)";
  EXPECT_EQ(refused(403, "SignatureDoesNotMatch"),
            "s3://b/k: the secret key is wrong (403 SignatureDoesNotMatch); " + advice);
  EXPECT_EQ(refused(403, "InvalidAccessKeyId"),
            "s3://b/k: the store does not know the access key (403 InvalidAccessKeyId); " + advice);
  EXPECT_EQ(refused(403, "NotSignedUp"),
            "s3://b/k: the store does not know the access key (403 NotSignedUp); " + advice);
  EXPECT_EQ(refused(400, "InvalidToken"),
            "s3://b/k: the session token is not valid (400 InvalidToken); " + advice);
  EXPECT_EQ(
      refused(400, "ExpiredToken"),
      "s3://b/k: the session token has expired (400 ExpiredToken); get new keys, for example "
      "by `aws sso login`; the old ones are from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
}

TEST(Refusal, NamesTheMissingPermission) {
  EXPECT_EQ(refused(403, "AccessDenied", Action::kList),
            "s3://b/k: no permission to list it (403 AccessDenied); ask for s3:ListBucket on "
            "bucket 'b' for the keys from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  EXPECT_EQ(refused(403, "AccessDenied", Action::kWrite),
            "s3://b/k: no permission to write it (403 AccessDenied); ask for s3:PutObject on "
            "bucket 'b' for the keys from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  EXPECT_EQ(refused(403, ""),
            "s3://b/k: no permission to read it (403); ask for s3:GetObject on bucket 'b' for the "
            "keys from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
}

TEST(Refusal, NamesMissingKeys) {
  const RefusedRequest request{.shown = "s3://b",
                               .action = Action::kList,
                               .bucket = "b",
                               .key_origin = "AWS_NO_SIGN_REQUEST",
                               .is_anonymous = true};
  EXPECT_EQ(refusal(request, StoreError{.status = 403, .code = "AccessDenied"}),
            (Error{ErrorKind::kIo, "s3://b: nobody may list it without keys (403 AccessDenied)",
                   "unset AWS_NO_SIGN_REQUEST, and set AWS_ACCESS_KEY_ID and "
                   "AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"}));
}

TEST(Refusal, NamesAStoreThatFails) {
  EXPECT_EQ(refused(500, ""), "s3://b/k: the store fails to read it (500); try again later");
  EXPECT_EQ(refused(500, "InternalError", Action::kList),
            "s3://b/k: the store fails to list it (500 InternalError); try again later");
}

// A web server that knows no PUT.
TEST(Refusal, DoubtsThatAServerThatDoesNotKnowTheRequestIsAStore) {
  const std::string said = refused(501, "");
  EXPECT_TRUE(
      said.starts_with("s3://b/k: the store refuses to read it (501); check "
                       "AWS_ENDPOINT_URL: is "))
      << said;
}

TEST(Refusal, NamesAWrongClock) {
  const std::string advice = "; set the clock; a request counts for 15 minutes";
  EXPECT_EQ(refused(403, "RequestTimeTooSkewed", Action::kRead, "Thu, 23 May 2013 23:20:30 GMT"),
            "s3://b/k: the clock of this machine is 39 minutes ahead of the store's (403 "
            "RequestTimeTooSkewed)" +
                advice);
  EXPECT_EQ(refused(403, "SignatureDoesNotMatch", Action::kRead, "Fri, 24 May 2013 00:16:00 GMT"),
            "s3://b/k: the clock of this machine is 16 minutes behind the store's (403 "
            "SignatureDoesNotMatch)" +
                advice);
  EXPECT_EQ(refused(403, "RequestTimeTooSkewed"),
            "s3://b/k: the clock of this machine is wrong (403 RequestTimeTooSkewed)" + advice);
}

TEST(Refusal, NamesWhatIsNotThere) {
  EXPECT_EQ(refused(404, "NoSuchBucket"),
            "s3://b/k: there is no bucket 'b' at http://store:9000 (404 NoSuchBucket); check its "
            "name, and AWS_ENDPOINT_URL");
  EXPECT_EQ(refused(404, "NoSuchKey"), "s3://b/k: there is no such object (404 NoSuchKey); ");
  EXPECT_EQ(refused(403, "InvalidObjectState"),
            "s3://b/k: it is archived, and cannot be read as it is (403 InvalidObjectState); "
            "restore it in the store first");
  EXPECT_EQ(refused(412, "PreconditionFailed"),
            "s3://b/k: it changed while it was fetched (412 PreconditionFailed); run this "
            "again");
}

TEST(Refusal, NamesAnotherRegion) {
  EXPECT_EQ(refused(301, "PermanentRedirect"),
            "s3://b/k: the bucket is in another region (301 PermanentRedirect); set AWS_REGION to "
            "the bucket's region");
}

TEST(Refusal, NamesABusyStore) {
  EXPECT_EQ(refused(503, "SlowDown"),
            "s3://b/k: the store is too busy (503 SlowDown); try again later, or fetch less at "
            "once");
}

TEST(Refusal, ShowsTheMessageOfAnUnknownCode) {
  EXPECT_EQ(refused(400, "Strange", Action::kRead, "", "It is &lt;odd&gt;."),
            "s3://b/k: It is <odd> (400 Strange); ");
  EXPECT_EQ(refused(400, "Strange"), "s3://b/k: the store refuses to read it (400 Strange); ");
  EXPECT_EQ(refused(404, "", Action::kList),
            "s3://b/k: the store refuses to list it (404); check AWS_ENDPOINT_URL: is "
            "http://store:9000 an S3 store?");
}

TEST(Refusal, CountsTries) {
  net::HttpResponse response;
  response.status = 503;
  response.tries = 5;
  EXPECT_EQ(refusal({.shown = "s3://b/k"}, response).message,
            "s3://b/k: the store is too busy (503, tried 5 times)");
}

}  // namespace
}  // namespace pgo::s3_errors_test
