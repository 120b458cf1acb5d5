#include "converters/perf_data/map_tree.h"

#include <algorithm>

namespace pgo::perf_data {

MapTree::Root MapTree::make(Root left, const MapPiece& piece, Root right) {
  size_t height = 1 + std::max(depth(left), depth(right));
  bool has_binary =
      piece.binary != MapPiece::kNoBinary || nodes_[left].has_binary || nodes_[right].has_binary;
  nodes_.push_back({piece, left, right, static_cast<uint8_t>(height), has_binary});
  return static_cast<Root>(nodes_.size() - 1);
}

MapTree::Root MapTree::make_balanced(Root left, const MapPiece& piece, Root right) {
  if (depth(left) > depth(right) + 1) {
    Node l = nodes_[left];
    if (depth(l.left) >= depth(l.right)) return make(l.left, l.piece, make(l.right, piece, right));
    Node middle = nodes_[l.right];
    Root low = make(l.left, l.piece, middle.left);
    return make(low, middle.piece, make(middle.right, piece, right));
  }
  if (depth(right) > depth(left) + 1) {
    Node r = nodes_[right];
    if (depth(r.right) >= depth(r.left)) return make(make(left, piece, r.left), r.piece, r.right);
    Node middle = nodes_[r.left];
    Root low = make(left, piece, middle.left);
    return make(low, middle.piece, make(middle.right, r.piece, r.right));
  }
  return make(left, piece, right);
}

MapTree::Root MapTree::join(Root left, const MapPiece& piece, Root right) {
  if (depth(left) > depth(right) + 1) {
    Node l = nodes_[left];
    return make_balanced(l.left, l.piece, join(l.right, piece, right));
  }
  if (depth(right) > depth(left) + 1) {
    Node r = nodes_[right];
    return make_balanced(join(left, piece, r.left), r.piece, r.right);
  }
  return make(left, piece, right);
}

std::pair<MapTree::Root, MapTree::Root> MapTree::split(Root root, uint64_t addr) {
  if (root == kEmpty) return {kEmpty, kEmpty};
  Node node = nodes_[root];
  if (node.piece.end <= addr) {
    auto [low, high] = split(node.right, addr);
    return {join(node.left, node.piece, low), high};
  }
  if (node.piece.begin >= addr) {
    auto [low, high] = split(node.left, addr);
    return {low, join(high, node.piece, node.right)};
  }
  MapPiece low = node.piece, high = node.piece;
  low.end = high.begin = addr;
  high.elf_begin += addr - low.begin;
  return {join(node.left, low, kEmpty), join(kEmpty, high, node.right)};
}

MapTree::Root MapTree::assign(Root root, const MapPiece& piece) {
  if (piece.begin >= piece.end) return root;
  auto [low, rest] = split(root, piece.begin);
  Root high = split(rest, piece.end).second;
  return join(low, piece, high);
}

const MapPiece* MapTree::find(Root root, RuntimeAddr addr) const {
  while (root != kEmpty) {
    const Node& node = nodes_[root];
    if (addr.value < node.piece.begin)
      root = node.left;
    else if (addr.value >= node.piece.end)
      root = node.right;
    else
      return &node.piece;
  }
  return nullptr;
}

// Visits two paths only: a subtree between them lies within the range, and knows the answer.
bool MapTree::has_binary(Root root, uint64_t begin, uint64_t end) const {
  const Node& node = nodes_[root];
  if (!node.has_binary || begin >= end) return false;
  if (end <= node.piece.begin) return has_binary(node.left, begin, end);
  if (begin >= node.piece.end) return has_binary(node.right, begin, end);
  return node.piece.binary != MapPiece::kNoBinary || has_binary_from(node.left, begin) ||
         has_binary_below(node.right, end);
}

bool MapTree::has_binary_from(Root root, uint64_t begin) const {
  const Node& node = nodes_[root];
  if (!node.has_binary) return false;
  if (begin >= node.piece.end) return has_binary_from(node.right, begin);
  return node.piece.binary != MapPiece::kNoBinary || nodes_[node.right].has_binary ||
         has_binary_from(node.left, begin);
}

bool MapTree::has_binary_below(Root root, uint64_t end) const {
  const Node& node = nodes_[root];
  if (!node.has_binary) return false;
  if (end <= node.piece.begin) return has_binary_below(node.left, end);
  return node.piece.binary != MapPiece::kNoBinary || nodes_[node.left].has_binary ||
         has_binary_below(node.right, end);
}

std::vector<MapPiece> MapTree::overlapping(Root root, uint64_t begin, uint64_t end) const {
  std::vector<MapPiece> pieces;
  collect(root, begin, end, pieces);
  return pieces;
}

void MapTree::collect(Root root, uint64_t begin, uint64_t end,
                      std::vector<MapPiece>& pieces) const {
  if (root == kEmpty) return;
  const Node& node = nodes_[root];
  if (begin < node.piece.begin) collect(node.left, begin, end, pieces);
  if (node.piece.begin < end && node.piece.end > begin) pieces.push_back(node.piece);
  if (end > node.piece.end) collect(node.right, begin, end, pieces);
}

}  // namespace pgo::perf_data
