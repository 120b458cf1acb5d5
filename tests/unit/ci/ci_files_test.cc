#include "pgo/ci/ci_files.h"

#include <gtest/gtest.h>

#include "tests/data/temporary_files.h"

namespace pgo::ci_files_test {
namespace {

class CiFilesTest : public test::TemporaryFiles {};

TEST_F(CiFilesTest, AreTheTemplateOfTheWeeklyJob) {
  write("github/prodpgo-refresh.yml", "on: schedule\n");
  write("gitlab/prodpgo-refresh.yml", "prodpgo-refresh:\n");
  const std::vector<CiFile> github = ci_files(Forge::kGithub, path("")).value();
  ASSERT_EQ(github.size(), 1u);
  EXPECT_EQ(github[0].path, ".github/workflows/prodpgo-refresh.yml");
  EXPECT_EQ(github[0].contents, "on: schedule\n");
  const std::vector<CiFile> gitlab = ci_files(Forge::kGitlab, path("")).value();
  ASSERT_EQ(gitlab.size(), 2u);
  EXPECT_EQ(gitlab[0].path, ".gitlab/prodpgo-refresh.yml");
  EXPECT_EQ(gitlab[0].contents, "prodpgo-refresh:\n");
  EXPECT_EQ(gitlab[1].path, ".gitlab-ci.yml");
  EXPECT_EQ(gitlab[1].contents, "include:\n  - local: .gitlab/prodpgo-refresh.yml\n");
}

TEST_F(CiFilesTest, ComeFromTheInstallationOrTheBuildTree) {
  EXPECT_EQ(text_of(find_ci_templates(path("usr/bin/pgo")).error()),
            "the templates for CI were not found: there is no usr/share/prodpgo/ci-templates; "
            "install ProdPGO whole");
  write("usr/ci-templates/x", "");
  EXPECT_EQ(find_ci_templates(path("usr/bin/pgo")).value(), path("usr/ci-templates"));
  write("usr/share/prodpgo/ci-templates/x", "");
  EXPECT_EQ(find_ci_templates(path("usr/bin/pgo")).value(), path("usr/share/prodpgo/ci-templates"));
}

}  // namespace
}  // namespace pgo::ci_files_test
