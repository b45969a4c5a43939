#include "engine/adya/moments.h"

#include <algorithm>
#include <cstddef>
#include <queue>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "engine/solve/turns.h"

namespace elapid {

namespace {

/// The execution while it grows. A moment is a number of transactions that have committed.
class MomentSearch {
 public:
  MomentSearch(const CycleProblem& problem, CycleShape shape,
               const std::function<bool()>& keep_going)
      : problem_(problem),
        has_cursors_(shape == CycleShape::kCursor),
        seen_(problem.seen()),
        keep_going_(keep_going),
        turn_(turns(problem.history())),
        moment_(seen_.txn_count(), kNever),
        overwritten_(problem.write_count(), kNever),
        last_writer_(problem.history().key_count(), Seen::kInitial),
        initial_overwritten_(problem.history().key_count(), kNever),
        committed_(seen_.value_count()),
        waiting_for_value_(seen_.value_count()),
        values_of_(seen_.txn_count()) {
    found_.writers.assign(seen_.ambiguous().size(), Seen::kNoTxn);
    for (std::uint32_t value = 0; value < seen_.value_count(); ++value) {
      for (const std::uint32_t writer : seen_.writers_of(value)) {
        if (writer == Seen::kInitial) {
          committed_[value].push_back(writer);
        } else {
          values_of_[writer].push_back(value);
        }
      }
    }
  }

  Moments run() {
    if (has_cursors_) {
      count_initial_cursors();
    }
    for (std::uint32_t t = 0; t < seen_.txn_count(); ++t) {
      if (seen_.is_present(t) && t != problem_.initial()) {
        make_ready(t);
      }
    }
    if (problem_.initial() != Seen::kNoTxn) {
      commit(problem_.initial());
    }
    for (std::uint32_t steps = 0; !ready_.empty(); ++steps) {
      if (steps % kStepsBetweenQuestions == 0 && keep_going_ && !keep_going_()) {
        break;
      }
      const Turn turn = ready_.top();
      const std::uint32_t txn = std::get<2>(turn);
      ready_.pop();
      if (moment_[txn] != kNever) {
        continue;
      }
      if (urgency(txn) != std::get<0>(turn)) {
        make_ready(txn);
      } else if (serve(txn)) {
        commit(txn);
      }
    }
    return std::move(found_);
  }

 private:
  static constexpr std::uint32_t kNever = 0xffffffffU;
  static constexpr std::uint32_t kStepsBetweenQuestions = 1024;

  [[nodiscard]] std::uint32_t now() const {
    return static_cast<std::uint32_t>(found_.order.size());
  }

  [[nodiscard]] std::uint32_t written_at(std::uint32_t writer) const {
    return writer == Seen::kInitial ? 0 : moment_[writer];
  }

  /// When another transaction wrote the key after the writer.
  [[nodiscard]] std::uint32_t overwritten_at(std::uint32_t writer, KeyId key) const {
    return writer == Seen::kInitial ? initial_overwritten_[key.index()]
                                    : overwritten_[problem_.write_of(writer, key)];
  }

  void make_ready(std::uint32_t txn) { ready_.emplace(urgency(txn), turn_[txn], txn); }

  /// With cursors, a version that is to be read and overwritten must not be overwritten before. So
  /// first come those that only read, then those with cursors, then those that only overwrite, and
  /// last those that overwrite an initial version, which none brings back.
  [[nodiscard]] std::uint32_t urgency(std::uint32_t txn) const {
    const std::span<const KeyId> written = seen_.written(txn);
    if (!has_cursors_ || written.empty()) {
      return 0;
    }
    const bool spoils_initial = std::ranges::any_of(written, [&](KeyId key) {
      return last_writer_[key.index()] == Seen::kInitial &&
             initial_cursors_[key.index()] > (is_initial_cursor(txn, key) ? 1U : 0U);
    });
    const bool is_cursor = std::ranges::any_of(
        seen_.reads(txn), [&](const Seen& read) { return seen_.writes(txn, read.key); });
    return spoils_initial ? 3 : is_cursor ? 1 : 2;
  }

  /// Whether the transaction read the initial version of the key, and overwrites it.
  [[nodiscard]] bool is_initial_cursor(std::uint32_t txn, KeyId key) const {
    return seen_.writes(txn, key) && std::ranges::any_of(seen_.reads(txn), [&](const Seen& read) {
             return read.key == key && read.writer == Seen::kInitial;
           });
  }

  void count_initial_cursors() {
    initial_cursors_.assign(last_writer_.size(), 0);
    for (std::uint32_t t = 0; t < seen_.txn_count(); ++t) {
      for (const KeyId key : seen_.is_present(t) ? seen_.written(t) : std::span<const KeyId>()) {
        initial_cursors_[key.index()] += is_initial_cursor(t, key) ? 1U : 0U;
      }
    }
  }

  /// Finds moments for all operations of the transaction, each as early as can be. If there are
  /// none, it waits for a writer that would help, if one is left.
  bool serve(std::uint32_t txn) {
    const std::span<const Seen> reads = seen_.reads(txn);
    std::uint32_t moment = 0;
    for (std::uint32_t i = 0; i < reads.size(); ++i) {
      const std::uint32_t place = seen_.first_read(txn) + i;
      moment = has_cursors_ ? of_cursor(txn, reads[i].key)
                            : std::max(moment, after_writes(txn, problem_.read_mop(place)));
      const Observations::Ambiguous* open = seen_.find_ambiguous(place);
      const std::uint32_t writer =
          open == nullptr ? reads[i].writer : first_of(*open, reads[i].key, moment);
      if (writer == Seen::kNoTxn || written_at(writer) == kNever) {
        wait(txn, open, writer);
        return false;
      }
      if (overwritten_at(writer, reads[i].key) <= moment) {
        return false;  // nothing helps any more
      }
      if (open != nullptr) {
        found_.writers[static_cast<std::size_t>(open - seen_.ambiguous().data())] = writer;
      }
      moment = std::max(moment, written_at(writer));
    }
    return true;
  }

  /// The moment up to which the version that is read must last at least.
  [[nodiscard]] std::uint32_t of_cursor(std::uint32_t txn, KeyId key) const {
    return seen_.writes(txn, key) ? now() : 0;
  }

  /// The moment after those whose writes the transaction overwrites before the operation.
  [[nodiscard]] std::uint32_t after_writes(std::uint32_t txn, std::uint32_t mop) const {
    std::uint32_t moment = 0;
    for (const KeyId key : seen_.written(txn)) {
      if (problem_.write_mop(problem_.write_of(txn, key)) < mop) {
        moment = std::max(moment, written_at(last_writer_[key.index()]));
      }
    }
    return moment;
  }

  /// The first writer of the value that is not overwritten at the moment.
  [[nodiscard]] std::uint32_t first_of(const Observations::Ambiguous& open, KeyId key,
                                       std::uint32_t moment) const {
    const std::vector<std::uint32_t>& writers = committed_[open.value];
    const auto first = std::ranges::partition_point(
        writers, [&](std::uint32_t writer) { return overwritten_at(writer, key) <= moment; });
    return first == writers.end() ? Seen::kNoTxn : *first;
  }

  void wait(std::uint32_t txn, const Observations::Ambiguous* open, std::uint32_t writer) {
    std::vector<std::uint32_t>& waiting =
        open != nullptr ? waiting_for_value_[open->value] : waiting_for_txn_[writer];
    waiting.push_back(txn);
  }

  void commit(std::uint32_t txn) {
    found_.order.push_back(txn);
    moment_[txn] = now();
    std::vector<KeyId> begun;  // whose writers need not wait for readers of the initial version
    for (const KeyId key : seen_.written(txn)) {
      std::uint32_t& last = last_writer_[key.index()];
      if (has_cursors_ && last == Seen::kInitial && initial_cursors_[key.index()] > 0) {
        begun.push_back(key);
      }
      (last == Seen::kInitial ? initial_overwritten_[key.index()]
                              : overwritten_[problem_.write_of(last, key)]) = now();
      last = txn;
    }
    for (const KeyId key : begun) {
      for (const std::uint32_t writer : problem_.writers(key)) {
        if (seen_.is_present(writer) && moment_[writer] == kNever) {
          make_ready(writer);
        }
      }
    }
    const auto wake = [this](std::vector<std::uint32_t>& waiting) {
      for (const std::uint32_t t : waiting) {
        make_ready(t);
      }
      waiting.clear();
    };
    for (const std::uint32_t value : values_of_[txn]) {
      committed_[value].push_back(txn);
      wake(waiting_for_value_[value]);
    }
    if (const auto waiting = waiting_for_txn_.find(txn); waiting != waiting_for_txn_.end()) {
      wake(waiting->second);
    }
  }

  /// Urgency, place in the history, and transaction.
  using Turn = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

  const CycleProblem& problem_;
  bool has_cursors_;
  const Observations& seen_;
  const std::function<bool()>& keep_going_;
  std::vector<std::uint32_t> turn_;                    // by transaction
  std::vector<std::uint32_t> moment_;                  // by transaction: since when it is seen
  std::vector<std::uint32_t> overwritten_;             // by write
  std::vector<std::uint32_t> last_writer_;             // by key
  std::vector<std::uint32_t> initial_overwritten_;     // by key
  std::vector<std::uint32_t> initial_cursors_;         // by key: how many read and overwrite it
  std::vector<std::vector<std::uint32_t>> committed_;  // by value: writers
  std::vector<std::vector<std::uint32_t>> waiting_for_value_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> waiting_for_txn_;
  std::vector<std::vector<std::uint32_t>> values_of_;  // by transaction: that it left behind
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> ready_;
  Moments found_;
};

}  // namespace

Moments moments_of(const CycleProblem& problem, CycleShape shape,
                   const std::function<bool()>& keep_going) {
  return MomentSearch(problem, shape, keep_going).run();
}

}  // namespace elapid
