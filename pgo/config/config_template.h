// The pgo.toml that `pgo init` writes: with comments, and with what each team has to fill in.
#pragma once

#include <string>

namespace pgo {

struct TemplateWords {
  std::string service = "server";
  std::string source = "s3://profiles/{service}", binaries = "s3://builds/{service}",
              registry = "oci://registry.example.com/profiles/{service}";
  std::string build = "build/{service}";
};

// parse_config() reads it. "{service}" in the other words is the name of the service.
std::string config_template(const TemplateWords& words);

}  // namespace pgo
