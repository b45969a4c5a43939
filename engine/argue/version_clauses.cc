#include "engine/argue/version_clauses.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <utility>

#include "engine/argue/outcomes.h"

namespace elapid::argue {

namespace {

using Reason = RowsProofStep::Reason;

/// Whether the operation may see an old version of each row of its result.
bool may_be_old(const rows::RowOp& op, bool reads_old_versions) {
  return op.has_predicate() ? !op.finds_unnamed()
                            : reads_old_versions && op.kind == rows::RowOpKind::kRead;
}

}  // namespace

RowsProofStep VersionClauses::step_about(Reason reason, const Failure& failure) const {
  return {.reason = reason,
          .txn = failure.txn,
          .mop = failure.mop,
          .by_predicate = writes_.op(failure.txn, failure.mop).has_predicate(),
          .row = failure.row};
}

void VersionClauses::add_versions(const Failure& failure, std::vector<Literal> clause) {
  const auto about = std::tuple(failure.txn.value, failure.mop, failure.row.value, failure.as);
  if (stated_.insert(about).second) {
    // Or an earlier operation of the same transaction wrote the row.
    writes_.each_write(failure.txn, failure.mop, failure.row,
                       [&](std::uint32_t mop, const rows::RowOp& /*op*/, bool /*is_sure*/) {
                         clause.push_back(choices_.found(failure.txn, mop, failure.row, kAsFound));
                       });
    if (versions_.may_be_first(failure)) {
      clause.push_back(choices_.concerned(failure, TxnId::none()));
    }
    for (const TxnId writer : writes_.writers(failure.row, kRowVersion)) {
      if (versions_.may_be_version_of(failure, writer)) {
        clause.push_back(choices_.concerned(failure, writer));
      }
    }
    log_.add(std::move(clause), step_about(Reason::kVersions, failure));
  }
  for (const FormerVersion& version : failure.versions) {
    if (version.writer.is_none() ? versions_.may_be_first(failure)
                                 : versions_.may_be_version_of(failure, version.writer)) {
      add_version(failure, version);
    }
  }
}

void VersionClauses::add_version(const Failure& failure, const FormerVersion& version) {
  std::vector<Literal> clause = {~choices_.concerned(failure, version.writer)};
  for (const LastWriter& cause : version.causes) {
    doubts_.add_fate(cause.writer, clause);
    if (cause.reader.is_none()) {
      beginning_.doubt(version.alike, cause.row, cause.part, clause);
      continue;
    }
    doubts_.add_ways_out(cause, version.alike, clause, [&](TxnId other) {
      if (other == failure.txn && cause.reader == version.writer) {
        return false;  // it comes after the version
      }
      const Miss miss = {other, cause.row, cause.part};
      return !std::ranges::binary_search(version.misses, miss) &&
             (version.causes.size() > 1 || !version.decisions.empty() ||
              versions_.may_concern(failure, version.writer, cause, other));
    });
  }
  doubts_.add_decisions(version.decisions, clause);
  RowsProofStep step = step_about(Reason::kVersion, failure);
  step.causes = version.causes;
  step.other = version.writer;
  log_.add(std::move(clause), std::move(step));
}

void VersionClauses::add_count(const Failure& failure, std::vector<Literal> clause) {
  const Miscount& count = failure.count;
  const std::vector<FoundKind> kinds =
      kinds_found(writes_.rows(), writes_.op(failure.txn, failure.mop));
  RowsProofStep step = {.reason = count.is_too_few ? Reason::kAtLeast : Reason::kAtMost,
                        .txn = failure.txn,
                        .mop = failure.mop,
                        .by_predicate = true};
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    const std::uint32_t as = kinds[kind].outcome.as;
    const bool is_among = std::ranges::find(count.kinds, kind) != count.kinds.end();
    if (is_among && as < kAsMissed) {
      step.items.push_back(as);
    }
    for (const KeyId row : is_among == count.is_too_few ? count.rows : std::vector<KeyId>()) {
      if (versions_.may_be_found({.txn = failure.txn, .mop = failure.mop, .row = row, .as = as})) {
        clause.push_back(choices_.found(failure.txn, failure.mop, row, as));
      }
    }
  }
  for (const KeyId row : count.is_too_few ? std::vector<KeyId>() : count.rows) {
    clause.push_back(~choices_.found(failure.txn, failure.mop, row, kAsFound, true));
  }
  std::ranges::sort(clause, {}, &Literal::code);
  std::vector<std::uint32_t> codes;
  std::ranges::transform(clause, std::back_inserter(codes), &Literal::code);
  if (counted_.insert(std::move(codes)).second) {
    log_.add(std::move(clause), std::move(step));
  }
}

void VersionClauses::add_fracture(const Failure& failure, const Fracture& fracture) {
  const Failure& look = failure.looks[fracture.look];
  const TxnId older = fracture.older;
  std::vector<Literal> clause = {
      ~choices_.concerned(look, older),
      ~choices_.concerned(failure.looks[fracture.newer_look], fracture.newer)};
  if (!older.is_none() && !fixed_.precedes(older, fracture.newer)) {
    clause.push_back(choices_.before(fixed_.commit(fracture.newer), fixed_.commit(older)));
  }
  doubts_.add_decisions(fracture.decisions, clause);
  make_clause(clause);
  std::vector<std::uint32_t> codes;
  std::ranges::transform(clause, std::back_inserter(codes), &Literal::code);
  if (fractured_.insert(std::move(codes)).second) {
    RowsProofStep step = step_about(Reason::kFractured, look);
    step.other = fracture.newer;
    log_.add(std::move(clause), std::move(step));
  }
}

/// Calls `visit(operation, row)` for each row that a committed transaction was shown and that may
/// be old, until it returns true.
template <class Visit>
void VersionClauses::each_old_row(TxnId txn, bool reads_old_versions, Visit visit) {
  const auto count = static_cast<std::uint32_t>(history_.ops(txn).size());
  for (std::uint32_t mop = 0; history_.committed(txn) && mop < count; ++mop) {
    const rows::RowOp& op = writes_.op(txn, mop);
    for (const rows::ShownRow& shown : writes_.rows().shown(op)) {
      if (may_be_old(op, reads_old_versions) && !versions_.may_be_own(txn, mop, shown.row) &&
          visit(mop, shown)) {
        return;
      }
    }
  }
}

void VersionClauses::add_origins(TxnId txn, bool reads_old_versions) {
  each_old_row(txn, reads_old_versions, [&](std::uint32_t mop, const rows::ShownRow& shown) {
    add_origin(txn, mop, shown);
    return false;
  });
}

bool VersionClauses::add_torn_row(TxnId txn) {
  std::unordered_map<std::uint32_t, SeenRow> first;  // by row
  std::optional<std::array<SeenRow, 2>> torn;
  each_old_row(txn, true, [&](std::uint32_t mop, const rows::ShownRow& row) {
    const SeenRow seen = {mop, row, known_writer(txn, mop, row)};
    if (!seen.writer.is_none()) {
      const SeenRow& before = first.try_emplace(row.row.value, seen).first->second;
      if (before.writer != seen.writer) {
        torn = {before, seen};
      }
    }
    return torn.has_value();
  });
  if (!torn) {
    return false;
  }
  for (const SeenRow& seen : *torn) {
    add_origin(txn, seen.mop, seen.row);
  }
  add_tear(txn, *torn);
  return true;
}

/// Whichever of the two versions is the later one, who saw it did not see the other.
void VersionClauses::add_tear(TxnId txn, const std::array<SeenRow, 2>& torn) {
  const TxnId initial = certain_initial(history_);
  Failure state = {.kind = Failure::Kind::kState, .txn = txn};
  for (const SeenRow& seen : torn) {
    state.looks.push_back(
        {.kind = Failure::Kind::kVersions, .txn = txn, .mop = seen.mop, .row = seen.row.row});
    if (seen.writer == initial) {
      add_versions(state.looks.back(), {});
    }
  }
  for (std::size_t newer = 0; newer < torn.size(); ++newer) {
    const TxnId writer = torn[newer].writer;
    const TxnId older = torn[1 - newer].writer;
    const auto count = static_cast<std::uint32_t>(history_.ops(writer).size());
    const auto add = [&](std::uint32_t mop, const rows::RowOp& /*op*/, bool is_sure) {
      Fracture fracture = {.look = 1 - newer,
                           .older = older == initial ? TxnId::none() : older,
                           .newer_look = newer,
                           .newer = writer};
      if (!is_sure) {
        fracture.decisions.push_back({{writer, mop, torn[newer].row.row}, true});
      }
      add_fracture(state, fracture);
    };
    if (writer != initial) {
      writes_.each_write(writer, count, torn[newer].row.row, add);
    }
  }
}

/// The only transaction that may have written a value that was shown; none() if there is none.
TxnId VersionClauses::known_writer(TxnId txn, std::uint32_t mop,
                                   const rows::ShownRow& shown) const {
  if (writes_.op(txn, mop).known == rows::Known::kVersions) {
    return origins_.only_writer(shown.row, kRowVersion, shown.version);
  }
  for (const rows::Field& field : writes_.rows().fields(shown)) {
    const TxnId writer = origins_.only_writer(shown.row, part_of(field.column), field.value);
    if (!writer.is_none()) {
      return writer;
    }
  }
  return TxnId::none();
}

void VersionClauses::add_origin(TxnId txn, std::uint32_t mop, const rows::ShownRow& shown) {
  const TxnId initial = certain_initial(history_);
  const auto note = [&](std::uint32_t part, ValueId value) {
    const TxnId writer = origins_.only_writer(shown.row, part, value);
    if (writer.is_none() || writer == txn || writer == initial) {
      return;
    }
    add_written(txn, mop, shown.row, part, value, writer);
    const Failure failure = {.txn = txn, .mop = mop, .row = shown.row};
    const auto others =
        std::ranges::count_if(writes_.writers(shown.row, kRowVersion), [&](TxnId other) {
          return other != writer && versions_.may_be_version_of(failure, other);
        });
    if (others == 0) {
      add_versions(failure, {});
    }
  };
  if (writes_.op(txn, mop).known == rows::Known::kVersions) {
    note(kRowVersion, shown.version);
  }
  for (const rows::Field& field : writes_.rows().fields(shown)) {
    note(part_of(field.column), field.value);
  }
}

/// Only this writer wrote the value. If one operation of it can have done so, and is not sure to
/// write the row, that operation wrote the row.
void VersionClauses::add_written(TxnId txn, std::uint32_t mop, KeyId row, std::uint32_t part,
                                 ValueId value, TxnId writer) {
  std::vector<std::pair<std::uint32_t, bool>> all;
  writes_.each_write(writer, static_cast<std::uint32_t>(history_.ops(writer).size()), row,
                     [&](std::uint32_t at, const rows::RowOp& op, bool is_sure) {
                       RowParts made;
                       writes_.apply(op, made);
                       if (made.knows(part) && made.part(part) == value) {
                         all.emplace_back(at, is_sure);
                       }
                     });
  if (all.size() != 1 || all.front().second ||
      choices_.has_found(writer, all.front().first, row, kAsFound)) {
    return;
  }
  log_.add({choices_.found(writer, all.front().first, row, kAsFound, true)},
           step_about(Reason::kWritten, {.txn = txn, .mop = mop, .row = row}));
}

}  // namespace elapid::argue
