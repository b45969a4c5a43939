#include "harness/inject/injector.h"

#include <algorithm>

#include "harness/generate/random.h"
#include "harness/inject/anomaly_sketches.h"

namespace elapid {

namespace {

/// Nanoseconds between two events, with room for timestamps. A dozen events take less than a tenth
/// of kSmallestPause.
constexpr std::int64_t kTick = 4;

constexpr std::size_t kNumbersOfRow = 4;  // the key, `g`, `v` and `u`

/// Greater than all numbers that clients write or search for.
constexpr std::int64_t kForeignNumbers = 3 * kForeignKeys;
constexpr std::int64_t kNumbersOfSketch = 10;

/// The number of a key. Keys are letters from x on, around the alphabet.
std::int64_t number_of(char key) {
  constexpr int kLetters = 26;
  return (key - 'x' + kLetters) % kLetters;
}

std::int64_t keys_of(const Injectable& what) {
  std::int64_t keys = 0;
  for (const SketchedRowEvent& event : what.rows) {
    for (const SketchedRowOp& done : event.ops) {
      keys = std::max(keys, done.op.key);
      for (std::size_t i = 0; done.op.kind == PlainRowKind::kRead && i < done.found.size();
           i += kNumbersOfRow) {
        keys = std::max(keys, done.found[i]);
      }
    }
  }
  for (const TinyEvent& event : what.history.events) {
    for (const TinyMop& mop : event.mops) {
      keys = std::max(keys, number_of(mop.key) + 1);
    }
  }
  return keys;
}

std::int64_t processes_of(const TinyHistory& history) {
  std::int64_t processes = 0;
  for (const TinyEvent& event : history.events) {
    processes = std::max(processes, event.process + 1);
  }
  return processes;
}

}  // namespace

Injector::Injector(EventSource& source, std::vector<Injectable> wanted,
                   const InjectorOptions& options)
    : source_(source), wanted_(std::move(wanted)), options_(options) {
  Random random(options.seed);
  for (std::size_t what = 0; what < wanted_.size(); ++what) {
    for (std::uint64_t n = 0; n < wanted_[what].count; ++n) {
      places_.push_back({.after = random.below(options.events + 1), .what = what});
    }
  }
  std::ranges::sort(places_);
}

bool Injector::next(PlainEvent& event) {
  const bool is_due =
      next_place_ < places_.size() && (is_over_ || places_[next_place_].after <= handed_on_);
  if (!is_telling_ && is_due) {
    start();
  }
  if (is_telling_) {
    tell(event);
    ++index_;
    return true;
  }
  if (is_over_) {
    return false;
  }
  if (!source_.next(event)) {
    is_over_ = true;
    return next(event);
  }
  time_ = event.time;
  has_room_ = true;
  ++handed_on_;
  index_ += event.is_silent ? 0 : 1;
  return true;
}

void Injector::start() {
  const Injectable& what = wanted_[places_[next_place_++].what];
  const std::int64_t process = injected_.empty()
                                   ? kForeignProcesses
                                   : injected_.back().first_process + injected_.back().processes;
  const std::int64_t key =
      injected_.empty() ? kForeignKeys : injected_.back().first_key + injected_.back().keys;
  const auto events = static_cast<std::int64_t>(what.history.events.size());
  what_ = &what;
  injected_.push_back({.anomaly = what.name,
                       .types = what.types,
                       .first_index = index_,
                       .last_index = index_ + events - 1,
                       .first_process = process,
                       .processes = processes_of(what.history),
                       .first_key = key,
                       .keys = keys_of(what)});
  told_ = 0;
  is_telling_ = true;
  has_room_ = false;
}

/// The transaction of an event, by the order of invocations.
std::size_t Injector::txn_of(std::size_t told) const {
  const std::vector<TinyEvent>& events = what_->history.events;
  std::size_t invocation = told;
  while (events[invocation].type != EventType::kInvoke ||
         events[invocation].process != events[told].process) {
    --invocation;
  }
  const auto end = events.begin() + static_cast<std::ptrdiff_t>(invocation);
  return static_cast<std::size_t>(
      std::ranges::count(events.begin(), end, EventType::kInvoke, &TinyEvent::type));
}

/// Rows have keys of their own. Their group is the first of these keys. Their numbers come from ten
/// values that no other operation uses.
void Injector::set_row_mops(const SketchedRowEvent& told) {
  row_ops_.clear();
  const std::int64_t first = injected_.back().first_key;
  const auto number = [&](std::int64_t n) {
    return kForeignNumbers + kNumbersOfSketch * (first - kForeignKeys) + n;
  };
  for (const SketchedRowOp& done : told.ops) {
    PlainRowOp op = done.op;
    op.key = first + op.key - 1;
    op.group = first;
    const bool is_by_key = op.by == PlainRowsBy::kRow;
    op.low = is_by_key ? op.key : number(op.low);
    op.high = is_by_key ? op.key : number(op.high);
    op.value = number(op.value);
    op.unique = first + op.unique;
    PlainMop& mop = mops_.emplace_back();
    mop = {.kind = OpKind::kRow,
           .is_nil = told.type != EventType::kOk,
           .value = static_cast<std::int64_t>(row_ops_.size()),
           .list_begin = static_cast<std::uint32_t>(elements_.size()),
           .list_length = static_cast<std::uint32_t>(done.found.size()),
           .tells_rows = op.kind == PlainRowKind::kUpdate || op.kind == PlainRowKind::kDelete};
    row_ops_.push_back(op);
    for (std::size_t i = 0; i < done.found.size(); ++i) {
      const std::size_t column = mop.tells_rows ? 0 : i % kNumbersOfRow;
      elements_.push_back(column == 0   ? first + done.found[i] - 1
                          : column == 1 ? first
                          : column == 2 ? number(done.found[i])
                                        : first + done.found[i]);
    }
  }
}

void Injector::set_mops(const TinyEvent& told) {
  mops_.clear();
  elements_.clear();
  if (!what_->rows.empty()) {
    return set_row_mops(what_->rows[told_]);
  }
  for (const TinyMop& mop : told.mops) {
    PlainMop& plain = mops_.emplace_back();
    plain.kind = mop.kind;
    plain.key = injected_.back().first_key + number_of(mop.key);
    if (mop.kind == OpKind::kReadList) {
      plain.list_begin = static_cast<std::uint32_t>(elements_.size());
      plain.list_length = static_cast<std::uint32_t>(mop.values.size());
      elements_.insert(elements_.end(), mop.values.begin(), mop.values.end());
    } else {
      plain.is_nil = mop.values.empty();
      plain.value = mop.values.empty() ? 0 : mop.values.front();
    }
  }
}

/// Puts events and timestamps into the pause behind the source's last event, each at a time of its
/// own.
void Injector::set_times(PlainEvent& event, std::size_t txn) const {
  const Injectable& what = *what_;
  const std::vector<TinyEvent>& events = what.history.events;
  const auto tick = [&](std::size_t told) {
    return time_ + static_cast<std::int64_t>(told) * kTick;
  };
  event.time = tick(told_ + 1);
  if (event.type == EventType::kInvoke) {
    return;
  }
  std::size_t invocation = 0;
  for (std::size_t i = 0; i < told_; ++i) {
    invocation = events[i].process == events[told_].process ? i : invocation;
  }
  event.invoked = tick(invocation + 1);
  if (options_.timestamps) {
    event.timestamps = what.timestamps.empty()
                           ? PlainTimestamps{event.invoked + 1, event.time - 1}
                           : PlainTimestamps{time_ + what.timestamps[txn].start,
                                             time_ + what.timestamps[txn].commit};
  }
}

void Injector::tell(PlainEvent& event) {
  const std::vector<TinyEvent>& events = what_->history.events;
  const TinyEvent& told = events[told_];
  set_mops(told);
  event = PlainEvent{.type = told.type,
                     .process = injected_.back().first_process + told.process,
                     .mops = mops_,
                     .row_ops = row_ops_,
                     .elements = elements_};
  const std::size_t txn = txn_of(told_);
  set_times(event, txn);
  if (!what_->levels.empty()) {
    event.fields = std::span(what_->levels).subspan(txn, 1);
  }
  is_telling_ = ++told_ < events.size();
  if (!is_telling_) {
    time_ = event.time;
  }
}

std::string to_json(const std::vector<Injected>& injected) {
  const auto numbers = [](std::int64_t first, std::int64_t count) {
    std::string text;
    for (std::int64_t n = first; n < first + count; ++n) {
      text += (text.empty() ? "" : ", ") + std::to_string(n);
    }
    return "[" + text + "]";
  };
  std::string out;
  for (const Injected& one : injected) {
    std::string also;
    for (const AnomalyType type : one.types) {
      if (name(type) != one.anomaly) {
        also += (also.empty() ? "\"" : ", \"") + std::string(name(type)) + "\"";
      }
    }
    out += (out.empty() ? "[{" : ",\n {") + ("\"anomaly\": \"" + one.anomaly) + "\", \"also\": [" +
           also + "], \"events\": [" + std::to_string(one.first_index) + ", " +
           std::to_string(one.last_index) +
           "], \"processes\": " + numbers(one.first_process, one.processes) +
           ", \"keys\": " + numbers(one.first_key, one.keys) + "}";
  }
  return out.empty() ? "[]\n" : out + "]\n";
}

}  // namespace elapid
