#include "bolt/bolt_yaml.h"

#include <gtest/gtest.h>

namespace pgo {
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

}  // namespace
}  // namespace pgo
