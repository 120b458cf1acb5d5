// Numbers as people read them: "1 234 samples", "91.6 %", "12.3 MB", "0x1000".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pgo {

// A share of `whole` in percent with one decimal, "0.0 %" when there is nothing.
std::string format_percent(uint64_t part, uint64_t whole);
// "91.6 %" of a share, 0 to 1.
std::string format_share(double share);
// 1234567 as "1 234 567".
std::string format_count(uint64_t count);
// "1 sample", "1 234 samples"; of other words both forms are given.
std::string format_count(uint64_t count, std::string_view one);
std::string format_count(uint64_t count, std::string_view one, std::string_view several);
// 0.9912 as "0.991", for three decimals.
std::string format_decimal(double value, int decimals);
// An amount of money, or another that few digits are enough for: 12345.6 as "12 300" (three
// significant digits), 12.345 as "12.35".
std::string format_amount(double amount);
// The nearest whole number from 0 to 2^63 - 1; 0 for what is not a number.
int64_t whole_number(double value);
// 4096 as "0x1000".
std::string format_hex(uint64_t value);
// "12.3 MB".
std::string format_size(uint64_t bytes);

}  // namespace pgo
