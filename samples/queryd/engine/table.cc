#include "engine/table.h"

#include "engine/error.h"

namespace queryd {

Table::Table(const CreateSyntax& syntax, TextPool& texts)
    : name_(syntax.table.name), texts_(texts) {
  for (const ColumnSyntax& column : syntax.columns) {
    if (column_named(column.name))
      refuse(syntax.table.at, "two columns '" + std::string(column.name) + "'");
    columns_.push_back({std::string(column.name), column.type, column.access, nullptr});
    if (column.access != Access::kScan) columns_.back().index = std::make_unique<HashIndex>();
  }
}

std::optional<unsigned> Table::column_named(std::string_view name) const {
  for (unsigned i = 0; i < columns_.size(); i++)
    if (columns_[i].name == name) return i;
  return std::nullopt;
}

RowId Table::insert(std::span<const Value> values) {
  for (size_t i = 0; i < columns_.size(); i++)
    if (columns_[i].access == Access::kKey && is_taken(columns_[i], values[i])) return kNoRow;
  RowId row = row_end();
  if (free_.empty()) {
    live_.push_back(true);
    values_.resize(values_.size() + columns_.size());
  } else {
    row = free_.back();
    free_.pop_back();
    live_[row] = true;
  }
  Value* place = values_.data() + row * columns_.size();
  for (size_t i = 0; i < columns_.size(); i++) {
    place[i] = kept(values[i]);
    if (columns_[i].index != nullptr) columns_[i].index->add(place[i], row);
  }
  return row;
}

void Table::set(RowId row, unsigned column, const Value& value) {
  Value& place = values_[row * columns_.size() + column];
  HashIndex* index = columns_[column].index.get();
  if (index != nullptr) index->remove(place, row);
  place = kept(value);
  if (index != nullptr) index->add(place, row);
}

void Table::remove(RowId row) {
  const Value* values = this->row(row);
  for (size_t i = 0; i < columns_.size(); i++)
    if (columns_[i].index != nullptr) columns_[i].index->remove(values[i], row);
  live_[row] = false;
  free_.push_back(row);
}

}  // namespace queryd
