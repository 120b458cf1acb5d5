// Table: rows of values, and the indexes of its columns. The place of a removed row is used again.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/hash_index.h"
#include "engine/syntax.h"
#include "engine/text_pool.h"
#include "engine/value.h"

namespace queryd {

struct Column {
  std::string name;
  Type type;
  Access access;
  std::unique_ptr<HashIndex> index;  // when access is not kScan
};

class Table {
 public:
  // Throws RequestError when two columns have one name.
  Table(const CreateSyntax& syntax, TextPool& texts);

  const std::string& name() const { return name_; }
  std::span<const Column> columns() const { return columns_; }
  std::optional<unsigned> column_named(std::string_view name) const;

  // Rows from 0 to row_end(), some of which are no more.
  RowId row_end() const { return static_cast<RowId>(live_.size()); }
  bool is_live(RowId row) const { return live_[row]; }
  const Value* row(RowId row) const { return values_.data() + row * columns_.size(); }
  RowId id_of(const Value* row) const {
    return static_cast<RowId>(static_cast<size_t>(row - values_.data()) / columns_.size());
  }

  // One value for each column, of its type or null. kNoRow: its key is there already, or null.
  // Pointers to rows are no longer valid afterwards.
  RowId insert(std::span<const Value> values);
  // `column` is no key.
  void set(RowId row, unsigned column, const Value& value);
  void remove(RowId row);

 private:
  bool is_taken(const Column& column, const Value& key) const {
    return key.is_null() || column.index->first(key) != kNoRow;
  }
  Value kept(const Value& value) {
    return value.type() == Type::kText ? Value::of(texts_.keep(value.text())) : value;
  }

  std::string name_;
  TextPool& texts_;
  std::vector<Column> columns_;
  std::vector<Value> values_;  // row after row
  std::vector<char> live_;
  std::vector<RowId> free_;
};

}  // namespace queryd
