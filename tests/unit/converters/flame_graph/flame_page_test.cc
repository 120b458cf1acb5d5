#include "converters/flame_graph/flame_page.h"

#include <gtest/gtest.h>

#include <cmath>

#include "converters/flame_graph/flame_svg.h"

namespace pgo::flame_page_test {
namespace {

FlameTree small_tree(size_t sides) {
  FlameTreeBuilder builder(sides);
  uint32_t main = builder.add_frame({"main", "server", "main.cc"});
  uint32_t loop = builder.add_frame({"main_loop", "server", ""});
  uint32_t libc = builder.add_frame({"<copy>", "libc.so.6", ""});
  for (size_t side = 0; side < sides; side++) {
    builder.add_stack(std::vector<uint32_t>{main}, side, 10);
    builder.add_stack(std::vector<uint32_t>{main, loop}, side, 60);
    builder.add_stack(std::vector<uint32_t>{main, loop, libc}, side, side == 0 ? 20 : 30);
    builder.add_stack(std::vector<uint32_t>{libc}, side, side == 0 ? 10 : 0);
  }
  FlameTree tree = *builder.build({});
  tree.type = "cpu", tree.unit = "nanoseconds";
  return tree;
}

// What is between `begin` and `end`.
std::string part(const std::string& text, const std::string& begin, const std::string& end) {
  size_t from = text.find(begin);
  if (from == std::string::npos) return "not found: " + begin;
  from += begin.size();
  return text.substr(from, text.find(end, from) - from);
}

std::string data_of(const std::string& html) {
  return part(html, "<script type=\"application/json\" id=\"data\">\n", "</script>");
}

TEST(FlamePage, HasTheTreeInColumns) {
  FlamePage page{"server", "5 hosts", {{"samples", "100"}}, {"One host was left out"}};
  Result<std::string> html = flame_html(small_tree(1), page);
  ASSERT_TRUE(html.has_value());
  std::string data = data_of(*html);
  EXPECT_EQ(part(data, "\"facts\":", "\n"), "[[\"samples\",\"100\"]],");
  EXPECT_EQ(part(data, "\"notes\":", "\n"), "[\"One host was left out\"],");
  EXPECT_EQ(part(data, "\"sides\":", "\n"), "[[\"\",100]],");
  EXPECT_EQ(part(data, "\"modules\":", "\n"), "[\"\",\"libc.so.6\",\"server\"],");
  EXPECT_EQ(part(data, "\"names\":", "\n"),
            "[0,\"all\",0,\"(other)\",0,\"\\u003ccopy\\u003e\",0,\"main\",4,\"_loop\"],");
  EXPECT_EQ(part(data, "\"nodes\":", "}"),
            "{\"frame\":[0,2,3,4,2],\n\"up\":[0,0,1,0,0],\n\"self\":[[0,10,10,60,20]]");
  EXPECT_EQ(part(data, "\"functions\":", "}"),
            "{\"frame\":[4,2,3],\n\"flat\":[[60,30,10]],\n\"cumulative\":[[80,30,90]]");
  EXPECT_EQ(part(data, "\"certainty\":", "\n"), "null,");
  EXPECT_EQ(part(*html, "<title>", "</title>"), "server");
  EXPECT_EQ(part(*html, "<p id=\"subtitle\">", "</p>"), "5 hosts");
}

TEST(FlamePage, NamesTeams) {
  FlameTree tree = small_tree(1);
  tree.functions[2].team = "<storage>";
  const std::string data = data_of(*flame_html(tree, {}));
  EXPECT_EQ(part(data, "\"teams\":", "}"), "[\"\",\"\\u003cstorage\\u003e\"],\n\"team\":[0,0,1]");
}

TEST(FlamePage, HasCertainties) {
  FlameTree tree = small_tree(2);
  tree.certainties.resize(tree.nodes.size());
  tree.certainties[2] = {FlameMark::kNoise, 0.25, {}};
  tree.functions[0].flat_certainty = {FlameMark::kChanged, 0.00123456,
                                      std::pair<int64_t, int64_t>{-1, 5}};
  std::string data = data_of(*flame_html(tree, {}));
  EXPECT_EQ(part(data, "\"certainty\":", "}"),
            "{\"mark\":\"00200\",\n\"q\":[null,null,0.25,null,null]");
  EXPECT_EQ(part(data, "\"flatCertainty\":", "}"),
            "{\"mark\":\"100\",\n\"q\":[0.001235,null,null],\n\"low\":[-1,null,null],\n\"high\":[5,"
            "null,null]");
  EXPECT_EQ(part(data, "\"cumulativeCertainty\":", "}"), "null");
  EXPECT_EQ(part(data, "\"self\":", "}"), "[[0,10,10,60,20],[0,0,10,60,30]]");
}

TEST(FlamePage, HasTablesAndTheSizeOfValues) {
  FlameTree tree = small_tree(2);
  tree.value_size = 2.5e-12, tree.per = "request";
  FlamePage page;
  page.tables.push_back({"Grown </script>", 1, {"After", "Function"}, {{"3", "<f>"}}});
  const std::string data = data_of(*flame_html(tree, page));
  EXPECT_EQ(part(data, "\"valueSize\":", ","), "2.5e-12");
  EXPECT_EQ(part(data, "\"per\":", ","), "\"request\"");
  EXPECT_EQ(part(data, "\"tables\":", "\n"),
            "[{\"title\":\"Grown \\u003c/script\\u003e\",\"numbers\":1,\"columns\":[\"After\","
            "\"Function\"],\"rows\":[[\"3\",\"\\u003cf\\u003e\"]]}],");
  EXPECT_EQ(part(data_of(*flame_html(small_tree(1), {})), "\"tables\":", "\n"), "[],");
}

TEST(FlamePage, LeavesOutWhatIsNoNumber) {
  FlameTree tree = small_tree(2);
  tree.certainties.resize(tree.nodes.size());
  tree.certainties[1] = {FlameMark::kNoise, std::nan(""), {}};
  tree.certainties[2] = {FlameMark::kChanged, -INFINITY, {}};
  tree.certainties[3] = {FlameMark::kThin, 1e-6, {}};
  tree.omitted.min_share = INFINITY;
  std::string data = data_of(*flame_html(tree, {}));
  EXPECT_EQ(part(data, "\"minShare\":", ","), "null");
  EXPECT_EQ(part(data, "\"certainty\":", "}"),
            "{\"mark\":\"02130\",\n\"q\":[null,null,null,1e-06,null]");
  std::string svg = *flame_svg(tree, {});
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_NE(svg.find(", within noise</title>"), std::string::npos);
  EXPECT_NE(svg.find(", too small to tell (q &lt; 0.001)</title>"), std::string::npos);
}

TEST(FlamePage, ScriptsAreStrict) {
  std::string html = *flame_html(small_tree(1), {});
  EXPECT_EQ(part(html, "<script>\n", "\n"), "\"use strict\";");
}

TEST(FlamePage, NeedsNothingElse) {
  std::string html = *flame_html(small_tree(1), {"t", "", {}, {}});
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
  for (const char* outside : {"http:", "https:", "@import", "url(", "src=", "//cdn"})
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  for (const char* place : {"{{style}}", "{{scripts}}", "{{title}}", "{{subtitle}}", "{{data}}"})
    EXPECT_EQ(html.find(place), std::string::npos) << place;
  EXPECT_LT(html.size(), 80'000u);
}

TEST(FlamePage, TextsAreNotMarkup) {
  std::string hostile = "</title></script><script>\"'&{{data}}\xff\u2028";
  FlameTree tree = small_tree(1);
  tree.frames[2].name = tree.frames[2].module = tree.frames[2].file = hostile;
  tree.type = tree.unit = tree.sides[0].name = hostile;
  FlamePage page{hostile, hostile, {{hostile, hostile}}, {hostile}};
  std::string html = *flame_html(tree, page);
  EXPECT_EQ(html.find("</script><script>\""), std::string::npos);
  EXPECT_EQ(part(html, "<title>", "</title>"),
            "&lt;/title&gt;&lt;/script&gt;&lt;script&gt;&quot;&#39;&amp;{{data}}?\\u{2028}");
  EXPECT_EQ(html.find('\xff'), std::string::npos);
  std::string svg = *flame_svg(tree, page);
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(svg.find('\xff'), std::string::npos);
}

TEST(FlamePage, EmptyTreesAreErrors) {
  EXPECT_EQ(flame_html({}, {}).error().message, "flame graph: no stack has a value above 0");
  EXPECT_EQ(flame_svg({}, {}).error().kind, ErrorKind::kEmpty);
}

TEST(FlameSvg, DrawsEachFrameWithItsFigures) {
  std::string svg = *flame_svg(small_tree(1), {"server", "", {}, {}});
  EXPECT_EQ(part(svg, "<g><title>main (server)", "</title>"), ": 90 ns, 90.0 %, self 10 ns");
  EXPECT_EQ(part(svg, "<g><title>main_loop", "fill"),
            " (server): 80 ns, 80.0 %, self 60 ns</title><rect x=\"117.6\" y=\"36.0\" "
            "width=\"940.20\" height=\"17.0\" ");
  EXPECT_EQ(part(svg, "viewBox=\"0 0 1200.0 ", "\""), "118.0");
  EXPECT_NE(svg.find(">&lt;copy&gt;</text>"), std::string::npos);
}

TEST(FlameSvg, HasCostsOfOneUnit) {
  FlameTree tree = small_tree(2);
  ASSERT_TRUE(tree.to_costs_of_one({100, 1000}, "request"));
  EXPECT_EQ(part(*flame_svg(tree, {}), "<g><title>main_loop (server)", "</title>"),
            ": 0.8 ns before, 0.09 ns after");
}

TEST(FlameSvg, SaysWhatGrewAndWhatIsTooNarrow) {
  FlameTree tree = small_tree(2);
  tree.certainties.resize(tree.nodes.size());
  tree.certainties[4] = {FlameMark::kSamplingOnly, 0.02, {}};
  std::string svg = *flame_svg(tree, {});
  EXPECT_EQ(part(svg, "<g><title>main_loop (server)", "</title>"), ": 80.0 % before, 90.0 % after");
  EXPECT_NE(svg.find(">▲ main_loop</text>"), std::string::npos);
  EXPECT_NE(svg.find("20.0 % before, 30.0 % after, beyond sampling error (q = 0.020)"),
            std::string::npos);
  EXPECT_NE(svg.find(">▼ &lt;cop…</text>"), std::string::npos);

  // A name that is too long loses its scope first.
  tree.frames[3].name =
      "a_long_namespace::(anonymous namespace)::Class<int>::handle(" + std::string(200, 'x') + ")";
  EXPECT_NE(flame_svg(tree, {})->find(">▲ handle</text>"), std::string::npos);

  FlameTreeBuilder builder(1);
  uint32_t wide = builder.add_frame({"wide", {}, {}}), thin = builder.add_frame({"thin", {}, {}});
  builder.add_stack({{wide}}, 0, 9997);
  builder.add_stack(std::vector<uint32_t>{thin, wide}, 0, 3);
  svg = *flame_svg(*builder.build({}), {});
  EXPECT_NE(svg.find("2 frames too narrow to draw, 0.030 % of the whole"), std::string::npos);
}

}  // namespace
}  // namespace pgo::flame_page_test
