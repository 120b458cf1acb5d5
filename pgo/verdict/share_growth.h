// ShareGrowth: by how much the shares of most code grew.
//
// Shares add up to one: if some code becomes cheaper, the shares of all other code grow by one
// factor, although it costs what it did. That others became dearer by this factor looks the same,
// so such growth shows nothing. The factor is the median growth of the code after, each row
// weighted by its share. A row is not compared with itself, because a large one would decide the
// median alone.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "pgo/diff/diff_row.h"

namespace pgo {

class ShareGrowth {
 public:
  // Of rows by share of each side. O(n log n).
  explicit ShareGrowth(const std::vector<DiffRow>& rows);

  // 1.5: the shares of most code but this row grew by half. 1 without other rows. O(n).
  double of_others(size_t row) const;

 private:
  struct Growth {
    double ratio = 0, share = 0;  // after to before; after
    size_t row = 0;
  };
  std::vector<Growth> by_ratio_;
};

// The row whose share fell most; it must have any rows.
size_t find_most_fallen(const std::vector<DiffRow>& rows);

}  // namespace pgo
