#include "pgo/config/config_template.h"

#include <gtest/gtest.h>

#include <sstream>

#include "pgo/config/config.h"

namespace pgo::config_template_test {
namespace {

TEST(ConfigTemplate, IsAConfig) {
  const Result<Config> config = parse_config(config_template({.service = "queryd"}), "pgo.toml");
  ASSERT_TRUE(config) << config.error().message;
  ASSERT_EQ(config->services.size(), 1u);
  const ServiceConfig& service = config->services[0];
  EXPECT_EQ(service.name, "queryd");
  EXPECT_EQ(service.sources[0].text, "s3://profiles/queryd");
  EXPECT_EQ(service.binaries[0].text, "s3://builds/queryd");
  EXPECT_EQ(service.registry.text, "oci://registry.example.com/profiles/queryd");
  EXPECT_EQ(service.gates.hosts, 3);
}

// It is a file of another project.
TEST(ConfigTemplate, SaysWhoseDocumentItNames) {
  EXPECT_TRUE(config_template({.service = "queryd"})
                  .starts_with("# What pgo does for this repository. docs/reference/config.md of "
                               "ProdPGO describes all keys.\n"));
}

// What is commented out is right as well.
TEST(ConfigTemplate, IsAConfigWithAllItsKeys) {
  std::istringstream lines(config_template({.service = "queryd"}));
  std::string text, line;
  while (std::getline(lines, line))
    text +=
        (line.starts_with("# ") && line.find(" = ") != line.npos ? line.substr(2) : line) + "\n";
  const Result<Config> config = parse_config(text, "pgo.toml");
  ASSERT_TRUE(config) << config.error().message;
  const ServiceConfig& service = config->services[0];
  EXPECT_EQ(service.blend_previous, 2u);
  EXPECT_EQ(service.current_builds[0].text, "build/queryd");
  EXPECT_EQ(service.gates.evidence.size(), 2u);
}

TEST(ConfigTemplate, QuotesWords) {
  const Result<Config> config =
      parse_config(config_template({.service = "q", .source = "a\\b\"c"}), "pgo.toml");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->services[0].sources[0].text, "a\\b\"c");
}

}  // namespace
}  // namespace pgo::config_template_test
