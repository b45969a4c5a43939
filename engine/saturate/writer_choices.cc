#include "engine/saturate/writer_choices.h"

#include <utility>

namespace elapid {

WriterChoices::WriterChoices(Observations& seen, std::span<const std::uint32_t> likely,
                             SatSolver& sat)
    : seen_(seen), likely_(likely), sat_(sat) {
  for (std::uint32_t t = 0; t < seen.txn_count(); ++t) {
    if (seen.is_optional(t)) {
      optional_.push_back(t);
      fate_[t] = new_variable(false, kNoRead, t);
    }
  }
  for (const std::uint32_t t : optional_) {
    for (const Seen& read : seen.reads(t)) {
      if (const auto source = took_effect(read.writer); read.is_of_txn() && source) {
        sat.add_clause({Literal(fate_.at(t), false), *source});
      }
    }
  }
}

std::uint32_t WriterChoices::new_variable(bool phase, std::uint32_t read, std::uint32_t writer) {
  read_of_.push_back(read);
  writers_.push_back(writer);
  return sat_.new_variable(phase);
}

void WriterChoices::make_read(std::uint32_t read) {
  const Observations::Ambiguous& open = seen_.ambiguous()[read];
  first_variable_.push_back(count());
  chosen_.push_back(0);
  std::vector<Literal> one_of;
  for (const std::uint32_t writer : seen_.writers_of(open.value)) {
    if (writer != open.txn) {
      one_of.emplace_back(new_variable(writer == likely_[read], read, writer), true);
      if (const auto fate = took_effect(writer)) {
        sat_.add_clause({~one_of.back(), *fate});
      }
    }
  }
  if (const auto fate = took_effect(open.txn)) {
    for (const Literal saw : one_of) {
      sat_.add_clause({~saw, *fate});
    }
    one_of.push_back(~*fate);
  }
  sat_.add_clause(std::move(one_of));
}

std::optional<std::uint32_t> WriterChoices::open_read(Literal denied) const {
  const bool is_known = !denied.holds() && denied.variable() < count();
  const std::uint32_t read = is_known ? read_of_[denied.variable()] : kNoRead;
  if (read == kNoRead || chosen_[read] > 0) {
    return std::nullopt;
  }
  const auto fate = took_effect(seen_.ambiguous()[read].txn);
  const bool is_absent = fate && sat_.is_true(~*fate);
  return is_absent ? std::nullopt : std::optional(read);
}

void WriterChoices::settle() {
  for (const std::uint32_t t : optional_) {
    seen_.set_present(t, sat_.is_true(Literal(fate_.at(t), true)));
  }
  for (std::uint32_t read = 0; read < first_variable_.size(); ++read) {
    std::uint32_t chosen = Seen::kNoTxn;
    each_candidate(read, [&](std::uint32_t writer, std::uint32_t variable) {
      chosen = sat_.is_true(Literal(variable, true)) ? writer : chosen;
    });
    seen_.choose(seen_.ambiguous()[read].place, chosen);
  }
}

Choice WriterChoices::choice_of(Literal literal) const {
  const std::uint32_t writer = writers_[literal.variable()];
  const std::uint32_t read = read_of_[literal.variable()];
  if (read == kNoRead) {
    return {.kind = Choice::Kind::kTookEffect, .holds = literal.holds(), .first = {writer}};
  }
  const Observations::Ambiguous& open = seen_.ambiguous()[read];
  const std::size_t place = open.place - seen_.first_read(open.txn);
  return {.kind = Choice::Kind::kReads,
          .holds = literal.holds(),
          .first = {open.txn},
          .second = writer == Seen::kInitial ? TxnId::none() : TxnId{writer},
          .key = seen_.reads(open.txn)[place].key,
          .length = seen_.number_of_read(open.txn, place)};
}

}  // namespace elapid
