#include "pgo/base/proc_file.h"

#include <fstream>
#include <sstream>

namespace pgo {

std::string read_proc_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();  // catches what the buffer throws
  return text.str();
}

}  // namespace pgo
