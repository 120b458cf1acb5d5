// MapTree: what is mapped where in a process, as an immutable balanced tree. Every change gives a
// new root that shares all but O(log n) nodes with the old one, so each state a process was ever in
// stays readable: a fork is a copied root, and samples can be resolved in any order, on any thread.
//
// A treap (Seidel and Aragon 1996) keyed by address, with path copying; priorities are a hash of
// the node's number, so the shape depends on nothing but the sequence of changes.
#pragma once

#include <cstdint>
#include <vector>

#include "pgo/profile/accounting.h"
#include "pgo/profile/address.h"

namespace pgo::perf_data {

// A stretch of a process's memory: code of one binary, or one kind of anything else.
struct MapPiece {
  static constexpr uint32_t kNoBinary = ~uint32_t{0};

  uint64_t begin = 0, end = 0;           // runtime addresses, half-open
  uint32_t binary = kNoBinary;           // index of the binary that is mapped here
  Dropped outside = Dropped::kUnmapped;  // what it is, when binary is kNoBinary
  uint64_t elf_begin = 0;                // the ElfAddr at `begin`, when there is a binary
};

class MapTree {
 public:
  using Root = uint32_t;
  static constexpr Root kEmpty = 0;

  // A tree like `root` with `piece` in place of whatever was in [piece.begin, piece.end). O(log n).
  Root assign(Root root, const MapPiece& piece);
  // The piece that holds `addr`, or null. O(log n).
  const MapPiece* find(Root root, RuntimeAddr addr) const;
  // The pieces that overlap [begin, end), in order.
  std::vector<MapPiece> overlapping(Root root, uint64_t begin, uint64_t end) const;

 private:
  struct Node {
    MapPiece piece;
    Root left = kEmpty, right = kEmpty;
    uint64_t priority = 0;
  };

  Root make(const MapPiece& piece, Root left, Root right, uint64_t priority);
  Root make(const MapPiece& piece);
  // Everything below `addr`, and everything from it on; a piece across it is cut in two.
  std::pair<Root, Root> split(Root root, uint64_t addr);
  Root join(Root left, Root right);
  void collect(Root root, uint64_t begin, uint64_t end, std::vector<MapPiece>& pieces) const;

  std::vector<Node> nodes_{1};  // nodes_[kEmpty] is the empty tree
};

}  // namespace pgo::perf_data
