#include "pgo/ci/repository.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace pgo {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxConfig = size_t{1} << 20;  // of git's configuration, in bytes

std::string_view trimmed(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of(" \t\r"), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

// The value of "url = https://…"; empty for another line.
std::string_view url_in(std::string_view line) {
  const size_t equals = std::min(line.find('='), line.size());
  if (trimmed(line.substr(0, equals)) != "url" || equals == line.size()) return {};
  std::string_view value = trimmed(line.substr(equals + 1));
  if (value.size() >= 2 && value.starts_with('"') && value.ends_with('"'))
    value = value.substr(1, value.size() - 2);
  return value;
}

// Of "https://me:secret@host:8080/path", "ssh://git@host/path", "git@host:path"; empty for a path.
std::string host_of(std::string_view url) {
  const size_t scheme = url.find("://");
  if (scheme == url.npos) {
    const size_t colon = url.find(':');
    if (colon == url.npos || url.find('/') < colon) return "";
    url = url.substr(0, colon);
  } else {
    url.remove_prefix(scheme + 3);
    url = url.substr(0, url.find('/'));
  }
  url.remove_prefix(url.rfind('@') == url.npos ? 0 : url.rfind('@') + 1);
  std::string host(url.substr(0, url.find(':')));
  for (char& letter : host)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter + 32);
  const auto is_of_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
  };
  return std::all_of(host.begin(), host.end(), is_of_name) ? host : "";
}

std::string start_of(const fs::path& path, size_t size) {
  std::ifstream file(path, std::ios::binary);
  std::string text(size, '\0');
  file.read(text.data(), static_cast<std::streamsize>(size));
  text.resize(static_cast<size_t>(file.gcount()));
  return text;
}

// Of a worktree or a submodule, .git is a file: "gitdir: PATH".
fs::path config_of(const fs::path& root) {
  std::error_code ignored;
  const fs::path git = root / ".git";
  if (fs::is_directory(git, ignored)) return git / "config";
  const std::string text = start_of(git, 4096);
  if (!text.starts_with("gitdir:")) return {};
  const fs::path directory =
      root / trimmed(std::string_view(text).substr(7, text.find('\n') - std::size_t{7}));
  const std::string common = start_of(directory / "commondir", 4096);
  if (common.empty()) return directory / "config";
  return directory / trimmed(std::string_view(common).substr(0, common.find('\n'))) / "config";
}

void find_forge(Repository& repository) {
  std::error_code ignored;
  const fs::path root(repository.root);
  const bool is_github = fs::is_directory(root / ".github", ignored);
  const bool is_gitlab = fs::exists(root / ".gitlab-ci.yml", ignored);
  if (is_github != is_gitlab) {
    repository.forge = is_github ? Forge::kGithub : Forge::kGitlab;
    repository.told_by = is_github ? ".github" : ".gitlab-ci.yml";
    return;
  }
  const fs::path config = config_of(root);
  const std::string host =
      fs::is_regular_file(config, ignored) ? remote_host(start_of(config, kMaxConfig)) : "";
  if (host.find("github") != host.npos) repository.forge = Forge::kGithub;
  if (host.find("gitlab") != host.npos) repository.forge = Forge::kGitlab;
  if (repository.forge) repository.told_by = "the remote's host, " + host;
}

}  // namespace

std::string_view forge_name(Forge forge) { return forge == Forge::kGithub ? "GitHub" : "GitLab"; }

std::string remote_host(std::string_view config) {
  std::string first;
  bool is_remote = false, is_origin = false;
  while (!config.empty()) {
    const size_t end = std::min(config.find('\n'), config.size());
    const std::string_view line = trimmed(config.substr(0, end));
    config.remove_prefix(std::min(end + 1, config.size()));
    if (line.starts_with('[')) {
      is_remote = line.starts_with("[remote \"");
      is_origin = line == "[remote \"origin\"]";
      continue;
    }
    const std::string host = is_remote ? host_of(url_in(line)) : "";
    if (host.empty()) continue;
    if (is_origin) return host;
    if (first.empty()) first = host;
  }
  return first;
}

std::optional<Repository> find_repository(const std::string& directory) {
  std::error_code error;
  fs::path root = fs::weakly_canonical(fs::absolute(directory, error), error);
  if (error) return std::nullopt;
  while (!fs::exists(root / ".git", error)) {
    if (root == root.root_path() || root.empty()) return std::nullopt;
    root = root.parent_path();
  }
  Repository repository;
  repository.root = root;
  find_forge(repository);
  return repository;
}

}  // namespace pgo
