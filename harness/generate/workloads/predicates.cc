#include "harness/generate/workloads/predicates.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace elapid {

namespace {

constexpr std::size_t kNames = 4;          // the number of names, and of people for duty
constexpr std::int64_t kOnCall = 1;        // the fewest people that must be on call
constexpr std::size_t kHours = 10;         // of a room
constexpr std::int64_t kMostOfGroup = 6;   // the greatest number of rows
constexpr std::int64_t kDeposit = 10;      // of a new account
constexpr std::int64_t kRange = 10;        // the length of a range that must stay empty
constexpr std::int64_t kNewestKeys = 12;   // searched by key
constexpr std::int64_t kGreatest = 1'000;  // the greatest allocated number, by far
constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kColumns = 4;  // numbers in Request::found that a row takes

/// The rule that decides whether a transaction writes, and what. Request::numbers holds the rule,
/// and then its two numbers.
enum class Rule : std::uint8_t {
  kCount,     ///< as many rows were found as the two numbers say, the least and the most
  kNext,      ///< the same, and what is inserted is one more than the greatest found
  kTransfer,  ///< the numbers choose two of those found; the first has something to give
};

class PredicateRequests : public RequestSource {
 public:
  explicit PredicateRequests(const WorkloadOptions& options)
      : groups_(options.keys),
        reads_(options.reads),
        weights_(options.forms == RowFormWeights() ? usual_weights() : options.forms),
        all_weights_(std::accumulate(weights_.begin(), weights_.end(), std::size_t{0})),
        key_(2 * static_cast<std::int64_t>(options.keys)) {}

  void next(Random& random, Request& out) override {
    if (random.per_million(reads_)) {
      return look(random, out);
    }
    const auto group = static_cast<std::int64_t>(random.below(groups_));
    switch (draw_form(random)) {
      case RowForm::kEmptyRange:
        return fill_range(group, random, out);
      case RowForm::kAbsentKey:
        return take_key(group, random, out);
      case RowForm::kBank:
        return move_money(group, random, out);
      case RowForm::kScheduling:
        return book(group, random, out);
      case RowForm::kUniqueName:
        return take_name(group, random, out);
      case RowForm::kIdAllocation:
        return allocate(group, random, out);
      case RowForm::kOnCall:
        return change_call(group, random, out);
      case RowForm::kRaise:
        return raise(group, random, out);
    }
  }

  /// The first search decides whether the transaction writes, and what.
  std::string_view after_read(Request& request, std::size_t step, Seen seen) override {
    if (step > 0) {
      return {};
    }
    const auto rule = static_cast<Rule>(request.numbers[0]);
    bool writes = false;
    if (rule == Rule::kTransfer) {
      writes = *seen >= 2 && transfer(request);
    } else {
      writes = *seen >= request.numbers[1] && *seen <= request.numbers[2];
    }
    for (PlainRowOp& op : request.row_ops) {
      op.is_left_out = !writes && op.kind != PlainRowKind::kRead;
      if (rule == Rule::kNext && op.kind == PlainRowKind::kInsert) {
        op.value = one_more(request.found);
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
    add(all_of(static_cast<std::int64_t>(n)), out);
    return true;
  }

 private:
  RowForm draw_form(Random& random) const {
    std::size_t draw = random.below(all_weights_);
    std::size_t form = 0;
    for (; draw >= weights_[form]; ++form) {
      draw -= weights_[form];
    }
    return static_cast<RowForm>(form);
  }

  // --- Forms of transactions ---

  void fill_range(std::int64_t group, Random& random, Request& out) {
    const PlainRowOp range = range_of(group);
    if (takes_back(random)) {
      return add(deletion(range), out);
    }
    insert_if_found(range,
                    insertion(group, range.low + static_cast<std::int64_t>(random.below(kRange))),
                    0, 0, out);
  }

  void take_key(std::int64_t group, Random& random, Request& out) {
    const PlainRowOp both = keys_of(group);
    if (takes_back(random)) {
      return add(deletion(both), out);
    }
    PlainRowOp insert = insertion(group, any_name(random));
    insert.key = both.low + static_cast<std::int64_t>(random.below(2));
    insert_if_found(both, insert, 0, 0, out);
  }

  void move_money(std::int64_t group, Random& random, Request& out) {
    if (takes_back(random)) {
      return insert_if_found(all_of(group), insertion(group, kDeposit), 0, kMostOfGroup - 1, out);
    }
    add(all_of(group), out);
    for (int i = 0; i < 2; ++i) {
      add({.kind = PlainRowKind::kUpdate, .unique = ++unique_}, out);
    }
    write_if(Rule::kTransfer, static_cast<std::int64_t>(random.below(1'000)),
             static_cast<std::int64_t>(random.below(1'000)), out);
  }

  void book(std::int64_t room, Random& random, Request& out) {
    const auto hour = static_cast<std::int64_t>(random.below(kHours));
    const PlainRowOp overlapping = search(room, hour - 1, hour + 1);
    if (takes_back(random)) {
      return add(deletion(overlapping), out);
    }
    insert_if_found(overlapping, insertion(room, hour), 0, 0, out);
  }

  void take_name(std::int64_t group, Random& random, Request& out) {
    const std::int64_t name = any_name(random);
    const PlainRowOp named = search(group, name, name);
    if (takes_back(random)) {
      return add(deletion(named), out);
    }
    insert_if_found(named, insertion(group, name), 0, 0, out);
  }

  void allocate(std::int64_t group, Random& random, Request& out) {
    if (takes_back(random)) {
      return add(deletion(search(group, any_name(random), kGreatest)), out);
    }
    insert_if_found(all_of(group), insertion(group, 0), 0, kMostOfGroup - 1, out);
    out.numbers[0] = static_cast<std::int64_t>(Rule::kNext);
  }

  void change_call(std::int64_t group, Random& random, Request& out) {
    const std::int64_t name = any_name(random);
    if (takes_back(random)) {
      return random.percent(50)
                 ? add(update(search(group, kOnCall - 1, kOnCall - 1), kOnCall + name), out)
                 : insert_if_found(all_of(group), insertion(group, kOnCall + name), 0,
                                   kMostOfGroup - 1, out);
    }
    add(search(group, kOnCall, kNames), out);
    add(update(search(group, name, name), kOnCall - 1), out);
    write_if(Rule::kCount, 2, kAny, out);
  }

  void raise(std::int64_t group, Random& random, Request& out) {
    const std::int64_t number = any_name(random);
    if (takes_back(random)) {
      return insert_if_found(all_of(group), insertion(group, number), 0, kMostOfGroup - 1, out);
    }
    add(update({.by = PlainRowsBy::kValues, .low = number, .high = number}, any_name(random)), out);
  }

  /// Searches as the forms make them, without writes.
  void look(Random& random, Request& out) {
    out.only_reads = true;
    for (int i = 0; i < 2; ++i) {
      const auto group = static_cast<std::int64_t>(random.below(groups_));
      const std::int64_t name = any_name(random);
      switch (random.below(6)) {
        case 0:
          add(all_of(group), out);
          break;
        case 1:
          add({.by = PlainRowsBy::kValues, .low = name, .high = name + 1}, out);
          break;
        case 2:
          add({.by = PlainRowsBy::kKeys,
               .low = std::max<std::int64_t>(0, key_ - kNewestKeys),
               .high = key_},
              out);
          break;
        case 3:
          add(range_of(group), out);
          break;
        case 4:
          add(keys_of(group), out);
          break;
        default:
          add(search(group, name, kNames), out);
          break;
      }
    }
  }

  // --- Parts of the forms ---

  /// Whether a form undoes its writes: one transaction in four.
  static bool takes_back(Random& random) { return random.percent(25); }

  static std::int64_t any_name(Random& random) {
    return static_cast<std::int64_t>(random.below(kNames));
  }

  static PlainRowOp search(std::int64_t group, std::int64_t low, std::int64_t high) {
    return {.by = PlainRowsBy::kValuesOfGroup, .group = group, .low = low, .high = high};
  }

  static PlainRowOp all_of(std::int64_t group) {
    return {.by = PlainRowsBy::kGroup, .group = group};
  }

  /// Numbers of the group that no other form uses.
  static PlainRowOp range_of(std::int64_t group) {
    const std::int64_t low = 100 + kRange * group;
    return {.by = PlainRowsBy::kValues, .low = low, .high = low + kRange - 1};
  }

  /// Two keys of the group that no other form uses.
  static PlainRowOp keys_of(std::int64_t group) {
    return {.by = PlainRowsBy::kKeys, .low = 2 * group, .high = 2 * group + 1};
  }

  static PlainRowOp deletion(PlainRowOp of) {
    of.kind = PlainRowKind::kDelete;
    return of;
  }

  PlainRowOp update(PlainRowOp of, std::int64_t value) {
    of.kind = PlainRowKind::kUpdate;
    of.value = value;
    of.unique = ++unique_;
    return of;
  }

  PlainRowOp insertion(std::int64_t group, std::int64_t value) {
    return {.kind = PlainRowKind::kInsert,
            .key = key_++,
            .group = group,
            .value = value,
            .unique = ++unique_};
  }

  static void add(const PlainRowOp& op, Request& out) {
    out.steps.push_back(
        {.kind = OpKind::kRow, .value = static_cast<std::int64_t>(out.row_ops.size())});
    out.row_ops.push_back(op);
  }

  static void write_if(Rule rule, std::int64_t first, std::int64_t second, Request& out) {
    out.depends_on_reads = true;
    out.numbers = {static_cast<std::int64_t>(rule), first, second};
  }

  static void insert_if_found(const PlainRowOp& where, const PlainRowOp& insert, std::int64_t least,
                              std::int64_t most, Request& out) {
    add(where, out);
    add(insert, out);
    write_if(Rule::kCount, least, most, out);
  }

  // --- Results of searches ---

  static std::int64_t one_more(const std::vector<std::int64_t>& found) {
    std::int64_t next = 0;
    for (std::size_t i = 0; i < found.size(); i += kColumns) {
      next = std::max(next, found[i + 2] + 1);
    }
    return next;
  }

  /// Chooses two accounts and an amount; false if the first account is empty.
  static bool transfer(Request& request) {
    const std::size_t count = request.found.size() / kColumns;
    const auto choice = static_cast<std::size_t>(request.numbers[1]);
    const std::size_t from = choice % count;
    const std::size_t to = (from + 1 + choice / count % (count - 1)) % count;
    const std::int64_t* const giver = &request.found[from * kColumns];
    const std::int64_t* const taker = &request.found[to * kColumns];
    if (giver[2] <= 0) {
      return false;
    }
    const std::int64_t amount = 1 + request.numbers[2] % giver[2];
    give(*giver, giver[2] - amount, request.row_ops[1]);
    give(*taker, taker[2] + amount, request.row_ops[2]);
    return true;
  }

  static void give(std::int64_t key, std::int64_t balance, PlainRowOp& update) {
    update.low = update.high = key;
    update.value = balance;
  }

  std::size_t groups_;
  std::uint32_t reads_;
  RowFormWeights weights_;
  std::size_t all_weights_;
  std::int64_t key_;         // the next one that is inserted
  std::int64_t unique_ = 0;  // the last `u`
};

}  // namespace

std::unique_ptr<RequestSource> predicate_requests(const WorkloadOptions& options) {
  return std::make_unique<PredicateRequests>(options);
}

}  // namespace elapid
