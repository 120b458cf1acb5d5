#include "pgo/source/file_identity.h"

#include <filesystem>
#include <system_error>

namespace pgo {

bool is_same_file(const std::string& output, const std::string& input) {
  std::error_code missing;  // then it replaces nothing
  return std::filesystem::is_regular_file(output, missing) &&
         std::filesystem::equivalent(output, input, missing);
}

std::string identity_of(const std::string& path) {
  if (path == "-") return path;
  std::error_code error;
  std::filesystem::path absolute = std::filesystem::absolute(path, error);
  if (error) return path;
  std::filesystem::path canonical = std::filesystem::weakly_canonical(absolute, error);
  return error ? path : canonical.string();
}

}  // namespace pgo
