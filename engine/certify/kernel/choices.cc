#include "engine/certify/kernel/choices.h"

#include <algorithm>

#include "engine/certify/operations/participants.h"

namespace elapid::certify {

namespace {

std::uint64_t pair_key(std::uint32_t first, TxnId second) {
  return std::uint64_t{first} << 32 | second.value;
}

}  // namespace

Choices::Choices(const History& history, const Effects& effects)
    : history_(history),
      shown_(history, effects),
      lists_(history, effects, shown_),
      sources_(history, effects),
      places_(history, effects, lists_),
      meanings_(1),
      fate_(history.txn_count(), Clauses::kFalse),
      known_(sources_.size()) {
  if (lists_.is_contradictory() || places_.is_contradictory()) {
    clauses_.contradict();
  }
  decide_fates(effects);
  if (!count_sources() || !open_places() || !clauses_.propagate(*this)) {
    clauses_.contradict();
  }
}

void Choices::decide_fates(const Effects& effects) {
  for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
    const TxnId txn{t};
    const bool is_certain = history_.committed(txn) || lists_.took_effect(txn);
    if (effects.contradicts_itself(txn)) {
      if (is_certain) {
        clauses_.contradict();
      }
    } else if (is_certain) {
      fate_[t] = Clauses::kTrue;
    } else if (is_participant(history_, txn) && may_have_served(txn) &&
               !places_.is_impossible(txn)) {
      fate_[t] = make({.kind = Choice::Kind::kTookEffect, .subject = t});
    }
  }
}

/// Whether any read may have seen a write of the transaction.
bool Choices::may_have_served(TxnId txn) const {
  return lists_.is_seen(txn) ||
         std::ranges::any_of(sources_.served_by(txn),
                             [&](std::uint32_t read) { return sources_.allows(read, txn); });
}

bool Choices::count_sources() {
  for (std::uint32_t read = 0; read < sources_.size(); ++read) {
    sources_.visit_sources(read, [&](TxnId source) {
      if (!cannot_be(source)) {
        ++known_[read].open;
        known_[read].mixed ^= source.value;
      }
    });
  }
  for (std::uint32_t read = 0; read < sources_.size(); ++read) {
    if (!settle(read)) {
      return false;
    }
  }
  return true;
}

bool Choices::cannot_be(TxnId source) const {
  return !source.is_none() && clauses_.is_false(fate_of(source));
}

Literal Choices::make(const Meaning& meaning) {
  meanings_.push_back(meaning);
  return clauses_.new_variable();
}

std::optional<Literal> Choices::literal(const Choice& choice) {
  std::optional<Literal> literal;
  switch (choice.kind) {
    case Choice::Kind::kBefore:
      literal = before_literal(choice.first, choice.second);
      break;
    case Choice::Kind::kReads:
      literal = choice.length > 0 ? place_literal(choice)
                                  : read_literal(choice.first, choice.key, choice.second);
      break;
    case Choice::Kind::kTookEffect:
      if (choice.first.index() < history_.txn_count()) {
        literal = fate_of(choice.first);
      }
      break;
  }
  return literal && !choice.holds ? ~*literal : literal;
}

std::optional<Literal> Choices::before_literal(TxnId first, TxnId second) {
  if (first == second || !is_participant(history_, first) || !is_participant(history_, second)) {
    return std::nullopt;
  }
  return first < second ? ordered(first, second) : ~ordered(second, first);
}

/// The variable of the pair, whichever transaction is named first.
Literal Choices::ordered(TxnId first, TxnId second) {
  const auto [entry, is_new] = before_.try_emplace(pair_key(first.value, second));
  Literal& literal = entry->second;
  if (is_new) {
    const TxnId initial = history_.info().initial_txn;
    const auto is_known = [&](TxnId a, TxnId b) {
      return (a == initial && history_.committed(a)) || lists_.before(a, b);
    };
    const bool forward = is_known(first, second);
    const bool backward = is_known(second, first);
    if (forward && backward) {
      clauses_.contradict();
    }
    if (forward || backward) {
      literal = forward ? Clauses::kTrue : Clauses::kFalse;
    } else {
      literal = make({.kind = Choice::Kind::kBefore});
    }
  }
  return literal;
}

std::optional<Literal> Choices::read_literal(TxnId reader, KeyId key, TxnId source) {
  if (!is_participant(history_, reader)) {
    return std::nullopt;
  }
  const std::optional<std::uint32_t> read = sources_.find(reader, key);
  if (!read) {
    return std::nullopt;
  }
  if (!sources_.allows(*read, source) || cannot_be(source) || cannot_be(reader)) {
    return Clauses::kFalse;
  }
  if (known_[*read].is_known) {
    return known_[*read].source == source ? Clauses::kTrue : Clauses::kFalse;
  }
  return variable(*read, source);
}

std::optional<Literal> Choices::find_variable(std::uint32_t read, TxnId source) const {
  const auto found = reads_.find(pair_key(read, source));
  return found == reads_.end() ? std::nullopt : std::optional(found->second);
}

Literal Choices::variable(std::uint32_t read, TxnId source) {
  if (const std::optional<Literal> found = find_variable(read, source)) {
    return *found;
  }
  const Literal literal = make({.kind = Choice::Kind::kReads,
                                .subject = read,
                                .source = source,
                                .next = known_[read].first_variable});
  known_[read].first_variable = literal.variable();
  reads_.emplace(pair_key(read, source), literal);
  return literal;
}

bool Choices::is_before(TxnId first, TxnId second) {
  const std::optional<Literal> literal = before_literal(first, second);
  return literal && (clauses_.is_contradictory() || clauses_.is_true(*literal));
}

bool Choices::reads(TxnId reader, KeyId key, TxnId source) const {
  const std::optional<std::uint32_t> read = sources_.find(reader, key);
  return read && known_[*read].is_known && known_[*read].source == source;
}

std::vector<TxnId> Choices::readers_of(TxnId source, KeyId key) const {
  std::vector<TxnId> readers;
  for (const std::uint32_t read : sources_.served_by(source)) {
    const bool is_known = known_[read].is_known && known_[read].source == source;
    if (is_known && sources_[read].key == key && history_.committed(sources_[read].reader)) {
      readers.push_back(sources_[read].reader);
    }
  }
  return readers;
}

bool Choices::became_true(Literal literal) {
  const Meaning meaning = meanings_[literal.variable()];
  switch (meaning.kind) {
    case Choice::Kind::kReads:
      if (meaning.place != kNothing) {
        return literal.is_negated() ? vacate_place(meaning.place) : take_place(meaning.place);
      }
      return literal.is_negated() ? drop(meaning.subject, meaning.source)
                                  : serve(meaning.subject, meaning.source);
    case Choice::Kind::kTookEffect:
      return literal.is_negated() ? rule_out_everywhere(TxnId{meaning.subject})
                                  : settle_reads_of(TxnId{meaning.subject}) &&
                                        settle_lists_of(TxnId{meaning.subject});
    case Choice::Kind::kBefore:
      break;
  }
  return true;
}

void Choices::became_open(Literal literal) {
  const Meaning& meaning = meanings_[literal.variable()];
  if (meaning.kind != Choice::Kind::kReads) {
    return;
  }
  if (meaning.place != kNothing) {
    if (literal.is_negated()) {
      count_place(meaning.place, 1);
    }
    return;
  }
  Sources& known = known_[meaning.subject];
  if (literal.is_negated()) {
    ++known.open;
    known.mixed ^= meaning.source.value;
  } else {
    known.is_known = false;
    known.source = TxnId::none();
  }
}

/// If one source is left, the read has it. If none is left, the reader did not take effect.
bool Choices::settle(std::uint32_t read) {
  const Sources& known = known_[read];
  const Literal fate = fate_of(sources_[read].reader);
  if (known.is_known || clauses_.is_false(fate)) {
    return true;
  }
  if (known.open == 0) {
    return clauses_.imply(~fate);
  }
  if (known.open > 1 || !clauses_.is_true(fate)) {
    return true;
  }
  const TxnId source{known.mixed};
  const bool needs_variable = !clauses_.is_permanent() || find_variable(read, source);
  return needs_variable ? clauses_.imply(variable(read, source)) : serve(read, source);
}

/// Fixes the source of the read. No other source is possible, and reader and source took effect.
bool Choices::serve(std::uint32_t read, TxnId source) {
  known_[read].is_known = true;
  known_[read].source = source;
  return falsify_variables(read, source) && clauses_.imply(fate_of(sources_[read].reader)) &&
         (source.is_none() || clauses_.imply(fate_of(source)));
}

/// Removes a source of the read.
bool Choices::drop(std::uint32_t read, TxnId source) {
  --known_[read].open;
  known_[read].mixed ^= source.value;
  return settle(read);
}

/// The source did not take effect. For good, that needs no variable: cannot_be() tells.
bool Choices::rule_out(std::uint32_t read, TxnId source) {
  if (known_[read].is_known) {
    return known_[read].source != source;
  }
  if (clauses_.is_false(fate_of(sources_[read].reader))) {
    return true;
  }
  const bool needs_variable = !clauses_.is_permanent() || find_variable(read, source);
  return needs_variable ? clauses_.imply(~variable(read, source)) : drop(read, source);
}

bool Choices::falsify_variables(std::uint32_t read, std::optional<TxnId> except) {
  for (std::uint32_t v = known_[read].first_variable; v != kNothing; v = meanings_[v].next) {
    if (meanings_[v].source != except && !clauses_.imply(~Literal::of(v))) {
      return false;
    }
  }
  return true;
}

bool Choices::settle_reads_of(TxnId reader) {
  return std::ranges::all_of(sources_.of(reader),
                             [this](std::uint32_t read) { return settle(read); });
}

bool Choices::rule_out_everywhere(TxnId txn) {
  const auto is_unsaid = [this](std::uint32_t read) {
    return falsify_variables(read, std::nullopt);
  };
  return rule_out_places(txn) && std::ranges::all_of(sources_.of(txn), is_unsaid) &&
         std::ranges::all_of(sources_.served_by(txn), [&](std::uint32_t read) {
           return !sources_.allows(read, txn) || rule_out(read, txn);
         });
}

}  // namespace elapid::certify
