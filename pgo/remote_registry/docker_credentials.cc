#include "pgo/remote_registry/docker_credentials.h"

#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <vector>

#include "pgo/base/base64.h"
#include "pgo/base/json_fields.h"
#include "pgo/base/subprocess.h"

namespace pgo {
namespace {

constexpr size_t kMaxConfig = 1 << 20;
constexpr std::chrono::minutes kHelperTime(1);
// The user that a helper names when its secret is an identity token.
constexpr std::string_view kTokenUser = "<token>";

// Keys of "auths" that stand for a host: docker itself writes the first, and older ones the others.
std::vector<std::string> keys_of(const std::string& host) {
  return {host,
          "https://" + host,
          "http://" + host,
          "https://" + host + "/",
          "https://" + host + "/v1/",
          "https://" + host + "/v2/"};
}

Result<std::optional<RegistryCredentials>> ask_helper(const std::string& helper,
                                                      const std::string& host) {
  const std::string name = "docker-credential-" + helper;
  const std::optional<std::string> program =
      helper.find('/') == helper.npos ? find_program(name, search_path_from_environment())
                                      : std::nullopt;
  if (!program)
    return fail(ErrorKind::kIo, name + ": the credential helper for " + host + " was not found",
                "install it, or remove it from docker's config.json");
  PGO_TRY(const ProcessResult finished,
          run_subprocess_with_input(host, kHelperTime, {*program, "get"}));
  // What it printed may be a secret, also when it failed; what it says of having none is known.
  if (finished.output.find("credentials not found") != std::string::npos)
    return std::optional<RegistryCredentials>();
  if (finished.timed_out || finished.exit_status != 0)
    return fail(
        ErrorKind::kIo,
        *program + " get: " +
            (finished.timed_out ? std::string("did not end within a minute")
                                : "ended with exit status " + std::to_string(finished.exit_status)),
        "run it by hand, with " + host + " on standard input");
  PGO_TRY(const nlohmann::json answer,
          parse_json(finished.output, kMaxConfig, *program + " get", "the answer is not JSON"));
  JsonProblem problem;
  JsonFields fields(answer, "the answer", problem);
  RegistryCredentials found;
  found.user = fields.text("Username");
  found.password = fields.text("Secret");
  if (problem.first) return fail(ErrorKind::kInput, *program + " get: " + *problem.first);
  if (found.user == kTokenUser) found = {"", "", found.password};
  return std::optional<RegistryCredentials>(std::move(found));
}

// Of an object of "auths". Empty ones are left where a helper has the secret.
Result<std::optional<RegistryCredentials>> read_auth(const nlohmann::json& object,
                                                     const std::string& path,
                                                     const std::string& host) {
  JsonProblem problem;
  JsonFields fields(object, "\"auths\" of " + host, problem);
  RegistryCredentials found{.user = fields.optional_text("username"),
                            .password = fields.optional_text("password"),
                            .identity_token = fields.optional_text("identitytoken")};
  const std::string auth = fields.optional_text("auth");
  if (problem.first) return fail(ErrorKind::kInput, path + ": " + *problem.first);
  if (!auth.empty()) {
    const std::optional<std::string> pair = from_base64(auth);
    const size_t colon = pair ? pair->find(':') : std::string::npos;
    if (!pair || colon == std::string::npos)
      return fail(ErrorKind::kInput,
                  path + ": \"auth\" of " + host + " is not user:password in base64");
    found.user = pair->substr(0, colon);
    found.password = pair->substr(colon + 1);
  }
  if (found == RegistryCredentials{}) return std::optional<RegistryCredentials>();
  return std::optional<RegistryCredentials>(std::move(found));
}

}  // namespace

std::string docker_config_path() {
  if (const char* directory = std::getenv("DOCKER_CONFIG"); directory != nullptr && *directory)
    return std::string(directory) + "/config.json";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home)
    return std::string(home) + "/.docker/config.json";
  return {};
}

Result<std::optional<RegistryCredentials>> find_credentials(std::string_view config,
                                                            const std::string& path,
                                                            const std::string& host) {
  PGO_TRY(const nlohmann::json object,
          parse_json(config, kMaxConfig, path, "is not docker's configuration"));
  JsonProblem problem;
  JsonFields fields(object, "the file", problem);
  const Labels helpers = fields.optional_labels("credHelpers");
  const std::string store = fields.optional_text("credsStore");
  if (problem.first) return fail(ErrorKind::kInput, path + ": " + *problem.first);
  if (auto helper = helpers.find(host); helper != helpers.end())
    return ask_helper(helper->second, host);
  if (const nlohmann::json* auths = fields.find("auths"); auths != nullptr && auths->is_object())
    for (const std::string& key : keys_of(host))
      if (auto entry = auths->find(key); entry != auths->end()) {
        PGO_TRY(std::optional<RegistryCredentials> found, read_auth(*entry, path, host));
        if (found) return found;
      }
  if (!store.empty()) return ask_helper(store, host);
  return std::optional<RegistryCredentials>();
}

}  // namespace pgo
