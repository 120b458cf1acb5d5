#include "pgo/record/executable_mapping.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace pgo {
namespace {

bool parse_line(const std::string& line, ExecutableMapping& mapping) {
  char permissions[5] = "";
  int path_at = 0;
  unsigned long begin = 0, end = 0, offset = 0, inode = 0;
  unsigned major = 0, minor = 0;
  if (std::sscanf(line.c_str(), "%lx-%lx %4s %lx %x:%x %lu %n", &begin, &end, permissions, &offset,
                  &major, &minor, &inode, &path_at) < 7)
    return false;
  if (permissions[2] != 'x' || begin >= end) return false;
  mapping = {begin, end, offset, major, minor, inode, line.substr(static_cast<size_t>(path_at))};
  if (mapping.path.empty()) mapping.path = "//anon";
  return true;
}

}  // namespace

std::vector<ExecutableMapping> parse_executable_mappings(std::string_view maps) {
  std::vector<ExecutableMapping> mappings;
  while (!maps.empty()) {
    const size_t size = std::min(maps.find('\n'), maps.size());
    ExecutableMapping mapping;
    if (parse_line(std::string(maps.substr(0, size)), mapping))
      mappings.push_back(std::move(mapping));
    maps.remove_prefix(std::min(size + 1, maps.size()));
  }
  return mappings;
}

}  // namespace pgo
