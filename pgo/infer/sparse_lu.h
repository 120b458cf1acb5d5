// SparseLu: solves A x = b and its transpose for matrices of one sparsity pattern and nonzero
// diagonal, again and again with other values.
//
// Problem: the flow through a function's blocks is one linear system, and fitting solves it some
// hundred times with other probabilities. Control-flow graphs are nearly trees: eliminating the
// block with the fewest neighbours left first creates few new entries (on SQLite the factors have
// 1.7 times the entries of the matrix; in the order of addresses, 6 times).
// Idea: the order, the places of all entries and of every update are found once; then factoring is
// one pass over a list. The pattern is made symmetric, which costs a few zeros and needs half the
// book-keeping. There is no pivoting: I - P^T of a flow is an M-matrix, for which any order is
// stable. Ties go to the lower index, so the order is the same everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace pgo::infer {

class SparseLu {
 public:
  // Of `size` rows; `entries` are (row, column) off the diagonal, in any order, repeated or not.
  // At most `most_updates` are stored; is_too_dense() then says that there would be more, and
  // nothing else may be called. O(updates log size).
  SparseLu(uint32_t size, const std::vector<std::pair<uint32_t, uint32_t>>& entries,
           size_t most_updates);

  bool is_too_dense() const { return too_dense_; }
  uint32_t size() const { return static_cast<uint32_t>(order_.size()); }

  // Where add() puts an entry off the diagonal; it must be one of `entries`. O(log size).
  size_t find_place(uint32_t row, uint32_t column) const;

  // Begins a new matrix: the identity.
  void set_identity();
  void add(size_t place, double value) { values_[place] += value; }
  void add_diagonal(uint32_t row, double value) { diagonal_[position_[row]] += value; }

  // Factors the matrix in place. O(updates).
  void factor();
  // Solves in place, `x` indexed by row; after factor(). O(entries of the factors).
  void solve(std::vector<double>& x) const;
  void solve_transposed(std::vector<double>& x) const;

 private:
  // Rows and columns are numbered anew in the order of elimination. What is left of row and column
  // k when k is eliminated: the numbers after k that it is connected to, and a value above and one
  // below the diagonal for each; they stand at [starts_[k], starts_[k + 1]).
  std::vector<uint32_t> order_;     // the row that is eliminated as k-th
  std::vector<uint32_t> position_;  // the inverse
  std::vector<uint32_t> starts_;
  std::vector<uint32_t> neighbours_;  // ascending
  std::vector<double> values_;        // upper ones, then lower ones at + neighbours_.size()
  std::vector<double> diagonal_;
  // For each k, for each pair of its neighbours i < j, where the entry of (i, j) is.
  std::vector<uint32_t> updates_;
  mutable std::vector<double> scratch_;
  bool too_dense_ = false;

  std::vector<std::vector<uint32_t>> eliminate(std::vector<std::vector<uint32_t>> connected,
                                               size_t most_updates);
};

}  // namespace pgo::infer
