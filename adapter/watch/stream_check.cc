#include "adapter/watch/stream_check.h"

#include "adapter/watch/watch_state.h"
#include "adapter/watch/watermarks.h"
#include "engine/online/byte_codec.h"
#include "engine/online/placed_txn.h"

namespace elapid {

Status StreamCheck::take(const ParsedLine& line) {
  if (!line.kind) {
    begin_if_known(line);
    return line.kind.error();
  }
  switch (line.kind.value()) {
    case StreamLine::kBlank:
    case StreamLine::kNemesis:
      return {};
    case StreamLine::kHeader:
      keep(line.line);
      header_ = line.line;
      if (!checker_ && line.header.initial) {
        declared_initial_ = line.header.initial;
      }
      begin_if_known(line);
      return {};
    case StreamLine::kTransaction:
      break;
  }
  begin_if_known(line);
  if (!checker_) {
    held_.push_back({line.number, std::string(line.line), line.txn});
    return {};
  }
  return accept(line.line, line.txn);
}

void StreamCheck::begin_if_known(const ParsedLine& line) {
  if (!checker_ && line.workload) {
    begin(*line.workload, line.initial);
  }
}

/// Adds the line to the journal, if there is one.
void StreamCheck::keep(std::string_view line) {
  if (options_.state) {
    journal_ += line;
    journal_ += line.ends_with('\n') ? "" : "\n";
  }
}

void StreamCheck::decide() {
  if (!checker_) {
    begin(options_.workload.value_or(Workload::kRwRegister), intake_.edn(initial()));
    known_atoms_ = atoms_.extent();
  }
}

Status StreamCheck::accept(std::string_view line, const OnlineTxn& txn) {
  if (checker_->knows(txn.id)) {
    checker_->ignore_duplicate();
    return {};
  }
  ELAPID_RETURN_IF_ERROR(options_.is_sorted ? check_order(txn) : Status());
  keep(line);
  checker_->add(txn);
  move_on();
  return {};
}

/// Checks that a sorted stream is in the order of its read points.
Status StreamCheck::check_order(const OnlineTxn& txn) {
  const PlacedTxn placed(txn, options_.read_point);
  if (!placed.has_place()) {
    return {};
  }
  const Timestamp time = placed.reads.time();
  if (reached_ && time < *reached_) {
    return Error{.message = std::string("expected the transactions in the order of their ") +
                            (options_.read_point == ReadPoint::kStart ? "starts" : "commits") +
                            ", found " + std::to_string(time.physical) + " behind " +
                            std::to_string(reached_->physical)};
  }
  // With a missing start, it is unknown how far the starts have come.
  if (options_.read_point == ReadPoint::kCommit || txn.start) {
    reached_ = time;
  }
  return {};
}

/// With a lag or a sorted stream the watermark follows from the accepted transactions, so the
/// journal does not record it.
void StreamCheck::move_on() {
  constexpr std::size_t kLeastMemory = std::size_t{16} << 20;
  constexpr std::uint64_t kBetweenQuestions = 1024;
  if (options_.is_sorted) {
    if (reached_ && *reached_ != Timestamp::first()) {
      checker_->advance(just_before(*reached_));
    }
    const bool is_asked = ++accepted_ % kBetweenQuestions == 0;  // measuring memory takes time
    if (is_asked && checker_->memory() > kLeastMemory + 2 * remembered_) {
      checker_->forget();
      remembered_ = checker_->memory();
    }
  } else if (options_.lag && checker_->greatest()) {
    if (const auto watermark = lagging_watermark(*checker_->greatest(), *options_.lag)) {
      checker_->advance(*watermark);
    }
  }
}

void StreamCheck::advance(Timestamp watermark) {
  if (!checker_ || (checker_->watermark() && watermark <= *checker_->watermark())) {
    return;
  }
  keep(watermark_line(watermark));
  checker_->advance(watermark);
}

void StreamCheck::note_error() {
  ++errors_;
  if (errors_ > former_errors_) {
    keep(error_count_line(errors_));
  }
}

void StreamCheck::begin(Workload workload, Atom initial) {
  workload_ = workload;
  checker_.emplace(OnlineOptions{.workload = workload,
                                 .read_point = options_.read_point,
                                 .sessions = options_.sessions,
                                 .initial = initial,
                                 .clock_skew = {options_.clock_skew},
                                 .wants_provisional = options_.wants_provisional,
                                 .is_sorted = options_.is_sorted},
                   store_);
  for (auto& [number, line, txn] : std::exchange(held_, {})) {
    // A transaction of reads of nil is the same in both models.
    for (OnlineOp& op : txn.ops) {
      op.kind = workload == Workload::kListAppend ? OpKind::kReadList : OpKind::kRead;
    }
    if (Status status = accept(line, txn); !status) {
      held_errors_.push_back({number, std::move(status.error())});
    }
  }
}

std::string StreamCheck::conditions(const WatchOptions& options) {
  return options.level + (options.lag ? " lag " + std::to_string(*options.lag) : "") +
         (options.clock_skew > 0 ? " clock skew " + std::to_string(options.clock_skew) : "") +
         (options.workload == Workload::kListAppend   ? " of lists"
          : options.workload == Workload::kRwRegister ? " of registers"
                                                      : "") +
         (options.initial ? " initial " + *options.initial : "");
}

std::string StreamCheck::save() {
  ByteWriter out;
  out.add(workload_ == Workload::kListAppend ? 1U : 0U);
  out.add(declared_initial_ ? 1U : 0U);
  out.add(std::string_view(declared_initial_.value_or("")));
  out.add(std::string_view(header_));
  out.add(errors());
  out.add(std::string_view(checker_->save()));
  out.add(std::string_view(encode(atoms_, known_atoms_.entries)));
  return std::move(out).take();
}

void StreamCheck::restore(std::string_view bytes) {
  ByteReader in(bytes);
  const Workload workload = in.number() != 0 ? Workload::kListAppend : Workload::kRwRegister;
  const bool is_declared = in.number() != 0;
  const std::string_view declared = in.text();
  declared_initial_ = is_declared ? std::optional(std::string(declared)) : std::nullopt;
  header_ = in.text();
  restore_errors(in.number());
  const std::string_view check = in.text();
  elapid::restore(atoms_, in.text());
  known_atoms_ = atoms_.extent();
  intake_.restore(workload, declared_initial_);
  begin(workload, intake_.initial());
  checker_->restore(check);
}

}  // namespace elapid
