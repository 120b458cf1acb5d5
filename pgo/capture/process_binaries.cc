// proc(5) has the format of /proc/PID/maps.
//
// /proc/PID/map_files/RANGE leads to the very file that is mapped, whatever has become of its path,
// but only for processes with CAP_CHECKPOINT_RESTORE. /proc/PID/exe does so for the program itself,
// and /proc/PID/root/PATH is the file that has the path now. Which of them it is does not matter
// where the recording has a build ID, which decides whether a file is used. It has none of files
// that were deleted, because perf reads build IDs by paths.
#include "pgo/capture/process_binaries.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

#include "pgo/base/proc_file.h"
#include "pgo/capture/regular_file.h"

namespace pgo {
namespace {

constexpr size_t kMaxHeldFiles = 512;  // a process may have 1024 open, unless it asks for more

// The next word of `line`, which it then begins behind.
std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  const std::string_view word = line.substr(0, std::min(line.find(' '), line.size()));
  line.remove_prefix(word.size());
  return word;
}

}  // namespace

std::vector<FileMapping> parse_mappings(std::string_view maps) {
  std::vector<FileMapping> mappings;
  while (!maps.empty()) {
    const size_t end = std::min(maps.find('\n'), maps.size());
    std::string_view line = maps.substr(0, end);
    maps.remove_prefix(std::min(end + 1, maps.size()));
    const std::string range(take_word(line));
    const std::string_view permissions = take_word(line);
    take_word(line);  // offset
    std::string file(take_word(line));
    file += " " + std::string(take_word(line));
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (permissions.size() < 3 || permissions[2] != 'x' || !line.starts_with('/')) continue;
    const std::string path = without_deleted(std::string(line));
    mappings.push_back({range, std::move(file), path, path.size() < line.size()});
  }
  return mappings;
}

ProcessBinaries ProcessBinaries::open(const std::vector<ServiceProcess>& processes,
                                      const std::string& proc) {
  ProcessBinaries binaries;
  std::set<std::pair<std::string, std::string>> known;  // file and path
  for (const ServiceProcess& process : processes) {
    const std::string directory = proc + "/" + std::to_string(process.pid);
    const std::string text = read_proc_file(directory + "/maps");
    binaries.is_limited_ |= text.size() == kMaxProcFile;
    std::error_code error;
    const std::string program =
        without_deleted(std::filesystem::read_symlink(directory + "/exe", error).string());
    for (const FileMapping& mapping : parse_mappings(text)) {
      if (known.contains({mapping.file, mapping.path})) continue;
      if (binaries.files_.size() == kMaxHeldFiles) {
        binaries.is_limited_ = true;
        return binaries;
      }
      std::vector<std::string> candidates = {directory + "/map_files/" + mapping.range};
      if (mapping.path == program) candidates.push_back(directory + "/exe");
      const std::string by_path = directory + "/root" + mapping.path;
      candidates.push_back(by_path);
      for (const std::string& candidate : candidates) {
        std::unique_ptr<UniqueFd> fd = open_regular_file(candidate);
        if (fd == nullptr) continue;
        known.insert({mapping.file, mapping.path});
        binaries.binaries_.push_back({.path = mapping.path,
                                      .readable = "/proc/self/fd/" + std::to_string(fd->fd),
                                      .is_program = mapping.path == program,
                                      .is_deleted = mapping.is_deleted,
                                      .is_certain = !mapping.is_deleted || candidate != by_path});
        binaries.files_.push_back(std::move(fd));
        break;
      }
    }
  }
  return binaries;
}

std::vector<HeldBinary> ProcessBinaries::find(const std::string& recorded_path) const {
  const std::string path = without_deleted(recorded_path);
  const bool is_deleted = path.size() < recorded_path.size();
  std::vector<HeldBinary> found;
  for (const HeldBinary& one : binaries_)
    if (one.path == path) found.push_back(one);
  std::stable_partition(found.begin(), found.end(),
                        [&](const HeldBinary& one) { return one.is_deleted == is_deleted; });
  return found;
}

}  // namespace pgo
