#include "pgo/stores/s3/aws_settings.h"

#include <filesystem>

#include "pgo/base/mapped_file.h"
#include "pgo/stores/s3/aws_ini.h"

namespace pgo::s3 {

namespace {

constexpr uint64_t kMaxFile = 1 << 20;
constexpr const char* kExportAdvice =
    "put its keys into the environment: eval \"$(aws configure export-credentials --format env)\"";

// The two files and the profile that counts.
struct ProfileFiles {
  std::string name;  // of the profile
  std::string credentials_path, config_path;
  AwsIni credentials, config;

  std::string config_section() const {
    // Old files have [profile default].
    if (name == "default" && config.has_section("default")) return "default";
    return "profile " + name;
  }
  bool exists() const {
    return credentials.has_section(name) || config.has_section(config_section());
  }
  // The file of credentials comes first, as the AWS tools have it.
  std::string value(std::string_view key) const {
    const std::string& first = credentials.value(name, key);
    return first.empty() ? config.value(config_section(), key) : first;
  }
  // Of the service "s3" or "sts": in the section that `services` names.
  std::string service_value(const std::string& service, const std::string& key) const {
    const std::string services = config.value(config_section(), "services");
    if (services.empty()) return "";
    return config.value("services " + services, service + "." + key);
  }
  std::string shown(std::string_view key) const {
    const bool in_credentials = !credentials.value(name, key).empty();
    return "the profile '" + name + "' in " + (in_credentials ? credentials_path : config_path);
  }
};

bool is_true(const std::string& text) { return text == "1" || text == "true" || text == "True"; }

// A file that does not exist is empty, unless a variable names it.
Result<AwsIni> read_ini(const std::string& path, const std::string& variable) {
  std::error_code error;
  if (path.empty() || (variable.empty() && !std::filesystem::exists(path, error))) return AwsIni();
  Result<MappedFile> file = MappedFile::open(path, {.limit = kMaxFile});
  if (!file) return fail(file.error().kind, file.error().message, file.error().advice);
  if (file->bytes().size() > kMaxFile)
    return fail(ErrorKind::kInput, path + ": larger than 1 MB, so no file of the AWS tools");
  return AwsIni::parse(as_text(file->bytes()), path);
}

Result<ProfileFiles> read_profile(const Environment& environment) {
  ProfileFiles files;
  files.name = environment("AWS_PROFILE");
  if (files.name.empty()) files.name = environment("AWS_DEFAULT_PROFILE");
  const bool is_named = !files.name.empty();
  if (!is_named) files.name = "default";
  const std::string home = environment("HOME");
  const std::string credentials = environment("AWS_SHARED_CREDENTIALS_FILE"),
                    config = environment("AWS_CONFIG_FILE");
  auto path_of = [&](const std::string& variable, const char* name) {
    if (variable.starts_with("~/")) return home + variable.substr(1);
    if (!variable.empty() || home.empty()) return variable;
    return home + "/.aws/" + name;
  };
  files.credentials_path = path_of(credentials, "credentials");
  files.config_path = path_of(config, "config");
  PGO_TRY(files.credentials, read_ini(files.credentials_path, credentials));
  PGO_TRY(files.config, read_ini(files.config_path, config));
  if (is_named && !files.exists())
    return fail(ErrorKind::kUsage,
                "there is no profile '" + files.name + "' in " + files.credentials_path + " or " +
                    files.config_path,
                "check AWS_PROFILE");
  return files;
}

// The first that is not empty.
std::string first_of(std::initializer_list<std::string> texts) {
  for (const std::string& text : texts)
    if (!text.empty()) return text;
  return "";
}

Result<std::string> endpoint_of(const std::string& service, const std::string& variable,
                                const Environment& environment, const ProfileFiles& files) {
  if (is_true(environment("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"))) return std::string();
  std::string endpoint =
      first_of({environment(variable), environment("AWS_ENDPOINT_URL"),
                files.service_value(service, "endpoint_url"), files.value("endpoint_url")});
  while (endpoint.ends_with('/')) endpoint.pop_back();
  if (endpoint.empty()) return endpoint;
  // A user and password there would reach messages and logs.
  const bool is_url = endpoint.starts_with("http://") || endpoint.starts_with("https://");
  if (!is_url || endpoint.find_first_of("@?# \t") != endpoint.npos)
    return fail(ErrorKind::kUsage,
                "the endpoint of " + std::string(service == "s3" ? "S3" : "STS") +
                    " must be http://HOST[:PORT] or https://HOST[:PORT]",
                "check " + variable + " and AWS_ENDPOINT_URL");
  return endpoint;
}

Result<AddressingStyle> addressing_of(const Environment& environment, const ProfileFiles& files) {
  const std::string style = first_of(
      {environment("AWS_S3_ADDRESSING_STYLE"), files.value("s3.addressing_style"), "auto"});
  if (style == "auto") return AddressingStyle::kAuto;
  if (style == "path") return AddressingStyle::kPath;
  if (style == "virtual") return AddressingStyle::kVirtual;
  return fail(
      ErrorKind::kUsage, "the addressing style of S3 is path, virtual or auto",
      "check AWS_S3_ADDRESSING_STYLE and s3.addressing_style of the profile '" + files.name + "'");
}

// Keys that `files` have. False: none.
Result<bool> read_profile_keys(const ProfileFiles& files, AwsSettings& settings) {
  const std::string access = files.value("aws_access_key_id"),
                    secret = files.value("aws_secret_access_key");
  if (!access.empty() && secret.empty())
    return fail(ErrorKind::kUsage, files.shown("aws_access_key_id") +
                                       " has aws_access_key_id, but no aws_secret_access_key");
  const std::string token_file = files.value("web_identity_token_file"),
                    role = files.value("role_arn");
  if (!token_file.empty() && !role.empty()) {
    settings.source = KeySource::kWebIdentity;
    settings.origin = files.shown("role_arn");
    settings.token_file = token_file;
    settings.role_arn = role;
    settings.session_name = files.value("role_session_name");
    return true;
  }
  for (const char* key : {"sso_session", "sso_start_url", "credential_process", "role_arn"})
    if (!files.value(key).empty() && access.empty())
      return fail(ErrorKind::kUsage, files.shown(key) + " has " + key + ", which is not supported",
                  kExportAdvice);
  if (access.empty()) return false;
  settings.source = KeySource::kFixed;
  settings.origin = files.shown("aws_access_key_id");
  settings.keys = {access, secret, files.value("aws_session_token")};
  return true;
}

// The address of a container's credentials. Its token goes there, so it is a host that the AWS
// tools trust as well.
Result<void> read_container(const Environment& environment, AwsSettings& settings) {
  const std::string relative = environment("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"),
                    full = environment("AWS_CONTAINER_CREDENTIALS_FULL_URI");
  settings.source = KeySource::kContainer;
  if (!relative.empty()) {
    settings.origin = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI";
    settings.container_url = "http://169.254.170.2" + relative;
  } else {
    settings.origin = "AWS_CONTAINER_CREDENTIALS_FULL_URI";
    settings.container_url = full;
    bool is_trusted = full.starts_with("https://");
    for (const char* host :
         {"http://127.0.0.1", "http://localhost", "http://[::1]", "http://169.254.170.2",
          "http://169.254.170.23", "http://[fd00:ec2::23]"}) {
      if (!full.starts_with(host)) continue;
      const char next =
          full.size() > std::string(host).size() ? full[std::string(host).size()] : '/';
      is_trusted = is_trusted || next == ':' || next == '/';
    }
    if (!is_trusted || full.find('@') != full.npos)
      return fail(ErrorKind::kUsage,
                  "AWS_CONTAINER_CREDENTIALS_FULL_URI is neither an https: URL nor a URL of this "
                  "machine or of the container service");
  }
  settings.container_token = environment("AWS_CONTAINER_AUTHORIZATION_TOKEN");
  settings.container_token_file = environment("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
  return ok();
}

Result<void> read_key_source(const Environment& environment, const ProfileFiles& files,
                             AwsSettings& settings) {
  if (is_true(environment("AWS_NO_SIGN_REQUEST"))) {
    settings.source = KeySource::kAnonymous;
    settings.origin = "AWS_NO_SIGN_REQUEST";
    return ok();
  }
  const std::string access = environment("AWS_ACCESS_KEY_ID"),
                    secret = environment("AWS_SECRET_ACCESS_KEY");
  if (access.empty() != secret.empty())
    return fail(ErrorKind::kUsage,
                access.empty() ? "AWS_SECRET_ACCESS_KEY is set, but AWS_ACCESS_KEY_ID is not"
                               : "AWS_ACCESS_KEY_ID is set, but AWS_SECRET_ACCESS_KEY is not");
  if (!access.empty()) {
    settings.source = KeySource::kFixed;
    settings.origin = "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";
    settings.keys = {access, secret, environment("AWS_SESSION_TOKEN")};
    return ok();
  }
  const std::string token_file = environment("AWS_WEB_IDENTITY_TOKEN_FILE"),
                    role = environment("AWS_ROLE_ARN");
  if (!token_file.empty() && !role.empty()) {
    settings.source = KeySource::kWebIdentity;
    settings.origin = "AWS_WEB_IDENTITY_TOKEN_FILE";
    settings.token_file = token_file;
    settings.role_arn = role;
    settings.session_name = environment("AWS_ROLE_SESSION_NAME");
    return ok();
  }
  PGO_TRY(const bool has_keys, read_profile_keys(files, settings));
  if (has_keys) return ok();
  if (!environment("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI").empty() ||
      !environment("AWS_CONTAINER_CREDENTIALS_FULL_URI").empty())
    return read_container(environment, settings);
  if (is_true(environment("AWS_EC2_METADATA_DISABLED"))) return ok();
  settings.source = KeySource::kInstance;
  settings.origin = "the metadata of this instance";
  const std::string mode = first_of({environment("AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE"),
                                     files.value("ec2_metadata_service_endpoint_mode")});
  settings.instance_endpoint = first_of(
      {environment("AWS_EC2_METADATA_SERVICE_ENDPOINT"),
       files.value("ec2_metadata_service_endpoint"),
       mode == "IPv6" || mode == "ipv6" ? "http://[fd00:ec2::254]" : "http://169.254.169.254"});
  while (settings.instance_endpoint.ends_with('/')) settings.instance_endpoint.pop_back();
  return ok();
}

}  // namespace

Result<AwsSettings> read_aws_settings(const Environment& environment) {
  AwsSettings settings;
  PGO_TRY(const ProfileFiles files, read_profile(environment));
  settings.region = first_of(
      {environment("AWS_REGION"), environment("AWS_DEFAULT_REGION"), files.value("region")});
  PGO_TRY(settings.endpoint, endpoint_of("s3", "AWS_ENDPOINT_URL_S3", environment, files));
  PGO_TRY(settings.sts_endpoint, endpoint_of("sts", "AWS_ENDPOINT_URL_STS", environment, files));
  settings.ca_file = first_of({environment("AWS_CA_BUNDLE"), files.value("ca_bundle")});
  PGO_TRY(settings.addressing, addressing_of(environment, files));
  PGO_CHECK(read_key_source(environment, files, settings));
  if (settings.session_name.empty()) settings.session_name = "pgo";
  return settings;
}

}  // namespace pgo::s3
