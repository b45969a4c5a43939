#include "engine/certify/anomalies/timestamp_violation.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "engine/certify/anomalies/evidence.h"
#include "engine/certify/operations/operations.h"

namespace elapid {

namespace certify {

namespace {

/// What a read shows or must show: of a register one value, of a list its elements.
using Contents = std::vector<ValueId>;

class ViolationCheck {
 public:
  ViolationCheck(const History& history, const TimestampEvidence& evidence)
      : history_(history), evidence_(evidence) {}

  Flaw check() const {
    if (evidence_.axiom == TimestampAxiom::kNoConflict) {
      return check_conflict();
    }
    if (evidence_.axiom == TimestampAxiom::kSession ||
        evidence_.axiom == TimestampAxiom::kRealTime) {
      return check_order();
    }
    if (!has_committed(evidence_.txn)) {
      return "the transaction at fault did not commit";
    }
    if (evidence_.axiom != TimestampAxiom::kStartFirst) {
      return check_read();
    }
    return history_.start_timestamp(evidence_.txn) > commit(evidence_.txn)
               ? Flaw()
               : name(evidence_.txn) + " starts before it commits";
  }

  /// That no writes with an unknown time explain the read. The evidence passed check().
  Flaw check_unexplained(const Writers& writers) const {
    const std::span<const Op> ops = history_.ops(evidence_.txn);
    Contents read = shown(ops[evidence_.mop]);
    Contents certain = expected();
    for (const Op op : ops.first(is_list() ? evidence_.mop : 0)) {
      if (op.key() == evidence_.key && op.is_write()) {  // both end in what it appended itself
        read.pop_back();
        certain.pop_back();
      }
    }
    if (is_list() && !is_subsequence(certain, read)) {
      return {};
    }
    const Contents others = is_list() ? left_over(read, certain) : read;
    const bool is_explained = !others.empty() && std::ranges::all_of(others, [&](ValueId value) {
      return std::ranges::any_of(writers.of(evidence_.key, value),
                                 [&](const Write& write) { return has_unknown_time(write.txn); });
    });
    return is_explained ? "writes without a commit timestamp may explain what " +
                              name(evidence_.txn) + " read"
                        : Flaw();
  }

 private:
  using Time = std::optional<std::int64_t>;

  [[nodiscard]] std::string name(TxnId txn) const { return txn_text(history_, txn); }

  [[nodiscard]] bool exists(TxnId txn) const { return txn.index() < history_.txn_count(); }

  [[nodiscard]] bool has_committed(TxnId txn) const {
    return exists(txn) && history_.committed(txn);
  }

  /// When a transaction took effect; of one that only reads, when it started, if nothing else is
  /// known.
  [[nodiscard]] Time commit(TxnId txn) const {
    const Time commit = history_.commit_timestamp(txn);
    return commit ? commit : history_.start_timestamp(txn);
  }

  /// When it saw what others had written.
  [[nodiscard]] Time snapshot(TxnId txn) const {
    const Time start = history_.start_timestamp(txn);
    return evidence_.at_commit || !start ? commit(txn) : std::min(start, commit(txn));
  }

  /// Whether the writes of the transaction may have taken effect at any time.
  [[nodiscard]] bool has_unknown_time(TxnId txn) const {
    return history_.status(txn) != TxnStatus::kAborted && !history_.commit_timestamp(txn) &&
           txn != history_.info().initial_txn;
  }

  [[nodiscard]] static bool is_subsequence(const Contents& part, const Contents& whole) {
    std::size_t found = 0;
    for (const ValueId value : whole) {
      found += found < part.size() && part[found] == value ? 1U : 0U;
    }
    return found == part.size();
  }

  /// What is in the whole beside the part, each as often.
  [[nodiscard]] static Contents left_over(Contents whole, Contents part) {
    std::ranges::sort(whole);
    std::ranges::sort(part);
    Contents left;
    std::ranges::set_difference(whole, part, std::back_inserter(left));
    return left;
  }

  [[nodiscard]] bool is_list() const {
    return evidence_.expected.kind != ExpectedRead::Kind::kScalar;
  }

  [[nodiscard]] Contents expected() const {
    return is_list() ? evidence_.expected.elements : Contents{evidence_.expected.scalar};
  }

  [[nodiscard]] Contents shown(Op read) const {
    if (!is_list()) {
      return {read.value()};
    }
    const std::span<const ValueId> list =
        read.kind() == OpKind::kReadList ? history_.elements(read) : std::span<const ValueId>();
    return {list.begin(), list.end()};
  }

  /// Whether these are a name of a register's initial state. It has two, so the committed version
  /// decides whether a transaction may read the one and then the other.
  [[nodiscard]] bool is_initial(const Contents& contents) const {
    return !is_list() && contents.size() == 1 && history_.is_initial(contents.front());
  }

  /// Carries an operation out.
  void apply(Op op, Contents& contents) const {
    if (op.is_read()) {
      contents = shown(op);
    } else if (op.kind() == OpKind::kWrite) {
      contents = {op.value()};
    } else {
      contents.push_back(op.value());
    }
  }

  Flaw check_read() const {
    const std::span<const Op> ops = history_.ops(evidence_.txn);
    const std::optional<Op> read = op_at(ops, evidence_.mop);
    if (!read || !read->is_read() || read->key() != evidence_.key) {
      return "the operation named is no read of the key by " + name(evidence_.txn);
    }
    Contents own;
    bool has_read = false;
    bool has_written = false;
    for (const Op op : ops.first(evidence_.mop)) {
      if (op.key() == evidence_.key) {
        has_read = has_read || op.is_read();
        has_written = has_written || op.is_write();
        apply(op, own);
      }
    }
    const bool is_other_name = !has_written && is_initial(own) && is_initial(shown(*read));
    const bool is_internal = (has_read && !is_other_name) || (has_written && !is_list()) ||
                             evidence_.expected.kind == ExpectedRead::Kind::kSuffix;
    if (is_internal != (evidence_.axiom == TimestampAxiom::kInt)) {
      return "what " + name(evidence_.txn) + " had done before does not decide what it must read";
    }
    return is_internal ? check_internal(*read, own) : check_external(*read, own);
  }

  Flaw check_internal(Op read, const Contents& own) const {
    const Contents contents = shown(read);
    const bool is_open = evidence_.expected.kind == ExpectedRead::Kind::kSuffix;
    const bool agrees = is_open ? contents.size() >= own.size() &&
                                      std::equal(own.rbegin(), own.rend(), contents.rbegin())
                                : contents == own;
    if (expected() != own) {
      return "what " + name(evidence_.txn) +
             " should have read does not follow from its operations";
    }
    return agrees ? name(evidence_.txn) + " read what it should have" : Flaw();
  }

  Flaw check_external(Op read, const Contents& own) const {
    Contents contents = expected();
    const bool is_first_version = evidence_.expected_writer.is_none();
    if (contents == shown(read) || (is_first_version && is_initial(shown(read)))) {
      return name(evidence_.txn) + " read what it should have";
    }
    if (is_list()) {
      if (contents.size() < own.size() ||
          !std::equal(own.rbegin(), own.rend(), contents.rbegin())) {
        return name(evidence_.txn) + " should have read its own appends";
      }
      contents.resize(contents.size() - own.size());
    }
    if (Flaw flaw = check_current(contents)) {
      return flaw;
    }
    return check_origin(read);
  }

  /// That the version expected is one that its writer left, or the initial one.
  Flaw check_current(const Contents& contents) const {
    const TxnId writer = evidence_.expected_writer;
    if (writer.is_none()) {
      return contents.empty() || is_initial(contents)
                 ? Flaw()
                 : "the version expected is not the initial one";
    }
    if (!exists(writer) || history_.status(writer) == TxnStatus::kAborted) {
      return "the version expected was not committed";
    }
    const bool is_first = writer == history_.info().initial_txn;
    if (!is_first && !(commit(writer) && commit(writer) <= snapshot(evidence_.txn))) {
      return "the version expected was committed after " + name(evidence_.txn) + " read";
    }
    const ValueId last = last_write(history_.ops(writer), evidence_.key);
    return !last.is_none() && !contents.empty() && contents.back() == last
               ? Flaw()
               : name(writer) + " did not write the version expected";
  }

  /// Whether the transaction wrote something that the read shows.
  [[nodiscard]] bool wrote_of(TxnId writer, Op read) const {
    const Contents contents = shown(read);
    return std::ranges::any_of(history_.ops(writer), [&](Op op) {
      return op.is_write() && op.key() == evidence_.key &&
             std::ranges::find(contents, op.value()) != contents.end();
    });
  }

  Flaw check_origin(Op read) const {
    const TxnId writer = evidence_.other;
    if (writer.is_none()) {
      return Flaw();
    }
    if (!exists(writer) || !wrote_of(writer, read)) {
      return "the writer named did not write what was read";
    }
    const bool has_aborted = history_.status(writer) == TxnStatus::kAborted;
    const bool is_own = writer == evidence_.txn;
    const bool is_past = commit(writer) <= snapshot(evidence_.txn);
    bool is_right = true;
    switch (evidence_.origin) {
      case ReadOrigin::kBefore:
        is_right = !has_aborted && !is_own && is_past;
        break;
      case ReadOrigin::kUncommitted:
      case ReadOrigin::kAfter:
        is_right = !has_aborted && !is_own && (!history_.commit_timestamp(writer) || !is_past);
        break;
      case ReadOrigin::kIntermediate:
        is_right = !has_aborted && !is_own;
        break;
      case ReadOrigin::kAborted:
        is_right = has_aborted;
        break;
      case ReadOrigin::kOwnFuture:
        is_right = is_own;
        break;
      case ReadOrigin::kNowhere:
        is_right = false;
        break;
    }
    return is_right ? Flaw() : "the value read has another origin than claimed";
  }

  Flaw check_conflict() const {
    const TxnId a = evidence_.other;
    const TxnId b = evidence_.txn;
    for (const TxnId txn : {a, b}) {
      if (a == b || !exists(txn) || history_.status(txn) == TxnStatus::kAborted ||
          !history_.commit_timestamp(txn)) {
        return "there are no two writers that committed";
      }
      if (last_write(history_.ops(txn), evidence_.key).is_none()) {
        return name(txn) + " did not write the key";
      }
    }
    const bool overlap = commit(a) > snapshot(b) && commit(a) <= commit(b);
    return overlap ? Flaw() : name(a) + " and " + name(b) + " do not overlap";
  }

  /// Checks that clients order the transactions as claimed, and timestamps the other way round.
  Flaw check_order() const {
    const TxnId a = evidence_.other;
    const TxnId b = evidence_.txn;
    if (!has_committed(a) || !exists(b) || history_.status(b) == TxnStatus::kAborted) {
      return "one of the two transactions took no effect";
    }
    const bool comes_first = evidence_.axiom == TimestampAxiom::kSession
                                 ? precedes_in_session(a, b)
                                 : history_.info().has_real_time && history_.has_completion(a) &&
                                       history_.has_invocation(b) &&
                                       history_.completion_id(a) < history_.invocation_id(b);
    if (!comes_first) {
      return name(a) + " need not come before " + name(b);
    }
    const bool is_crossed =
        evidence_.at_commit && commit(a) == snapshot(b) && is_instant(a) && !is_instant(b);
    return commit(a) > snapshot(b) || is_crossed
               ? Flaw()
               : name(a) + " had committed before " + name(b) + " read";
  }

  /// Whether it starts and commits at one time. Then it comes after all that only commits at that
  /// time.
  [[nodiscard]] bool is_instant(TxnId txn) const {
    return history_.start_timestamp(txn) && history_.start_timestamp(txn) >= commit(txn);
  }

  [[nodiscard]] bool precedes_in_session(TxnId a, TxnId b) const {
    if (history_.session(a) != history_.session(b)) {
      return false;
    }
    const std::span<const TxnId> txns = history_.session_txns(history_.session(b));
    const auto place = [&](TxnId txn) {  // mostly by halves
      const auto guess = std::ranges::lower_bound(txns, txn);
      return guess != txns.end() && *guess == txn ? guess : std::ranges::find(txns, txn);
    };
    return place(a) < place(b);
  }

  const History& history_;
  const TimestampEvidence& evidence_;
};

}  // namespace

Flaw check(const Index& index, AnomalyType /*type*/, const TimestampEvidence& evidence) {
  return check_timestamp_violation(index.history(), index.writers(), evidence);
}

Flaw check_timestamp_violation(const History& history, const Writers& writers,
                               const TimestampEvidence& evidence) {
  const ViolationCheck violation(history, evidence);
  Flaw flaw = violation.check();
  return flaw || evidence.axiom != TimestampAxiom::kExt ? flaw
                                                        : violation.check_unexplained(writers);
}

}  // namespace certify

std::optional<std::string> check_timestamp_violation(const History& history,
                                                     const TimestampEvidence& evidence) {
  return certify::ViolationCheck(history, evidence).check();
}

}  // namespace elapid
