#include "engine/workloads/monotonic/rows.h"

#include <algorithm>
#include <map>

#include "engine/ir/call.h"

namespace elapid::monotonic {

std::optional<BigInteger> BigInteger::parse(std::string_view text) {
  BigInteger number;
  number.is_negative_ = text.starts_with('-');
  text.remove_prefix(number.is_negative_ ? 1 : 0);
  text.remove_suffix(text.ends_with('N') ? 1 : 0);
  if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) {
    return std::nullopt;
  }
  number.digits_ = text;
  return number;
}

bool operator<(const BigInteger& a, const BigInteger& b) {
  if (a.is_negative_ != b.is_negative_) {
    return a.is_negative_;
  }
  const bool is_closer_to_zero = a.digits_.size() != b.digits_.size()
                                     ? a.digits_.size() < b.digits_.size()
                                     : a.digits_ < b.digits_;
  return a.is_negative_ ? a != b && !is_closer_to_zero : is_closer_to_zero;
}

std::optional<Row> row_of(std::string_view text, const ValuePool& values) {
  const auto entries = text.starts_with('{') ? elements_of(text) : std::nullopt;
  if (!entries) {
    return std::nullopt;
  }
  Row row = {.whole = values.find(text)};
  std::optional<BigInteger> sts;
  std::optional<std::int64_t> number;
  for (std::size_t i = 0; i + 1 < entries->size(); i += 2) {
    const std::string_view key = (*entries)[i];
    const std::string_view entry = (*entries)[i + 1];
    if (key == ":val") {
      row.val = values.find(entry);
      number = values.as_integer(row.val);
    } else if (key == ":sts") {
      sts = BigInteger::parse(entry);
    } else if (key == ":node") {
      row.node = values.find(entry);
    } else if (key == ":tb") {
      row.table = values.find(entry);
    } else if (key == ":proc") {
      row.proc = values.find(entry);
    }
  }
  if (!sts || !number) {
    return std::nullopt;
  }
  row.sts = *std::move(sts);
  row.number = *number;
  return row;
}

std::vector<RowPair> falling_timestamps(std::span<const Row> rows) {
  std::vector<RowPair> pairs;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].sts < rows[i - 1].sts) {
      pairs.emplace_back(rows[i - 1].whole, rows[i].whole);
    }
  }
  return pairs;
}

std::vector<RowPair> falling_values(std::span<const Row> rows) {
  std::vector<RowPair> pairs;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].number <= rows[i - 1].number) {
      pairs.emplace_back(rows[i - 1].whole, rows[i].whole);
    }
  }
  return pairs;
}

std::vector<std::pair<ValueId, std::vector<RowPair>>> falling_values_by(std::span<const Row> rows,
                                                                        ValueId Row::*group,
                                                                        const ValuePool& values) {
  const auto less = [&](ValueId a, ValueId b) {
    const auto first = values.as_integer(a);
    const auto second = values.as_integer(b);
    return first && second   ? *first < *second
           : first || second ? second.has_value()  // nil comes first
                             : values.text(a) < values.text(b);
  };
  std::map<ValueId, std::vector<Row>, decltype(less)> groups(less);
  for (const Row& row : rows) {
    groups[row.*group].push_back(row);
  }
  std::vector<std::pair<ValueId, std::vector<RowPair>>> pairs;
  for (const auto& [key, members] : groups) {
    pairs.emplace_back(key, falling_values(members));
  }
  return pairs;
}

void sort_ties(std::vector<Row>& rows) {
  for (std::size_t begin = 0; begin < rows.size();) {
    std::size_t end = begin;
    while (end < rows.size() && rows[end].sts == rows[begin].sts) {
      ++end;
    }
    std::ranges::stable_sort(rows.begin() + static_cast<std::ptrdiff_t>(begin),
                             rows.begin() + static_cast<std::ptrdiff_t>(end), {}, &Row::number);
    begin = end;
  }
}

}  // namespace elapid::monotonic
