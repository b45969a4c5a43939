// The check of a stream, from lines to events: `elapid watch` without the waiting.
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

  /// For the thread that reads the lines. That thread must have ended before decide(), save() and
  /// other functions that make atoms are called.
  [[nodiscard]] Intake& intake() { return intake_; }

  /// Takes a line, and appends accepted ones to journal(). Holds lines back until the kind of the
  /// operations is known. Error: kMalformed, with a byte offset in the line, which is skipped.
  Status take(const ParsedLine& line);

  /// Notes the atoms of all lines that were taken.
  void note(AtomTable::Extent atoms) { known_atoms_ = atoms; }

  /// The approximate bytes of the atoms.
  [[nodiscard]] std::size_t atom_memory() const { return known_atoms_.memory; }

  /// A line that was held back, and cannot be accepted.
  struct HeldError {
    std::uint64_t number = 0;  ///< of the line
    Error error;
  };

  /// The errors of lines that were held back until the last take() or decide().
  [[nodiscard]] std::vector<HeldError> take_held_errors() {
    return std::exchange(held_errors_, {});
  }

  /// Takes the lines that were held back, when the kind of their operations no longer matters.
  void decide();

  /// As OnlineChecker::advance(). Noted in the journal.
  void advance(Timestamp watermark);

  /// Counts a malformed line. Noted in the journal.
  void note_error();

  /// The number of malformed lines. If a stream sends them again, they are not recognised. So each
  /// run counts anew, and the run with the most counts.
  [[nodiscard]] std::uint64_t errors() const { return std::max(errors_, former_errors_); }

  /// The count of an earlier run.
  void restore_errors(std::uint64_t count) { former_errors_ = std::max(former_errors_, count); }

  /// The check; null before there is one.
  [[nodiscard]] OnlineChecker* checker() { return checker_ ? &*checker_ : nullptr; }

  [[nodiscard]] const AtomTable& atoms() const { return atoms_; }

  /// Lines accepted since the last call; nothing without a state.
  [[nodiscard]] std::string take_journal() { return std::exchange(journal_, {}); }

  /// As take_journal(), in place of the old contents, whose memory is reused.
  void take_journal(std::string& into) {
    into.clear();
    into.swap(journal_);
  }

  /// The initial value of registers, from an option or a header.
  [[nodiscard]] std::string initial() const {
    return options_.initial.value_or(declared_initial_.value_or("nil"));
  }

  /// The last header; empty if there was none. It applies to all lines after it.
  [[nodiscard]] const std::string& header() const { return header_; }

  /// All state outside the store's pages: see restore().
  [[nodiscard]] std::string save();

  /// Continues from save(), in a new check with the same conditions().
  void restore(std::string_view bytes);

  /// The options that must be the same to continue, as text.
  [[nodiscard]] static std::string conditions(const WatchOptions& options);

 private:
  struct HeldLine {
    std::uint64_t number = 0;
    std::string line;
    OnlineTxn txn;
  };

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
  std::vector<HeldLine> held_;
  std::vector<HeldError> held_errors_;
  std::string journal_;
  std::optional<Timestamp> reached_;  // the progress of a sorted stream
  std::uint64_t accepted_ = 0;        // of a sorted stream
  std::size_t remembered_ = 0;        // bytes left after a sorted stream's last forgetting
  std::uint64_t errors_ = 0;          // of this run
  std::uint64_t former_errors_ = 0;   // of the earlier run with the most errors
};

}  // namespace elapid
