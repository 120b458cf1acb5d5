#include "converters/bolt_yaml/bolt_yaml.h"

#include <gtest/gtest.h>

namespace pgo::bolt_yaml_test {
namespace {

Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

constexpr std::string_view kYaml =
    "---\n"
    "header:\n"
    "  profile-version: 1\n"
    "  binary-name:     prog\n"
    "  binary-build-id: 0b286087ce93a9612f5168ea0a9d5137c5e5ab9e\n"
    "  profile-flags:   [ lbr ]\n"
    "functions:\n"
    "  - name:            main\n";

TEST(BoltYaml, IsToldByItsHeader) {
  EXPECT_TRUE(is_bolt_yaml(bytes_of(kYaml)));
  EXPECT_FALSE(is_bolt_yaml(bytes_of("---\nheader:\nfunctions:\n  profile-version: 1\n")));
  EXPECT_FALSE(is_bolt_yaml(bytes_of("---\nname: ci\n")));
  EXPECT_FALSE(is_bolt_yaml(bytes_of("")));
}

TEST(BoltYaml, SaysWhichBuildItIsOf) {
  EXPECT_EQ(bolt_yaml_build_id(bytes_of(kYaml)).hex(), "0b286087ce93a9612f5168ea0a9d5137c5e5ab9e");
  EXPECT_TRUE(bolt_yaml_build_id(bytes_of("---\nheader:\n  profile-version: 1\n")).empty());
  // perf2bolt's words for a binary without one.
  EXPECT_TRUE(bolt_yaml_build_id(
                  bytes_of("---\nheader:\n  profile-version: 1\n  binary-build-id: '<unknown>'\n"))
                  .empty());
  EXPECT_TRUE(bolt_yaml_build_id(bytes_of("---\nheader:\n  profile-version: 1\n  binary-build-id:"))
                  .empty());
}

constexpr std::string_view kFunctions =
    "---\n"
    "header:\n"
    "  profile-version: 1\n"
    "  binary-name:     'a b'\n"
    "  profile-flags:   [ lbr ]\n"
    "functions:\n"
    "  - name:            '_ZL4it''sv/1'\n"
    "    exec:            7\n"
    "    blocks:\n"
    "      - bid:             0\n"
    "        exec:            100\n"
    "        succ:            [ { bid: 4, cnt: 10, mis: 3 }, { bid: 1,\n"
    "                             cnt: 20, mis: 1 } ]\n"
    "        calls:           [ { off: 0x8, fid: 3, cnt: 5 } ]\n"
    "  - name:            main\n"
    "    exec:            1\n"
    "    nblocks:         0\n"
    "pseudo_probe_desc:\n"
    "  - name:            no_function\n"
    "...\n";

TEST(BoltYaml, AddsUpTheCountsOfFunctions) {
  BoltYamlProfile profile = parse_bolt_yaml(bytes_of(kFunctions), "a.yaml").value();
  EXPECT_EQ(profile.binary_name, "a b");
  EXPECT_FALSE(profile.pc_samples);
  ASSERT_EQ(profile.functions.size(), 2u);
  EXPECT_EQ(bolt_yaml_scalar(profile.functions[0].name), "_ZL4it'sv/1");
  // Names are not copied: there may be millions.
  EXPECT_EQ(profile.functions[0].name.data(), kFunctions.data() + kFunctions.find(" '_ZL4") - 11);
  EXPECT_EQ(profile.functions[0].entries, 7u);
  EXPECT_EQ(profile.functions[0].count, 35u);
  EXPECT_EQ(profile.functions[0].mispredicts, 4u);
  EXPECT_EQ(bolt_yaml_scalar(profile.functions[1].name), "main");
  EXPECT_EQ(profile.functions[1].count, 0u);
}

TEST(BoltYaml, AddsUpPlainSamples) {
  std::string text(kFunctions);
  text.replace(text.find("[ lbr ]"), 7, "[ sample ]");
  text.replace(text.find("        calls:"), 0, "        events:          9\n");
  BoltYamlProfile profile = parse_bolt_yaml(bytes_of(text), "a.yaml").value();
  EXPECT_TRUE(profile.pc_samples);
  EXPECT_EQ(profile.functions[0].count, 44u);
}

TEST(BoltYaml, SumsStopAtTheLargestNumber) {
  std::string text(kFunctions);
  text.replace(text.find("cnt: 10"), 7, "cnt: 18446744073709551615");
  EXPECT_EQ(parse_bolt_yaml(bytes_of(text), "a.yaml").value().functions[0].count, ~uint64_t{0});
}

TEST(BoltYaml, RefusesWhatIsDamaged) {
  std::string text(kFunctions);
  EXPECT_EQ(parse_bolt_yaml(bytes_of(text.substr(0, text.size() - 5)), "a.yaml").error().message,
            "a.yaml: does not end with '...'; was it cut short?");
  auto error_with = [](const std::string& count) {
    std::string damaged(kFunctions);
    damaged.replace(damaged.find("cnt: 10"), 7, "cnt: " + count);
    return parse_bolt_yaml(bytes_of(damaged), "a.yaml").error().message;
  };
  for (const char* count : {"x0", "0x10", "1e9", "-1"})
    EXPECT_EQ(error_with(count),
              "a.yaml: line 12: expected a count, found '        succ:            [ { bid: 4, "
              "cnt: " +
                  std::string(count) + ", mis: 3 }, { bid: 1,'");
  EXPECT_EQ(error_with("18446744073709551616").substr(0, 41),
            "a.yaml: line 12: expected a count, found ");
  // Of a long line its beginning.
  EXPECT_EQ(error_with(std::string(1000, 'x')),
            "a.yaml: line 12: expected a count, found '        succ:            [ { bid: 4, cnt: " +
                std::string(80 - 42, 'x') + "...'");
  text.replace(text.find("exec:            7"), 18, "exec: 0x10");
  EXPECT_EQ(parse_bolt_yaml(bytes_of(text), "a.yaml").error().message,
            "a.yaml: line 8: expected a count, found '    exec: 0x10'");
}

TEST(BoltYaml, EndsWithItsEnd) {
  std::string text(kFunctions);
  EXPECT_TRUE(parse_bolt_yaml(bytes_of(text + "\n\n"), "a.yaml"));
  EXPECT_EQ(parse_bolt_yaml(bytes_of(text + "\n---\n"), "a.yaml").error().message,
            "a.yaml: line 22: expected the end of the file, found '---'");
}

}  // namespace
}  // namespace pgo::bolt_yaml_test
