// The executable mappings of a process, from the text of /proc/PID/maps.
//
//   55e0c0401000-55e0c0402000 r-xp 00001000 fe:00 1312  /usr/bin/server
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pgo {

struct ExecutableMapping {
  uint64_t begin = 0, end = 0, file_offset = 0;
  uint32_t device_major = 0, device_minor = 0;
  uint64_t inode = 0;     // 0: no file
  std::string path = {};  // "[vdso]"; "//anon" without a name

  bool operator==(const ExecutableMapping&) const = default;
};

// Lines that are none, or not executable, give nothing.
std::vector<ExecutableMapping> parse_executable_mappings(std::string_view maps);

}  // namespace pgo
