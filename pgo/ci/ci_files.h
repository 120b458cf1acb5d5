// The files with which a forge runs `pgo refresh` each week for a repository: templates of
// ci-templates, with the paths that they get there.
//
//   PGO_TRY(std::vector<CiFile> files, ci_files(Forge::kGithub, directory));
//   files[0].path      ".github/workflows/prodpgo-refresh.yml"
//
// Templates for builds and releases are not among them: builds need the pgo.lock of the first run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/ci/repository.h"

namespace pgo {

struct CiFile {
  std::string path;  // from the root of the repository
  std::string contents;
};

// For GitLab also a .gitlab-ci.yml, the last of them, which includes the template. `templates` is
// the directory ci-templates. Error: kIo.
Result<std::vector<CiFile>> ci_files(Forge forge, const std::filesystem::path& templates);

// The directory ci-templates of the installation or build tree that `program`, a path of pgo,
// belongs to. Error: kIo when it is in neither.
Result<std::filesystem::path> find_ci_templates(const std::filesystem::path& program);

}  // namespace pgo
