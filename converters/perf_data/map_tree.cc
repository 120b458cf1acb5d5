#include "converters/perf_data/map_tree.h"

#include <utility>

namespace pgo::perf_data {

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
static uint64_t scramble(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

MapTree::Root MapTree::make(const MapPiece& piece, Root left, Root right, uint64_t priority) {
  nodes_.push_back({piece, left, right, priority});
  return static_cast<Root>(nodes_.size() - 1);
}

MapTree::Root MapTree::make(const MapPiece& piece) {
  return make(piece, kEmpty, kEmpty, scramble(nodes_.size()));
}

std::pair<MapTree::Root, MapTree::Root> MapTree::split(Root root, uint64_t addr) {
  if (root == kEmpty) return {kEmpty, kEmpty};
  Node node = nodes_[root];
  if (node.piece.end <= addr) {
    auto [low, high] = split(node.right, addr);
    return {make(node.piece, node.left, low, node.priority), high};
  }
  if (node.piece.begin >= addr) {
    auto [low, high] = split(node.left, addr);
    return {low, make(node.piece, high, node.right, node.priority)};
  }
  MapPiece low = node.piece, high = node.piece;
  low.end = high.begin = addr;
  high.elf_begin += addr - low.begin;
  return {join(node.left, make(low)), join(make(high), node.right)};
}

MapTree::Root MapTree::join(Root left, Root right) {
  if (left == kEmpty) return right;
  if (right == kEmpty) return left;
  Node l = nodes_[left], r = nodes_[right];
  if (l.priority >= r.priority) return make(l.piece, l.left, join(l.right, right), l.priority);
  return make(r.piece, join(left, r.left), r.right, r.priority);
}

MapTree::Root MapTree::assign(Root root, const MapPiece& piece) {
  if (piece.begin >= piece.end) return root;
  auto [low, rest] = split(root, piece.begin);
  Root high = split(rest, piece.end).second;
  return join(join(low, make(piece)), high);
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
