// Finds pgo.toml, and reads it with the file of owners that it names.
#include <filesystem>
#include <system_error>

#include "pgo/base/bytes.h"
#include "pgo/base/mapped_file.h"
#include "pgo/config/config.h"

namespace pgo {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kLargestConfig = uint64_t{1} << 20;
constexpr uint64_t kLargestCodeowners = uint64_t{3} << 20;  // GitHub's limit, too

Result<MappedFile> open_bounded(const std::string& path, uint64_t limit) {
  PGO_TRY(MappedFile file, MappedFile::open(path, {.limit = limit}));
  if (file.bytes().size() > limit)
    return fail(ErrorKind::kInput,
                path + ": is larger than " + std::to_string(limit >> 20) + " MB");
  return file;
}

}  // namespace

Result<Config> read_config(const std::string& path) {
  PGO_TRY(MappedFile file, open_bounded(path, kLargestConfig));
  PGO_TRY(Config config, parse_config(as_text(file.bytes()), path));
  if (!config.codeowners) return config;
  const std::string named = (fs::path(path).parent_path() / config.codeowners->text).string();
  Result<MappedFile> codeowners = open_bounded(named, kLargestCodeowners);
  if (!codeowners)
    return fail(codeowners.error().kind,
                config.codeowners->place + ": owners.codeowners: " + codeowners.error().message,
                codeowners.error().advice);
  config.owners.add_codeowners(as_text(codeowners->bytes()), named, config.diagnostics);
  return config;
}

std::optional<std::string> find_config(const std::string& start_directory) {
  std::error_code error;
  fs::path directory = fs::canonical(start_directory, error);
  while (!directory.empty()) {
    const fs::path candidate = directory / kConfigName;
    const fs::file_status status = fs::status(candidate, error);
    const bool is_known = fs::exists(status) && status.type() != fs::file_type::unknown;
    if (is_known && !fs::is_directory(status)) return candidate.string();
    if (!directory.has_relative_path()) break;
    directory = directory.parent_path();
  }
  return std::nullopt;
}

}  // namespace pgo
