#include "pgo/profile/address_directory.h"

#include <gtest/gtest.h>

#include <random>

namespace pgo::address_directory_test {
namespace {

constexpr uint64_t kNothing = ~uint64_t{0};

TEST(SkipLess, FindsWhatIsNotLess) {
  for (int size = 0; size < 20; size++) {
    std::vector<int> numbers;
    for (int i = 0; i < size; i++) numbers.push_back(2 * i);
    for (int from = 0; from <= size; from++)
      for (int wanted = -1; wanted <= 2 * size; wanted++) {
        auto is_less = [&](int one) { return one < wanted; };
        EXPECT_EQ(skip_less(numbers.begin() + from, numbers.end(), is_less),
                  std::partition_point(numbers.begin() + from, numbers.end(), is_less));
      }
  }
}

TEST(AddressDirectory, FindsWhatIsNotLess) {
  auto check = [](std::vector<uint64_t> addresses, std::vector<uint64_t> wanted) {
    std::sort(addresses.begin(), addresses.end());
    std::sort(wanted.begin(), wanted.end());
    const AddressDirectory directory(addresses);
    size_t at = 0;
    for (uint64_t one : wanted) {
      const auto expected = static_cast<size_t>(
          std::lower_bound(addresses.begin(), addresses.end(), one) - addresses.begin());
      EXPECT_EQ(directory.find(one, 0), expected) << one;
      at = directory.find(one, at);
      EXPECT_EQ(at, expected) << one;
    }
  };
  check({}, {0, 5, kNothing});
  check({7}, {0, 7, 8, kNothing});
  check({kNothing}, {0, kNothing - 1, kNothing});
  check({0, kNothing - 1, kNothing}, {0, 1, kNothing - 1, kNothing});
  check({5, 5, 5}, {4, 5, 6, kNothing});
  for (unsigned seed = 0; seed < 300; seed++) {
    std::mt19937_64 random(seed);
    std::vector<uint64_t> addresses, wanted;
    for (size_t i = 0; i < seed; i++) {
      const uint64_t crowded = 0x401000 + random() % 50, spread = random() % (1 << 20);
      addresses.push_back(random() % 3 == 0 ? crowded : spread);
      if (random() % 9 == 0) addresses.push_back(kNothing);
      if (random() % 50 == 0) addresses.push_back(random());
      wanted.push_back(random() % 2 == 0 ? addresses.back() : 0x401000 + random() % 60);
      wanted.push_back(random() % (1 << 21));
    }
    check(addresses, wanted);
  }
}

}  // namespace
}  // namespace pgo::address_directory_test
