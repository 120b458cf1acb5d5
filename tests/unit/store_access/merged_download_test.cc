#include "pgo/store_access/merged_download.h"

#include <gtest/gtest.h>

#include "converters/pprof/pprof_reader.h"
#include "converters/pprof/pprof_writer.h"
#include "pgo/base/inflate.h"
#include "pgo/base/text_bytes.h"
#include "tests/data/scripted_server.h"

namespace pgo::merged_download_test {
namespace {

using store_access::ApiAnswer;
using store_access::MergedQuery;
using store_access::StoreApi;
using test::answer;
using test::ScriptedAnswer;
using test::ScriptedRequest;
using test::ScriptedServer;

constexpr int64_t kMinute = int64_t{60} * 1'000'000'000;

// A profile with one sample for each nanosecond of the window.
std::string pprof_of(const TimeWindow& window) {
  StackProfile profile;
  profile.sample_types = {{profile.strings.add("samples"), profile.strings.add("count")}};
  const FunctionId work = profile.add_function({profile.strings.add("work")});
  const LocationId location = profile.add_location({kNoMapping, RuntimeAddr{0}}, {{work, 1, 0}});
  profile.add_sample({profile.add_stack({location}), profile.add_labels({})},
                     {window.end - window.begin});
  profile.time = 77;
  profile.normalize();
  return write_pprof(profile);
}

// Paths are "/FORM/BEGIN/END"; 413 means that a window is too much, 404 that a method is not known.
class PathApi : public StoreApi {
 public:
  explicit PathApi(const ScriptedServer& server) : server_(server) {}

  const std::string& name() const override { return name_; }
  net::HttpRequest request(const std::string& method, const std::string& message) const override {
    return {.url = server_.url("/" + method + "/" + message)};
  }
  ApiAnswer read(const net::HttpResponse& response, const std::string& shown) const override {
    if (response.is_success()) return {ApiAnswer::Kind::kMessage, response.body, {}};
    const auto kind = response.status == 413   ? ApiAnswer::Kind::kTooMuch
                      : response.status == 404 ? ApiAnswer::Kind::kUnknownMethod
                                               : ApiAnswer::Kind::kError;
    return {kind, {}, net::status_error(shown, response)};
  }

 private:
  const ScriptedServer& server_;
  std::string name_ = "store";
};

class PathStore : public store_access::MergingStore {
 public:
  explicit PathStore(const ScriptedServer& server) : api_(server) {}

  const StoreApi& api() const override { return api_; }
  unsigned forms() const override { return 2; }
  store_access::MergeRequest request(const MergedQuery& query) const override {
    return {std::to_string(query.form),
            std::to_string(query.window.begin) + "/" + std::to_string(query.window.end)};
  }
  Result<std::string> pprof_of(const std::string& message, const MergedQuery&) const override {
    return std::string(message);
  }

 private:
  PathApi api_;
};

TimeWindow window_of(const ScriptedRequest& request) {
  const std::string target = request.target();
  TimeWindow window;
  char rest = 0;
  std::sscanf(target.c_str() + 3, "%ld/%ld%c", &window.begin, &window.end, &rest);
  return window;
}

// What became of each object: its samples, time and duration, or the error.
class Outcomes : public ObjectSink {
 public:
  Result<void> begin(size_t object) override {
    bytes_[object].clear();
    return ok();
  }
  Result<void> append(size_t object, Bytes bytes) override {
    bytes_[object] += as_text(bytes);
    return ok();
  }
  void end(size_t object, Result<void> outcome) override {
    std::string& text = texts[object];
    if (!text.empty()) text += " TWICE ";
    text += outcome ? described(bytes_[object]) : outcome.error().message;
  }
  void warn(size_t object, const Diagnostics& warnings) override {
    EXPECT_FALSE(texts.contains(object));
    diagnostics.add(warnings);
  }
  std::map<size_t, std::string> texts;
  Diagnostics diagnostics;

 private:
  static std::string described(const std::string& bytes) {
    Diagnostics diagnostics;
    const InflatedBytes message = inflate(as_bytes(bytes), "p").value();
    const StackProfile profile = parse_pprof(message.bytes(), "p", diagnostics).value();
    const int64_t count = profile.values.empty() ? 0 : profile.values[0];
    return std::to_string(profile.samples.size()) + " of " + std::to_string(count / kMinute) +
           " minutes, from " + std::to_string(profile.time / kMinute) + " for " +
           std::to_string(profile.duration / kMinute);
  }
  std::map<size_t, std::string> bytes_;
};

// Of an object of an hour, from minute 60 on, and of one that was not listed.
void download(ScriptedServer& server, int64_t listed, Outcomes& outcomes) {
  SourceObject hour, other;
  hour.name = "hour";
  other.name = "other";
  const std::map<std::string, MergedQuery> queries = {
      {"hour", MergedQuery{{}, {60 * kMinute, 120 * kMinute}, listed}}};
  net::HttpClient client({.tries = 1});
  const PathStore store(server);
  store_access::download_merged(std::vector<SourceObject>{hour, other}, queries, store, "store",
                                client, outcomes);
}

std::map<size_t, std::string> download(ScriptedServer& server, int64_t listed = 0) {
  Outcomes outcomes;
  download(server, listed, outcomes);
  return outcomes.texts;
}

TEST(MergedDownload, HasTheTimeOfTheWindow) {
  ScriptedServer server(
      [](const ScriptedRequest& request) { return answer(200, pprof_of(window_of(request))); });
  const auto texts = download(server);
  EXPECT_EQ(texts.at(0), "1 of 60 minutes, from 60 for 60");
  EXPECT_EQ(texts.at(1), "store: other: was not listed");
}

TEST(MergedDownload, HalvesWindowsThatAreTooLong) {
  ScriptedServer server([](const ScriptedRequest& request) -> ScriptedAnswer {
    const TimeWindow window = window_of(request);
    if (window.end - window.begin > 20 * kMinute) return answer(413);
    // The first quarter has no samples.
    return window.begin < 70 * kMinute ? answer(200) : answer(200, pprof_of(window));
  });
  EXPECT_EQ(download(server).at(0), "1 of 45 minutes, from 60 for 60");
  EXPECT_EQ(server.requests().size(), 1u + 2 + 4);
}

TEST(MergedDownload, StopsAtAMinute) {
  ScriptedServer server([](const ScriptedRequest&) { return answer(413); });
  EXPECT_EQ(download(server).at(0), "store: hour: the server answered 413 (Content Too Large)");
}

TEST(MergedDownload, AsksInAnotherForm) {
  ScriptedServer server([](const ScriptedRequest& request) -> ScriptedAnswer {
    if (request.target().starts_with("/0/")) return answer(404);
    return answer(200, pprof_of(window_of(request)));
  });
  EXPECT_EQ(download(server).at(0), "1 of 60 minutes, from 60 for 60");
  EXPECT_EQ(server.requests().size(), 2u);
}

TEST(MergedDownload, HasNoSamplesWhereNothingIs) {
  ScriptedServer server([](const ScriptedRequest&) { return answer(200); });
  EXPECT_EQ(download(server).at(0), "0 of 0 minutes, from 60 for 60");
}

TEST(MergedDownload, FailsWhereTheServerListsMore) {
  ScriptedServer server([](const ScriptedRequest&) { return answer(200); });
  EXPECT_EQ(download(server, 7).at(0),
            "store: hour: the server lists profiles there that count 7, and answers without "
            "samples");
}

TEST(MergedDownload, SaysWhatIsOdd) {
  ScriptedServer server([](const ScriptedRequest& request) {
    // A location of a mapping that is not there.
    return answer(200, pprof_of(window_of(request)) + "\x22\x06\x08\x05\x10\x09\x18\x10");
  });
  Outcomes outcomes;
  download(server, 0, outcomes);
  EXPECT_EQ(outcomes.texts.at(0), "1 of 60 minutes, from 60 for 60");
  EXPECT_EQ(outcomes.diagnostics.entries().at("unknown-mapping").count, 1u);
}

TEST(MergedDownload, FailsAsAWhole) {
  ScriptedServer server([](const ScriptedRequest& request) -> ScriptedAnswer {
    const TimeWindow window = window_of(request);
    if (window.end - window.begin > 30 * kMinute) return answer(413);
    return window.begin == 60 * kMinute ? answer(403) : answer(200, pprof_of(window));
  });
  EXPECT_EQ(download(server).at(0), "store: hour: the server answered 403 (Forbidden)");
  ScriptedServer damaged([](const ScriptedRequest&) { return answer(200, "\x0a\x7f"); });
  EXPECT_TRUE(download(damaged).at(0).starts_with("store: hour: ")) << download(damaged).at(0);
}

}  // namespace
}  // namespace pgo::merged_download_test
