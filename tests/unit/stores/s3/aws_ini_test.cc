#include "pgo/stores/s3/aws_ini.h"

#include <gtest/gtest.h>

namespace pgo::aws_ini_test {
namespace {

using s3::AwsIni;

AwsIni parsed(std::string_view text) {
  Result<AwsIni> ini = AwsIni::parse(text, "config");
  EXPECT_TRUE(ini) << (ini ? "" : ini.error().message);
  return ini ? *ini : AwsIni();
}

std::string message_of(std::string_view text) {
  Result<AwsIni> ini = AwsIni::parse(text, "config");
  return ini ? "" : ini.error().message;
}

TEST(AwsIni, ReadsSectionsAndValues) {
  const AwsIni ini = parsed(
      "# first\n[default]\r\nregion = eu-west-1  # Ireland\r\n; second\n\n"
      "[ profile   queryd ] ; third\naws_access_key_id=AK#1\nregion=a\nregion = b");
  EXPECT_EQ(ini.value("default", "region"), "eu-west-1");
  EXPECT_EQ(ini.value("profile queryd", "aws_access_key_id"), "AK#1");
  EXPECT_EQ(ini.value("profile queryd", "region"), "b");
  EXPECT_TRUE(ini.has_section("profile queryd"));
  EXPECT_FALSE(ini.has_section("queryd"));
  EXPECT_EQ(ini.value("queryd", "region"), "");
  EXPECT_EQ(ini.value("default", "output"), "");
}

TEST(AwsIni, ReadsNestedValues) {
  const AwsIni ini = parsed(
      "[default]\ns3 =\n  addressing_style = path\n\tmax_concurrent_requests=20\nregion = x\n"
      "  indented = y\n");
  EXPECT_EQ(ini.value("default", "s3.addressing_style"), "path");
  EXPECT_EQ(ini.value("default", "s3.max_concurrent_requests"), "20");
  EXPECT_EQ(ini.value("default", "region"), "x");
  EXPECT_EQ(ini.value("default", "indented"), "y");
}

TEST(AwsIni, KeepsEqualSignsOfSecrets) {
  EXPECT_EQ(
      parsed("[default]\naws_session_token = a+b/c==\n").value("default", "aws_session_token"),
      "a+b/c==");
}

TEST(AwsIni, NamesTheLineOfAnErrorWithoutItsContents) {
  EXPECT_EQ(message_of("[default]\n\nsecret\n"), "config: line 3: expected KEY = VALUE");
  EXPECT_EQ(message_of("[default]\n= secret\n"), "config: line 2: expected KEY = VALUE");
  EXPECT_EQ(message_of("a = secret\n"), "config: line 1: a value before the first [NAME]");
  EXPECT_EQ(message_of("[default\n"), "config: line 1: expected [NAME]");
  EXPECT_EQ(message_of("[ ]\n"), "config: line 1: expected [NAME]");
}

TEST(AwsIni, ReadsAnEmptyFile) { EXPECT_FALSE(parsed("").has_section("default")); }

}  // namespace
}  // namespace pgo::aws_ini_test
