#include "pgo/infer/sparse_lu.h"

#include <gtest/gtest.h>

#include <random>

namespace pgo::infer::sparse_lu_test {
namespace {

using Entries = std::vector<std::pair<uint32_t, uint32_t>>;

constexpr size_t kNoLimit = ~size_t{0};

// I - P^T of a random graph: columns sum up to something above zero.
struct Matrix {
  std::vector<std::vector<double>> rows;
  Entries entries;

  Matrix(uint32_t size, unsigned edges, unsigned seed) {
    std::mt19937 random(seed);
    rows.assign(size, std::vector<double>(size));
    for (uint32_t i = 0; i < size; i++) rows[i][i] = 1;
    for (uint32_t from = 0; from < size; from++)
      for (unsigned e = 0; e < edges; e++) {
        auto to = static_cast<uint32_t>(random() % size);
        if (to == from) continue;
        if (rows[to][from] == 0) entries.emplace_back(to, from);
        rows[to][from] -= .999 / edges;
      }
  }
  std::vector<double> times(const std::vector<double>& x) const {
    std::vector<double> y(x.size());
    for (size_t i = 0; i < x.size(); i++)
      for (size_t j = 0; j < x.size(); j++) y[i] += rows[i][j] * x[j];
    return y;
  }
  std::vector<double> transposed_times(const std::vector<double>& x) const {
    std::vector<double> y(x.size());
    for (size_t i = 0; i < x.size(); i++)
      for (size_t j = 0; j < x.size(); j++) y[j] += rows[i][j] * x[i];
    return y;
  }
};

void expect_near(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); i++) EXPECT_NEAR(a[i], b[i], 1e-9 * (1 + std::abs(b[i])));
}

TEST(SparseLu, SolvesRandomSystemsAndTheirTransposes) {
  for (unsigned seed = 0; seed < 30; seed++) {
    uint32_t size = 1 + seed * 3;
    Matrix matrix(size, 1 + seed % 3, seed);
    SparseLu lu(size, matrix.entries, kNoLimit);
    ASSERT_FALSE(lu.is_too_dense());
    lu.set_identity();
    for (auto [row, column] : matrix.entries)
      lu.add(lu.find_place(row, column), matrix.rows[row][column]);
    lu.factor();
    std::vector<double> x(size);
    for (uint32_t i = 0; i < size; i++) x[i] = 1 + i % 7;
    std::vector<double> b = matrix.times(x), c = matrix.transposed_times(x);
    lu.solve(b);
    lu.solve_transposed(c);
    expect_near(b, x);
    expect_near(c, x);
  }
}

// A dispatch loop: one row is connected to all others, which are connected in pairs. With a copy of
// its neighbours for each of them this takes a minute.
TEST(SparseLu, TakesARowThatIsConnectedToAllOthers) {
  constexpr uint32_t kSize = 200'001;
  Entries entries;
  for (uint32_t row = 1; row < kSize; row++) {
    entries.emplace_back(0, row);
    if (row % 2 == 0) entries.emplace_back(row - 1, row);
  }
  SparseLu lu(kSize, entries, 1'000'000);
  ASSERT_FALSE(lu.is_too_dense());
  lu.set_identity();
  for (auto [row, column] : entries) lu.add(lu.find_place(row, column), -1e-6);
  lu.factor();
  std::vector<double> x(kSize, 1);
  lu.solve(x);
  EXPECT_NEAR(x[1], 1 + 1e-6, 1e-7);
}

TEST(SparseLu, TakesOtherValuesOfTheSamePattern) {
  SparseLu lu(2, {{1, 0}}, kNoLimit);
  for (double value : {-.5, -.25}) {
    lu.set_identity();
    lu.add(lu.find_place(1, 0), value);
    lu.add_diagonal(0, -.5);
    lu.factor();
    std::vector<double> x = {1, 1};
    lu.solve(x);
    expect_near(x, {2, 1 - 2 * value});
  }
}

TEST(SparseLu, SaysWhenItWouldNeedTooMuch) {
  Entries all;
  for (uint32_t i = 0; i < 20; i++)
    for (uint32_t j = 0; j < 20; j++) all.emplace_back(i, j);
  EXPECT_TRUE(SparseLu(20, all, 1000).is_too_dense());
  EXPECT_FALSE(SparseLu(20, all, 2000).is_too_dense());
}

}  // namespace
}  // namespace pgo::infer::sparse_lu_test
