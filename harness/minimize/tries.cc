#include "harness/minimize/tries.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "engine/ir/thread.h"

namespace elapid {

/// One call of first(): threads try candidates in order, until one keeps the property and all
/// before it are decided.
class Tries::Round {
 public:
  Round(const Tries& tries, std::size_t count, const MakeDraft& make)
      : tries_(tries), make_(make), best_(count), outcomes_(count) {}

  /// Helpers start later: quickly decided candidates are not worth a thread.
  void run() {
    constexpr std::chrono::milliseconds kAlone(2);
    const auto begun = std::chrono::steady_clock::now();
    while (take_one() && std::chrono::steady_clock::now() - begun < kAlone) {
    }
    const std::size_t threads = std::min(tries_.options_.threads, outcomes_.size());
    std::vector<Thread> helpers;
    for (std::size_t t = 1; t < threads && next_ < best_; ++t) {
      helpers.emplace_back([this] { work(); });
    }
    work();
    std::ranges::for_each(helpers, &Thread::join);
  }

  /// Adds the refused candidates, and returns how many were tried. Candidates behind the first
  /// accepted one do not count: fewer threads would not have tried them.
  std::uint64_t settle(std::unordered_set<std::uint64_t>& refused) const {
    std::uint64_t tried = 0;
    for (std::size_t i = 0; i < outcomes_.size() && i <= best_; ++i) {
      if (outcomes_[i].is_decided) {
        tried += i == best_ || refused.insert(outcomes_[i].fingerprint).second ? 1U : 0U;
      }
    }
    return tried;
  }

  [[nodiscard]] bool was_stopped() const { return was_stopped_; }

  /// The first candidate that gave an error or kept the property.
  Result<std::optional<KeptDraft>> take() {
    if (best_ == outcomes_.size()) {
      return std::optional<KeptDraft>();
    }
    if (error_) {
      return std::move(*error_);
    }
    return std::optional<KeptDraft>({.number = best_, .draft = std::move(kept_)});
  }

 private:
  struct Outcome {
    std::uint64_t fingerprint = 0;
    bool is_decided = false;
  };

  /// An exception, as when memory runs out, ends the work of all threads.
  void work() {
    try {
      while (take_one()) {
      }
    } catch (...) {
      next_ = outcomes_.size();
      throw;
    }
  }

  /// Tries the next candidate; false if there is none.
  bool take_one() {
    const std::size_t number = next_.fetch_add(1);
    if (number >= best_) {
      return false;
    }
    if (tries_.is_out_of_time()) {
      was_stopped_ = true;
      return false;
    }
    decide(number);
    return true;
  }

  void decide(std::size_t number) {
    Draft draft = make_(number);
    outcomes_[number].fingerprint = draft.fingerprint();
    if (!tries_.refused_.contains(outcomes_[number].fingerprint)) {
      Result<bool> kept = tries_.keeps(draft);
      if (!kept || kept.value()) {
        note(number, std::move(draft), std::move(kept));
      }
    }
    outcomes_[number].is_decided = true;
  }

  void note(std::size_t number, Draft draft, Result<bool> kept) {
    const std::scoped_lock lock(mutex_);
    if (number < best_) {
      best_ = number;
      kept_ = std::move(draft);
      error_ = kept ? std::nullopt : std::optional(std::move(kept.error()));
    }
  }

  const Tries& tries_;
  const MakeDraft& make_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::size_t> best_;  // the first one accepted so far
  std::atomic<bool> was_stopped_ = false;
  std::mutex mutex_;
  Draft kept_;
  std::optional<Error> error_;
  std::vector<Outcome> outcomes_;
};

Tries::Tries(const Keeps& keeps, const MinimizeOptions& options)
    : keeps_(keeps), options_(options) {}

Result<bool> Tries::keeps(const Draft& draft) const {
  const Result<BuiltDraft> built = build(draft);
  return built ? keeps_(built.value().history) : Result<bool>(false);
}

bool Tries::is_out_of_time() const {
  const bool is_late = options_.max_time.count() > 0 &&
                       std::chrono::steady_clock::now() - begun_ >= options_.max_time;
  return is_late || (options_.is_cancelled && options_.is_cancelled());
}

void Tries::note_stop() {
  const bool is_cancelled = options_.is_cancelled && options_.is_cancelled();
  stopped_because_ = is_cancelled ? "cancelled" : "the limit of time was reached";
}

bool Tries::is_stopped() {
  if (stopped_because_.empty() && is_out_of_time()) {
    note_stop();
  }
  return !stopped_because_.empty();
}

Result<std::optional<KeptDraft>> Tries::first(std::size_t count, const MakeDraft& make) {
  if (is_stopped()) {
    return std::optional<KeptDraft>();
  }
  std::size_t allowed = count;
  if (options_.max_tries > 0) {
    allowed =
        std::min<std::uint64_t>(count, options_.max_tries - std::min(options_.max_tries, tried_));
  }
  Round round(*this, allowed, make);
  round.run();
  tried_ += round.settle(refused_);
  Result<std::optional<KeptDraft>> found = round.take();
  if (round.was_stopped()) {
    note_stop();
  } else if (found && !found.value() && allowed < count) {
    stopped_because_ = "the limit of tries was reached";
  }
  return found;
}

}  // namespace elapid
