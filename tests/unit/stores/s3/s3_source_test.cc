#include "pgo/stores/s3/s3_source.h"

#include <gtest/gtest.h>

#include "tests/data/scripted_server.h"

namespace pgo::s3_source_test {
namespace {

using namespace s3;
using test::answer;
using test::ScriptedAnswer;
using test::ScriptedRequest;
using test::ScriptedServer;

constexpr int64_t kNow = 1'369'353'600;

net::HttpOptions fast_http() {
  net::HttpOptions options;
  options.first_pause = .001;
  options.stall_timeout = 5;
  return options;
}

AwsSettings settings_for(const ScriptedServer& server) {
  AwsSettings settings;
  settings.endpoint = "http://" + server.host();
  settings.source = KeySource::kFixed;
  settings.origin = "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";
  settings.keys = {"A", "S", ""};
  return settings;
}

S3Source source_of(const AwsSettings& settings, const std::string& url, HttpSend send = {},
                   net::HttpOptions http = fast_http()) {
  return S3Source(S3Bucket(*parse_s3_url(url), settings, std::move(http), std::move(send),
                           [] { return kNow; }));
}

std::string list_of(const std::string& contents, const std::string& token = "") {
  return "<ListBucketResult>" + contents +
         (token.empty() ? ""
                        : "<IsTruncated>true</IsTruncated><NextContinuationToken>" + token +
                              "</NextContinuationToken>") +
         "</ListBucketResult>";
}

std::string contents(const std::string& key, const std::string& etag = "", int size = 1) {
  return "<Contents><Key>" + key + "</Key><LastModified>2013-05-24T00:00:00Z</LastModified><ETag>" +
         etag + "</ETag><Size>" + std::to_string(size) + "</Size></Contents>";
}

SourceObject object(const std::string& name, std::optional<uint64_t> size = {},
                    const std::string& version = "") {
  SourceObject listed;
  listed.name = name;
  listed.size = size;
  listed.version = version;
  return listed;
}

// What was fetched, as text, and how it ended.
class MemorySink : public ObjectSink {
 public:
  explicit MemorySink(size_t count) : bodies(count), begun(count), outcomes(count) {}

  Result<void> begin(size_t object) override {
    bodies[object].clear();
    ++begun[object];
    return ok();
  }
  Result<void> append(size_t object, Bytes bytes) override {
    if (bodies[object].size() + bytes.size() > limit)
      return fail(ErrorKind::kIo, "the disk is full");
    bodies[object] += as_text(bytes);
    return ok();
  }
  void end(size_t object, Result<void> outcome) override {
    EXPECT_EQ(outcomes[object], "");
    outcomes[object] = outcome ? "ok" : outcome.error().message + "; " + outcome.error().advice;
  }

  size_t limit = size_t{1} << 30;
  std::vector<std::string> bodies;
  std::vector<int> begun;
  std::vector<std::string> outcomes;
};

std::vector<std::string> names_of(const Result<std::vector<SourceObject>>& objects) {
  std::vector<std::string> names;
  if (!objects) return {objects.error().message + "; " + objects.error().advice};
  for (const SourceObject& object : *objects) names.push_back(object.name);
  return names;
}

Result<std::vector<SourceObject>> list(S3Source& source) {
  Diagnostics diagnostics;
  return source.list({}, diagnostics);
}

TEST(S3Address, IsParsed) {
  EXPECT_EQ(*parse_s3_url("s3://b"), (S3Address{"b", ""}));
  EXPECT_EQ(*parse_s3_url("s3://b/"), (S3Address{"b", ""}));
  EXPECT_EQ(*parse_s3_url("s3://b/p/q%20?x/"), (S3Address{"b", "p/q%20?x"}));
  EXPECT_EQ(parse_s3_url("s3://b/p/")->text(), "s3://b/p");
  for (const char* url : {"s3://", "s3:///p", "s3:b/p", "b/p", "s3://../p", "s3://b:1"})
    EXPECT_EQ(parse_s3_url(url).error().message,
              "'" + std::string(url) + "' is not s3://BUCKET/PREFIX");
}

TEST(S3Address, ShowsNoSecretsOfUrlsThatItRefuses) {
  EXPECT_EQ(parse_s3_url("s3://AKIA1:hunter2@b/p").error().message,
            "s3://b/p: keys do not belong into a URL");
  EXPECT_EQ(parse_s3_url("s3://b/p?X-Amz-Credential=AKIA1&X-Amz-Signature=hunter2").error().message,
            "s3://b/p?X-Amz-Credential=...&X-Amz-Signature=...: signed URLs are not supported");
}

TEST(S3Source, ListsAllPages) {
  ScriptedServer server(
      {answer(200, list_of(contents("p/b", "\"1\"", 3) + contents("p/", "", 0), "a/b+c==")),
       answer(200, list_of(contents("p/a b+c=%d/é.pb")))});
  S3Source source = source_of(settings_for(server), "s3://bucket/p");
  Result<std::vector<SourceObject>> objects = list(source);
  EXPECT_EQ(names_of(objects), (std::vector<std::string>{"a b+c=%d/é.pb", "b"}));
  ASSERT_TRUE(objects);
  EXPECT_EQ((*objects)[1], (SourceObject{.name = "b",
                                         .labels = {},
                                         .time = kNow * 1'000'000'000,
                                         .time_evidence = TimeEvidence::kModified,
                                         .size = 3,
                                         .version = "1"}));
  EXPECT_EQ((*objects)[0].version, "modified at 1369353600000000000, 1 bytes");
  ASSERT_EQ(server.requests().size(), 2u);
  EXPECT_EQ(server.requests()[0].target(), "/bucket?list-type=2&max-keys=1000&prefix=p%2F");
  EXPECT_EQ(server.requests()[1].target(),
            "/bucket?continuation-token=a%2Fb%2Bc%3D%3D&list-type=2&max-keys=1000&prefix=p%2F");
}

TEST(S3Source, RefusesListsThatAreTooLong) {
  ScriptedServer server({answer(200, list_of(contents("p/a"), "s")),
                         answer(200, list_of(contents("p/b"), "t")),
                         answer(200, list_of(contents("p/a"), "s"))});
  S3Source source(S3Bucket(*parse_s3_url("s3://bucket/p"), settings_for(server), fast_http(), {},
                           [] { return kNow; }),
                  2);
  EXPECT_EQ(
      names_of(list(source)),
      std::vector<std::string>{"s3://bucket/p: has more than 2 objects; name a longer prefix"});
}

TEST(S3Source, TakesOneObject) {
  ScriptedServer server(
      {answer(200, list_of("")), answer(200, list_of(contents("p/x.pb"))), answer(200, "1")});
  S3Source source = source_of(settings_for(server), "s3://bucket/p/x.pb");
  Result<std::vector<SourceObject>> objects = list(source);
  ASSERT_EQ(names_of(objects), std::vector<std::string>{"x.pb"});
  MemorySink sink(1);
  source.fetch(*objects, sink);
  EXPECT_EQ(sink.outcomes, std::vector<std::string>{"ok"});
  EXPECT_EQ(server.requests()[2].target(), "/bucket/p/x.pb");
}

TEST(S3Source, RefusesListsThatDoNotEnd) {
  const std::string page = list_of(contents("p/b"), "t");
  ScriptedServer server({answer(200, page), answer(200, page)});
  S3Source source = source_of(settings_for(server), "s3://bucket/p");
  EXPECT_EQ(names_of(list(source)),
            std::vector<std::string>{"s3://bucket/p: the store's list of objects does not end; "});
}

TEST(S3Source, RefusesListsOfAnotherPrefix) {
  ScriptedServer server({answer(200, list_of(contents("q/b")))});
  S3Source source = source_of(settings_for(server), "s3://bucket/p");
  EXPECT_EQ(names_of(list(source)),
            std::vector<std::string>{"s3://bucket/p: the store lists objects of another prefix; "});
}

TEST(S3Source, IsKnownByItsEndpoint) {
  AwsSettings settings;
  settings.endpoint = "https://user:secret@minio:9000";
  EXPECT_EQ(source_of(settings, "s3://bucket/p").identity(), "s3://bucket/p at https://minio:9000");
  EXPECT_EQ(source_of({}, "s3://bucket/p").identity(), "s3://bucket/p at AWS");
}

TEST(S3Source, SignsForTheRegionThatTheBucketIsIn) {
  ScriptedServer server({answer(301, "<Error><Code>PermanentRedirect</Code></Error>",
                                "x-amz-bucket-region: eu-west-1\r\n"),
                         answer(200, list_of(contents("a")))});
  S3Source source = source_of(settings_for(server), "s3://bucket");
  EXPECT_EQ(names_of(list(source)), std::vector<std::string>{"a"});
  EXPECT_NE(server.requests()[0].header("authorization").find("/us-east-1/s3/"), std::string::npos);
  EXPECT_NE(server.requests()[1].header("authorization").find("/eu-west-1/s3/"), std::string::npos);
}

TEST(S3Source, FollowsNoRedirectButToTheRegion) {
  ScriptedServer server({answer(307, "<Error><Code>TemporaryRedirect</Code></Error>",
                                "x-amz-bucket-region: eu-west-1\r\n"
                                "Location: http://bucket.other.example/\r\n"),
                         answer(307, "<Error><Code>TemporaryRedirect</Code></Error>",
                                "Location: http://bucket.other.example/\r\n")});
  S3Source source = source_of(settings_for(server), "s3://bucket");
  EXPECT_EQ(names_of(list(source)),
            std::vector<std::string>{
                "s3://bucket: the bucket is in another region (307 TemporaryRedirect); set "
                "AWS_REGION to the bucket's region"});
  EXPECT_NE(server.requests()[1].header("authorization").find("/eu-west-1/s3/"), std::string::npos);
}

TEST(S3Source, DoesNotAskForRegionsWithoutEnd) {
  int count = 0;
  ScriptedServer server([&](const ScriptedRequest&) {
    return answer(400, "<Error><Code>AuthorizationHeaderMalformed</Code><Region>r" +
                           std::to_string(++count) + "</Region></Error>");
  });
  S3Source source = source_of(settings_for(server), "s3://bucket");
  EXPECT_EQ(names_of(list(source)),
            std::vector<std::string>{
                "s3://bucket: the bucket is in another region (400 AuthorizationHeaderMalformed); "
                "set AWS_REGION to the bucket's region"});
  EXPECT_EQ(count, 3);
}

TEST(S3Source, SendsNoSignatureWhenAnonymous) {
  ScriptedServer server({answer(200, list_of(contents("a")))});
  AwsSettings settings = settings_for(server);
  settings.source = KeySource::kAnonymous;
  S3Source source = source_of(settings, "s3://bucket");
  EXPECT_EQ(names_of(list(source)), std::vector<std::string>{"a"});
  EXPECT_EQ(server.requests()[0].header("authorization"), "");
}

TEST(S3Source, PutsTheBucketIntoTheHostName) {
  ScriptedServer server({answer(200, list_of(contents("a"))), answer(200, "1")});
  AwsSettings settings = settings_for(server);
  settings.endpoint = "http://localhost:" + std::to_string(server.port());
  settings.addressing = AddressingStyle::kVirtual;
  S3Source source = source_of(settings, "s3://bucket");
  Result<std::vector<SourceObject>> objects = list(source);
  ASSERT_EQ(names_of(objects), std::vector<std::string>{"a"});
  MemorySink sink(1);
  source.fetch(*objects, sink);
  EXPECT_EQ(sink.outcomes[0], "ok");
  EXPECT_EQ(server.requests()[0].target(), "/?list-type=2&max-keys=1000");
  EXPECT_EQ(server.requests()[1].target(), "/a");
  EXPECT_EQ(server.requests()[1].header("Host"),
            "bucket.localhost:" + std::to_string(server.port()));
}

TEST(S3Source, FetchesObjects) {
  ScriptedServer server(
      [](const ScriptedRequest& request) { return answer(200, "body of " + request.target()); });
  S3Source source = source_of(settings_for(server), "s3://bucket/p");
  std::vector<SourceObject> objects(100);
  for (size_t i = 0; i < objects.size(); ++i) objects[i].name = "a b+c=%d/é" + std::to_string(i);
  MemorySink sink(objects.size());
  source.fetch(objects, sink);
  for (size_t i = 0; i < objects.size(); ++i) {
    EXPECT_EQ(sink.outcomes[i], "ok");
    EXPECT_EQ(sink.bodies[i], "body of /bucket/p/a%20b%2Bc%3D%25d/%C3%A9" + std::to_string(i));
  }
  EXPECT_LE(server.most_at_once(), 16);
}

TEST(S3Source, ContinuesABrokenTransfer) {
  ScriptedServer server(
      {{"HTTP/1.1 200 OK\r\nContent-Length: 10\r\nETag: \"e\"\r\n\r\n01234", test::Then::kClose},
       answer(206, "56789", "Content-Range: bytes 5-9/10\r\nETag: \"e\"\r\n")});
  S3Source source = source_of(settings_for(server), "s3://bucket");
  const std::vector<SourceObject> objects = {object("k", 10, "e")};
  MemorySink sink(1);
  source.fetch(objects, sink);
  EXPECT_EQ(sink.outcomes[0], "ok");
  EXPECT_EQ(sink.bodies[0], "0123456789");
  EXPECT_EQ(sink.begun[0], 1);
  EXPECT_EQ(server.requests()[1].header("range"), "bytes=5-");
  EXPECT_EQ(server.requests()[1].header("if-match"), "\"e\"");
}

TEST(S3Source, BeginsAgainWhenTheStoreIgnoresTheRange) {
  ScriptedServer server(
      {{"HTTP/1.1 200 OK\r\nContent-Length: 10\r\nETag: e\r\n\r\n01234", test::Then::kClose},
       answer(200, "0123456789", "ETag: e\r\n")});
  S3Source source = source_of(settings_for(server), "s3://bucket");
  const std::vector<SourceObject> objects = {object("k", 10, "e")};
  MemorySink sink(1);
  source.fetch(objects, sink);
  EXPECT_EQ(sink.outcomes[0], "ok");
  EXPECT_EQ(sink.bodies[0], "0123456789");
  EXPECT_EQ(sink.begun[0], 2);
}

TEST(S3Source, BeginsAgainWithoutAnETag) {
  ScriptedServer server({{"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n01234", test::Then::kClose},
                         answer(200, "0123456789")});
  S3Source source = source_of(settings_for(server), "s3://bucket");
  const std::vector<SourceObject> objects = {object("k", 10)};
  MemorySink sink(1);
  source.fetch(objects, sink);
  EXPECT_EQ(sink.bodies[0], "0123456789");
  EXPECT_EQ(server.requests()[1].header("range"), "");
}

TEST(S3Source, RefusesAnotherPartThanAskedFor) {
  ScriptedServer server(
      {{"HTTP/1.1 200 OK\r\nContent-Length: 10\r\nETag: e\r\n\r\n01234", test::Then::kClose},
       answer(206, "456789", "Content-Range: bytes 4-9/10\r\nETag: e\r\n")});
  S3Source source = source_of(settings_for(server), "s3://bucket");
  const std::vector<SourceObject> objects = {object("k", 10)};
  MemorySink sink(1);
  source.fetch(objects, sink);
  EXPECT_EQ(sink.outcomes[0], "s3://bucket/k: the store sent another part than was asked for; ");
}

TEST(S3Source, NoticesObjectsThatChanged) {
  ScriptedServer server({answer(200, "12", "ETag: \"new\"\r\n"), answer(200, "123"),
                         answer(200, "12", "ETag: \"new\"\r\n")});
  S3Source source = source_of(settings_for(server), "s3://bucket", {}, [] {
    net::HttpOptions options = fast_http();
    options.parallel = 1;
    return options;
  }());
  const std::vector<SourceObject> objects = {object("a", 2, "old"), object("b", 2),
                                             object("c", 2, "modified at 1")};
  MemorySink sink(3);
  source.fetch(objects, sink);
  EXPECT_EQ(sink.outcomes,
            (std::vector<std::string>{
                "s3://bucket/a: the object changed since it was listed; run this again",
                "s3://bucket/b: the object changed since it was listed; run this again", "ok"}));
}

TEST(S3Source, FailsByObject) {
  ScriptedServer server([](const ScriptedRequest& request) {
    if (request.target() == "/bucket/a")
      return answer(404, "<Error><Code>NoSuchKey</Code></Error>");
    return answer(200, "body");
  });
  S3Source source = source_of(settings_for(server), "s3://bucket");
  const std::vector<SourceObject> objects = {object("a"), object("b"), object("c", 4)};
  MemorySink sink(3);
  sink.limit = 4;
  source.fetch(objects, sink);
  EXPECT_EQ(sink.outcomes,
            (std::vector<std::string>{"s3://bucket/a: there is no such object (404 NoSuchKey); ",
                                      "ok", "ok"}));
}

TEST(S3Source, EndsATransferThatTheSinkRefuses) {
  ScriptedServer server({answer(200, "body")});
  S3Source source = source_of(settings_for(server), "s3://bucket");
  const std::vector<SourceObject> objects = {object("a")};
  MemorySink sink(1);
  sink.limit = 1;
  source.fetch(objects, sink);
  EXPECT_EQ(sink.outcomes[0], "the disk is full; ");
}

// Of temporary keys.
class ExpiredKeys : public testing::Test {
 protected:
  AwsSettings settings(const ScriptedServer& server) {
    AwsSettings settings = settings_for(server);
    settings.source = KeySource::kContainer;
    settings.origin = "AWS_CONTAINER_CREDENTIALS_FULL_URI";
    return settings;
  }
  HttpSend key_service() {
    return [this](net::HttpRequest) -> Result<net::HttpResponse> {
      net::HttpResponse response;
      response.status = 200;
      response.body = R"({"AccessKeyId": "A)" + std::to_string(++issued_) +
                      R"(", "SecretAccessKey": "S", "Token": "T"})";
      return response;
    };
  }
  // A store that takes the second keys only.
  static ScriptedAnswer store(const ScriptedRequest& request) {
    if (request.header("authorization").find("Credential=A2/") == std::string::npos)
      return answer(400, "<Error><Code>ExpiredToken</Code></Error>");
    return answer(200, request.target().starts_with("/bucket?") ? list_of(contents("a")) : "1");
  }

  int issued_ = 0;
};

TEST_F(ExpiredKeys, AreReplacedOnceForAList) {
  ScriptedServer server(store);
  S3Source source = source_of(settings(server), "s3://bucket", key_service());
  EXPECT_EQ(names_of(list(source)), std::vector<std::string>{"a"});
  EXPECT_EQ(issued_, 2);
}

TEST_F(ExpiredKeys, AreReplacedOnceForManyObjects) {
  ScriptedServer server(store);
  S3Source source = source_of(settings(server), "s3://bucket", key_service());
  std::vector<SourceObject> objects(40);
  for (size_t i = 0; i < objects.size(); ++i) objects[i].name = "k" + std::to_string(i);
  MemorySink sink(objects.size());
  source.fetch(objects, sink);
  EXPECT_EQ(sink.outcomes, std::vector<std::string>(objects.size(), "ok"));
  EXPECT_EQ(issued_, 2);
}

TEST_F(ExpiredKeys, AreAnErrorWhenTheNextOnesAreRefusedToo) {
  ScriptedServer server([](const ScriptedRequest&) {
    return answer(400, "<Error><Code>ExpiredToken</Code></Error>");
  });
  S3Source source = source_of(settings(server), "s3://bucket", key_service());
  const std::vector<SourceObject> objects = {object("a")};
  MemorySink sink(1);
  source.fetch(objects, sink);
  EXPECT_EQ(sink.outcomes[0],
            "s3://bucket/a: the session token has expired (400 ExpiredToken); get new keys, for "
            "example by `aws sso login`; the old ones are from AWS_CONTAINER_CREDENTIALS_FULL_URI");
  EXPECT_EQ(server.requests().size(), 3u);
}

TEST(S3Source, RetriesABusyStore) {
  const ScriptedAnswer busy = answer(503, "<Error><Code>SlowDown</Code></Error>");
  ScriptedServer server({busy, busy, answer(200, "body"), busy, busy, busy, busy, busy});
  S3Source source = source_of(settings_for(server), "s3://bucket");
  const std::vector<SourceObject> objects = {object("a")};
  MemorySink first(1), second(1);
  source.fetch(objects, first);
  EXPECT_EQ(first.bodies[0], "body");
  source.fetch(objects, second);
  EXPECT_EQ(second.outcomes[0],
            "s3://bucket/a: the store is too busy (503 SlowDown, tried 5 times); try again later, "
            "or fetch less at once");
}

TEST(OpenS3Source, NeedsAPossibleRegion) {
  Result<std::unique_ptr<Source>> source = open_s3_source(
      "s3://b", [](const std::string& name) { return name == "AWS_REGION" ? "evil.example/" : ""; },
      {});
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().message, "the region of AWS cannot be 'evil.example/'");
}

}  // namespace
}  // namespace pgo::s3_source_test
