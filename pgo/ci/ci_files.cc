#include "pgo/ci/ci_files.h"

#include <system_error>

#include "pgo/base/mapped_file.h"

namespace pgo {
namespace {

namespace fs = std::filesystem;

Result<CiFile> copy_of(const fs::path& from, std::string to) {
  PGO_TRY(const MappedFile file, MappedFile::open(from));
  return CiFile{std::move(to), std::string(as_text(file.bytes()))};
}

}  // namespace

Result<std::vector<CiFile>> ci_files(Forge forge, const fs::path& templates) {
  if (forge == Forge::kGithub) {
    PGO_TRY(CiFile workflow, copy_of(templates / "github/prodpgo-refresh.yml",
                                     ".github/workflows/prodpgo-refresh.yml"));
    return std::vector<CiFile>{std::move(workflow)};
  }
  PGO_TRY(CiFile job,
          copy_of(templates / "gitlab/prodpgo-refresh.yml", ".gitlab/prodpgo-refresh.yml"));
  CiFile pipeline{".gitlab-ci.yml", "include:\n  - local: " + job.path + "\n"};
  return std::vector<CiFile>{std::move(job), std::move(pipeline)};
}

Result<fs::path> find_ci_templates(const fs::path& program) {
  // A build tree has a link to the templates of its sources.
  const fs::path root = program.parent_path().parent_path();
  for (const fs::path& at : {root / "share/prodpgo/ci-templates", root / "ci-templates"}) {
    std::error_code error;
    if (fs::is_directory(at, error)) return at;
  }
  return fail(ErrorKind::kIo,
              "the templates for CI were not found: there is no " +
                  (root / "share/prodpgo/ci-templates").string(),
              "install ProdPGO whole");
}

}  // namespace pgo
