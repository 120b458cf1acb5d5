// I/N of --shard: "3/16".
#pragma once

#include <string>

#include "pgo/base/result.h"
#include "pgo/merge/shard.h"

namespace pgo {

// Shards are numbered from 0, as the indexes of a Kubernetes job are. Error: kUsage.
Result<Shard> parse_shard(const std::string& text);

}  // namespace pgo
