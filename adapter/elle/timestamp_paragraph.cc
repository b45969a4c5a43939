// The words for violations of timestamps.
#include <fmt/format.h>

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "adapter/elle/paragraph.h"
#include "adapter/elle/step_text.h"

namespace elapid {
namespace {

/// A timestamp as a number; of a hybrid clock both parts.
std::string time_text(const History& history, std::optional<std::int64_t> time) {
  const unsigned logical_bits = history.info().logical_bits;
  if (!time) {
    return "a time nobody knows";
  }
  return logical_bits == 0 ? fmt::to_string(*time)
                           : fmt::format("{}.{}", *time >> logical_bits,
                                         *time & ((std::int64_t{1} << logical_bits) - 1));
}

/// What is wrong about a read, by where its value comes from.
std::string_view verdict_on(ReadOrigin origin) {
  constexpr std::array<std::string_view, kReadOriginCount> kWords = {
      "a read of the past",
      "a read of what was not committed",
      "a read of the future",
      "a read of an intermediate state",
      "a read of an aborted write",
      "a read of what it wrote itself later",
      "a read of a value from nowhere"};
  return kWords.at(static_cast<std::size_t>(origin));
}

class TimestampParagraph {
 public:
  TimestampParagraph(const History& history, const TimestampEvidence& evidence,
                     const ParagraphOptions& options)
      : history_(history), evidence_(evidence), options_(options) {}

  Paragraph write() {
    switch (evidence_.axiom) {
      case TimestampAxiom::kInt:
        explain_internal();
        break;
      case TimestampAxiom::kExt:
        explain_external();
        break;
      case TimestampAxiom::kNoConflict:
        explain_conflict();
        break;
      case TimestampAxiom::kSession:
      case TimestampAxiom::kRealTime:
        explain_order();
        break;
      case TimestampAxiom::kStartFirst:
        claim("However, {} {} and {}: it ends before it begins!", actor(evidence_.txn),
              started(evidence_.txn), committed(evidence_.txn));
        break;
    }
    if (evidence_.within_clock_skew) {
      claim("It may be an error of the clocks: they may differ by that much (--clock-skew).");
    }
    return std::move(result_);
  }

 private:
  template <class... Args>
  void claim(fmt::format_string<Args...> format, Args&&... args) {
    result_.claims.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  /// Adds an actor that shows all it does to the key, or everything if there is no key.
  std::string actor(TxnId txn) {
    const EventRef event = representative_ref(history_, txn);
    std::vector<Focus> focus;
    const std::span<const Op> ops = event_ops(history_, event);
    for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
      if (evidence_.key.is_none() || ops[mop].key() == evidence_.key) {
        focus.push_back(Focus{mop});
      }
    }
    std::string name = emphasised(fmt::format("T{}", result_.actors.size() + 1), options_);
    result_.actors.push_back({.name = name, .event = event, .focus = std::move(focus)});
    return name;
  }

  [[nodiscard]] std::string started(TxnId txn) const {
    return "started at " + time_text(history_, history_.start_timestamp(txn));
  }

  [[nodiscard]] std::string committed(TxnId txn) const {
    return "committed at " + time_text(history_, history_.commit_timestamp(txn));
  }

  /// When the transaction at fault reads.
  [[nodiscard]] std::string read_time() const {
    return evidence_.at_commit ? committed(evidence_.txn) : started(evidence_.txn);
  }

  [[nodiscard]] std::string key() const { return history_.key_text(evidence_.key); }

  [[nodiscard]] std::string list_text(std::span<const ValueId> list) const {
    return options_.full ? whole_list(history_, list)
                         : elided_list(history_, list, std::array<ValueId, 1>{ValueId::none()});
  }

  [[nodiscard]] std::string shown() const {
    const Op read = history_.ops(evidence_.txn)[evidence_.mop];
    return read.kind() == OpKind::kReadList ? list_text(history_.elements(read))
                                            : history_.text(read.value());
  }

  [[nodiscard]] std::string expected() const {
    const ExpectedRead& read = evidence_.expected;
    if (read.kind == ExpectedRead::Kind::kScalar) {
      return history_.text(read.scalar);
    }
    const bool is_open = read.kind == ExpectedRead::Kind::kSuffix;
    return (is_open ? "a list that ends in " : "") + list_text(read.elements);
  }

  void explain_internal() {
    const std::string t1 = actor(evidence_.txn);
    claim("By its own earlier operations, {} must read key {} as {}.", t1, key(), expected());
    claim("However, {} read {}: it contradicts itself!", t1, shown());
  }

  void explain_external() {
    const std::string t1 = actor(evidence_.txn);
    if (evidence_.expected_writer.is_none()) {
      claim("{} {}, and nobody had committed a write of key {} before: it was {}.", t1, read_time(),
            key(), expected());
    } else {
      const std::string t2 = actor(evidence_.expected_writer);
      claim("{} {}, and {} had {} the last write of key {} before: it was {}.", t1, read_time(), t2,
            committed(evidence_.expected_writer), key(), expected());
    }
    explain_writer();
    claim("However, {} read {}: {}!", t1, shown(), verdict_on(evidence_.origin));
  }

  /// Who wrote what was read.
  void explain_writer() {
    const TxnId writer = evidence_.other;
    if (writer.is_none() || writer == evidence_.txn || writer == evidence_.expected_writer) {
      return;
    }
    const std::string t3 = actor(writer);
    if (evidence_.origin == ReadOrigin::kAborted) {
      claim("{} wrote what was read, and aborted.", t3);
    } else {
      claim("{} wrote what was read; it {} and {}.", t3, started(writer), committed(writer));
    }
  }

  void explain_conflict() {
    const std::string t1 = actor(evidence_.other);
    const std::string t2 = actor(evidence_.txn);
    claim("{} {} and {}; {} {} and {}.", t1, started(evidence_.other), committed(evidence_.other),
          t2, started(evidence_.txn), committed(evidence_.txn));
    claim("However, both wrote key {}, and both committed although they overlap!", key());
  }

  void explain_order() {
    const std::string t1 = actor(evidence_.other);
    const std::string t2 = actor(evidence_.txn);
    if (evidence_.axiom == TimestampAxiom::kSession) {
      claim("{} comes before {} in session {}.", t1, t2,
            history_.session_name(history_.session(evidence_.txn)));
    } else {
      claim("{} had completed before {} was invoked.", t1, t2);
    }
    claim("However, {} {}, and {} {}: later!", t2, read_time(), t1, committed(evidence_.other));
  }

  const History& history_;
  const TimestampEvidence& evidence_;
  const ParagraphOptions& options_;
  Paragraph result_;
};

}  // namespace

Paragraph timestamp_paragraph(const History& history, const TimestampEvidence& evidence,
                              const ParagraphOptions& options) {
  return TimestampParagraph(history, evidence, options).write();
}

}  // namespace elapid
