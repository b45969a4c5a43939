// The state of an online check between two runs: as bytes, and back.
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/online/byte_codec.h"
#include "engine/online/online_checker.h"

namespace elapid {

namespace {

constexpr std::uint64_t OnlineCounts::*kCountFields[] = {
    &OnlineCounts::accepted,   &OnlineCounts::duplicates,  &OnlineCounts::late,
    &OnlineCounts::operations, &OnlineCounts::unplaced,    &OnlineCounts::tied,
    &OnlineCounts::maybe,      &OnlineCounts::provisional, &OnlineCounts::flips,
    &OnlineCounts::claimed,    &OnlineCounts::disordered,  &OnlineCounts::committed,
    &OnlineCounts::initial};

}  // namespace

void OnlineChecker::write(ByteWriter& out, const Pending& pending) {
  out.add(pending.due);
  out.add(pending.at);
  out.add_value(pending.owner);
  out.add_name(pending.txn);
  out.add(pending.mop);
  out.add(static_cast<std::uint64_t>(pending.kind));
}

std::string OnlineChecker::save() {
  keys_->flush(paging_);
  for (auto& [name, session] : sessions_) {
    session.pages().flush(paging_);
  }
  ByteWriter out;
  for (const auto field : kCountFields) {
    out.add(counts_.*field);
  }
  for (const std::optional<Timestamp>& time : {watermark_, greatest_}) {
    out.add(time ? 1U : 0U);
    out.add(Moment::of(time.value_or(Timestamp()), Moment::kCommit));
  }
  out.add(std::string_view(ids_.encode()));
  out.add(std::string_view(unplaced_.encode()));
  out.add(std::string_view(ledger_.encode()));
  out.add(std::string_view(keys_->encode()));
  out.add(std::string_view(provisional_reads_.encode()));
  for (const std::vector<Pending>* all : {&pending_.all(), &provisional_reads_.waiting()}) {
    for (const Pending& pending : *all) {
      write(out, pending);
    }
  }
  return std::move(out).take();
}

void OnlineChecker::restore(std::string_view bytes) {
  is_restored_ = true;
  ByteReader in(bytes);
  for (const auto field : kCountFields) {
    counts_.*field = in.number();
  }
  for (std::optional<Timestamp>* time : {&watermark_, &greatest_}) {
    const bool is_known = in.number() != 0;
    const Timestamp known = in.moment().time();
    *time = is_known ? std::optional(known) : std::nullopt;
  }
  ids_ = IdSet::decode(in.text());
  unplaced_ = UnplacedWrites::decode(in.text());
  ledger_.restore(in.text());
  keys_->restore(in.text(), paging_);
  provisional_reads_.restore(in.text());
  while (!in.is_at_end()) {
    Pending pending;
    pending.due = in.moment();
    pending.at = in.moment();
    pending.owner = in.value();
    pending.txn = in.name();
    pending.mop = static_cast<std::uint32_t>(in.number());
    pending.kind = static_cast<PageOwner::Kind>(in.number());
    pending_.push(pending);
  }
}

}  // namespace elapid
