#include "bolt/loader_start.h"

#include <elf.h>
#include <fnmatch.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <initializer_list>
#include <set>

#include "pgo/base/subprocess.h"

namespace pgo {
namespace {

constexpr std::chrono::seconds kMaxTimeout{60};

// A shared library names no loader; this one is the x86-64 ABI's.
constexpr char kUsualLoader[] = "/lib64/ld-linux-x86-64.so.2";

bool is_like(const std::string& path, std::initializer_list<const char*> patterns) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const char* pattern) {
    return ::fnmatch(pattern, path.c_str(), FNM_PATHNAME | FNM_PERIOD) == 0;
  });
}

// One of the system's, which can be trusted not to run the program. A file may name any program.
bool is_loader(const std::string& path) {
  std::error_code error;
  std::string real = std::filesystem::canonical(path, error).string();
  return !error && is_like(path, {"/lib*/ld-*.so*", "/lib*/*/ld-*.so*"}) &&
         is_like(real, {"/lib*/*.so*", "/lib*/*/*.so*", "/usr/lib*/*.so*", "/usr/lib*/*/*.so*"});
}

std::optional<std::string> loader_of(const ElfImage& image) {
  std::string path = kUsualLoader;
  if (const ElfImage::Section* section = image.find_section(".interp"))
    path = until_nul(section->bytes);
  else if (image.find_section(".dynamic") == nullptr || image.machine() != EM_X86_64)
    return std::nullopt;
  return is_loader(path) ? find_program(path, "") : std::nullopt;
}

// "  libm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007f4e52120000)"
std::vector<std::string> read_libraries(std::string_view output) {
  std::set<std::string> libraries;
  while (!output.empty()) {
    std::string_view line = output.substr(0, output.find('\n'));
    output.remove_prefix(std::min(line.size() + 1, output.size()));
    size_t arrow = line.find(" => /"), end = line.rfind(" (");
    if (arrow == std::string_view::npos || end == std::string_view::npos || end < arrow + 4)
      continue;
    libraries.insert(std::string(line.substr(arrow + 4, end - arrow - 4)));
  }
  return {libraries.begin(), libraries.end()};
}

// "undefined symbol: name\t(./library.so)"; without where, which differs between copies.
std::vector<std::string> read_unresolved(std::string_view errors) {
  constexpr std::string_view kMarker = "undefined symbol: ";
  std::vector<std::string> names;
  while (!errors.empty()) {
    std::string_view line = errors.substr(0, errors.find('\n'));
    errors.remove_prefix(std::min(line.size() + 1, errors.size()));
    if (!line.starts_with(kMarker)) continue;
    line.remove_prefix(kMarker.size());
    names.emplace_back(line.substr(0, line.find_first_of("\t ")));
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string absolute(const std::string& path) {
  return path.find('/') == std::string::npos ? "./" + path : path;
}

}  // namespace

std::string LoaderStart::library_path() const {
  std::string text;
  std::set<std::string> seen;
  for (const std::string& library : libraries) {
    std::string directory = library.substr(0, library.rfind('/'));
    if (seen.insert(directory).second) text += (text.empty() ? "" : ":") + directory;
  }
  return text;
}

Result<LoaderStart> start_loader(const ElfImage& image, const std::string& library_path,
                                 std::chrono::seconds timeout) {
  LoaderStart start;
  std::optional<std::string> loader = loader_of(image);
  if (!loader) {
    start.possible = false;
    return start;
  }
  // The loader lists only; it relocates as well when told to warn of symbols it does not find.
  std::vector<std::string> command = {"/usr/bin/env", "LD_TRACE_LOADED_OBJECTS=1", "LD_WARN=yes",
                                      "LD_BIND_NOW=1", *loader};
  if (!library_path.empty()) command.insert(command.end(), {"--library-path", library_path});
  command.push_back(absolute(image.path()));
  PGO_TRY(ProcessResult finished, run_subprocess_within(std::min(timeout, kMaxTimeout), command));
  start.libraries = read_libraries(finished.output);
  start.unresolved = read_unresolved(finished.error);
  size_t not_found = finished.output.find(" => not found");
  start.loads = finished.exit_status == 0 && !finished.timed_out && not_found == std::string::npos;
  if (finished.timed_out)
    start.words = "the loader did not end";
  else if (not_found != std::string::npos)
    start.words = finished.output.substr(
        finished.output.rfind('\t', not_found) + 1,
        finished.output.find('\n', not_found) - finished.output.rfind('\t', not_found) - 1);
  else if (!start.loads)
    start.words = stderr_tail(finished);
  return start;
}

}  // namespace pgo
