#include "pgo/stores/live/live_source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "tests/data/fake_clock.h"
#include "tests/data/rounds.h"
#include "tests/data/scripted_server.h"
#include "tests/data/temporary_files.h"

namespace pgo::live_source_test {
namespace {

using test::answer;
using test::ScriptedAnswer;
using test::ScriptedRequest;
using test::ScriptedServer;

live::LiveOptions quick() {
  return {.http = {.tries = 2, .first_pause = .001, .longest_pause = .01, .netrc = false}};
}

SourceQuery of_type(std::string sample_type) {
  SourceQuery query;
  query.sample_type = std::move(sample_type);
  return query;
}

SourceQuery within(TimeWindow window) {
  SourceQuery query;
  query.window = window;
  return query;
}

// What was fetched of each object, or its error.
class Received : public ObjectSink {
 public:
  explicit Received(size_t objects) : outcomes(objects) {}
  Result<void> begin(size_t object) override {
    outcomes[object].clear();
    return ok();
  }
  Result<void> append(size_t object, Bytes bytes) override {
    outcomes[object] += as_text(bytes);
    return ok();
  }
  void end(size_t object, Result<void> outcome) override {
    ends++;
    if (outcome) return;
    errors.push_back(outcome.error());
    outcomes[object] = outcome.error().message + "; " + outcome.error().advice;
  }

  std::vector<std::string> outcomes;
  std::vector<Error> errors;
  size_t ends = 0;
};

class LiveSource : public test::TemporaryFiles {
 protected:
  // "NAME KEY=VALUE ...", one object each, or the error.
  std::vector<std::string> listed(const std::string& location, const SourceQuery& query = {}) {
    Result<std::unique_ptr<Source>> source = live::open_live_hosts(location, quick());
    if (!source) return {source.error().message};
    Result<std::vector<SourceObject>> objects = (*source)->list(query, diagnostics);
    if (!objects) return {relative(objects.error().message)};
    std::vector<std::string> lines;
    for (const SourceObject& object : *objects) {
      lines.push_back(object.name);
      for (const auto& [key, value] : object.labels) lines.back() += " " + key + "=" + value;
    }
    return lines;
  }

  // What came of each object of `location`, by name.
  std::vector<std::string> fetched(const std::string& location,
                                   const live::LiveOptions& options = quick()) {
    std::unique_ptr<Source> source = live::open_live_hosts(location, options).value();
    const std::vector<SourceObject> objects = source->list({}, diagnostics).value();
    Received received(objects.size());
    source->fetch(objects, received);
    EXPECT_EQ(received.ends, objects.size());
    return received.outcomes;
  }
  std::string fetched_from(const ScriptedServer& server, const std::string& target = "") {
    return server.without_port(fetched("pprof+http://" + server.host() + target).at(0));
  }

  Diagnostics diagnostics;
};

using Lines = std::vector<std::string>;

TEST_F(LiveSource, ListsHostsWithTheirLabels) {
  EXPECT_EQ(listed("pprof+http://web-2:6060,web-1:6060,[2001:db8::1]:80"),
            (Lines{"[2001:db8::1]:80/debug/pprof/profile host=[2001:db8::1] "
                   "instance=[2001:db8::1]:80",
                   "web-1:6060/debug/pprof/profile host=web-1 instance=web-1:6060",
                   "web-2:6060/debug/pprof/profile host=web-2 instance=web-2:6060"}));
}

TEST_F(LiveSource, TakesPortsOfLoopbackForHosts) {
  EXPECT_EQ(listed("pprof+http://localhost:1,127.0.0.1:2"),
            (Lines{"127.0.0.1:2/debug/pprof/profile host=127.0.0.1:2 instance=127.0.0.1:2",
                   "localhost:1/debug/pprof/profile host=localhost:1 instance=localhost:1"}));
}

TEST_F(LiveSource, KnowsNothingElseBeforeItFetches) {
  std::unique_ptr<Source> source = live::open_live_hosts("pprof+http://web", quick()).value();
  const SourceObject object = source->list({}, diagnostics).value().at(0);
  EXPECT_EQ(object.time_evidence, TimeEvidence::kNone);
  EXPECT_EQ(object.version, "");
  EXPECT_EQ(object.size, std::nullopt);
  EXPECT_EQ(source->name(), "pprof+http://web");
}

TEST_F(LiveSource, ChoosesTheProfileByItsSampleType) {
  auto path = [&](const char* type) {
    const std::string line = listed("pprof+http://web", of_type(type)).at(0);
    return line.substr(0, line.find(' '));
  };
  EXPECT_EQ(path("cpu"), "web/debug/pprof/profile");
  EXPECT_EQ(path("samples"), "web/debug/pprof/profile");
  EXPECT_EQ(path("alloc_space"), "web/debug/pprof/allocs");
  EXPECT_EQ(path("inuse_objects"), "web/debug/pprof/heap");
}

// Go would record allocations for as many seconds as are asked for.
TEST_F(LiveSource, TakesAllocationsAtOnce) {
  ScriptedServer server([](const ScriptedRequest&) { return answer(200, "profile"); });
  std::unique_ptr<Source> source =
      live::open_live_hosts("pprof+http://" + server.host(), quick()).value();
  for (const char* type : {"alloc_space", "inuse_space", ""}) {
    Received received(1);
    source->fetch(source->list(of_type(type), diagnostics).value(), received);
  }
  EXPECT_EQ(server.requests()[0].target(), "/debug/pprof/allocs");
  EXPECT_EQ(server.requests()[1].target(), "/debug/pprof/heap");
  EXPECT_EQ(server.requests()[2].target(), "/debug/pprof/profile?seconds=30");
}

TEST_F(LiveSource, RefusesSampleTypesThatThePathDoesNotHave) {
  auto error = [&](const std::string& location, const char* type) {
    std::unique_ptr<Source> source = live::open_live_hosts(location, quick()).value();
    const Error found = source->list(of_type(type), diagnostics).error();
    return found.message + "; " + found.advice;
  };
  EXPECT_EQ(error("pprof+http://web/debug/pprof/profile", "alloc_space"),
            "pprof+http://web/debug/pprof/profile?seconds=30: records CPU time, and "
            "\xFF{sample-type} asks for alloc_space; name the path /debug/pprof/allocs, or none");
  EXPECT_EQ(error("pprof+http://web/pprof/profile", "delay"),
            "pprof+http://web/pprof/profile?seconds=30: records CPU time, and \xFF{sample-type} "
            "asks for delay; name another path, such as /debug/pprof/mutex");
  EXPECT_EQ(error("pprof+http://web", "contentions"),
            "pprof+http://web: which path has samples of the type 'contentions' is not known; "
            "name it, such as /debug/pprof/mutex or /debug/pprof/block");
}

TEST_F(LiveSource, ReadsHostsFromFiles) {
  const std::string lines = write("hosts.txt", "web-1:6060 zone=a host=one\nweb-2:6060\n");
  EXPECT_EQ(listed("pprof+http://@" + lines + "/debug/pprof/heap"),
            (Lines{"web-1:6060/debug/pprof/heap host=one instance=web-1:6060 zone=a",
                   "web-2:6060/debug/pprof/heap host=web-2 instance=web-2:6060"}));
  const std::string json =
      write("hosts.json", "\n[{\"targets\": [\"web-3:6060\"], \"labels\": {\"zone\": \"b\"}}]");
  EXPECT_EQ(listed("pprof+http://web-4,@" + json + "/pprof/heap"),
            (Lines{"web-3:6060/pprof/heap host=web-3 instance=web-3:6060 zone=b",
                   "web-4/pprof/heap host=web-4 instance=web-4"}));
}

TEST_F(LiveSource, AsksForHostsByServiceDiscovery) {
  ScriptedServer server(
      {answer(503), answer(200, R"([{"targets": ["web-1:6060"], "labels": {"zone": "a"}}])",
                           "Content-Type: application/json\r\n")});
  const std::string lines =
      write("hosts.txt", "sd+" + server.url("/targets?job=web") + " zone=b team=x");
  EXPECT_EQ(listed("pprof+http://@" + lines),
            (Lines{"web-1:6060/debug/pprof/profile host=web-1 instance=web-1:6060 team=x zone=b"}));
  EXPECT_EQ(server.requests()[1].target(), "/targets?job=web");
  EXPECT_EQ(server.requests()[1].header("Accept"), "application/json");
}

TEST_F(LiveSource, SaysWhyServiceDiscoveryFails) {
  ScriptedServer server(
      {answer(401), answer(200, "<html>", "Content-Type: text/html\r\n"), answer(200, "{}")});
  const std::string location = "pprof+http://sd+" + server.url("/targets/debug/pprof/heap");
  EXPECT_EQ(server.without_port(listed(location).at(0)),
            "http://HOST/targets: the server answered 401 (Unauthorized)");
  EXPECT_EQ(server.without_port(listed(location).at(0)),
            "http://HOST/targets: the server answered with an HTML page, such as a login page");
  EXPECT_EQ(server.without_port(listed(location).at(0)).substr(0, 50),
            "http://HOST/targets: is not a list of hosts in Pro");
}

TEST_F(LiveSource, SaysWhatIsWrongWithHosts) {
  EXPECT_EQ(listed("pprof+http://a:b"),
            (Lines{"pprof+http://a:b: 'a:b' is not a host with a port, such as "
                   "web-1:6060"}));
  EXPECT_EQ(listed("pprof+http://@" + write("hosts.txt", "ok:1\nme:pw@web:1\n")),
            (Lines{"hosts.txt:2: 'web:1' is not a host with a port, such as web-1:6060"}));
  EXPECT_EQ(listed("pprof+http://@" + path("none.txt")),
            (Lines{"none.txt: cannot open: No such file or directory"}));
}

TEST_F(LiveSource, CountsAHostThatIsNamedTwiceOnce) {
  EXPECT_EQ(listed("pprof+http://web:1,WEB:1").size(), 1u);
  EXPECT_EQ(diagnostics.entries().at("host-named-twice").messages,
            (Lines{"pprof+http://web:1,WEB:1: web:1 is named twice; it counts once"}));
}

TEST_F(LiveSource, HasNoPast) {
  EXPECT_EQ(listed("pprof+http://web", within({0, 1})),
            (Lines{"pprof+http://web: live hosts have no profiles of the past, and the "
                   "window ends there"}));
  EXPECT_EQ(listed("pprof+http://web", within({0, INT64_MAX})).size(), 1u);
  const int64_t now = std::chrono::duration_cast<std::chrono::nanoseconds>(
                          std::chrono::system_clock::now().time_since_epoch())
                          .count();
  EXPECT_EQ(listed("pprof+http://web", within({0, now})), listed("pprof+http://web"));
}

TEST_F(LiveSource, FetchesProfilesOfManyHostsAtOnce) {
  std::vector<std::unique_ptr<ScriptedServer>> servers;
  std::string location = "pprof+http://";
  for (int i = 0; i < 5; i++) {
    servers.push_back(std::make_unique<ScriptedServer>(
        [](const ScriptedRequest& request) { return answer(200, request.target()); }));
    location += (i == 0 ? "" : ",") + servers.back()->host();
  }
  EXPECT_EQ(fetched(location + "?seconds=1"), Lines(5, "/debug/pprof/profile?seconds=1"));
  for (const auto& server : servers) EXPECT_EQ(server->requests().size(), 1u);
}

TEST_F(LiveSource, LimitsHowManyHostsRecordAtOnce) {
  test::Rounds rounds(2);
  ScriptedServer server([&](const ScriptedRequest& request) {
    ScriptedAnswer held = answer(200, request.header("Host"));
    held.on_sent = [&](size_t sent) {
      if (sent == 0) rounds.wait();
    };
    return held;
  });
  // One server under several names.
  std::string hosts;
  for (const char* name : {"127.0.0.1", "127.1", "127.0.1", "127.0.0.01"})
    hosts += std::string(name) + ":" + std::to_string(server.port()) + "\n";
  live::LiveOptions options = quick();
  options.http.parallel = 2;
  EXPECT_EQ(fetched("pprof+http://@" + write("hosts.txt", hosts), options).size(), 4u);
  EXPECT_EQ(server.most_at_once(), 2);
}

TEST_F(LiveSource, ReachesEachAddressOfANameUnderThatName) {
  ScriptedServer server(
      [](const ScriptedRequest& request) { return answer(200, "of " + request.header("Host")); });
  const std::string port = std::to_string(server.port());
  live::LiveOptions options = quick();
  options.resolver = [](const std::string& name) {
    EXPECT_EQ(name, "web.internal");
    return std::vector<std::string>{"127.0.0.1", "127.0.0.2"};
  };
  const Lines outcomes = fetched("pprof+http://dns+Web.internal:" + port, options);
  ASSERT_EQ(outcomes.size(), 2u);
  EXPECT_EQ(outcomes[0], "of web.internal:" + port);
  EXPECT_TRUE(outcomes[1].starts_with("http://127.0.0.2:" + port + "/debug/pprof/profile: cannot "))
      << outcomes[1];
}

TEST_F(LiveSource, MissesANameThatHasNoAddress) {
  ScriptedServer server({answer(200, "profile")});
  live::LiveOptions options = quick();
  options.resolver = [](const std::string&) -> Result<std::vector<std::string>> {
    return fail(ErrorKind::kIo, "Name or service not known");
  };
  const std::string location = "pprof+http://dns+web.internal:6060," + server.host();
  EXPECT_EQ(server.without_port(fetched(location, options).at(0)), "profile");
  EXPECT_EQ(fetched(location, options).at(1),
            "dns+web.internal:6060: no address was found: Name or service not known; check the "
            "name");
  std::unique_ptr<Source> source = live::open_live_hosts(location, options).value();
  const SourceObject missing = source->list({}, diagnostics).value().at(1);
  EXPECT_EQ(missing.name, "dns+web.internal:6060/debug/pprof/profile");
  EXPECT_EQ(missing.labels, (Labels{{"host", "web.internal"}, {"instance", "web.internal:6060"}}));
}

TEST_F(LiveSource, WaitsWhileAHostRecords) {
  test::FakeClock clock;
  ScriptedAnswer late = answer(200, "profile");
  late.on_sent = [&](size_t sent) {
    if (sent > 0) return;
    clock.advance_when_idle(1);
    clock.wait_until_seen();
  };
  ScriptedServer server({late});
  live::LiveOptions options = quick();
  options.http.stall_timeout = options.http.total_timeout = .1;
  options.http.now = clock.function();
  EXPECT_EQ(fetched("pprof+http://" + server.host() + "?seconds=1", options), Lines{"profile"});
}

// Who may have the token.

live::LiveOptions with_token(const std::string& hosts = "") {
  live::LiveOptions options = quick();
  options.token = live::LiveToken::parse("secret", hosts).value();
  return options;
}

// The token that each request to `server` had.
Lines tokens_of(const ScriptedServer& server) {
  Lines tokens;
  for (const ScriptedRequest& request : server.requests())
    tokens.push_back(request.header("Authorization"));
  return tokens;
}

TEST_F(LiveSource, SendsTheTokenToHostsThatTheUserNames) {
  ScriptedServer server([](const ScriptedRequest&) { return answer(200, "profile"); });
  live::LiveOptions options = with_token();
  options.resolver = [](const std::string&) { return std::vector<std::string>{"127.0.0.1"}; };
  const std::string port = std::to_string(server.port());
  fetched("pprof+http://" + server.host(), options);
  fetched("pprof+http://@" + write("hosts.txt", server.host()), options);
  fetched("pprof+http://dns+localhost:" + port, options);
  EXPECT_EQ(tokens_of(server), Lines(3, "Bearer secret"));
  EXPECT_TRUE(diagnostics.entries().empty());
}

TEST_F(LiveSource, SendsNoTokenToHostsOfLists) {
  std::string list;
  ScriptedServer server([&](const ScriptedRequest& request) {
    return answer(200, request.target() == "/targets" ? list : "profile");
  });
  list = "[{\"targets\": [\"" + server.host() + "\"]}]";
  const std::string by_url = "pprof+http://sd+" + server.url("/targets/debug/pprof/heap");
  const std::string by_file = "pprof+http://@" + write("hosts.json", list);
  EXPECT_EQ(fetched(by_url, with_token()), Lines{"profile"});
  EXPECT_EQ(fetched(by_file, with_token()), Lines{"profile"});
  EXPECT_EQ(tokens_of(server), (Lines{"Bearer secret", "", ""}));
  EXPECT_EQ(server.without_port(diagnostics.entries().at("token-not-sent").messages.at(0)),
            "PRODPGO_TOKEN is not sent to http://HOST, because a list of hosts named it; allow it "
            "by PRODPGO_TOKEN_HOSTS=127.0.0.1");
  fetched(by_file, with_token("127.0.0.1"));
  EXPECT_EQ(tokens_of(server).back(), "Bearer secret");
}

TEST_F(LiveSource, SendsNoTokenByPlainHttp) {
  ScriptedServer server([](const ScriptedRequest&) { return answer(401); });
  live::LiveOptions options = with_token();
  options.resolver = [](const std::string&) { return std::vector<std::string>{"127.0.0.1"}; };
  const std::string port = std::to_string(server.port());
  const std::string refusal = "PRODPGO_TOKEN is not sent to http://web.internal:" + port +
                              ", because others could read it on the way; use https:";
  EXPECT_EQ(server.without_port(fetched("pprof+http://dns+web.internal:" + port, options).at(0)),
            "http://HOST/debug/pprof/profile: the server answered 401 (Unauthorized); " + refusal);
  EXPECT_EQ(tokens_of(server), Lines{""});
  EXPECT_EQ(diagnostics.entries().at("token-not-sent").messages, Lines{refusal});
}

TEST_F(LiveSource, GoesOnWhenAHostFails) {
  ScriptedServer good({answer(200, "profile")});
  const std::string closed = "127.0.0.1:" + std::to_string(test::closed_port());
  Lines outcomes = fetched("pprof+http://" + closed + "," + good.host() + "?token=secret");
  std::sort(outcomes.begin(), outcomes.end());
  EXPECT_EQ(outcomes[0].substr(0, outcomes[0].find(" to 127")),
            "http://" + closed + "/debug/pprof/profile: cannot connect");
  EXPECT_EQ(outcomes[1], "profile");
}

TEST_F(LiveSource, SaysWhatGoSays) {
  ScriptedServer server([](const ScriptedRequest& request) {
    const char* go = "Content-Type: text/plain; charset=utf-8\r\nX-Go-Pprof: 1\r\n";
    if (request.target().ends_with("seconds=1"))
      return answer(500, "Could not enable CPU profiling: cpu profiling already in use\n", go);
    if (request.target().ends_with("seconds=2"))
      return answer(400, "profile duration exceeds server's WriteTimeout\n", go);
    return answer(404, "Unknown profile\n", go);
  });
  EXPECT_EQ(
      fetched_from(server, "?seconds=1"),
      "http://HOST/debug/pprof/profile: the server answered 500 (Internal Server Error) to "
      "each of 2 tries: Could not enable CPU profiling: cpu profiling already in use; another "
      "profiler records this program; try again later, or pause that one");
  EXPECT_EQ(fetched_from(server, "?seconds=2"),
            "http://HOST/debug/pprof/profile: the server answered 400 (Bad Request): profile "
            "duration exceeds server's WriteTimeout; ask for fewer seconds, such as ?seconds=5, or "
            "raise the WriteTimeout of the server");
  EXPECT_EQ(fetched_from(server, "/debug/pprof/heaps"),
            "http://HOST/debug/pprof/heaps: the server answered 404 (Not Found): Unknown profile; "
            "the program offers no such profile: in Go it imports net/http/pprof; in C++ it serves "
            "/pprof/profile by gperftools or brpc");
}

TEST_F(LiveSource, SaysWhatBrpcSays) {
  ScriptedServer server([](const ScriptedRequest&) {
    return answer(500, "[E1008]Another profiler is running, try again later\n",
                  "Content-Type: text/plain\r\n");
  });
  EXPECT_EQ(
      fetched_from(server, "/hotspots/cpu"),
      "http://HOST/pprof/profile: the server answered 500 (Internal Server Error) to each of "
      "2 tries: [E1008]Another profiler is running, try again later; another profiler records "
      "this program; try again later, or pause that one");
}

TEST_F(LiveSource, ShowsNothingOfOtherServers) {
  ScriptedServer server([](const ScriptedRequest& request) {
    return answer(403, "no access to " + request.target());
  });
  EXPECT_EQ(
      fetched_from(server, "?token=secret"),
      "http://HOST/debug/pprof/profile: the server answered 403 (Forbidden); check that these "
      "credentials may read this");
}

TEST_F(LiveSource, RefusesPagesAndEmptyAnswers) {
  ScriptedServer server({answer(200, "<html>", "Content-Type: text/html\r\n"), answer(200)});
  EXPECT_EQ(fetched_from(server),
            "http://HOST/debug/pprof/profile: the server answered with an HTML page, such as a "
            "login page; check the URL and the credentials");
  EXPECT_EQ(fetched_from(server), "http://HOST/debug/pprof/profile: the profile is empty; ");
}

}  // namespace
}  // namespace pgo::live_source_test
