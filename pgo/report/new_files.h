// How many files an archive or a registry got that it did not have.
#pragma once

#include <cstdint>
#include <string>

namespace pgo {

// Of `all` files, `added` were new, with so many bytes: "2 files (1.4 MB)" when these are all,
// "1 new file (28 bytes); 2 were there already" when not.
std::string new_files_text(uint64_t added, uint64_t bytes, uint64_t all);

}  // namespace pgo
