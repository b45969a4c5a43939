#include "engine/online/violation_ledger.h"

#include <algorithm>
#include <span>

#include "engine/online/byte_codec.h"

namespace elapid {

namespace {

void write(ByteWriter& out, std::span<const Atom> values) {
  out.add(values.size());
  std::ranges::for_each(values, [&](Atom value) { out.add_value(value); });
}

std::vector<Atom> read_values(ByteReader& in) {
  std::vector<Atom> values;
  for (std::uint64_t count = in.number(); count > 0 && !in.is_at_end(); --count) {
    values.push_back(in.value());
  }
  return values;
}

}  // namespace

void ViolationLedger::set(const ViolationName& name, ViolationFacts facts, bool is_late) {
  const bool is_conflict = name.axiom == TimestampAxiom::kNoConflict;
  const auto known = all_.find(name);
  if (known != all_.end() && known->second == facts) {
    return;
  }
  const bool is_change = known != all_.end();
  events_.add(OnlineEvent{
      .kind = is_late || is_change ? OnlineEvent::Kind::kLate : OnlineEvent::Kind::kFinal,
      .number = ++numbered_,
      .name = name,
      .facts = facts});
  if (is_change) {
    known->second = std::move(facts);
  } else if (is_conflict && conflicts_ == kMostConflicts) {
    ++unlisted_conflicts_;
  } else {
    conflicts_ += is_conflict ? 1 : 0;
    if (name.axiom == TimestampAxiom::kExt) {
      showing_[shown_by(name, facts)].insert(name);
    }
    all_.emplace(name, std::move(facts));
  }
}

void ViolationLedger::remove(const ViolationName& name) {
  const auto known = all_.find(name);
  if (known == all_.end()) {
    return;
  }
  if (name.axiom == TimestampAxiom::kExt) {
    showing_[shown_by(name, known->second)].erase(name);
  }
  events_.add(OnlineEvent{.kind = OnlineEvent::Kind::kLate,
                          .stands = false,
                          .number = ++numbered_,
                          .name = name,
                          .facts = std::move(known->second)});
  all_.erase(known);
}

std::set<ViolationName> ViolationLedger::showing(Atom key, Atom value) const {
  if (showing_.empty()) {
    return {};
  }
  const auto found = showing_.find({key, value});
  return found == showing_.end() ? std::set<ViolationName>() : found->second;
}

std::vector<ViolationName> ViolationLedger::reads_of(Atom key) const {
  std::vector<ViolationName> names;
  for (const auto& [name, facts] : all_) {
    if (name.axiom == TimestampAxiom::kExt && name.key == key) {
      names.push_back(name);
    }
  }
  return names;
}

TimestampCounts ViolationLedger::counts() const {
  TimestampCounts counts;
  for (const auto& [name, facts] : all_) {
    counts.within_clock_skew += facts.within_clock_skew ? 1 : 0;
    ++counts.by_axiom.at(static_cast<std::size_t>(name.axiom));
    if (name.axiom == TimestampAxiom::kExt) {
      ++counts.by_origin.at(static_cast<std::size_t>(facts.origin));
    }
  }
  counts.by_axiom.at(static_cast<std::size_t>(TimestampAxiom::kNoConflict)) += unlisted_conflicts_;
  return counts;
}

std::string ViolationLedger::encode() const {
  ByteWriter out;
  out.add(numbered_);
  out.add(unlisted_conflicts_);
  for (const auto& [name, facts] : all_) {
    out.add(static_cast<std::uint64_t>(name.axiom));
    for (const Atom atom : {name.txn, name.key, name.earlier, facts.session, facts.other,
                            facts.expected_writer, facts.read, facts.expected}) {
      out.add_name(atom);
    }
    out.add(name.mop);
    out.add(facts.read_at);
    out.add((facts.is_list ? 1U : 0U) | (facts.is_suffix ? 2U : 0U) |
            (facts.within_clock_skew ? 4U : 0U) | (facts.depends ? 8U : 0U));
    out.add(static_cast<std::uint64_t>(facts.origin));
    write(out, facts.list_read);
    write(out, facts.list_expected);
  }
  return std::move(out).take();
}

void ViolationLedger::restore(std::string_view bytes) {
  ByteReader in(bytes);
  numbered_ = in.number();
  unlisted_conflicts_ = in.number();
  while (!in.is_at_end()) {
    ViolationName name;
    ViolationFacts facts;
    name.axiom = static_cast<TimestampAxiom>(in.number());
    for (Atom* atom : {&name.txn, &name.key, &name.earlier, &facts.session, &facts.other,
                       &facts.expected_writer, &facts.read, &facts.expected}) {
      *atom = in.name();
    }
    name.mop = static_cast<std::uint32_t>(in.number());
    facts.read_at = in.moment();
    const std::uint64_t flags = in.number();
    facts.is_list = (flags & 1) != 0;
    facts.is_suffix = (flags & 2) != 0;
    facts.within_clock_skew = (flags & 4) != 0;
    facts.depends = (flags & 8) != 0;
    facts.origin = static_cast<ReadOrigin>(in.number());
    facts.list_read = read_values(in);
    facts.list_expected = read_values(in);
    conflicts_ += name.axiom == TimestampAxiom::kNoConflict ? 1 : 0;
    if (name.axiom == TimestampAxiom::kExt) {
      showing_[shown_by(name, facts)].insert(name);
    }
    all_.emplace(name, std::move(facts));
  }
}

}  // namespace elapid
