#include "pgo/record/installed_library.h"

#include <filesystem>
#include <vector>

namespace pgo {

Result<std::string> find_installed_library(const std::string& name, const std::string& given,
                                           const std::string& what) {
  std::vector<std::filesystem::path> candidates;
  std::error_code reason;
  if (!given.empty()) {
    candidates.emplace_back(given);
  } else {
    std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", reason);
    std::filesystem::path directory = self.parent_path();
    candidates.push_back(directory.parent_path() / "lib/prodpgo" / name);
    candidates.push_back(directory / "lib/prodpgo" / name);
  }
  std::string looked;
  for (const std::filesystem::path& candidate : candidates) {
    if (std::filesystem::is_regular_file(candidate, reason))
      return std::filesystem::absolute(candidate, reason).string();
    looked += (looked.empty() ? "" : " and no ") + candidate.string();
  }
  return fail(ErrorKind::kUnsupported, what + " was not found: there is no " + looked,
              given.empty() ? "install ProdPGO whole" : "");
}

}  // namespace pgo
