#include "pgo/record/program_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

#include "pgo/base/subprocess.h"

namespace pgo {

Result<ProgramFile> find_program_file(const std::vector<std::string>& words,
                                      const std::string& search_path) {
  if (words.empty() || words[0].empty())
    return fail(ErrorKind::kUsage, "there is no command to record: put it after --");
  const std::string& name = words[0];
  std::optional<std::string> found =
      name.find('/') == std::string::npos ? find_program(name, search_path) : std::optional(name);
  if (!found) return fail(ErrorKind::kUsage, name + ": was not found in PATH");

  ProgramCommand command{::strdup(found->c_str()), nullptr};
  size_t count = words.size();
  command.arguments = static_cast<char**>(std::calloc(count + 1, sizeof(char*)));
  for (size_t i = 0; i < count; i++) command.arguments[i] = ::strdup(words[i].c_str());
  ProgramKind kind = resolve_program(&command);
  ProgramFile program{
      command.path, {}, *found, std::filesystem::path(*found).filename().string(), kind};
  for (char** argument = command.arguments; *argument != nullptr; argument++) {
    program.arguments.emplace_back(*argument);
    std::free(*argument);
  }
  std::free(command.arguments);
  std::free(command.path);
  if (kind != kRefused) return program;
  if (::access(program.path.c_str(), X_OK) != 0)
    return fail(ErrorKind::kUsage, program.path + ": cannot be executed: " + std::strerror(errno));
  return fail(ErrorKind::kUsage, program.path + ": is neither a program nor a script with #!");
}

}  // namespace pgo
