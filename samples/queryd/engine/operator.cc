#include "engine/operator.h"

#include <algorithm>
#include <utility>

#include "engine/error.h"
#include "engine/row_set.h"

namespace queryd {
namespace {

// What steps with an input have in common.
class Step : public Operator {
 public:
  explicit Step(Operator* input) : input_(input) {}

 protected:
  void describe_as(std::string& out, std::string_view what) const {
    input_->describe(out);
    if (out.back() == '"') out += ',';
    out += '"';
    out += what;
    out += '"';
  }

  Operator* input_;
};

class Once final : public Operator {
 public:
  bool next(Frame&) override { return !std::exchange(done_, true); }
  void describe(std::string&) const override {}

 private:
  bool done_ = false;
};

class Scan final : public Step {
 public:
  Scan(Operator* input, unsigned slot, const Table& table)
      : Step(input), slot_(slot), table_(table), row_(table.row_end()) {}

  bool next(Frame& frame) override {
    for (;;) {
      if (row_ == table_.row_end()) {
        if (!input_->next(frame)) return false;
        row_ = 0;
      }
      for (; row_ < table_.row_end(); row_++) {
        if (!table_.is_live(row_)) continue;
        frame.rows[slot_] = table_.row(row_++);
        return true;
      }
    }
  }

  void describe(std::string& out) const override { describe_as(out, "scan " + table_.name()); }

 private:
  unsigned slot_;
  const Table& table_;
  RowId row_;
};

class Lookup final : public Step {
 public:
  Lookup(Operator* input, unsigned slot, const Table& table, unsigned column,
         const HashIndex& index, const Expression* key)
      : Step(input), slot_(slot), column_(column), table_(table), index_(index), key_(key) {}

  bool next(Frame& frame) override {
    while (row_ == kNoRow) {
      if (!input_->next(frame)) return false;
      Value key = key_->evaluate(frame);
      if (!key.is_null()) row_ = index_.first(key);
    }
    frame.rows[slot_] = table_.row(row_);
    row_ = index_.next(row_);
    return true;
  }

  void describe(std::string& out) const override {
    const Column& column = table_.columns()[column_];
    describe_as(out, (column.index.get() == &index_ ? "look up " : "hash, look up ") +
                         table_.name() + '.' + column.name);
  }

 private:
  unsigned slot_, column_;
  const Table& table_;
  const HashIndex& index_;
  const Expression* key_;
  RowId row_ = kNoRow;
};

class Filter final : public Step {
 public:
  Filter(Operator* input, const Expression* condition) : Step(input), condition_(condition) {}

  bool next(Frame& frame) override {
    while (input_->next(frame))
      if (condition_->evaluate(frame).is_true()) return true;
    return false;
  }

  void describe(std::string& out) const override { describe_as(out, "filter"); }

 private:
  const Expression* condition_;
};

// What an aggregate has seen of a group.
struct Accumulator {
  int64_t count = 0, sum = 0;
  Value extreme;

  void add(const Aggregate& aggregate, const Frame& frame) {
    if (aggregate.argument == nullptr) {
      count++;
      return;
    }
    Value value = aggregate.argument->evaluate(frame);
    if (value.is_null()) return;
    count++;
    switch (aggregate.kind) {
      case Aggregate::Kind::kCount: break;
      case Aggregate::Kind::kSum:
      case Aggregate::Kind::kMean:
        if (__builtin_add_overflow(sum, value.integer(), &sum))
          refuse(aggregate.syntax->at, "a sum that grows too large");
        break;
      case Aggregate::Kind::kLeast:
        if (count == 1 || compare(value, extreme) < 0) extreme = value;
        break;
      case Aggregate::Kind::kMost:
        if (count == 1 || compare(value, extreme) > 0) extreme = value;
        break;
    }
  }

  Value result(Aggregate::Kind kind) const {
    if (kind == Aggregate::Kind::kCount) return Value::of(count);
    if (count == 0) return {};
    if (kind == Aggregate::Kind::kSum) return Value::of(sum);
    if (kind == Aggregate::Kind::kMean) return Value::of(sum / count);
    return extreme;
  }
};

class Group final : public Step {
 public:
  Group(Arena& arena, Operator* input, const Grouping& grouping)
      : Step(input),
        grouping_(grouping),
        groups_(arena, grouping.keys.size()),
        accumulators_(arena.list<Accumulator>()),
        key_(grouping.keys.size(), arena.memory()),
        rows_(arena.list<Value>()) {}

  bool next(Frame& frame) override {
    if (!complete_) read_all(frame);
    if (at_ == groups_.size()) return false;
    frame.rows[grouping_.slot] = rows_.data() + at_ * width();
    at_++;
    return true;
  }

  void describe(std::string& out) const override { describe_as(out, "group"); }

 private:
  void read_all(Frame& frame) {
    size_t aggregates = grouping_.aggregates.size();
    if (grouping_.keys.empty()) {
      groups_.add({});
      accumulators_.resize(aggregates);
    }
    while (input_->next(frame)) {
      for (size_t i = 0; i < key_.size(); i++)
        key_[i] = grouping_.keys[i].expression->evaluate(frame);
      auto [number, is_new] = groups_.add(key_);
      if (is_new) accumulators_.resize(accumulators_.size() + aggregates);
      for (size_t i = 0; i < aggregates; i++)
        accumulators_[number * aggregates + i].add(grouping_.aggregates[i], frame);
    }
    make_rows();
    complete_ = true;
  }

  void make_rows() {
    rows_.reserve(groups_.size() * width());
    size_t aggregates = grouping_.aggregates.size();
    for (uint32_t group = 0; group < groups_.size(); group++) {
      std::span<const Value> key = groups_.row(group);
      rows_.insert(rows_.end(), key.begin(), key.end());
      for (size_t i = 0; i < aggregates; i++)
        rows_.push_back(accumulators_[group * aggregates + i].result(grouping_.aggregates[i].kind));
    }
  }

  size_t width() const { return grouping_.keys.size() + grouping_.aggregates.size(); }

  const Grouping& grouping_;
  RowSet groups_;
  List<Accumulator> accumulators_;  // of one group after another
  List<Value> key_;
  List<Value> rows_;  // one for each group, keys and then aggregates
  uint32_t at_ = 0;
  bool complete_ = false;
};

class Sort final : public Step {
 public:
  Sort(Arena& arena, Operator* input, unsigned slots, List<SortKey>&& keys)
      : Step(input),
        slots_(slots),
        keys_(std::move(keys)),
        values_(arena.list<Value>()),
        rows_(arena.list<const Value*>()),
        order_(arena.list<uint32_t>()) {}

  bool next(Frame& frame) override {
    if (!complete_) read_all(frame);
    if (at_ == order_.size()) return false;
    std::copy_n(rows_.begin() + order_[at_] * slots_, slots_, frame.rows);
    at_++;
    return true;
  }

  void describe(std::string& out) const override { describe_as(out, "sort"); }

 private:
  void read_all(Frame& frame) {
    while (input_->next(frame)) {
      for (const SortKey& key : keys_) values_.push_back(key.expression->evaluate(frame));
      rows_.insert(rows_.end(), frame.rows, frame.rows + slots_);
      order_.push_back(static_cast<uint32_t>(order_.size()));
    }
    std::sort(order_.begin(), order_.end(),
              [this](uint32_t a, uint32_t b) { return is_before(a, b); });
    complete_ = true;
  }

  bool is_before(uint32_t a, uint32_t b) const {
    for (size_t i = 0; i < keys_.size(); i++) {
      int difference = compare(values_[a * keys_.size() + i], values_[b * keys_.size() + i]);
      if (difference != 0) return (difference < 0) != keys_[i].descending;
    }
    return a < b;
  }

  unsigned slots_;
  List<SortKey> keys_;
  List<Value> values_;       // of the keys, row after row
  List<const Value*> rows_;  // of all slots
  List<uint32_t> order_;
  size_t at_ = 0;
  bool complete_ = false;
};

class Distinct final : public Step {
 public:
  Distinct(Arena& arena, Operator* input, List<const Expression*>&& expressions)
      : Step(input),
        expressions_(std::move(expressions)),
        seen_(arena, expressions_.size()),
        row_(expressions_.size(), arena.memory()) {}

  bool next(Frame& frame) override {
    while (input_->next(frame)) {
      for (size_t i = 0; i < row_.size(); i++) row_[i] = expressions_[i]->evaluate(frame);
      if (seen_.add(row_).is_new) return true;
    }
    return false;
  }

  void describe(std::string& out) const override { describe_as(out, "distinct"); }

 private:
  List<const Expression*> expressions_;
  RowSet seen_;
  List<Value> row_;
};

class Limit final : public Step {
 public:
  Limit(Operator* input, int64_t rows) : Step(input), left_(rows) {}

  bool next(Frame& frame) override { return left_-- > 0 && input_->next(frame); }
  void describe(std::string& out) const override { describe_as(out, "limit"); }

 private:
  int64_t left_;
};

}  // namespace

Operator* make_once(Arena& arena) { return arena.make<Once>(); }

Operator* make_scan(Arena& arena, Operator* input, unsigned slot, const Table& table) {
  return arena.make<Scan>(input, slot, table);
}

Operator* make_lookup(Arena& arena, Operator* input, unsigned slot, const Table& table,
                      unsigned column, const HashIndex& index, const Expression* key) {
  return arena.make<Lookup>(input, slot, table, column, index, key);
}

Operator* make_filter(Arena& arena, Operator* input, const Expression* condition) {
  return arena.make<Filter>(input, condition);
}

Operator* make_group(Arena& arena, Operator* input, const Grouping& grouping) {
  return arena.make<Group>(arena, input, grouping);
}

Operator* make_sort(Arena& arena, Operator* input, unsigned slots, List<SortKey>&& keys) {
  return arena.make<Sort>(arena, input, slots, std::move(keys));
}

Operator* make_distinct(Arena& arena, Operator* input, List<const Expression*>&& expressions) {
  return arena.make<Distinct>(arena, input, std::move(expressions));
}

Operator* make_limit(Arena& arena, Operator* input, int64_t rows) {
  return arena.make<Limit>(input, rows);
}

}  // namespace queryd
