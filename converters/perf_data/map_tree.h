// MapTree: what is mapped where in a process, as an immutable balanced tree. Every change gives a
// new root that shares all but O(log n) nodes with the old one, so each state a process was ever in
// stays readable: a fork is a copied root, and samples can be resolved in any order, on any thread.
//
// An AVL tree keyed by address, with path copying, built from one operation: joining two trees with
// a piece between them (Blelloch, Ferizovic, Sun: Just Join for Parallel Ordered Sets, 2016). It is
// balanced whatever the recording says; a tree balanced by chance could be made a list of, by one
// who knows how the dice fall.
//
// Memory: a piece is stored once, and a change copies nodes of 16 bytes that only refer to pieces.
// Nodes that a change made and took apart again, as balancing does, are used again at once, so that
// what remains of a change is what its new root needs: O(log n) nodes and at most three pieces.
#pragma once

#include <cstdint>
#include <vector>

#include "pgo/profile/accounting.h"
#include "pgo/profile/address.h"

namespace pgo::perf_data {

// Addresses from here on are the kernel's on x86-64, and not a process's anywhere.
inline constexpr RuntimeAddr kKernelBegin{0xffff800000000000u};

// A stretch of a process's memory: code of one binary, or one kind of anything else.
struct MapPiece {
  static constexpr uint32_t kNoBinary = ~uint32_t{0};
  static constexpr uint16_t kNoFile = 0xffff;

  RuntimeAddr begin, end;                // half-open
  uint32_t binary = kNoBinary;           // index of the binary that is mapped here
  Dropped outside = Dropped::kUnmapped;  // what it is, when binary is kNoBinary
  uint16_t file = kNoFile;               // index of the recorded file, when that is another binary
  ElfAddr elf_begin;                     // what is at `begin`, when there is a binary
};

class MapTree {
 public:
  using Root = uint32_t;
  static constexpr Root kEmpty = 0;

  // A tree like `root` with `piece` in place of whatever was in [piece.begin, piece.end). O(log n).
  Root assign(Root root, const MapPiece& piece);
  // The piece that holds `addr`, or null. O(log n).
  const MapPiece* find(Root root, RuntimeAddr addr) const;
  // Does a binary lie anywhere in [begin, end)? O(log n).
  bool has_binary(Root root, RuntimeAddr begin, RuntimeAddr end) const;
  // Pieces on the longest path from the root down; at most 1.44 log2 of how many there are.
  size_t depth(Root root) const { return nodes_[root].height; }
  // What all states together take. O(1).
  size_t bytes() const { return nodes_.size() * sizeof(Node) + pieces_.size() * sizeof(MapPiece); }

 private:
  using PieceNumber = uint32_t;  // index into pieces_

  struct Node {
    PieceNumber piece = 0;
    Root left = kEmpty, right = kEmpty;
    uint8_t height = 0;
    bool has_binary = false;  // here or below
  };

  PieceNumber add_piece(const MapPiece& piece);
  const MapPiece& piece_of(const Node& node) const { return pieces_[node.piece]; }
  // The node `root`, to be taken apart: one that this very change has made is free again.
  Node take(Root root);
  Root make(Root left, PieceNumber piece, Root right);
  // The same where the heights may differ by two.
  Root make_balanced(Root left, PieceNumber piece, Root right);
  // `left`, `piece` and `right`, in this order, of any heights. O(difference of the heights).
  Root join(Root left, PieceNumber piece, Root right);
  // Everything of an older state below `addr`, or from it on; a piece across it is cut there. Where
  // nothing is cut off it is `root` itself.
  Root below(Root root, RuntimeAddr addr);
  Root above(Root root, RuntimeAddr addr);
  bool has_binary_from(Root root, RuntimeAddr begin) const;
  bool has_binary_below(Root root, RuntimeAddr end) const;

  std::vector<Node> nodes_{1};       // nodes_[kEmpty] is the empty tree
  std::vector<MapPiece> pieces_{1};  // pieces_[0] is the empty tree's
  Root first_new_ = 1;               // nodes from here on were made by the change under way
  std::vector<Root> free_;           // in no state: for the next nodes
};

}  // namespace pgo::perf_data
