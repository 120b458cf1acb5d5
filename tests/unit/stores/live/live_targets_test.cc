#include "pgo/stores/live/live_targets.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pgo::live_targets_test {
namespace {

using live::HostLine;
using live::LiveTarget;
using Targets = std::vector<LiveTarget>;
using Lines = std::vector<HostLine>;

std::string discovery_error(std::string_view json) {
  Result<Targets> targets = live::parse_service_discovery(json, "sd");
  return targets ? std::to_string(targets->size()) + " targets" : targets.error().message;
}

std::string lines_error(std::string_view text) {
  Result<Lines> lines = live::parse_host_lines(text, "hosts");
  return lines ? std::to_string(lines->size()) + " lines" : lines.error().message;
}

TEST(ServiceDiscovery, ReadsTargetsAndTheirLabels) {
  const Targets targets = live::parse_service_discovery(R"([
      {"targets": ["10.0.0.1:6060", "WEB-2:6060"], "labels": {"zone": "a", "__meta_x": "y"}},
      {"targets": []},
      {"targets": ["[::1]:80"], "labels": null, "source": "other keys do not count"}])",
                                                        "sd")
                              .value();
  auto target = [](const char* address, const Labels& labels) {
    return LiveTarget{.address = address, .labels = labels, .named_by = live::NamedBy::kDiscovery};
  };
  EXPECT_EQ(targets, (Targets{target("10.0.0.1:6060", {{"zone", "a"}}),
                              target("web-2:6060", {{"zone", "a"}}), target("[::1]:80", {})}));
  EXPECT_EQ(live::parse_service_discovery("[]", "sd").value(), Targets());
}

TEST(ServiceDiscovery, SaysWhatIsWrong) {
  const std::string no_list =
      "sd: is not a list of hosts in Prometheus's form, a JSON list of {\"targets\": "
      "[\"HOST:PORT\"], \"labels\": {\"KEY\": \"VALUE\"}}";
  for (const char* text : {"", "{}", "[{\"targets\": [\"a\"]", "<html>", "\xff"})
    EXPECT_EQ(discovery_error(text), no_list);
  for (const char* text : {"[{\"targets\": []}, 5]", "[{\"targets\": []}, {}]",
                           "[{\"targets\": []}, {\"targets\": \"a:1\"}]"})
    EXPECT_EQ(discovery_error(text), "sd: entry 2 of the list: has no list 'targets'");
  EXPECT_EQ(discovery_error("[{\"targets\": [5]}]"),
            "sd: entry 1 of the list: a target is not a text");
  for (const char* text :
       {"[{\"targets\": [], \"labels\": []}]", "[{\"targets\": [], \"labels\": {\"a\": 1}}]"})
    EXPECT_EQ(discovery_error(text), "sd: entry 1 of the list: 'labels' are not texts by name");
  EXPECT_EQ(discovery_error("[{\"targets\": [\"web/x\"]}]"),
            "sd: 'web/x' is not a host with a port, such as web-1:6060");
  EXPECT_EQ(discovery_error("[{\"targets\": [\"me:pw@web:1\"]}]"),
            "sd: 'web:1' is not a host with a port, such as web-1:6060");
}

TEST(ServiceDiscovery, IsBounded) {
  std::string json = "[{\"targets\": [\"a:1\"";
  for (size_t i = 1; i < live::kMaxTargets; i++) json += ",\"a:1\"";
  EXPECT_EQ(discovery_error(json + "]}]"), "100000 targets");
  EXPECT_EQ(discovery_error(json + ",\"a:1\"]}]"), "sd: names more than 100000 hosts");
  EXPECT_EQ(discovery_error(std::string(100000, '[')).substr(0, 21), "sd: is not a list of ");
}

TEST(HostLines, ReadsHostsAndTheirLabels) {
  const Lines lines = live::parse_host_lines(
                          "# all of web\n\n  web-1:6060 \tzone=a  version=1=2\r\n"
                          "dns+web.internal:6060\nsd+http://sd/x?job=web zone=b",
                          "hosts")
                          .value();
  EXPECT_EQ(lines, (Lines{{"web-1:6060", {{"zone", "a"}, {"version", "1=2"}}, "hosts:3"},
                          {"dns+web.internal:6060", {}, "hosts:4"},
                          {"sd+http://sd/x?job=web", {{"zone", "b"}}, "hosts:5"}}));
  EXPECT_EQ(live::parse_host_lines("", "hosts").value(), Lines());
}

TEST(HostLines, SaysWhatIsWrong) {
  EXPECT_EQ(lines_error("a:1\nb:2 zone"),
            "hosts:2: expected 'HOST:PORT KEY=VALUE...', a host and its labels");
  EXPECT_EQ(lines_error("b:2 =x"),
            "hosts:1: expected 'HOST:PORT KEY=VALUE...', a host and its labels");
  EXPECT_EQ(lines_error("@more"), "hosts:1: a list of hosts cannot name another file");
  std::string many;
  for (size_t i = 0; i < live::kMaxTargets; i++) many += "a\n";
  EXPECT_EQ(lines_error(many), "100000 lines");
  EXPECT_EQ(lines_error(many + "a"), "hosts: names more than 100000 hosts");
}

TEST(Address, IsAHostWithOrWithoutAPort) {
  EXPECT_EQ(live::parse_address("Web-1:6060", "x").value(), "web-1:6060");
  EXPECT_EQ(live::parse_address("web", "x").value(), "web");
  EXPECT_EQ(live::parse_address("[2001:DB8:0::1]:80", "x").value(), "[2001:db8::1]:80");
  EXPECT_EQ(live::parse_address("[::1]", "x").value(), "[::1]");
  EXPECT_EQ(live::parse_address("2001:db8::1", "x").error().message,
            "x: '2001:db8::1' is not a host with a port, such as [2001:db8::1]:6060");
  for (const char* text : {"", ":80", "a:b", "a/", "a?", "a#", "a/b", "a b", "2001:db8::1", "[::g]",
                           "[1.2.3.4]", "[::1", "a,b"})
    EXPECT_FALSE(live::parse_address(text, "x")) << text;
}

TEST(LookUp, FindsTheAddressesOfAName) {
  auto resolver = [](const std::string& name) {
    EXPECT_EQ(name, "web.internal");
    return std::vector<std::string>{"2001:db8::1", "10.0.0.2", "10.0.0.1", "fe80::1%eth0",
                                    "10.0.0.1"};
  };
  auto target = [](const char* address) {
    return LiveTarget{.address = address, .name = "web.internal:6060"};
  };
  EXPECT_EQ(live::look_up("Web.internal:6060", resolver).value(),
            (Targets{target("10.0.0.1:6060"), target("10.0.0.2:6060"), target("[2001:db8::1]:6060"),
                     target("[fe80::1]:6060")}));
  EXPECT_EQ(live::look_up("web.internal", resolver).value()[0].address, "10.0.0.1");
}

TEST(LookUp, MissesANameThatHasNone) {
  auto message = [](const live::Resolver& resolver) {
    const LiveTarget target = live::look_up("web:1", resolver).value().at(0);
    EXPECT_EQ(target.address, "dns+web:1");
    EXPECT_EQ(target.name, "web:1");
    return target.missing->message;
  };
  EXPECT_EQ(message([](const std::string&) -> Result<std::vector<std::string>> {
              return fail(ErrorKind::kIo, "Name or service not known");
            }),
            "dns+web:1: no address was found: Name or service not known");
  EXPECT_EQ(message([](const std::string&) { return std::vector<std::string>(); }),
            "dns+web:1: no address was found: it has none");
}

TEST(LookUp, RefusesWhatIsNoName) {
  auto error = [](const char* name) {
    const Error found = live::look_up(name, live::resolve).error();
    EXPECT_EQ(found.kind, ErrorKind::kUsage);
    return found.message + "; " + found.advice;
  };
  EXPECT_EQ(error("[::1]:80"), "dns+[::1]:80: is an address, not a name; leave out dns+");
  EXPECT_EQ(error("a:b"), "dns+a:b: 'a:b' is not a host with a port, such as web-1:6060; ");
}

// Needs no name server.
TEST(Resolve, FindsAddresses) {
  EXPECT_EQ(live::resolve("127.0.0.1").value(), std::vector<std::string>{"127.0.0.1"});
  EXPECT_EQ(live::resolve("").error().kind, ErrorKind::kIo);
}

}  // namespace
}  // namespace pgo::live_targets_test
