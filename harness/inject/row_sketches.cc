#include "harness/inject/row_sketches.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <utility>

namespace elapid {

namespace {

using T = AnomalyType;

constexpr std::string_view kLongFork =
    "0> ; 1> ; 2> ; 3> ; 0+ i1=1; 1+ i2=2; 2+ r1=1 r2; 3+ r1 r2=2";

constexpr std::array kRowSketches = {
    // A long fork: two readers see two inserts in opposite orders.
    RowSketch{"G-nonadjacent-item", kLongFork, {T::kGNonadjacentItem}},
    RowSketch{"G-nonadjacent-item-process",
              "1> ; 2> ; 0+ i1=1; 0+ r2; 1+ i2=2; 2+ r1 r2=2",
              {T::kGNonadjacentItemProcess}},
    RowSketch{"G-nonadjacent-item-realtime",
              "1> ; 2> ; 0+ i1=1; 3+ r2; 1+ i2=2; 2+ r1 r2=2",
              {T::kGNonadjacentItemRealtime}},
    // Reads by key miss one of two rows, or what came before in the session or in time.
    RowSketch{"G-single-item", "0> ; 1+ i1=1 i2=2; 0+ r1 r2=2", {T::kGSingleItem}},
    RowSketch{"G-single-item-process", "0+ i1=5; 0+ r1", {T::kGSingleItemProcess}},
    RowSketch{"G-single-item-realtime", "0+ i1=5; 1+ r1", {T::kGSingleItemRealtime}},
    // A write skew: each reads the row that the other inserts.
    RowSketch{"G2-item", "0> ; 1> ; 0+ r1 i2=5; 1+ r2 i1=6", {T::kG2Item}},
    RowSketch{"G2-item-process", "0> ; 1+ i1=1; 1> ; 0+ r1 i2=2; 1+ r2", {T::kG2ItemProcess}},
    RowSketch{"G2-item-realtime", "0> ; 1+ i1=1; 2> ; 0+ r1 i2=2; 2+ r2", {T::kG2ItemRealtime}},
    // Both update two rows, and each deletes one of them, which the other updated before that.
    RowSketch{"G0", "0+ i1=1 i2=2; 1> ; 2> ; 1+ U1=5 U2=5 D1; 2+ U1=6 U2=6 D2", {T::kG0}},
    // The same with searches.
    RowSketch{"G-nonadjacent",
              "0> ; 1> ; 2> ; 3> ; 0+ i1=1; 1+ i2=2; 2+ s1-1:1=1 s2-2:; 3+ s1-1: s2-2:2=2",
              {T::kGNonadjacent}},
    RowSketch{"G-nonadjacent-process",
              "1> ; 2> ; 0+ i1=1; 0+ s2-2:; 1+ i2=2; 2+ s1-1: s2-2:2=2",
              {T::kGNonadjacentProcess}},
    RowSketch{"G-nonadjacent-realtime",
              "1> ; 2> ; 0+ i1=1; 3+ s2-2:; 1+ i2=2; 2+ s1-1: s2-2:2=2",
              {T::kGNonadjacentRealtime}},
    // A search misses one row of a transaction, and another one finds the other.
    RowSketch{"G-single", "0> ; 1+ i1=1 i2=2; 0+ s1-1: s2-2:2=2", {T::kGSingle}},
    // A search misses what its own session, or a transaction before it, inserted.
    RowSketch{"G-single-process", "0+ i1=5; 0+ s0-9:", {T::kGSingleProcess}},
    RowSketch{"G-single-realtime", "0+ i1=5; 1+ s0-9:", {T::kGSingleRealtime}},
    RowSketch{"G1a", "0> ; 1> ; 0- i1=5; 1+ s0-9:1=5", {T::kG1a}},
    RowSketch{"G1b", "0> ; 1> ; 0+ i1=5 u5-5=6:1; 1+ s0-9:1=5", {T::kG1b}},
    RowSketch{"G1c", "0> ; 1> ; 0+ i1=1 s2-2:2=2; 1+ i2=2 s1-1:1=1", {T::kG1c}},
    RowSketch{"G1c-process", "0> ; 1> ; 0+ s2-2:2=2; 0+ i1=1; 1+ s1-1:1=1 i2=2", {T::kG1cProcess}},
    RowSketch{
        "G1c-realtime", "0> ; 1> ; 0+ s2-2:2=2; 2+ i1=1; 1+ s1-1:1=1 i2=2", {T::kG1cRealtime}},
    // The phantom: both search the same range, and insert what the other should have found.
    RowSketch{"G2", "0> ; 1> ; 0+ s0-9: i1=5; 1+ s0-9: i2=6", {T::kG2}},
    RowSketch{"G2-process", "0> ; 1+ i1=1; 1> ; 0+ s1-1: i2=2; 1+ s2-2:", {T::kG2Process}},
    RowSketch{"G2-realtime", "0> ; 1+ i1=1; 2> ; 0+ s1-1: i2=2; 2+ s2-2:", {T::kG2Realtime}},
    RowSketch{"garbage-read", "0+ s0-9:1=5", {T::kGarbageRead}},
    RowSketch{"internal", "0+ i1=5 s0-9:", {T::kInternal}},
    RowSketch{
        "lost-update", "0+ i1=1; 1> ; 2> ; 1+ s0-9:1=1 u1-1=2:1; 2+ s0-9:1=1 u1-1=3:1", {T::kG2}},
    RowSketch{"long-fork", kLongFork, {T::kGNonadjacentItem}},
    // Of two rows that a transaction updated, a search sees one old and the other new.
    RowSketch{"fractured-read",
              "0+ i1=1 i2=2; 1> ; 2+ u1-1=5:1 u2-2=6:2; 1+ s0-3:1=1 s6-6:2=6",
              {T::kGSingle}},
    // One search, made twice, finds different rows.
    RowSketch{"phantom", "0> ; 1+ i1=5; 0+ s0-9: s0-9:1=5", {T::kGSingle}},
    // A search finds a row that was deleted before it began.
    RowSketch{"stale-read", "0+ i1=5; 1+ d0-9:1; 2+ s0-9:1=5", {T::kGSingleRealtime}},
    // Both find two rows, and each changes one of them.
    RowSketch{"write-skew",
              "0+ i1=1 i2=2; 1> ; 2> ; 1+ s1-9:1=1,2=2 u1-1=0:1; 2+ s1-9:1=1,2=2 u2-2=0:2",
              {T::kG2}},
};

/// Parses a sketch.
class SketchReader {
 public:
  explicit SketchReader(std::string_view text) : text_(text) {}

  std::vector<SketchedRowEvent> read() {
    while (!text_.empty()) {
      skip(' ');
      const std::int64_t process = number();
      const EventType type = mark();
      SketchedRowEvent event = {.type = type, .process = process};
      while (!text_.empty() && text_.front() != ';') {
        if (!skip(' ')) {
          event.ops.push_back(operation());
        }
      }
      skip(';');
      add(std::move(event));
    }
    name_writes();
    return std::move(events_);
  }

 private:
  bool skip(char c) {
    const bool is_there = !text_.empty() && text_.front() == c;
    text_.remove_prefix(is_there ? 1 : 0);
    return is_there;
  }

  std::int64_t number() {
    std::int64_t n = 0;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), n);
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return n;
  }

  EventType mark() {
    return skip('>')   ? EventType::kInvoke
           : skip('-') ? EventType::kFail
           : skip('?') ? EventType::kInfo
                       : (skip('+'), EventType::kOk);
  }

  SketchedRowOp operation() {
    const char kind = text_.front();
    text_.remove_prefix(1);
    return kind == 'i'                                 ? insertion()
           : kind == 'r' || kind == 'U' || kind == 'D' ? operation_by_key(kind)
                                                       : search(kind);
  }

  SketchedRowOp insertion() {
    SketchedRowOp done;
    done.op.kind = PlainRowKind::kInsert;
    done.op.key = number();
    skip('=');
    done.op.value = number();
    done.op.unique = ++unique_;
    writes_[{done.op.key, done.op.value}] = unique_;
    return done;
  }

  SketchedRowOp operation_by_key(char kind) {
    SketchedRowOp done = {.op = {.kind = kind == 'r'   ? PlainRowKind::kRead
                                         : kind == 'U' ? PlainRowKind::kUpdate
                                                       : PlainRowKind::kDelete,
                                 .by = PlainRowsBy::kRow}};
    done.op.key = number();
    const bool has_number = skip('=');
    done.op.value = has_number ? number() : 0;
    if (kind == 'r' && has_number) {
      done.found = {done.op.key, 0, done.op.value, 0};
    } else if (kind == 'U') {
      done.op.unique = ++unique_;
      writes_[{done.op.key, done.op.value}] = unique_;
    }
    return done;
  }

  SketchedRowOp search(char kind) {
    SketchedRowOp done;
    done.op.kind = kind == 'u'   ? PlainRowKind::kUpdate
                   : kind == 'd' ? PlainRowKind::kDelete
                                 : PlainRowKind::kRead;
    done.op.by = PlainRowsBy::kValues;
    done.op.low = number();
    skip('-');
    done.op.high = number();
    if (skip('=')) {
      done.op.value = number();
      done.op.unique = ++unique_;
    }
    skip(':');
    while (!text_.empty() && text_.front() >= '0' && text_.front() <= '9') {
      const std::int64_t key = number();
      if (skip('=')) {
        done.found.insert(done.found.end(), {key, 0, number(), 0});
      } else {
        done.found.push_back(key);
        writes_[{key, done.op.value}] = done.op.unique;
      }
      skip(',');
    }
    return done;
  }

  /// Gives an explicit or implied invocation the operations of its completion.
  void add(SketchedRowEvent event) {
    if (event.type != EventType::kInvoke) {
      const auto open = open_.find(event.process);
      if (open == open_.end()) {
        SketchedRowEvent invocation = event;
        invocation.type = EventType::kInvoke;
        events_.push_back(std::move(invocation));
      } else {
        events_[open->second].ops = event.ops;
        open_.erase(open);
      }
    } else {
      open_[event.process] = events_.size();
    }
    events_.push_back(std::move(event));
  }

  /// Names the write of each row that was found. A row without a write gets a number that no write
  /// uses.
  void name_writes() {
    for (SketchedRowEvent& event : events_) {
      for (SketchedRowOp& done : event.ops) {
        const bool is_read = done.op.kind == PlainRowKind::kRead;
        for (std::size_t i = 0; is_read && i + 3 < done.found.size(); i += 4) {
          const auto write = writes_.find({done.found[i], done.found[i + 2]});
          done.found[i + 3] = write == writes_.end() ? unique_ + 1 : write->second;
        }
      }
    }
  }

  std::string_view text_;
  std::vector<SketchedRowEvent> events_ = {};
  std::map<std::int64_t, std::size_t> open_ = {};                              // by process
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> writes_ = {};  // row and number
  std::int64_t unique_ = 0;
};

}  // namespace

std::span<const RowSketch> row_sketches() {
  return kRowSketches;
}

const RowSketch* find_row_sketch(std::string_view name) {
  const auto* found = std::ranges::find(kRowSketches, name, &RowSketch::name);
  return found == kRowSketches.end() ? nullptr : found;
}

std::vector<SketchedRowEvent> parse_row_sketch(std::string_view text) {
  return SketchReader(text).read();
}

}  // namespace elapid
