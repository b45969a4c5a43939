// The check of a stream, from line to event: all of `elapid watch` but the waiting.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapter/watch/event_text.h"
#include "adapter/watch/intake.h"
#include "adapter/watch/parsed_lines.h"
#include "adapter/watch/watch.h"
#include "engine/ir/result.h"
#include "engine/online/online_checker.h"
#include "engine/online/online_txn.h"

namespace elapid {

class StreamCheck {
 public:
  StreamCheck(const WatchOptions& options, PageStore& store)
      : options_(options), store_(store), intake_(atoms_, options.workload, options.initial) {}

  /// For the thread that reads the lines; it ends before decide(), save() ... of this are called
  /// that make atoms.
  [[nodiscard]] Intake& intake() { return intake_; }

  /// Takes a line. What was accepted is appended to journal(). Until it shows what the operations
  /// are, lines are held back. Error kMalformed, with a byte offset in the line: it is passed over.
  Status take(const ParsedLine& line);

  /// What atoms there are, of which all lines are made that were taken.
  void note(AtomTable::Extent atoms) { known_atoms_ = atoms; }

  /// Bytes of the atoms, roughly.
  [[nodiscard]] std::size_t atom_memory() const { return known_atoms_.memory; }

  /// Takes what was held back; nothing shows what it is, which does not matter then.
  void decide();

  /// As OnlineChecker::advance(). Kept in the journal.
  void advance(Timestamp watermark);

  /// Counts a line that was not understood. Kept in the journal.
  void note_error();

  /// How many there were. They are not known again when they are sent again, so that each run
  /// counts anew, and the run that had most counts.
  [[nodiscard]] std::uint64_t errors() const { return std::max(errors_, former_errors_); }

  /// What a former run had counted.
  void restore_errors(std::uint64_t count) { former_errors_ = std::max(former_errors_, count); }

  /// The check, once there is one.
  [[nodiscard]] OnlineChecker* checker() { return checker_ ? &*checker_ : nullptr; }

  [[nodiscard]] const AtomTable& atoms() const { return atoms_; }

  /// Lines accepted since the last call; nothing without a state.
  [[nodiscard]] std::string take_journal() { return std::exchange(journal_, {}); }

  /// The same, in place of what was there. Its memory is used again.
  void take_journal(std::string& into) {
    into.clear();
    into.swap(journal_);
  }

  /// What registers hold at first, as it was said or declared.
  [[nodiscard]] std::string initial() const {
    return options_.initial.value_or(declared_initial_.value_or("nil"));
  }

  /// The header that came last; empty if none did. It counts for all lines behind it.
  [[nodiscard]] const std::string& header() const { return header_; }

  /// Everything that the store's pages do not hold: see restore().
  [[nodiscard]] std::string save();

  /// Goes on where save() was called, in a new check under the same conditions().
  void restore(std::string_view bytes);

  /// What must be the same when the check goes on.
  [[nodiscard]] static std::string conditions(const WatchOptions& options);

 private:
  void begin(Workload workload, Atom initial);
  void begin_if_known(const ParsedLine& line);
  void keep(std::string_view line);
  Status accept(std::string_view line, const OnlineTxn& txn);
  [[nodiscard]] Status check_order(const OnlineTxn& txn);
  void move_on();

  const WatchOptions& options_;
  PageStore& store_;
  AtomTable atoms_;
  AtomTable::Extent known_atoms_;
  Intake intake_;
  std::optional<Workload> workload_;
  std::string header_;
  std::optional<std::string> declared_initial_;  // by a header
  std::optional<OnlineChecker> checker_;
  std::vector<std::pair<std::string, OnlineTxn>> held_;
  std::string journal_;
  std::optional<Timestamp> reached_;  // where a sorted stream is
  std::uint64_t accepted_ = 0;        // of a sorted stream
  std::size_t remembered_ = 0;        // bytes left when a sorted stream forgot last
  std::uint64_t errors_ = 0;          // of this run
  std::uint64_t former_errors_ = 0;   // of the run before that had most
};

}  // namespace elapid
