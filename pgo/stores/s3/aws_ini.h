// AwsIni: the files ~/.aws/config and ~/.aws/credentials.
//
//   PGO_TRY(AwsIni config, AwsIni::parse(text, "~/.aws/config"));
//   config.value("profile queryd", "region")       "eu-west-1"; "" when it is not there
//   config.value("default", "s3.addressing_style") of the lines "s3 =" and "  addressing_style =
//   path"
//
// A section is a line [NAME], a value a line KEY = VALUE. An indented line belongs to the key above
// it that has no value. Lines that start with '#' or ';' do not count, nor what follows " #" or
// " ;". Of two equal keys the last counts. Values may be secret: no message shows one.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "pgo/base/result.h"

namespace pgo::s3 {

class AwsIni {
 public:
  AwsIni() = default;
  // `name` is for messages. Error: kInput, with the number of the line.
  static Result<AwsIni> parse(std::string_view text, const std::string& name);

  bool has_section(std::string_view section) const;
  // Empty when there is none.
  const std::string& value(std::string_view section, std::string_view key) const;

 private:
  using Section = std::map<std::string, std::string, std::less<>>;
  std::map<std::string, Section, std::less<>> sections_;
};

}  // namespace pgo::s3
