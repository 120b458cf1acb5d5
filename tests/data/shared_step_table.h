// SharedStepTable: a test of the library that steps, with a table as it fills it and the recorder
// reads it.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <vector>

#include "pgo/record/step/table_writer.h"
#include "pgo/record/step_table.h"
#include "tests/data/temporary_files.h"

namespace pgo::test {

class SharedStepTable : public TemporaryFiles {
 protected:
  void SetUp() override {
    ASSERT_TRUE(table_);
    ASSERT_TRUE(open_table(table_->path().c_str()));
  }

  // What the recorder finds in the table.
  std::vector<Slot> take() { return table_->take_rest(); }
  uint64_t lost() const { return table_->lost_samples(); }
  void close() { table_->close(); }
  // All slots are taken, or free.
  void fill() { set_states(kSlotFilling); }
  void clear() { set_states(kSlotFree); }

 private:
  void set_states(uint64_t state) {
    const std::vector<uint64_t> states(kSlotCount, state);
    std::fstream file(path("table"), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(kTableStatesAt);
    file.write(reinterpret_cast<const char*>(states.data()),
               static_cast<std::streamsize>(kSlotCount * sizeof states[0]));
  }

  Result<StepTable> table_ = StepTable::create(path("table"), {1000, 64, 15, 1000, 1});
};

}  // namespace pgo::test
