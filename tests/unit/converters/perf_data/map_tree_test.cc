#include "converters/perf_data/map_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace pgo::perf_data::map_tree_test {
namespace {

MapPiece piece(uint64_t begin, uint64_t end, uint32_t binary, uint64_t elf_begin = 0) {
  return {RuntimeAddr{begin}, RuntimeAddr{end},  binary,
          Dropped::kNotCode,  MapPiece::kNoFile, ElfAddr{elf_begin}};
}

// More than any address that is mapped here, unless a test says otherwise.
constexpr uint64_t kEnd = 1000;

// Below kEnd, found address by address.
std::vector<MapPiece> pieces_of(const MapTree& tree, MapTree::Root root) {
  std::vector<MapPiece> pieces;
  for (uint64_t at = 0; at < kEnd;) {
    const MapPiece* found = tree.find(root, RuntimeAddr{at});
    if (found != nullptr) pieces.push_back(*found);
    at = found != nullptr ? found->end.value : at + 1;
  }
  return pieces;
}

// begin-end:binary@elf address, in order.
std::string text(const MapTree& tree, MapTree::Root root) {
  std::string text;
  for (const MapPiece& p : pieces_of(tree, root))
    text += std::to_string(p.begin.value) + '-' + std::to_string(p.end.value) + ':' +
            std::to_string(p.binary) + '@' + std::to_string(p.elf_begin.value) + ' ';
  return text;
}

TEST(MapTree, CutsWhatANewPieceCovers) {
  MapTree tree;
  MapTree::Root root = tree.assign(MapTree::kEmpty, piece(100, 200, 1, 1000));
  EXPECT_EQ(text(tree, tree.assign(root, piece(120, 150, 2, 0))),
            "100-120:1@1000 120-150:2@0 150-200:1@1050 ");
  EXPECT_EQ(text(tree, tree.assign(root, piece(50, 150, 2, 0))), "50-150:2@0 150-200:1@1050 ");
  EXPECT_EQ(text(tree, tree.assign(root, piece(150, 250, 2, 0))), "100-150:1@1000 150-250:2@0 ");
  EXPECT_EQ(text(tree, tree.assign(root, piece(100, 200, 2, 0))), "100-200:2@0 ");
  EXPECT_EQ(text(tree, tree.assign(root, piece(0, 300, 2, 0))), "0-300:2@0 ");
  EXPECT_EQ(text(tree, tree.assign(root, piece(200, 300, 2, 0))), "100-200:1@1000 200-300:2@0 ");
  EXPECT_EQ(text(tree, tree.assign(root, piece(150, 150, 2, 0))), "100-200:1@1000 ");
  EXPECT_EQ(text(tree, root), "100-200:1@1000 ") << "the old state must stay as it was";
}

TEST(MapTree, FindsThePieceOfAnAddress) {
  MapTree tree;
  MapTree::Root root = tree.assign(MapTree::kEmpty, piece(100, 200, 1));
  root = tree.assign(root, piece(0xfffffffffffffff0, ~0ull, 2));
  EXPECT_EQ(tree.find(root, RuntimeAddr{99}), nullptr);
  EXPECT_EQ(tree.find(root, RuntimeAddr{100})->binary, 1u);
  EXPECT_EQ(tree.find(root, RuntimeAddr{199})->binary, 1u);
  EXPECT_EQ(tree.find(root, RuntimeAddr{200}), nullptr);
  EXPECT_EQ(tree.find(root, RuntimeAddr{0xfffffffffffffffe})->binary, 2u);
  EXPECT_EQ(tree.find(MapTree::kEmpty, RuntimeAddr{100}), nullptr);
}

// What a process's addresses map to, one by one.
using Oracle = std::map<uint64_t, std::pair<uint32_t, uint64_t>>;

Oracle expand(const MapTree& tree, MapTree::Root root) {
  Oracle all;
  RuntimeAddr end;
  for (const MapPiece& p : pieces_of(tree, root)) {
    EXPECT_LE(end, p.begin);
    EXPECT_LT(p.begin, p.end);
    end = p.end;
    for (RuntimeAddr a = p.begin; a < p.end; a = a + 1)
      all[a.value] = {p.binary, (p.elf_begin + (a - p.begin)).value};
  }
  return all;
}

// Random changes to random states, as forks make them, against a map of every address; all states
// are looked at again at the end.
TEST(MapTree, AgreesWithAMapOfEveryAddress) {
  std::mt19937 random(11);
  auto number = [&](uint64_t end) {
    return std::uniform_int_distribution<uint64_t>(0, end - 1)(random);
  };
  MapTree tree;
  std::vector<std::pair<MapTree::Root, Oracle>> states{{MapTree::kEmpty, {}}};
  for (uint32_t i = 0; i < 600; i++) {
    auto [root, oracle] = states[states.size() - 1 - number(std::min<size_t>(states.size(), 5))];
    uint64_t begin = number(300), end = begin + number(i % 10 == 0 ? 200 : 20);
    uint32_t binary = i % 3 == 0 ? i : MapPiece::kNoBinary;
    root = tree.assign(root, piece(begin, end, binary, 1000 * i));
    for (uint64_t a = begin; a < end; a++) oracle[a] = {binary, 1000 * i + (a - begin)};
    states.emplace_back(root, std::move(oracle));
    if (states.size() > 100) states.erase(states.begin());
  }
  for (const auto& [root, oracle] : states) {
    ASSERT_EQ(expand(tree, root), oracle);
    for (int i = 0; i < 50; i++) {
      uint64_t begin = number(520), end = begin + number(60);
      bool binary =
          std::any_of(oracle.lower_bound(begin), oracle.lower_bound(end),
                      [](const auto& at) { return at.second.first != MapPiece::kNoBinary; });
      ASSERT_EQ(tree.has_binary(root, RuntimeAddr{begin}, RuntimeAddr{end}), binary)
          << begin << '-' << end;
    }
    for (uint64_t a = 0; a < 520; a++) {
      const MapPiece* found = tree.find(root, RuntimeAddr{a});
      ASSERT_EQ(found != nullptr, oracle.contains(a)) << a;
      if (found != nullptr) {
        ASSERT_EQ(found->binary, oracle.at(a).first) << a;
      }
    }
  }
}

// A recording may be written to make the tree a list, if it can know how the tree balances.
TEST(MapTree, StaysShallowWhateverTheOrder) {
  constexpr uint64_t kPieces = 4000;
  for (uint64_t step : {uint64_t{1}, kPieces - 1, uint64_t{1237}}) {
    MapTree tree;
    MapTree::Root root = MapTree::kEmpty;
    for (uint64_t i = 0; i < kPieces; i++) {
      uint64_t at = 16 * (i * step % kPieces);
      root = tree.assign(root, piece(at, at + 8, static_cast<uint32_t>(i)));
    }
    EXPECT_LE(tree.depth(root), 17u) << step;  // 1.44 log2 n
    for (uint64_t i = 0; i < kPieces; i++)
      EXPECT_EQ(tree.find(root, RuntimeAddr{16 * (i * step % kPieces)})->binary, i);
  }
}

// A process that maps and unmaps for days has as many states as it has done so.
TEST(MapTree, TakesLittleForEachState) {
  constexpr uint64_t kPieces = 16384;
  for (uint64_t step : {uint64_t{1}, kPieces - 1, uint64_t{1237}}) {
    MapTree tree;
    MapTree::Root root = MapTree::kEmpty;
    for (uint64_t i = 0; i < kPieces; i++) {
      uint64_t at = 16 * (i * step % kPieces);
      root = tree.assign(root, piece(at, at + 8, static_cast<uint32_t>(i)));
    }
    // A node of 16 bytes for each of 14 levels, some more for balance, and the piece.
    EXPECT_LT(tree.bytes() / kPieces, 400u) << step;
  }
}

}  // namespace
}  // namespace pgo::perf_data::map_tree_test
