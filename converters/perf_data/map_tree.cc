#include "converters/perf_data/map_tree.h"

#include <algorithm>

namespace pgo::perf_data {

MapTree::PieceNumber MapTree::add_piece(const MapPiece& piece) {
  pieces_.push_back(piece);
  return static_cast<PieceNumber>(pieces_.size() - 1);
}

MapTree::Node MapTree::take(Root root) {
  if (root >= first_new_) free_.push_back(root);
  return nodes_[root];
}

MapTree::Root MapTree::make(Root left, PieceNumber piece, Root right) {
  size_t height = 1 + std::max(depth(left), depth(right));
  bool has_binary = pieces_[piece].binary != MapPiece::kNoBinary || nodes_[left].has_binary ||
                    nodes_[right].has_binary;
  Node node{piece, left, right, static_cast<uint8_t>(height), has_binary};
  if (free_.empty()) {
    nodes_.push_back(node);
    return static_cast<Root>(nodes_.size() - 1);
  }
  Root root = free_.back();
  free_.pop_back();
  nodes_[root] = node;
  return root;
}

MapTree::Root MapTree::make_balanced(Root left, PieceNumber piece, Root right) {
  if (depth(left) > depth(right) + 1) {
    Node l = take(left);
    if (depth(l.left) >= depth(l.right)) return make(l.left, l.piece, make(l.right, piece, right));
    Node middle = take(l.right);
    Root low = make(l.left, l.piece, middle.left);
    return make(low, middle.piece, make(middle.right, piece, right));
  }
  if (depth(right) > depth(left) + 1) {
    Node r = take(right);
    if (depth(r.right) >= depth(r.left)) return make(make(left, piece, r.left), r.piece, r.right);
    Node middle = take(r.left);
    Root low = make(left, piece, middle.left);
    return make(low, middle.piece, make(middle.right, r.piece, r.right));
  }
  return make(left, piece, right);
}

MapTree::Root MapTree::join(Root left, PieceNumber piece, Root right) {
  if (depth(left) > depth(right) + 1) {
    Node l = take(left);
    return make_balanced(l.left, l.piece, join(l.right, piece, right));
  }
  if (depth(right) > depth(left) + 1) {
    Node r = take(right);
    return make_balanced(join(left, piece, r.left), r.piece, r.right);
  }
  return make(left, piece, right);
}

MapTree::Root MapTree::below(Root root, RuntimeAddr addr) {
  if (root == kEmpty) return kEmpty;
  Node node = nodes_[root];
  MapPiece piece = piece_of(node);
  if (piece.begin >= addr) return below(node.left, addr);
  if (piece.end > addr) {
    piece.end = addr;
    return join(node.left, add_piece(piece), kEmpty);
  }
  Root right = below(node.right, addr);
  return right == node.right ? root : join(node.left, node.piece, right);
}

MapTree::Root MapTree::above(Root root, RuntimeAddr addr) {
  if (root == kEmpty) return kEmpty;
  Node node = nodes_[root];
  MapPiece piece = piece_of(node);
  if (piece.end <= addr) return above(node.right, addr);
  if (piece.begin < addr) {
    piece.elf_begin = piece.elf_begin + (addr - piece.begin);
    piece.begin = addr;
    return join(kEmpty, add_piece(piece), node.right);
  }
  Root left = above(node.left, addr);
  return left == node.left ? root : join(left, node.piece, node.right);
}

MapTree::Root MapTree::assign(Root root, const MapPiece& piece) {
  if (piece.begin >= piece.end) return root;
  // From here on each new node is in one place only: in `low`, in `high`, or free.
  first_new_ = static_cast<Root>(nodes_.size());
  Root low = below(root, piece.begin), high = above(root, piece.end);
  return join(low, add_piece(piece), high);
}

const MapPiece* MapTree::find(Root root, RuntimeAddr addr) const {
  while (root != kEmpty) {
    const Node& node = nodes_[root];
    const MapPiece& piece = piece_of(node);
    if (addr < piece.begin)
      root = node.left;
    else if (addr >= piece.end)
      root = node.right;
    else
      return &piece;
  }
  return nullptr;
}

// Visits two paths only: a subtree between them lies within the range, and knows the answer.
bool MapTree::has_binary(Root root, RuntimeAddr begin, RuntimeAddr end) const {
  const Node& node = nodes_[root];
  if (!node.has_binary || begin >= end) return false;
  if (end <= piece_of(node).begin) return has_binary(node.left, begin, end);
  if (begin >= piece_of(node).end) return has_binary(node.right, begin, end);
  return piece_of(node).binary != MapPiece::kNoBinary || has_binary_from(node.left, begin) ||
         has_binary_below(node.right, end);
}

bool MapTree::has_binary_from(Root root, RuntimeAddr begin) const {
  const Node& node = nodes_[root];
  if (!node.has_binary) return false;
  if (begin >= piece_of(node).end) return has_binary_from(node.right, begin);
  return piece_of(node).binary != MapPiece::kNoBinary || nodes_[node.right].has_binary ||
         has_binary_from(node.left, begin);
}

bool MapTree::has_binary_below(Root root, RuntimeAddr end) const {
  const Node& node = nodes_[root];
  if (!node.has_binary) return false;
  if (end <= piece_of(node).begin) return has_binary_below(node.left, end);
  return piece_of(node).binary != MapPiece::kNoBinary || nodes_[node.left].has_binary ||
         has_binary_below(node.right, end);
}

}  // namespace pgo::perf_data
