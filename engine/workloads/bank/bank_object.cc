#include "engine/workloads/bank/bank_object.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/linearize/judged_object.h"
#include "engine/linearize/types/model_sweep.h"
#include "engine/workloads/bank/bank_errors.h"

namespace elapid {

namespace {

using linearize::Operation;
using linearize::Operations;
using linearize::State;

/// The most transactions for which an order is searched. Beyond that, only the sums are judged,
/// which takes a tenth of the time.
constexpr std::size_t kMostTransactions = 100'000;

/// By account. Sums wrap around at 2^64.
using Amounts = std::vector<std::uint64_t>;

enum BankFunction : std::uint8_t { kRead, kTransfer, kBegin };

/// A name without the mark of a keyword or a string. In JSON the names in maps are always strings.
std::string_view plain_name(std::string_view name) {
  const bool is_string = name.size() >= 2 && name.front() == '"';
  name.remove_prefix(is_string || name.starts_with(':') ? 1 : 0);
  name.remove_suffix(is_string ? 1 : 0);
  return name;
}

/// The operations of a bank, each with the amounts that it shows or adds, by account. Operations of
/// equal effect have the same argument.
class BankCalls {
 public:
  explicit BankCalls(const History& history) : history_(history), balances_(history) {
    const std::vector<TxnId> reads = bank_reads(history, false);
    for (const Balance& shown : reads.empty() ? std::vector<Balance>() : balances_.of(reads[0])) {
      accounts_.emplace(plain_name(shown.account), accounts_.size());
    }
  }

  /// Nothing for a failed operation, and for a read that does not count.
  [[nodiscard]] std::optional<Operation> operation_of(TxnId txn) {
    const std::span<const Op> ops = history_.ops(txn);
    if (history_.status(txn) == TxnStatus::kAborted) {
      return std::nullopt;
    }
    return ops.front().is_read() ? read_of(txn) : transfer_of(ops);
  }

  [[nodiscard]] const Amounts& amounts(const Operation& op) const {
    return amounts_[static_cast<std::size_t>(op.argument.as_integer())];
  }

  /// Whether each transfer moves an integer between accounts that reads show.
  [[nodiscard]] bool are_understood() const { return are_understood_; }

  /// Whether a successful read shows other accounts than the first read, or an account without an
  /// amount.
  [[nodiscard]] bool leaves_reads_out() const { return leaves_reads_out_; }

 private:
  std::optional<Operation> read_of(TxnId txn) {
    const ValueId map = history_.ops(txn).front().value();
    if (!history_.committed(txn) || map.is_nil()) {
      return std::nullopt;
    }
    const auto [known, is_new] = reads_.try_emplace(map, amounts_.size());
    if (is_new) {
      amounts_.push_back(shown_by(txn));
    }
    const bool is_left_out = amounts_[known->second].empty();
    leaves_reads_out_ = leaves_reads_out_ || is_left_out;
    return is_left_out ? std::nullopt : std::optional(call(kRead, known->second));
  }

  /// Empty unless the read shows all accounts, each with an amount.
  Amounts shown_by(TxnId txn) {
    const std::vector<Balance>& shown = balances_.of(txn);
    Amounts amounts(accounts_.size());
    for (const Balance& balance : shown) {
      const auto account = accounts_.find(plain_name(balance.account));
      if (account == accounts_.end() || !balance.amount || shown.size() != accounts_.size()) {
        return {};
      }
      amounts[account->second] = static_cast<std::uint64_t>(*balance.amount);
    }
    return amounts;
  }

  std::optional<Operation> transfer_of(std::span<const Op> ops) {
    const auto amount = ops.size() == 3 ? history_.values().as_integer(ops[2].value())
                                        : std::optional<std::int64_t>();
    if (!amount) {
      are_understood_ = false;
      return std::nullopt;
    }
    const auto [known, is_new] = transfers_.try_emplace(
        std::tuple(ops[0].value(), ops[1].value(), *amount), amounts_.size());
    if (is_new) {
      amounts_.emplace_back(accounts_.size());
      add_to(ops[0].value(), 0 - static_cast<std::uint64_t>(*amount));
      add_to(ops[1].value(), static_cast<std::uint64_t>(*amount));
    }
    return call(kTransfer, known->second);
  }

  void add_to(ValueId name, std::uint64_t amount) {
    const auto account = accounts_.find(plain_name(history_.text(name)));
    if (account == accounts_.end()) {
      are_understood_ = false;
    } else {
      amounts_.back()[account->second] += amount;
    }
  }

  static Operation call(BankFunction f, std::size_t number) {
    return {.f = f, .argument = ValueId::integer(static_cast<std::int64_t>(number))};
  }

  const History& history_;
  Balances balances_;
  std::map<std::string, std::size_t, std::less<>> accounts_;
  std::unordered_map<ValueId, std::size_t> reads_;
  std::map<std::tuple<ValueId, ValueId, std::int64_t>, std::size_t> transfers_;
  std::vector<Amounts> amounts_;  // by argument
  bool are_understood_ = true;
  bool leaves_reads_out_ = false;
};

/// The amounts that the accounts may hold at first.
class Beginnings {
 public:
  static constexpr std::size_t kMostBeside = 10;
  static constexpr std::size_t kMostReads = 64;

  Beginnings(const Operations& operations, const BankCalls& calls)
      : operations_(operations), calls_(calls) {}

  /// Takes the first read with the fewest concurrent transfers. Empty if these are too many.
  [[nodiscard]] std::set<Amounts> all() const {
    std::vector<const Operation*> fewest;
    const Operation* chosen = nullptr;
    for (const Operation* read : first_reads()) {
      std::vector<const Operation*> beside = transfers_beside(*read);
      if (chosen == nullptr || beside.size() < fewest.size()) {
        chosen = read;
        fewest = std::move(beside);
      }
    }
    if (chosen == nullptr || fewest.size() > kMostBeside) {
      return {};
    }
    std::set<Amounts> all = {before_all_transfers(*chosen)};
    for (const Operation* transfer : fewest) {
      std::set<Amounts> more = all;
      for (const Amounts& amounts : all) {
        more.insert(without(amounts, calls_.amounts(*transfer)));
      }
      all = std::move(more);
    }
    return all;
  }

 private:
  [[nodiscard]] std::vector<const Operation*> first_reads() const {
    std::vector<const Operation*> reads;
    for (const Operation& op : operations_) {
      if (op.f == kRead && reads.size() < kMostReads) {
        reads.push_back(&op);
      }
    }
    return reads;
  }

  /// The transfers that may have taken effect before the read or after it.
  [[nodiscard]] std::vector<const Operation*> transfers_beside(const Operation& read) const {
    std::vector<const Operation*> beside;
    for (const Operation& op : operations_) {
      if (op.invoked > read.returned) {
        break;
      }
      if (op.f == kTransfer && op.returned > read.invoked) {
        beside.push_back(&op);
      }
    }
    return beside;
  }

  [[nodiscard]] Amounts before_all_transfers(const Operation& read) const {
    Amounts amounts = calls_.amounts(read);
    for (const Operation& op : operations_) {
      if (op.invoked > read.invoked) {
        break;
      }
      if (op.f == kTransfer && op.returned < read.invoked) {
        amounts = without(amounts, calls_.amounts(op));
      }
    }
    return amounts;
  }

  static Amounts without(Amounts amounts, const Amounts& moved) {
    for (std::size_t account = 0; account < amounts.size(); ++account) {
      amounts[account] -= moved[account];
    }
    return amounts;
  }

  const Operations& operations_;
  const BankCalls& calls_;
};

/// States: two numbers for each account, the low half of its amount first. The state before the
/// beginning has none.
class BankModel : public linearize::Model {
 public:
  BankModel(const BankCalls& calls, const std::set<Amounts>& beginnings) : calls_(calls) {
    for (const Amounts& amounts : beginnings) {
      beginnings_.push_back(state_of(amounts));
    }
  }

  void step(const State& state, const Operation& op, std::vector<State>& next) const override {
    if (op.f == kBegin) {
      next.insert(next.end(), beginnings_.begin(), beginnings_.end());
    } else if (state.empty()) {
      return;
    } else if (op.f == kTransfer) {
      next.push_back(after(state, calls_.amounts(op)));
    } else if (state == state_of(calls_.amounts(op))) {
      next.push_back(state);
    }
  }

  [[nodiscard]] bool is_read(const Operation& op) const override { return op.f == kRead; }

 private:
  static State state_of(const Amounts& amounts) {
    State state;
    state.reserve(2 * amounts.size());
    for (const std::uint64_t amount : amounts) {
      state.push_back(static_cast<std::uint32_t>(amount));
      state.push_back(static_cast<std::uint32_t>(amount >> 32));
    }
    return state;
  }

  static State after(State state, const Amounts& moved) {
    for (std::size_t account = 0; account < moved.size(); ++account) {
      const std::uint64_t held =
          (std::uint64_t{state[2 * account + 1]} << 32 | state[2 * account]) + moved[account];
      state[2 * account] = static_cast<std::uint32_t>(held);
      state[2 * account + 1] = static_cast<std::uint32_t>(held >> 32);
    }
    return state;
  }

  const BankCalls& calls_;
  std::vector<State> beginnings_;
};

/// The amounts beyond those at the beginning, which the first read determines.
class BankReplay : public linearize::Replay {
 public:
  explicit BankReplay(const BankCalls& calls) : calls_(calls) {}

  bool apply(const Operation& op, std::uint32_t /*place*/) override {
    if (op.f == kBegin) {
      return true;
    }
    const Amounts& amounts = calls_.amounts(op);
    added_.resize(amounts.size());
    Amounts at_first = amounts;
    for (std::size_t account = 0; account < amounts.size(); ++account) {
      added_[account] += op.f == kTransfer ? amounts[account] : 0;
      at_first[account] -= added_[account];
    }
    if (op.f == kRead && !at_first_) {
      at_first_ = at_first;
    }
    return op.f == kTransfer || at_first == *at_first_;
  }

 private:
  const BankCalls& calls_;
  Amounts added_;
  std::optional<Amounts> at_first_;
};

/// Adds the beginning as an operation before all others.
void begin_with_beginning(Operations& operations) {
  for (Operation& op : operations) {
    op.invoked += 2;
    op.returned = op.is_open() ? op.returned : op.returned + 2;
  }
  operations.insert(operations.begin(),
                    {.invoked = 0, .returned = 1, .f = kBegin, .argument = ValueId::integer(0)});
}

Verdict open_because(std::string reason) {
  Verdict verdict = {.validity = Validity::kUnknown};
  verdict.unknown_because = std::move(reason);
  return verdict;
}

}  // namespace

Result<Verdict> judge_bank_object(const History& history, const JudgeRequest& request) {
  if (history.txn_count() > kMostTransactions) {
    return open_because("the history has more than " + std::to_string(kMostTransactions) +
                        " operations");
  }
  BankCalls calls(history);
  linearize::ObjectType type;
  type.decode = [&](TxnId txn) { return calls.operation_of(txn); };
  std::vector<linearize::Object> objects = linearize::objects_of(history, type);
  if (objects.empty() || !calls.are_understood() || !history.info().has_real_time) {
    return open_because(
        objects.empty() ? "no :read shows balances"
        : calls.are_understood()
            ? "the history records no real time"
            : "the amount of a transfer is no integer, or no :read shows one of its accounts");
  }
  Operations& operations = objects.front().operations;
  const std::set<Amounts> beginnings = Beginnings(operations, calls).all();
  if (beginnings.empty()) {
    return open_because(
        "what the accounts hold at first is not told: no read shows it, or each of the first reads "
        "overlaps too many transfers");
  }
  begin_with_beginning(operations);
  const linearize::Judgement found =
      linearize::sweep(operations, BankModel(calls, beginnings), linearize::work_of(request));
  BankReplay replay(calls);
  if (found.answer == linearize::Answer::kUnknown) {
    return open_because("the budget of the search for an order was spent");
  }
  if (found.answer == linearize::Answer::kLinearizable &&
      !linearize::is_order_of(operations, found.order, replay)) {
    return Error{.kind = ErrorKind::kInternal,
                 .message = "the order of the bank's operations did not survive verification"};
  }
  if (found.answer == linearize::Answer::kLinearizable && calls.leaves_reads_out()) {
    return open_because(
        "the operations have an order, but for a :read that shows other accounts than the first "
        "one, or no amount of an account");
  }
  Verdict verdict;
  verdict.validity =
      found.answer == linearize::Answer::kLinearizable ? Validity::kValid : Validity::kInvalid;
  return verdict;
}

}  // namespace elapid
