#include "engine/rows/other_rows.h"

#include <algorithm>
#include <limits>

namespace elapid::rows {

namespace {

/// The most other rows.
constexpr std::uint64_t kMostOtherRows = 64;

/// Borders do not divide keys beyond this one.
constexpr std::int64_t kFarthest = std::int64_t{1} << 62;

}  // namespace

void OtherRows::note(const RowOp& op, const Predicate& predicate) {
  has_limits_ = has_limits_ || op.first > 0;
  note_ranges(predicate);
  switch (op.known) {
    case Known::kCount:
    case Known::kAny:
      count_ += op.count;
      break;
    case Known::kBag:
      count_ += op.shown_count;
      break;
    case Known::kNothing:  // rows that may change in place of others
      count_ += op.kind == RowOpKind::kPredicateRead ? 0 : op.first;
      break;
    default:
      break;
  }
}

void OtherRows::note_ranges(const Predicate& predicate) {
  if (predicate.kind == Predicate::Kind::kKeyRange && predicate.low <= predicate.high) {
    if (predicate.low != std::numeric_limits<std::int64_t>::min()) {
      range_borders_.insert(predicate.low);
    }
    if (predicate.high != std::numeric_limits<std::int64_t>::max()) {
      range_borders_.insert(predicate.high + 1);
    }
  }
  for (const Predicate& part : predicate.parts) {
    note_ranges(part);
  }
}

/// The borders of key ranges. Between two borders, all keys without named rows behave alike.
std::set<std::int64_t> OtherRows::borders() const {
  std::set<std::int64_t> borders = range_borders_;
  for (const std::int64_t key : keys_) {
    if (has_limits_ && -kFarthest < key && key < kFarthest) {
      borders.insert(key);
      borders.insert(key + 1);
    }
  }
  if (borders.empty()) {
    borders.insert(0);
  }
  return borders;
}

std::vector<std::int64_t> OtherRows::keys(bool& is_whole) const {
  std::vector<std::int64_t> others;
  const std::set<std::int64_t> borders = this->borders();
  const auto is_far = [](std::int64_t key) { return key < -kFarthest || key > kFarthest; };
  const bool are_far = std::ranges::any_of(borders, is_far) || std::ranges::any_of(keys_, is_far);
  if (count_ == 0) {
    return others;
  }
  std::uint64_t each = count_;
  if (are_far || each > kMostOtherRows || each * (borders.size() + 1) > kMostOtherRows) {
    is_whole = false;
    each = are_far ? 0 : kMostOtherRows / (borders.size() + 1);
  }
  std::uint64_t found = 0;
  const auto take = [&](std::int64_t key) {
    if (!keys_.contains(key)) {
      others.push_back(key);
      ++found;
    }
  };
  for (auto border = borders.begin(); border != borders.end(); ++border) {
    const auto next = std::next(border);
    found = 0;
    for (std::int64_t key = *border; found < each && (next == borders.end() || key < *next);
         ++key) {
      take(key);
    }
  }
  const bool is_one_place = range_borders_.empty() && !has_limits_;
  found = 0;
  for (std::int64_t key = *borders.begin(); found < each && !is_one_place;) {
    take(--key);
  }
  return others;
}

}  // namespace elapid::rows
