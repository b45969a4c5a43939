#include "parsers/partitions/whole_info.h"

#include <algorithm>
#include <utility>

namespace elapid {

namespace {

std::string f_of(const History& history) {
  return history.info().f.is_none() ? "" : history.text(history.info().f);
}

}  // namespace

void WholeInfo::begin_with(const History& first) {
  first_ = first.info();
  initial_ = first.text(first.info().initial);
  f_ = f_of(first);
}

void WholeInfo::add(const Piece& piece) {
  const History& history = piece.history();
  const HistoryInfo& info = history.info();
  if (!first_) {
    begin_with(history);
  }
  is_f_known_ = is_f_known_ && !info.f.is_none() && f_of(history) == f_;
  for (Remark remark : info.remarks) {
    // A shape is compared where an operation ends. Other remarks belong to the line where it is
    // read first.
    const bool is_new = remark.kind == Remark::Kind::kShapeMismatch ||
                        piece.offset(remark.position.offset).has_value();
    if (is_new && remark.kind != Remark::Kind::kMissingInvocation) {
      remark.position.offset = piece.place(remark.position.offset);
      if (remark.other) {
        remark.other->offset = piece.place(remark.other->offset);
      }
      add_remark(std::move(remark));
    }
  }
  add_nemesis(piece);
}

void WholeInfo::count(const Piece& piece, TxnId txn) {
  const History& history = piece.history();
  ++size_.by_status.at(static_cast<std::size_t>(history.status(txn)));
  size_.operations += history.ops(txn).size();
  const std::uint32_t number = piece.event(txn, EventKind::kInvocation).number;
  std::uint32_t& first =
      sessions_.try_emplace(history.session_name(history.session(txn)), number).first->second;
  first = std::min(first, number);
}

void WholeInfo::note_sample(std::uint32_t txn, bool is_committed) {
  if (!has_sample_ || (is_committed && !is_sample_committed_)) {
    sample_ = txn;
    has_sample_ = true;
    is_sample_committed_ = is_committed;
  }
}

bool WholeInfo::continues(const std::vector<LooseLine>& ends,
                          const std::vector<LooseLine>& beginnings,
                          std::unordered_set<std::int64_t>& busy) const {
  for (const LooseLine& line : ends) {
    const auto known = sessions_.find(line.session);
    if (busy.erase(line.session) == 0 ||
        (known != sessions_.end() && known->second < line.number)) {
      return false;
    }
  }
  const bool is_any_lost = std::ranges::any_of(
      busy, [this](std::int64_t session) { return sessions_.contains(session); });
  return !is_any_lost && std::ranges::all_of(beginnings, [&](const LooseLine& line) {
    return busy.insert(line.session).second;
  });
}

void WholeInfo::pack(Packer& packer) const {
  packer.put(size_);
  packer.put(first_.has_value());
  packer.put_text(f_);
  packer.put(is_f_known_);
  packer.put(sample_);
  packer.put(has_sample_);
  packer.put(is_sample_committed_);
  packer.put<std::uint64_t>(sessions_.size());
  for (const auto& [session, first] : sessions_) {
    packer.put(session);
    packer.put(first);
  }
  packer.put<std::uint64_t>(remarks_.size());
  for (const Remark& remark : remarks_) {
    packer.put(remark.kind);
    packer.put(remark.position);
    packer.put_text(remark.message);
    packer.put(remark.other.has_value());
    packer.put(remark.other.value_or(SourcePosition()));
  }
  packer.put(nemesis_.count);
  packer.put<std::uint64_t>(nemesis_.events.size());
  for (const NemesisEvent& event : nemesis_.events) {
    packer.put(event.time.has_value());
    packer.put(event.time.value_or(0));
    packer.put(event.offset);
    packer.put_text(event.process);
    packer.put_text(event.f);
    packer.put_text(event.value);
  }
}

WholeInfo WholeInfo::unpacked(Unpacker& packed) {
  WholeInfo info;
  info.size_ = packed.get<HistorySize>();
  if (packed.get<bool>()) {
    info.first_.emplace();
  }
  info.f_ = packed.text();
  info.is_f_known_ = packed.get<bool>();
  info.sample_ = packed.get<std::uint32_t>();
  info.has_sample_ = packed.get<bool>();
  info.is_sample_committed_ = packed.get<bool>();
  for (auto left = packed.get<std::uint64_t>(); left > 0; --left) {
    const auto session = packed.get<std::int64_t>();
    info.sessions_.emplace(session, packed.get<std::uint32_t>());
  }
  for (auto left = packed.get<std::uint64_t>(); left > 0; --left) {
    Remark remark;
    remark.kind = packed.get<Remark::Kind>();
    remark.position = packed.get<SourcePosition>();
    remark.message = packed.text();
    const bool has_other = packed.get<bool>();
    const auto other = packed.get<SourcePosition>();
    remark.other = has_other ? std::optional(other) : std::nullopt;
    info.add_remark(std::move(remark));
  }
  info.nemesis_.count = packed.get<std::uint64_t>();
  for (auto left = packed.get<std::uint64_t>(); left > 0; --left) {
    NemesisEvent event;
    const bool has_time = packed.get<bool>();
    const auto time = packed.get<std::int64_t>();
    event.time = has_time ? std::optional(time) : std::nullopt;
    event.offset = packed.get<std::uint64_t>();
    event.process = packed.text();
    event.f = packed.text();
    event.value = packed.text();
    info.nemesis_.events.push_back(std::move(event));
  }
  return info;
}

void WholeInfo::add(const WholeInfo& later) {
  for (std::size_t i = 0; i < size_.by_status.size(); ++i) {
    size_.by_status.at(i) += later.size_.by_status.at(i);
  }
  size_.operations += later.size_.operations;
  is_f_known_ = is_f_known_ && (!later.first_ || (later.is_f_known_ && later.f_ == f_));
  sessions_.insert(later.sessions_.begin(), later.sessions_.end());
  for (const Remark& remark : later.remarks_) {
    add_remark(remark);
  }
  for (const NemesisEvent& event : later.nemesis_.events) {
    nemesis_.add(event);
  }
  nemesis_.count += later.nemesis_.count - later.nemesis_.events.size();
  if (later.has_sample_) {
    note_sample(later.sample_, later.is_sample_committed_);
  }
}

HistoryInfo WholeInfo::begin(HistoryBuilder& builder, std::uint64_t keys, std::uint64_t events,
                             std::uint64_t bytes) const {
  HistoryInfo info = *first_;
  info.initial = builder.values().intern(initial_);
  info.f = is_f_known_ ? builder.values().intern(f_) : ValueId::none();
  info.source_bytes = bytes;
  info.remarks.clear();
  info.nemesis = {};
  info.part_of = size_;
  info.part_of->keys = keys;
  info.part_of->sessions = sessions_.size();
  info.part_of->events = events;
  for (const NemesisEvent& event : nemesis_.events) {
    builder.note_nemesis(event);
  }
  return info;
}

/// Adds a remark. Beyond the bound, remarks of a kind are only counted.
void WholeInfo::add_remark(Remark remark) {
  if (remark_counts_[remark.kind]++ < HistoryInfo::kMaxRemarks) {
    remarks_.push_back(std::move(remark));
  }
}

void WholeInfo::add_nemesis(const Piece& piece) {
  const auto& log = piece.history().info().nemesis;
  for (const NemesisEvent& event : log ? log->events : std::vector<NemesisEvent>()) {
    NemesisEvent placed = event;
    placed.offset = piece.place(event.offset);
    nemesis_.add(std::move(placed));
  }
}

}  // namespace elapid
