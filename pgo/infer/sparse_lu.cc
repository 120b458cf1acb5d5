#include "pgo/infer/sparse_lu.h"

#include <algorithm>
#include <set>

namespace pgo::infer {
namespace {

using Neighbours = std::vector<std::vector<uint32_t>>;

Neighbours connect(uint32_t size, const std::vector<std::pair<uint32_t, uint32_t>>& entries) {
  Neighbours connected(size);
  for (auto [row, column] : entries) {
    if (row == column) continue;
    connected[row].push_back(column);
    connected[column].push_back(row);
  }
  for (std::vector<uint32_t>& neighbours : connected) {
    std::sort(neighbours.begin(), neighbours.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
  }
  return connected;
}

}  // namespace

// Minimum degree: eliminates one row after another, each time the one with the fewest neighbours
// among those left, which then become neighbours of each other. Returns, for each row, who was left
// when it was eliminated.
//
// A dispatch loop has one block beside all others. Copying its neighbours at each elimination would
// take the square of their number, so what is new is put into long lists, and who is gone stays in
// a list until it is used.
Neighbours SparseLu::eliminate(Neighbours connected, size_t most_updates) {
  constexpr size_t kLong = 8;    // times the clique
  constexpr size_t kMoved = 64;  // entries of a list that are moved in the time of an update
  std::vector<size_t> degrees;   // without those that are gone
  std::vector<bool> gone(connected.size());
  std::set<std::pair<size_t, uint32_t>> by_degree;
  for (uint32_t row = 0; row < connected.size(); row++) {
    degrees.push_back(connected[row].size());
    by_degree.emplace(degrees[row], row);
  }
  size_t updates = 0, moved = 0;
  std::vector<uint32_t> joined;
  auto is_gone = [&](uint32_t row) { return gone[row]; };
  while (!by_degree.empty()) {
    auto [degree, row] = *by_degree.begin();
    by_degree.erase(by_degree.begin());
    order_.push_back(row);
    gone[row] = true;
    std::erase_if(connected[row], is_gone);
    updates += degree * (degree + 1) / 2;
    const std::vector<uint32_t>& clique = connected[row];
    for (uint32_t member : clique) {
      std::vector<uint32_t>& neighbours = connected[member];
      by_degree.erase({degrees[member], member});
      degrees[member]--;  // the row
      if (neighbours.size() >= kLong * clique.size()) {
        for (uint32_t other : clique) {
          const auto place = std::lower_bound(neighbours.begin(), neighbours.end(), other);
          if (other == member || (place != neighbours.end() && *place == other)) continue;
          moved += static_cast<size_t>(neighbours.end() - place);
          neighbours.insert(place, other);
          degrees[member]++;
        }
      } else {
        joined.clear();
        std::set_union(neighbours.begin(), neighbours.end(), clique.begin(), clique.end(),
                       std::back_inserter(joined));
        std::erase_if(joined, [&](uint32_t other) { return gone[other] || other == member; });
        neighbours.swap(joined);
        degrees[member] = neighbours.size();
      }
      by_degree.emplace(degrees[member], member);
    }
    if (updates + moved / kMoved > most_updates) {
      too_dense_ = true;
      return {};
    }
  }
  return connected;
}

SparseLu::SparseLu(uint32_t size, const std::vector<std::pair<uint32_t, uint32_t>>& entries,
                   size_t most_updates) {
  Neighbours left = eliminate(connect(size, entries), most_updates);
  if (too_dense_) return;
  position_.resize(size);
  for (uint32_t k = 0; k < size; k++) position_[order_[k]] = k;
  starts_ = {0};
  for (uint32_t k = 0; k < size; k++) {
    std::vector<uint32_t>& neighbours = left[order_[k]];
    for (uint32_t& neighbour : neighbours) neighbour = position_[neighbour];
    std::sort(neighbours.begin(), neighbours.end());
    neighbours_.insert(neighbours_.end(), neighbours.begin(), neighbours.end());
    starts_.push_back(static_cast<uint32_t>(neighbours_.size()));
  }
  values_.resize(2 * neighbours_.size());
  diagonal_.resize(size);
  scratch_.resize(size);
  for (uint32_t k = 0; k < size; k++)
    for (uint32_t a = starts_[k]; a < starts_[k + 1]; a++)
      for (uint32_t b = a + 1; b < starts_[k + 1]; b++)
        updates_.push_back(
            static_cast<uint32_t>(find_place(order_[neighbours_[a]], order_[neighbours_[b]])));
}

// Row i, column j with i before j stands in i's upper values; j's row is in i's lower ones.
size_t SparseLu::find_place(uint32_t row, uint32_t column) const {
  uint32_t i = position_[row], j = position_[column];
  auto first = neighbours_.begin() + starts_[std::min(i, j)];
  auto last = neighbours_.begin() + starts_[std::min(i, j) + 1];
  auto place =
      static_cast<size_t>(std::lower_bound(first, last, std::max(i, j)) - neighbours_.begin());
  return i < j ? place : place + neighbours_.size();
}

void SparseLu::set_identity() {
  std::fill(values_.begin(), values_.end(), 0.0);
  std::fill(diagonal_.begin(), diagonal_.end(), 1.0);
}

void SparseLu::factor() {
  double* upper = values_.data();
  double* lower = upper + neighbours_.size();
  const uint32_t* update = updates_.data();
  for (uint32_t k = 0; k < size(); k++) {
    double inverse = 1.0 / diagonal_[k];
    for (uint32_t a = starts_[k]; a < starts_[k + 1]; a++) lower[a] *= inverse;
    for (uint32_t a = starts_[k]; a < starts_[k + 1]; a++) {
      diagonal_[neighbours_[a]] -= lower[a] * upper[a];
      for (uint32_t b = a + 1; b < starts_[k + 1]; b++, update++) {
        upper[*update] -= lower[a] * upper[b];
        lower[*update] -= lower[b] * upper[a];
      }
    }
  }
}

void SparseLu::solve(std::vector<double>& x) const {
  const double* upper = values_.data();
  const double* lower = upper + neighbours_.size();
  for (uint32_t k = 0; k < size(); k++) scratch_[k] = x[order_[k]];
  for (uint32_t k = 0; k < size(); k++)
    for (uint32_t a = starts_[k]; a < starts_[k + 1]; a++)
      scratch_[neighbours_[a]] -= lower[a] * scratch_[k];
  for (uint32_t k = size(); k-- > 0;) {
    double sum = scratch_[k];
    for (uint32_t a = starts_[k]; a < starts_[k + 1]; a++)
      sum -= upper[a] * scratch_[neighbours_[a]];
    scratch_[k] = sum / diagonal_[k];
  }
  for (uint32_t k = 0; k < size(); k++) x[order_[k]] = scratch_[k];
}

void SparseLu::solve_transposed(std::vector<double>& x) const {
  const double* upper = values_.data();
  const double* lower = upper + neighbours_.size();
  for (uint32_t k = 0; k < size(); k++) scratch_[k] = x[order_[k]];
  for (uint32_t k = 0; k < size(); k++) {
    scratch_[k] /= diagonal_[k];
    for (uint32_t a = starts_[k]; a < starts_[k + 1]; a++)
      scratch_[neighbours_[a]] -= upper[a] * scratch_[k];
  }
  for (uint32_t k = size(); k-- > 0;)
    for (uint32_t a = starts_[k]; a < starts_[k + 1]; a++)
      scratch_[k] -= lower[a] * scratch_[neighbours_[a]];
  for (uint32_t k = 0; k < size(); k++) x[order_[k]] = scratch_[k];
}

}  // namespace pgo::infer
