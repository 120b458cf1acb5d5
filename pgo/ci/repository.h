// Repository: the git repository that a directory is in, and the forge that runs its CI, as its
// files tell:
//
//   .github or .gitlab-ci.yml at its root; both or none:
//   the host of its remote in .git/config ("origin", or else the first one)
//
// The configuration of git is read, and not asked for: git need not be installed. Of a URL, only
// its host is kept, because it may have a password.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pgo {

enum class Forge : uint8_t { kGithub, kGitlab };

// "GitHub", "GitLab".
std::string_view forge_name(Forge forge);

struct Repository {
  std::string root;            // absolute path
  std::optional<Forge> forge;  // nothing: not known
  std::string told_by;         // for people: ".github", "the remote's host, github.com"
};

// Nothing where neither `directory` nor one above it has a .git.
std::optional<Repository> find_repository(const std::string& directory);

// The host of the remote in the text of a .git/config; empty: none.
std::string remote_host(std::string_view config);

}  // namespace pgo
