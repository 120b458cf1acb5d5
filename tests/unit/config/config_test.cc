#include "pgo/config/config.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/data/temporary_files.h"

namespace pgo::config_test {
namespace {

constexpr const char* kWhole = R"([verify]
limit = 1.5
expect = 3
function-limit = 20.0
min-share = 0.5

[owners]
codeowners = ".github/CODEOWNERS"
[owners.paths]
"src/**" = "core"
"src/storage/**" = "storage"
"*.h" = "headers"
[owners.functions]
"*" = "first"
"leveldb::*" = "last"

[cost]
cores = 1200
core-hour = 0.04
currency = "USD"

[fetch]
min-profiles = 10
min-hosts = 20
min-samples = 100000
min-overlap = 90.5
max-missing = 5
)";

std::string error_of(std::string_view text) {
  Result<Config> config = parse_config(text, "pgo.toml");
  return config ? "no error" : config.error().message;
}

class ConfigTest : public test::TemporaryFiles {};

TEST(Config, HasAllThatTheTextSays) {
  Result<Config> config = parse_config(kWhole, "pgo.toml");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->verify, (VerifyConfig{1.5, 3, 20, .5}));
  EXPECT_EQ(config->cost, (CostConfig{1200, .04, "USD"}));
  EXPECT_EQ(config->fetch, (FetchConfig{10, 20, 100'000, 90.5, 5}));
  EXPECT_EQ(error_of("[fetch]\nmin-overlap = 101"),
            "pgo.toml:2:15: fetch.min-overlap is 101; expected a percentage from 0 to 100");
  EXPECT_EQ(error_of("[fetch]\nmin-hosts = -1"),
            "pgo.toml:2:13: fetch.min-hosts is -1; expected a number of 0 or more");
  ASSERT_TRUE(config->codeowners);
  EXPECT_EQ(config->codeowners->text, ".github/CODEOWNERS");
  EXPECT_EQ(config->codeowners->place, "pgo.toml:8:14");
}

// Tables of toml++ are sorted by key.
TEST(Config, KeepsTheOrderOfPatterns) {
  Result<Config> config = parse_config(kWhole, "pgo.toml");
  ASSERT_TRUE(config);
  EXPECT_EQ(config->owners.team_of("leveldb::Get()", ""), "last");
  EXPECT_EQ(config->owners.team_of("main", ""), "first");
  config = parse_config("[owners.paths]\n\"src/**\" = \"core\"\n\"*.h\" = \"headers\"\n", "");
  ASSERT_TRUE(config);
  EXPECT_EQ(config->owners.team_of("f", "src/a.h"), "headers");
  config = parse_config("owners = {paths = {\"*.h\" = \"headers\", \"src/**\" = \"core\"}}", "");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->owners.team_of("f", "src/a.h"), "core");
}

TEST(Config, MayBeEmpty) {
  for (const char* text : {"", "# nothing\n", "[verify]\n[owners]\n[owners.paths]\n[cost]\n"}) {
    Result<Config> config = parse_config(text, "pgo.toml");
    ASSERT_TRUE(config) << text;
    EXPECT_EQ(config->verify, VerifyConfig{});
    EXPECT_EQ(config->cost, CostConfig{});
    EXPECT_TRUE(config->owners.empty());
    EXPECT_FALSE(config->codeowners);
  }
}

TEST(Config, RefusesUnknownKeys) {
  EXPECT_EQ(error_of("[verify]\n  limt = 1\n"),
            "pgo.toml:2:3: unknown key 'limt' in [verify]; did you mean limit?");
  EXPECT_EQ(error_of("[cost]\nregion = 'eu'\n"),
            "pgo.toml:2:1: unknown key 'region' in [cost]; expected one of: core-hour, cores, "
            "currency");
  EXPECT_EQ(error_of("[owner]\n"), "pgo.toml:1:2: unknown key 'owner'; did you mean owners?");
  EXPECT_EQ(
      error_of("[owners.files]\n"),
      "pgo.toml:1:9: unknown key 'files' in [owners]; expected one of: codeowners, functions, "
      "paths");
}

TEST(Config, RefusesWrongValues) {
  EXPECT_EQ(error_of("[verify]\nlimit = 10001\n"),
            "pgo.toml:2:9: verify.limit is 10001; expected a percentage from 0 to 10000");
  EXPECT_EQ(error_of("[verify]\nlimit = '1'\n"),
            "pgo.toml:2:9: verify.limit is '1'; expected a percentage from 0 to 10000");
  EXPECT_EQ(error_of("[verify]\nmin-share = nan\n"),
            "pgo.toml:2:13: verify.min-share is nan; expected a percentage from 0 to 100");
  EXPECT_EQ(error_of("[cost]\ncore-hour = -0.5\n"),
            "pgo.toml:2:13: cost.core-hour is -0.5; expected a price of 0 or more");
  EXPECT_EQ(error_of("[cost]\ncores = 0\n"),
            "pgo.toml:2:9: cost.cores is 0; expected a number of cores above 0");
  EXPECT_EQ(error_of("[cost]\ncores = inf\n"),
            "pgo.toml:2:9: cost.cores is inf; expected a number of cores above 0");
  EXPECT_EQ(error_of("[cost]\ncurrency = ''\n"),
            "pgo.toml:2:12: cost.currency is ''; expected a currency such as 'USD'");
  EXPECT_EQ(error_of("[cost]\ncurrency = \"\\u001b[1m\"\n"),
            "pgo.toml:2:12: cost.currency is '\x1b[1m'; expected a currency such as 'USD'");
  EXPECT_EQ(error_of("verify = 1\n"), "pgo.toml:1:10: verify is 1; expected the table [verify]");
  EXPECT_EQ(error_of("[[cost]]\n"), "pgo.toml:1:1: cost is an array; expected the table [cost]");
  EXPECT_EQ(error_of("[owners]\ncodeowners = [1]\n"),
            "pgo.toml:2:14: owners.codeowners is an array; expected the path of a file");
}

TEST(Config, RefusesWrongOwners) {
  EXPECT_EQ(error_of("[owners.paths]\n\"a\" = true\n"),
            "pgo.toml:2:7: 'a' is true; expected the name of a team");
  EXPECT_EQ(error_of("[owners.paths]\n\"a\" = ''\n"),
            "pgo.toml:2:7: 'a' is ''; expected the name of a team");
  EXPECT_EQ(error_of("[owners.paths]\nsrc.storage = 'a'\n"),
            "pgo.toml:2:1: 'src' is a table; expected the name of a team");
  EXPECT_EQ(error_of("[owners.paths]\n\"!a\" = 'b'\n"),
            "pgo.toml:2:1: the pattern '!a' begins with '!', but patterns cannot be negated");
  EXPECT_EQ(error_of("[owners]\nfunctions = 3\n"),
            "pgo.toml:2:13: owners.functions is 3; expected the table [owners.functions]");
}

TEST(Config, SaysWhereItIsNoToml) {
  EXPECT_EQ(error_of("[verify"),
            "pgo.toml:1:8: is not valid TOML: error while parsing table header: encountered "
            "end-of-file");
  EXPECT_EQ(error_of("[cost]\ncores = 1\ncores = 2\n"),
            "pgo.toml:3:9: is not valid TOML: error while parsing key-value pair: cannot redefine "
            "existing integer 'cores'");
  EXPECT_EQ(
      error_of("[owners.paths]\nsrc/** = 'a'\n"),
      "pgo.toml:2:4: is not valid TOML: error while parsing key-value pair: expected '=', saw "
      "'/'");
  EXPECT_EQ(error_of("a = \"\xff\""),
            "pgo.toml:1:5: is not valid TOML: encountered invalid utf-8 sequence");
}

// What toml++ 3.3 takes for impossible: its assertions and marks of unreachable code are wrong.
TEST(Config, SurvivesTheAssumptionsOfItsParser) {
  EXPECT_EQ(error_of("[ #\n"),
            "pgo.toml:1:3: is not valid TOML: error while parsing key: expected bare key starting "
            "character or string delimiter, saw '#'");
  for (const char* character : {"\xc2\xa1", "\xc3\xbc", "\xc7\x9e", "\xd2\x99"}) {
    EXPECT_NE(error_of(std::string(character) + " = 1"), "no error");
    EXPECT_NE(error_of(std::string("[cost]\ncores = 1 ") + character + "\n"), "no error");
    EXPECT_EQ(error_of(std::string("[cost] # ") + character + "\ncurrency = \"\"\"\\\n " +
                       character + "\"\"\"\n"),
              "no error");
  }
}

TEST(Config, BoundsHowDeepItNests) {
  std::string key = "a";
  for (int i = 0; i < 300; i++) key += ".a";
  EXPECT_EQ(error_of("[cost]\n" + key + " = 1\n"),
            "pgo.toml:2:1: more than 256 dots; expected a shorter line");
  EXPECT_EQ(error_of("a = " + std::string(1000, '[') + std::string(1000, ']')).substr(0, 66),
            "pgo.toml:1:21: is not valid TOML: error while parsing value: excee");
}

// What is cut short is an error, or the configuration of the lines that are left.
TEST(Config, SurvivesBeingCutShort) {
  const std::string whole = kWhole;
  for (size_t size = 0; size < whole.size(); size++) {
    Result<Config> config = parse_config(whole.substr(0, size), "pgo.toml");
    if (!config) {
      EXPECT_EQ(config.error().message.substr(0, 9), "pgo.toml:") << size;
    }
  }
}

TEST_F(ConfigTest, FindsCodeownersBesideItself) {
  write("repo/.github/CODEOWNERS", "* @all\n!x @none\n");
  const std::string path =
      write("repo/pgo.toml", "[owners]\ncodeowners = \".github/CODEOWNERS\"\n");
  Result<Config> config = read_config(path);
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->owners.team_of("f", "src/a.cc"), "@all");
  EXPECT_EQ(relative(config->diagnostics.entries().at("codeowners-pattern").messages[0]),
            "repo/.github/CODEOWNERS:2: the line of '!x' is left out: its pattern begins with "
            "'!', but patterns cannot be negated");
  std::filesystem::remove(this->path("repo/.github/CODEOWNERS"));
  config = read_config(path);
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().kind, ErrorKind::kIo);
  EXPECT_EQ(relative(config.error().message).substr(0, 60),
            "repo/pgo.toml:2:14: owners.codeowners: repo/.github/CODEOWNE");
}

TEST_F(ConfigTest, RefusesLargeFiles) {
  const std::string path = write("pgo.toml", std::string(1100000, '\n'));
  Result<Config> config = read_config(path);
  ASSERT_FALSE(config);
  EXPECT_EQ(text_of(config.error()), "pgo.toml: is larger than 1 MB; ");
}

TEST_F(ConfigTest, IsFoundInTheNearestDirectory) {
  std::filesystem::create_directories(path("a/b/c"));
  std::filesystem::create_directories(path("a/b/pgo.toml"));  // a directory does not count
  const std::string outer = write("a/pgo.toml", "");
  std::optional<std::string> found = find_config(path("a/b/c"));
  ASSERT_TRUE(found);
  EXPECT_TRUE(std::filesystem::equivalent(*found, outer));
  const std::string inner = write("a/b/c/pgo.toml", "");
  found = find_config(path("a/b/c"));
  ASSERT_TRUE(found);
  EXPECT_TRUE(std::filesystem::equivalent(*found, inner));
  EXPECT_FALSE(find_config(path("nowhere")));
}

constexpr const char* kService = R"([service.queryd]
source = ["dir:/srv/profiles", "s3://profiles/queryd"]
path-template = "{hour}/{host}.pb.gz"
labels = { zone = "eu" }
last = "7d"
sample-type = "cpu"
max-profiles = 500
binaries = "dir:/srv/builds"
outputs = ["llvm", "bolt"]
configuration = "clang-lto"
compile-profile = "renew"
recorded-build = "omit"
inferred-bolt-profile = "push"
blend-previous = 2
registry = "oci-dir:profiles/queryd"
lock = "release/pgo.lock"
current-build = ["build/queryd", "build/libquery.so"]

[service.queryd.gates]
min-density = 50
min-quality = "good"
min-halves = 90
min-match = 80
min-overlap = 40
max-overlap = 99
max-missing-builds = 10
min-hosts = 3
min-samples = 1000
evidence = ["branch-records", "pc-samples"]

[service.small]
source = "profiles"
registry = "oci-dir:small"
)";

TEST(Config, HasServices) {
  const Result<Config> config = parse_config(kService, "pgo.toml");
  ASSERT_TRUE(config) << config.error().message;
  ASSERT_EQ(config->services.size(), 2u);
  const ServiceConfig& service = config->services[0];
  EXPECT_EQ(service.name, "queryd");
  EXPECT_EQ(service.place, "pgo.toml:1:10");
  EXPECT_EQ(service.sources, (std::vector<PlacedText>{{"dir:/srv/profiles", "pgo.toml:2:11"},
                                                      {"s3://profiles/queryd", "pgo.toml:2:32"}}));
  EXPECT_EQ(service.path_template.text, "{hour}/{host}.pb.gz");
  EXPECT_EQ(service.labels, (Labels{{"zone", "eu"}}));
  EXPECT_EQ(service.last, int64_t{7} * 24 * 3600 * 1'000'000'000);
  EXPECT_EQ(service.sample_type, "cpu");
  EXPECT_EQ(service.max_profiles, 500u);
  EXPECT_EQ(service.binaries, (std::vector<PlacedText>{{"dir:/srv/builds", "pgo.toml:8:12"}}));
  EXPECT_EQ(service.outputs,
            (std::vector<ServiceOutput>{ServiceOutput::kLlvm, ServiceOutput::kBolt}));
  EXPECT_EQ(service.configuration, "clang-lto");
  EXPECT_EQ(service.compile_profile, CompileProfilePolicy::kRenew);
  EXPECT_EQ(service.recorded_build, RecordedBuildPolicy::kOmit);
  EXPECT_EQ(service.inferred_bolt, InferredBoltPolicy::kPush);
  EXPECT_EQ(service.blend_previous, 2u);
  EXPECT_EQ(service.registry.text, "oci-dir:profiles/queryd");
  EXPECT_EQ(service.lock.text, "release/pgo.lock");
  EXPECT_EQ(service.current_build_paths(),
            (std::vector<std::string>{"build/queryd", "build/libquery.so"}));
  ServiceGates gates;
  gates.density = 50, gates.quality = Quality::kGood, gates.halves = 90, gates.match = 80;
  gates.overlap = 40, gates.max_overlap = 99, gates.hosts = 3, gates.samples = 1000;
  gates.missing_builds = 10;
  gates.evidence = {Evidence::kBranchRecords, Evidence::kPcSamples};
  EXPECT_EQ(service.gates, gates);
  EXPECT_EQ(config->services[1].outputs, std::vector<ServiceOutput>{ServiceOutput::kLlvm});
  EXPECT_EQ(config->services[1].compile_profile, CompileProfilePolicy::kKeep);
  EXPECT_EQ(config->services[1].recorded_build, RecordedBuildPolicy::kPush);
  EXPECT_EQ(config->services[1].inferred_bolt, InferredBoltPolicy::kOmit);
  EXPECT_EQ(config->services[1].gates, ServiceGates{});
}

TEST(Config, RefusesWrongServices) {
  auto error_in = [](const std::string& line) {
    return error_of("[service.q]\nsource = 's'\nregistry = 'oci-dir:r'\n" + line + "\n");
  };
  EXPECT_EQ(error_in("outputz = 'llvm'"),
            "pgo.toml:4:1: unknown key 'outputz' in [service.q]; did you mean outputs?");
  EXPECT_EQ(error_in("outputs = ['llvm', 'clang']"),
            "pgo.toml:4:20: service.q.outputs is 'clang'; expected one of: llvm, llvm-text, bolt, "
            "gcc, gcc-13, go");
  EXPECT_EQ(error_in("outputs = ['llvm', 'llvm']"),
            "pgo.toml:4:20: service.q.outputs is 'llvm'; expected each word once");
  EXPECT_EQ(error_in("outputs = []"),
            "pgo.toml:4:11: service.q.outputs is an array; expected one word or several");
  EXPECT_EQ(error_in("last = '7 days'"),
            "pgo.toml:4:8: service.q.last is '7 days'; expected a duration such as '6h', '7d' or "
            "'2w'");
  EXPECT_EQ(error_in("blend-previous = 9"),
            "pgo.toml:4:18: service.q.blend-previous is 9; expected a whole number from 0 to 8");
  EXPECT_EQ(error_in("compile-profile = 'new'"),
            "pgo.toml:4:19: service.q.compile-profile is 'new'; expected one of: keep, renew");
  EXPECT_EQ(error_in("recorded-build = 'keep'"),
            "pgo.toml:4:18: service.q.recorded-build is 'keep'; expected one of: push, omit");
  EXPECT_EQ(
      error_in("inferred-bolt-profile = 'keep'"),
      "pgo.toml:4:25: service.q.inferred-bolt-profile is 'keep'; expected one of: omit, push");
  EXPECT_EQ(error_in("labels = 'eu'"),
            "pgo.toml:4:10: service.q.labels is 'eu'; expected a table such as { zone = 'eu' }");
  EXPECT_EQ(error_in("binaries = [1]"),
            "pgo.toml:4:13: service.q.binaries is 1; expected an archive such as "
            "'dir:/srv/builds'");
  EXPECT_EQ(error_in("gates = { min-quality = 'best' }"),
            "pgo.toml:4:25: service.q.gates.min-quality is 'best'; expected one of: good, fair, "
            "thin, weak");
  EXPECT_EQ(error_in("[service.q.gates]\nmin-match = 101"),
            "pgo.toml:5:13: service.q.gates.min-match is 101; expected a percentage from 0 to 100");
  EXPECT_EQ(error_of("[service.q]\nsource = 's'\n"),
            "pgo.toml:1:10: service.q has no registry; expected registry = 'oci-dir:profiles', "
            "say");
  EXPECT_EQ(error_of("[service.q]\nregistry = 'oci-dir:r'\n"),
            "pgo.toml:1:10: service.q has no source; expected source = 'dir:/srv/profiles', say");
  EXPECT_EQ(error_of("service = 'q'\n"),
            "pgo.toml:1:11: service is 'q'; expected tables such as [service.queryd]");
}

}  // namespace
}  // namespace pgo::config_test
