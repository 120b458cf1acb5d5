#include "pgo/merge/shard.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "pgo/base/bytes.h"
#include "pgo/base/sha256.h"

namespace pgo {

Result<void> Shard::check() const {
  auto refuse = [&](const std::string& why) {
    return fail(ErrorKind::kUsage,
                "\xFF{shard} " + std::to_string(index) + "/" + std::to_string(count) + ": " + why);
  };
  if (count == 0 || count > kMaxCount)
    return refuse("there can be 1 to " + std::to_string(kMaxCount) + " shards");
  if (index >= count)
    return refuse("shards are numbered from 0, so the last one is " + std::to_string(count - 1) +
                  "/" + std::to_string(count));
  return ok();
}

bool Shard::has(std::string_view name) const {
  Sha256 hash;
  hash.add({reinterpret_cast<const uint8_t*>(name.data()), name.size()});
  const Sha256::Digest digest = hash.digest();
  uint64_t number = 0;
  for (size_t i = 0; i < sizeof number; i++) number = number << 8 | digest[i];
  return number % count == index;
}

std::string_view shard_name(const InputFile& file) {
  return file.bundle ? file.bundle->bundle.members[file.member].path : file.path;
}

std::vector<InputFile> leave_out_other_shards(const Shard& shard, std::vector<InputFile>& files) {
  auto others = std::stable_partition(files.begin(), files.end(), [&](const InputFile& file) {
    return shard.has(shard_name(file));
  });
  std::vector<InputFile> left_out(std::make_move_iterator(others),
                                  std::make_move_iterator(files.end()));
  files.erase(others, files.end());
  return left_out;
}

}  // namespace pgo
