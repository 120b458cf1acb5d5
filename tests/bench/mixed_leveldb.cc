// A mixed load for LevelDB: writes, overwrites, deletes, point reads and scans in both directions,
// over files that live in memory. LevelDB reaches comparators, iterators, filters and files through
// virtual calls, several for each entry.
//
//   mixed_leveldb ENTRIES SEED
//
// Flushes and compactions run on the calling thread, between two writes: the same work in the same
// order on every run, so that instructions can be counted. Prints a checksum of everything read.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "helpers/memenv/memenv.h"
#include "leveldb/cache.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/filter_policy.h"
#include "leveldb/write_batch.h"

namespace {

// Keeps the background work until run_scheduled().
class OneThreadEnv : public leveldb::EnvWrapper {
 public:
  using EnvWrapper::EnvWrapper;

  void Schedule(void (*function)(void*), void* argument) override {
    scheduled_.emplace_back(function, argument);
  }

  void run_scheduled() {
    while (!scheduled_.empty()) {
      const auto [function, argument] = scheduled_.front();
      scheduled_.pop_front();
      function(argument);
    }
  }

 private:
  std::deque<std::pair<void (*)(void*), void*>> scheduled_;
};

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 2654435761U + 1) {}

  uint32_t below(uint32_t limit) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<uint32_t>((state_ >> 33) % limit);
  }

 private:
  uint64_t state_;
};

void check(const leveldb::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "mixed_leveldb: %s\n", status.ToString().c_str());
  std::exit(1);
}

std::string key_of(uint32_t number) {
  char text[32];
  std::snprintf(text, sizeof text, "account/%03u/item/%06u", number % 211, number);
  return text;
}

std::string value_of(uint32_t number, uint32_t version) {
  std::string value = "v" + std::to_string(version) + ";";
  while (value.size() < 60 + number % 80) value += std::to_string(number * (version + 3)) + ",";
  return value;
}

void write_entries(leveldb::DB& db, OneThreadEnv& env, Random& random, uint32_t entries) {
  for (uint32_t i = 0; i < entries; ++i) {
    leveldb::WriteBatch batch;
    const uint32_t number = random.below(entries);
    batch.Put(key_of(number), value_of(number, i));
    if (i % 8 == 0) batch.Delete(key_of(random.below(entries)));
    check(db.Write(leveldb::WriteOptions(), &batch));
    env.run_scheduled();
  }
}

uint64_t read_entries(leveldb::DB& db, Random& random, uint32_t entries) {
  uint64_t sum = 0;
  std::string value;
  for (uint32_t i = 0; i < entries; ++i) {
    const leveldb::Status status =
        db.Get(leveldb::ReadOptions(), key_of(random.below(entries + entries / 4)), &value);
    if (status.ok()) {
      sum += value.size();
    } else if (!status.IsNotFound()) {
      check(status);
    }
  }
  return sum;
}

uint64_t scan_entries(leveldb::DB& db, Random& random, uint32_t entries) {
  uint64_t sum = 0;
  const std::unique_ptr<leveldb::Iterator> at(db.NewIterator(leveldb::ReadOptions()));
  for (uint32_t scan = 0; scan < entries / 50; ++scan) {
    const bool backward = scan % 5 == 0;
    at->Seek(key_of(random.below(entries)));
    for (int step = 0; step < 40 && at->Valid(); ++step) {
      sum = sum * 31 + at->key()[at->key().size() - 1] + at->value().size();
      backward ? at->Prev() : at->Next();
    }
  }
  check(at->status());
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: mixed_leveldb ENTRIES SEED\n");
    return 2;
  }
  const auto entries = static_cast<uint32_t>(std::strtoul(argv[1], nullptr, 10));
  Random random(std::strtoul(argv[2], nullptr, 10));
  const std::unique_ptr<leveldb::Env> files(leveldb::NewMemEnv(leveldb::Env::Default()));
  OneThreadEnv env(files.get());
  const std::unique_ptr<leveldb::Cache> cache(leveldb::NewLRUCache(8 << 20));
  const std::unique_ptr<const leveldb::FilterPolicy> filter(leveldb::NewBloomFilterPolicy(10));
  leveldb::Options options;
  options.create_if_missing = true;
  options.env = &env;
  options.block_cache = cache.get();
  options.filter_policy = filter.get();
  options.write_buffer_size = 1 << 20;
  leveldb::DB* opened = nullptr;
  check(leveldb::DB::Open(options, "/data", &opened));
  const std::unique_ptr<leveldb::DB> db(opened);
  uint64_t sum = 0;
  for (int round = 0; round < 3; ++round) {
    write_entries(*db, env, random, entries);
    sum = sum * 31 + read_entries(*db, random, 2 * entries);
    sum = sum * 31 + scan_entries(*db, random, entries);
    env.run_scheduled();  // reads ask for compactions too
  }
  std::printf("%llu\n", static_cast<unsigned long long>(sum));
  return 0;
}
