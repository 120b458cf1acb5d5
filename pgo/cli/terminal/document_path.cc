#include "pgo/cli/terminal/document_path.h"

namespace pgo {

namespace fs = std::filesystem;

std::string document_path(const std::string& name, const fs::path& program) {
  if (program.empty()) return name + " of ProdPGO";
  // A build tree has a link to the documents of its sources.
  fs::path root = program.parent_path().parent_path();
  for (const fs::path& at : {root / "share/doc/prodpgo" / name, root / name}) {
    std::error_code error;
    fs::path found = fs::canonical(at, error);
    if (!error) return found.string();
  }
  return name + " of ProdPGO";
}

std::string document_path(const std::string& name) {
  std::error_code error;
  return document_path(name, fs::read_symlink("/proc/self/exe", error));
}

}  // namespace pgo
