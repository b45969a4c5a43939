#include "harness/generate/workloads/predicates.h"

#include <algorithm>
#include <limits>

namespace elapid {

namespace {

constexpr std::size_t kNames = 4;         // values of `v` that are searched for
constexpr std::int64_t kMostOfGroup = 6;  // rows, beyond which nothing is allocated
constexpr std::int64_t kNewestKeys = 12;  // that are searched by key
constexpr std::int64_t kOnCall = 1;       // the least `v` of who is on call

class PredicateRequests : public RequestSource {
 public:
  explicit PredicateRequests(const WorkloadOptions& options)
      : groups_(options.keys), reads_(options.reads) {}

  void next(Random& random, Request& out) override {
    if (random.per_million(reads_)) {
      look(random, out);
      return;
    }
    const auto group = static_cast<std::int64_t>(random.below(groups_));
    const auto value = static_cast<std::int64_t>(random.below(kNames));
    const std::size_t kind = random.below(10);
    if (kind < 3) {
      add(search(group, value, value), out);
      add(insertion(group, value), out);
      write_if_found(0, 0, out);
    } else if (kind < 5) {
      add({.by = PlainRowsBy::kGroup, .group = group}, out);
      add(insertion(group, 0), out);
      write_if_found(0, kMostOfGroup - 1, out);
      out.numbers[2] = 1;  // what is inserted is how many there were
    } else if (kind < 8) {
      add(search(group, kOnCall, kNames), out);
      PlainRowOp leave = search(group, value, value);
      leave.kind = PlainRowKind::kUpdate;
      leave.value = kOnCall - 1;
      leave.unique = ++unique_;
      add(leave, out);
      write_if_found(2, std::numeric_limits<std::int64_t>::max(), out);
    } else if (kind < 9) {
      PlainRowOp sweep = search(group, value, kNames);
      sweep.kind = PlainRowKind::kDelete;
      add(sweep, out);
    } else {
      add({.kind = PlainRowKind::kUpdate,
           .by = PlainRowsBy::kValues,
           .low = value,
           .high = value,
           .value = static_cast<std::int64_t>(random.below(kNames)),
           .unique = ++unique_},
          out);
    }
  }

  /// The first search decides whether there are writes.
  std::string_view after_read(Request& request, std::size_t step, Seen seen) override {
    if (step > 0) {
      return {};
    }
    const bool writes = *seen >= request.numbers[0] && *seen <= request.numbers[1];
    for (PlainRowOp& op : request.row_ops) {
      if (op.kind != PlainRowKind::kRead) {
        op.is_left_out = !writes;
        op.value = request.numbers[2] == 1 ? *seen : op.value;
      }
    }
    return {};
  }

  void done(const Request& /*request*/) override {}

  bool final_read(std::size_t n, Request& out) override {
    if (n >= groups_) {
      return false;
    }
    out.only_reads = true;
    add({.by = PlainRowsBy::kGroup, .group = static_cast<std::int64_t>(n)}, out);
    return true;
  }

 private:
  static void add(const PlainRowOp& op, Request& out) {
    out.steps.push_back(
        {.kind = OpKind::kRow, .value = static_cast<std::int64_t>(out.row_ops.size())});
    out.row_ops.push_back(op);
  }

  static PlainRowOp search(std::int64_t group, std::int64_t low, std::int64_t high) {
    return {.by = PlainRowsBy::kValuesOfGroup, .group = group, .low = low, .high = high};
  }

  PlainRowOp insertion(std::int64_t group, std::int64_t value) {
    return {.kind = PlainRowKind::kInsert,
            .key = ++key_,
            .group = group,
            .value = value,
            .unique = ++unique_};
  }

  static void write_if_found(std::int64_t least, std::int64_t most, Request& out) {
    out.depends_on_reads = true;
    out.numbers = {least, most, 0};
  }

  void look(Random& random, Request& out) {
    out.only_reads = true;
    for (int i = 0; i < 2; ++i) {
      const auto group = static_cast<std::int64_t>(random.below(groups_));
      const auto value = static_cast<std::int64_t>(random.below(kNames));
      switch (random.below(4)) {
        case 0:
          add({.by = PlainRowsBy::kGroup, .group = group}, out);
          break;
        case 1:
          add({.by = PlainRowsBy::kValues, .low = value, .high = value + 1}, out);
          break;
        case 2:
          add({.by = PlainRowsBy::kKeys,
               .low = std::max<std::int64_t>(0, key_ - kNewestKeys),
               .high = key_},
              out);
          break;
        default:
          add(search(group, value, kNames), out);
          break;
      }
    }
  }

  std::size_t groups_;
  std::uint32_t reads_;
  std::int64_t key_ = 0;     // the last one that was inserted
  std::int64_t unique_ = 0;  // the last `u`
};

}  // namespace

std::unique_ptr<RequestSource> predicate_requests(const WorkloadOptions& options) {
  return std::make_unique<PredicateRequests>(options);
}

}  // namespace elapid
