#include "engine/parser.h"

#include <algorithm>
#include <string>

#include "engine/error.h"
#include "engine/tokenizer.h"

namespace queryd {
namespace {

struct BinaryOperator {
  Operation operation;
  int strength;  // the stronger binds first; 0: no operator
};

constexpr int kWeakest = 1, kComparison = 4, kAdditive = 5;
constexpr int kDeepest = 1000;  // expressions within one another

BinaryOperator binary_operator(TokenKind kind) {
  switch (kind) {
    case TokenKind::kOr: return {Operation::kOr, kWeakest};
    case TokenKind::kAnd: return {Operation::kAnd, 2};
    case TokenKind::kEqual: return {Operation::kEqual, kComparison};
    case TokenKind::kUnequal: return {Operation::kUnequal, kComparison};
    case TokenKind::kLess: return {Operation::kLess, kComparison};
    case TokenKind::kAtMost: return {Operation::kAtMost, kComparison};
    case TokenKind::kMore: return {Operation::kMore, kComparison};
    case TokenKind::kAtLeast: return {Operation::kAtLeast, kComparison};
    case TokenKind::kPlus: return {Operation::kAdd, kAdditive};
    case TokenKind::kMinus: return {Operation::kSubtract, kAdditive};
    case TokenKind::kConcatenate: return {Operation::kConcatenate, kAdditive};
    case TokenKind::kStar: return {Operation::kMultiply, 6};
    case TokenKind::kSlash: return {Operation::kDivide, 6};
    case TokenKind::kPercent: return {Operation::kRemainder, 6};
    default: return {Operation::kOr, 0};
  }
}

class Parser {
 public:
  Parser(std::string_view request, Arena& arena) : tokenizer_(request, arena), arena_(arena) {
    advance();
  }

  Statement parse_statement() {
    Statement statement = parse_by_first_word();
    if (token_.kind != TokenKind::kEnd) expected("the end of the request");
    return statement;
  }

 private:
  Statement parse_by_first_word() {
    if (take(TokenKind::kSelect)) return parse_select();
    if (take(TokenKind::kInsert)) return parse_insert();
    if (take(TokenKind::kUpdate)) return parse_update();
    if (take(TokenKind::kDelete)) return parse_delete();
    if (take(TokenKind::kCreate)) return parse_create();
    if (take(TokenKind::kExplain)) {
      expect(TokenKind::kSelect, "select");
      SelectSyntax select = parse_select();
      select.explain = true;
      return select;
    }
    expected("select, insert, update, delete, create or explain");
  }

  SelectSyntax parse_select() {
    SelectSyntax select{.outputs = arena_.list<OutputSyntax>(),
                        .tables = arena_.list<TableSyntax>(),
                        .groups = arena_.list<const Syntax*>(),
                        .order = arena_.list<OrderSyntax>(),
                        .limit = std::nullopt};
    select.distinct = take(TokenKind::kDistinct);
    do select.outputs.push_back(parse_output());
    while (take(TokenKind::kComma));
    expect(TokenKind::kFrom, "from");
    select.tables.push_back(parse_table_and_alias());
    while (take(TokenKind::kJoin)) {
      TableSyntax table = parse_table_and_alias();
      expect(TokenKind::kOn, "on");
      table.on = parse_expression();
      select.tables.push_back(table);
    }
    select.where = parse_where();
    if (take(TokenKind::kGroup)) {
      expect(TokenKind::kBy, "by");
      parse_expressions(select.groups);
    }
    if (take(TokenKind::kHaving)) select.having = parse_expression();
    if (take(TokenKind::kOrder)) parse_order(select.order);
    if (take(TokenKind::kLimit)) select.limit = expect(TokenKind::kInteger, "a number").integer;
    return select;
  }

  OutputSyntax parse_output() {
    if (take(TokenKind::kStar)) return {nullptr, {}};
    OutputSyntax output{parse_expression(), {}};
    if (take(TokenKind::kAs)) output.alias = expect(TokenKind::kName, "a name").text;
    return output;
  }

  TableSyntax parse_table() {
    Token name = expect(TokenKind::kName, "the name of a table");
    return {name.text, name.text, name.at};
  }

  TableSyntax parse_table_and_alias() {
    TableSyntax table = parse_table();
    if (token_.kind == TokenKind::kName) table.alias = advance().text;
    return table;
  }

  const Syntax* parse_where() { return take(TokenKind::kWhere) ? parse_expression() : nullptr; }

  void parse_order(List<OrderSyntax>& order) {
    expect(TokenKind::kBy, "by");
    do {
      const Syntax* expression = parse_expression();
      bool descending = take(TokenKind::kDesc);
      if (!descending) take(TokenKind::kAsc);
      order.push_back({expression, descending});
    } while (take(TokenKind::kComma));
  }

  InsertSyntax parse_insert() {
    expect(TokenKind::kInto, "into");
    InsertSyntax insert{parse_table(), arena_.list<List<const Syntax*>>()};
    expect(TokenKind::kValues, "values");
    do {
      expect(TokenKind::kOpen, "'('");
      parse_expressions(insert.rows.emplace_back());
      expect(TokenKind::kClose, "')'");
    } while (take(TokenKind::kComma));
    return insert;
  }

  UpdateSyntax parse_update() {
    UpdateSyntax update{parse_table(), arena_.list<Assignment>()};
    expect(TokenKind::kSet, "set");
    do {
      Token column = expect(TokenKind::kName, "the name of a column");
      expect(TokenKind::kEqual, "'='");
      update.assignments.push_back({column.text, column.at, parse_expression()});
    } while (take(TokenKind::kComma));
    update.where = parse_where();
    return update;
  }

  DeleteSyntax parse_delete() {
    expect(TokenKind::kFrom, "from");
    TableSyntax table = parse_table();
    return {table, parse_where()};
  }

  CreateSyntax parse_create() {
    expect(TokenKind::kTable, "table");
    CreateSyntax create{parse_table(), arena_.list<ColumnSyntax>()};
    expect(TokenKind::kOpen, "'('");
    do {
      std::string_view name = expect(TokenKind::kName, "the name of a column").text;
      Type type = Type::kInteger;
      if (take(TokenKind::kTextType))
        type = Type::kText;
      else
        expect(TokenKind::kInt, "int or text");
      Access access = take(TokenKind::kKey)     ? Access::kKey
                      : take(TokenKind::kIndex) ? Access::kIndex
                                                : Access::kScan;
      create.columns.push_back({name, type, access});
    } while (take(TokenKind::kComma));
    expect(TokenKind::kClose, "')'");
    return create;
  }

  void parse_expressions(List<const Syntax*>& list) {
    do list.push_back(parse_expression());
    while (take(TokenKind::kComma));
  }

  // Whoever walks through expressions goes as deep as they are: a chain of operators is as deep as
  // it is long.
  void add_child(Syntax* parent, const Syntax* child) {
    parent->height = std::max(parent->height, child->height + 1);
    if (parent->height > kDeepest) refuse(parent->at, "an expression that is too deep");
    parent->children.push_back(child);
  }

  void add_children(Syntax* parent) {
    do add_child(parent, parse_expression());
    while (take(TokenKind::kComma));
  }

  Syntax* parse_expression() { return parse_operators(kWeakest); }

  // Operators that bind at least as strongly as `weakest`, and what they stand between.
  Syntax* parse_operators(int weakest) {
    if (++depth_ > kDeepest) refuse(token_.at, "an expression that is too deep");
    Syntax* left = parse_operand();
    for (;;) {
      if (weakest <= kComparison && parse_test(left)) continue;
      auto [operation, strength] = binary_operator(token_.kind);
      if (strength == 0 || strength < weakest) break;
      Syntax* both = make(Syntax::Kind::kOperation, advance());
      both->operation = operation;
      add_child(both, left);
      add_child(both, parse_operators(strength + 1));
      left = both;
    }
    depth_--;
    return left;
  }

  // [not] in, between, like; is [not] null: `left` becomes the test of what it was.
  bool parse_test(Syntax*& left) {
    Token first = token_;
    bool negated = take(TokenKind::kNot);
    if (token_.kind == TokenKind::kIn) {
      Syntax* test = make_test(Syntax::Kind::kIn, left, negated);
      expect(TokenKind::kOpen, "'('");
      add_children(test);
      expect(TokenKind::kClose, "')'");
    } else if (token_.kind == TokenKind::kBetween) {
      Syntax* test = make_test(Syntax::Kind::kBetween, left, negated);
      add_child(test, parse_operators(kAdditive));
      expect(TokenKind::kAnd, "and");
      add_child(test, parse_operators(kAdditive));
    } else if (token_.kind == TokenKind::kLike) {
      Syntax* test = make_test(Syntax::Kind::kLike, left, negated);
      add_child(test, parse_operators(kAdditive));
    } else if (!negated && first.kind == TokenKind::kIs) {
      Syntax* test = make_test(Syntax::Kind::kIsNull, left, false);
      test->negated = take(TokenKind::kNot);
      expect(TokenKind::kNull, "null");
    } else if (negated) {
      expected("in, between or like");
    } else {
      return false;
    }
    return true;
  }

  Syntax* make_test(Syntax::Kind kind, Syntax*& what, bool negated) {
    Syntax* test = make(kind, advance());
    test->negated = negated;
    add_child(test, what);
    what = test;
    return test;
  }

  Syntax* parse_operand() {
    Token first = advance();
    switch (first.kind) {
      case TokenKind::kInteger: return make(Syntax::Kind::kInteger, first);
      case TokenKind::kText: return make(Syntax::Kind::kText, first);
      case TokenKind::kNull: return make(Syntax::Kind::kNull, first);
      case TokenKind::kName: return parse_name(first);
      case TokenKind::kCase: return parse_case(first);
      case TokenKind::kNot: return make_unary(Operation::kNot, first, kComparison);
      case TokenKind::kMinus: return make_unary(Operation::kNegate, first, kAdditive + 2);
      case TokenKind::kOpen: {
        Syntax* inner = parse_expression();
        expect(TokenKind::kClose, "')'");
        return inner;
      }
      default: token_ = first; expected("a value, a column or '('");
    }
  }

  Syntax* make_unary(Operation operation, const Token& first, int strength) {
    Syntax* unary = make(Syntax::Kind::kOperation, first);
    unary->operation = operation;
    add_child(unary, parse_operators(strength));
    return unary;
  }

  // A column, a table's column, or a call.
  Syntax* parse_name(const Token& first) {
    Syntax* named = make(Syntax::Kind::kColumn, first);
    if (take(TokenKind::kDot)) {
      named->table = first.text;
      named->name = expect(TokenKind::kName, "the name of a column").text;
    } else if (take(TokenKind::kOpen)) {
      named->kind = Syntax::Kind::kCall;
      if (!take(TokenKind::kStar)) add_children(named);
      expect(TokenKind::kClose, "')'");
    }
    return named;
  }

  Syntax* parse_case(const Token& first) {
    Syntax* whole = make(Syntax::Kind::kCase, first);
    while (take(TokenKind::kWhen)) {
      add_child(whole, parse_expression());
      expect(TokenKind::kThen, "then");
      add_child(whole, parse_expression());
    }
    if (whole->children.empty()) expected("when");
    if (take(TokenKind::kElse)) add_child(whole, parse_expression());
    expect(TokenKind::kEndOfCase, "when, else or end");
    return whole;
  }

  Syntax* make(Syntax::Kind kind, const Token& first) {
    return arena_.make<Syntax>(Syntax{.kind = kind,
                                      .at = first.at,
                                      .integer = first.integer,
                                      .table = {},
                                      .name = first.text,
                                      .children = arena_.list<const Syntax*>()});
  }

  Token advance() {
    Token before = token_;
    token_ = tokenizer_.next();
    return before;
  }

  bool take(TokenKind kind) {
    if (token_.kind != kind) return false;
    advance();
    return true;
  }

  Token expect(TokenKind kind, const char* what) {
    if (token_.kind != kind) expected(what);
    return advance();
  }

  [[noreturn]] void expected(const char* what) {
    std::string found =
        token_.kind == TokenKind::kEnd ? "the end" : "'" + std::string(token_.text) + "'";
    refuse(token_.at, std::string(what) + " expected, " + found + " found");
  }

  Tokenizer tokenizer_;
  Arena& arena_;
  Token token_;
  int depth_ = 0;
};

}  // namespace

Statement parse_request(std::string_view request, Arena& arena) {
  return Parser(request, arena).parse_statement();
}

}  // namespace queryd
