// One at a time: a lock on a directory, which leaves no file behind and ends with its process.
#pragma once

#include <memory>
#include <string>

#include "pgo/base/unique_fd.h"

namespace pgo {

// Until the result goes. Null: another process has it.
std::unique_ptr<UniqueFd> try_lock_directory(const std::string& directory);
// Waits for its turn. Where a file system cannot lock directories, there is no order.
std::unique_ptr<UniqueFd> lock_directory(const std::string& directory);

}  // namespace pgo
