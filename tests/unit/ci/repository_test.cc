#include "pgo/ci/repository.h"

#include <gtest/gtest.h>

#include "tests/data/temporary_files.h"

namespace pgo::repository_test {
namespace {

TEST(RemoteHost, IsThatOfOrigin) {
  const auto host = [](const std::string& url) {
    return remote_host(
        "[core]\n\turl = https://no.remote/x\n[remote \"fork\"]\n\turl = "
        "https://fork.example.com/x\n[remote \"origin\"]\n\tfetch = +refs\n\turl = " +
        url + "\r\n[branch \"main\"]\n");
  };
  EXPECT_EQ(host("https://me:secret@GitHub.com/team/server.git"), "github.com");
  EXPECT_EQ(host("git@gitlab.example.com:team/server.git"), "gitlab.example.com");
  EXPECT_EQ(host("ssh://git@gitlab.example.com:2222/team/server"), "gitlab.example.com");
  EXPECT_EQ(host("\"https://github.com/a\""), "github.com");
  // No host: another remote counts.
  EXPECT_EQ(host("/srv/git/a:b"), "fork.example.com");
  EXPECT_EQ(host("https://a\x1b[2J/x"), "fork.example.com");
  EXPECT_EQ(remote_host(""), "");
  EXPECT_EQ(remote_host("[remote \"origin\"]\nurl"), "");
}

class RepositoryTest : public test::TemporaryFiles {
 protected:
  // "GitHub by .github", "unknown", "none".
  std::string found(const std::string& below = "") const {
    const std::optional<Repository> repository = find_repository(path(below));
    if (!repository) return "none";
    EXPECT_EQ(repository->root, std::filesystem::canonical(directory()));
    if (!repository->forge) return "unknown";
    return std::string(forge_name(*repository->forge)) + " by " + repository->told_by;
  }
};

TEST_F(RepositoryTest, IsTheNearestOneAbove) {
  EXPECT_EQ(found(), "none");
  write(".git/config", "");
  EXPECT_EQ(found(), "unknown");
  EXPECT_EQ(found("a/directory/that/is/not/there"), "unknown");
}

TEST_F(RepositoryTest, TellsItsForgeByFilesAndThenByTheRemote) {
  write(".git/config", "[remote \"origin\"]\n url = git@gitlab.example.com:a/b\n");
  EXPECT_EQ(found(), "GitLab by the remote's host, gitlab.example.com");
  write(".github/CODEOWNERS", "");
  EXPECT_EQ(found("src"), "GitHub by .github");
  write(".gitlab-ci.yml", "");
  EXPECT_EQ(found(), "GitLab by the remote's host, gitlab.example.com");
  std::filesystem::remove_all(path(".github"));
  EXPECT_EQ(found(), "GitLab by .gitlab-ci.yml");
}

TEST_F(RepositoryTest, IsAlsoAWorktree) {
  write(".git", "gitdir: main/.git/worktrees/a\n");
  EXPECT_EQ(found(), "unknown");
  write("main/.git/worktrees/a/commondir", "../..\n");
  write("main/.git/config", "[remote \"x\"]\n url = https://github.com/a/b\n");
  EXPECT_EQ(found(), "GitHub by the remote's host, github.com");
}

}  // namespace
}  // namespace pgo::repository_test
