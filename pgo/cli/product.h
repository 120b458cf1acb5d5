// What a command made, complete in memory, on its way into files.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pgo/base/result.h"

namespace pgo {

// What is to be written where.
struct Product {
  std::string path;
  std::string contents;
  nlohmann::json figures;  // of the tool that made it
};

// All files are complete on disk before the first one takes its place, and a request to end waits
// until nothing is left beside them. Pipes come last: whoever reads one may make us wait, and by
// then nothing is left to be removed. Error: kIo.
Result<void> write_products(const std::vector<Product>& products);

}  // namespace pgo
