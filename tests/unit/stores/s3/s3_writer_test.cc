#include "pgo/stores/s3/s3_writer.h"

#include <gtest/gtest.h>

#include "pgo/base/sha256.h"
#include "tests/data/scripted_server.h"

namespace pgo::s3_writer_test {
namespace {

using namespace s3;
using test::answer;
using test::ScriptedAnswer;
using test::ScriptedRequest;
using test::ScriptedServer;

Bytes bytes_of(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

class S3WriterTest : public testing::Test {
 protected:
  S3Bucket bucket_of(const ScriptedServer& server) {
    AwsSettings settings;
    settings.endpoint = "http://" + server.host();
    settings.source = KeySource::kFixed;
    settings.origin = "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";
    settings.keys = {"A", "S", ""};
    net::HttpOptions http;
    http.first_pause = .001;
    http.tries = 2;
    return {
        *parse_s3_url("s3://bucket/p"), settings, http, {}, [] { return int64_t{1'369'353'600}; }};
  }

  // Writes `body` as "k" below s3://bucket/p in parts of 4 bytes; "ok", or the error.
  std::string put(const ScriptedServer& server, const std::string& body) {
    S3Bucket bucket = bucket_of(server);
    S3Writer writer(bucket, {.part_size = 4});
    Result<void> outcome = writer.put("k é", bytes_of(body), "application/gzip");
    return outcome ? "ok" : outcome.error().message + "; " + outcome.error().advice;
  }

  // A store that takes parts; `break_part` is refused, `completion` is the last answer.
  ScriptedAnswer store(const ScriptedRequest& request) {
    const std::string target = request.target(),
                      method = request.head.substr(0, request.head.find(' '));
    if (method == "POST" && target.ends_with("?uploads="))
      return answer(200,
                    "<InitiateMultipartUploadResult><UploadId>u/1</UploadId>"
                    "</InitiateMultipartUploadResult>");
    if (method == "PUT") {
      const char part = target[target.find("partNumber=") + 11];
      if (part == break_part) return answer(403, "<Error><Code>AccessDenied</Code></Error>");
      parts[part] = request.body;
      return answer(200, "", "ETag: \"e" + std::string(1, part) + "\"\r\n");
    }
    if (method == "DELETE") {
      aborted = target;
      return answer(204);
    }
    completed = request.body;
    return answer(200, completion);
  }

  char break_part = 0;
  std::string completion = "<CompleteMultipartUploadResult/>";
  std::map<char, std::string> parts;
  std::string completed, aborted;
};

TEST_F(S3WriterTest, PutsASmallObject) {
  ScriptedServer server({answer(200), answer(200)});
  EXPECT_EQ(put(server, "body"), "ok");
  EXPECT_EQ(put(server, ""), "ok");
  ASSERT_EQ(server.requests().size(), 2u);
  const ScriptedRequest request = server.requests()[0];
  EXPECT_TRUE(request.head.starts_with("PUT /bucket/p/k%20%C3%A9 HTTP/1.1\r\n")) << request.head;
  EXPECT_EQ(request.body, "body");
  EXPECT_EQ(request.header("content-type"), "application/gzip");
  EXPECT_EQ(request.header("x-amz-content-sha256"), Sha256::hex_of(bytes_of("body")));
}

TEST_F(S3WriterTest, PutsALargeObjectInParts) {
  ScriptedServer server([this](const ScriptedRequest& request) { return store(request); });
  EXPECT_EQ(put(server, "0123456789"), "ok");
  EXPECT_EQ(parts, (std::map<char, std::string>{{'1', "0123"}, {'2', "4567"}, {'3', "89"}}));
  EXPECT_EQ(completed,
            "<CompleteMultipartUpload>"
            "<Part><PartNumber>1</PartNumber><ETag>&quot;e1&quot;</ETag></Part>"
            "<Part><PartNumber>2</PartNumber><ETag>&quot;e2&quot;</ETag></Part>"
            "<Part><PartNumber>3</PartNumber><ETag>&quot;e3&quot;</ETag></Part>"
            "</CompleteMultipartUpload>");
  EXPECT_EQ(aborted, "");
  for (const ScriptedRequest& request : server.requests())
    EXPECT_EQ(request.header("x-amz-content-sha256"), Sha256::hex_of(bytes_of(request.body)));
}

TEST_F(S3WriterTest, AbortsAfterAPartThatFails) {
  break_part = '2';
  ScriptedServer server([this](const ScriptedRequest& request) { return store(request); });
  EXPECT_EQ(put(server, "0123456789"),
            "s3://bucket/p/k é: no permission to write it (403 AccessDenied); ask for s3:PutObject "
            "on bucket 'bucket' for the keys from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  EXPECT_EQ(completed, "");
  EXPECT_EQ(aborted, "/bucket/p/k%20%C3%A9?uploadId=u%2F1");
}

TEST_F(S3WriterTest, AbortsAfterACompletionThatFails) {
  completion = "<Error><Code>InternalError</Code><Message>Try again.</Message></Error>";
  ScriptedServer server([this](const ScriptedRequest& request) { return store(request); });
  EXPECT_EQ(put(server, "0123456789"), "s3://bucket/p/k é: Try again (200 InternalError); ");
  EXPECT_EQ(aborted, "/bucket/p/k%20%C3%A9?uploadId=u%2F1");
}

TEST_F(S3WriterTest, FindsWhatItPut) {
  ScriptedServer server(
      {answer(200), answer(206, "b", "Content-Range: bytes 0-0/4\r\nx-amz-meta-sha256: ab12\r\n"),
       answer(206, "b", "Content-Range: bytes 0-0/5\r\n"),
       answer(404, "<Error><Code>NoSuchKey</Code></Error>"),
       answer(404, "<Error><Code>NoSuchBucket</Code></Error>"), answer(200, "body")});
  S3Bucket bucket = bucket_of(server);
  S3Writer writer(bucket, {});
  ASSERT_TRUE(writer.put_new("k", bytes_of("body"), "text/plain").value());
  EXPECT_EQ(*writer.find("k"), (KeptObject{4, "ab12"}));
  EXPECT_EQ(*writer.find("k"), (KeptObject{5, ""}));
  EXPECT_EQ(*writer.find("k"), std::nullopt);
  EXPECT_EQ(writer.find("k").error().message,
            "s3://bucket/p/k: there is no bucket 'bucket' at http://" + server.host() +
                " (404 NoSuchBucket)");
  EXPECT_EQ(writer.find("k").error().message,
            "s3://bucket/p/k: the store does not say how large the object is");
  EXPECT_EQ(server.requests()[0].header("x-amz-meta-sha256"), Sha256::hex_of(bytes_of("body")));
  EXPECT_EQ(server.requests()[1].header("range"), "bytes=0-0");
  EXPECT_TRUE(server.requests()[1].head.starts_with("GET /bucket/p/k HTTP/1.1\r\n"));
}

TEST_F(S3WriterTest, PutsOnlyWhereThereIsNone) {
  ScriptedServer server({answer(200), answer(412, "<Error><Code>PreconditionFailed</Code></Error>"),
                         answer(409, "<Error><Code>ConditionalRequestConflict</Code></Error>"),
                         answer(501, "<Error><Code>NotImplemented</Code></Error>"), answer(200),
                         answer(403, "<Error><Code>AccessDenied</Code></Error>")});
  S3Bucket bucket = bucket_of(server);
  S3Writer writer(bucket, {});
  const auto put_new = [&] { return writer.put_new("k", bytes_of("body"), "text/plain"); };
  EXPECT_TRUE(put_new().value());
  EXPECT_FALSE(put_new().value());
  EXPECT_FALSE(put_new().value());
  EXPECT_TRUE(put_new().value());  // in a store that knows no conditions
  EXPECT_EQ(put_new().error().message,
            "s3://bucket/p/k: no permission to write it (403 AccessDenied)");
  const std::vector<ScriptedRequest> requests = server.requests();
  ASSERT_EQ(requests.size(), 6u);
  for (size_t i = 0; i < requests.size(); i++)
    EXPECT_EQ(requests[i].header("if-none-match"), i == 4 ? "" : "*") << i;
}

TEST_F(S3WriterTest, PutsALargeObjectOnlyWhereThereIsNone) {
  ScriptedServer server([this](const ScriptedRequest& request) { return store(request); });
  S3Bucket bucket = bucket_of(server);
  S3Writer writer(bucket, {.part_size = 4});
  EXPECT_TRUE(writer.put_new("k", bytes_of("0123456789"), "text/plain").value());
  EXPECT_EQ(aborted, "");
  for (const ScriptedRequest& request : server.requests())
    EXPECT_EQ(request.header("if-none-match"),
              request.body.starts_with("<CompleteMultipartUpload>") ? "*" : "");
  completion = "<Error><Code>PreconditionFailed</Code></Error>";
  EXPECT_FALSE(writer.put_new("k", bytes_of("0123456789"), "text/plain").value());
  EXPECT_EQ(aborted, "/bucket/p/k?uploadId=u%2F1");
}

}  // namespace
}  // namespace pgo::s3_writer_test
