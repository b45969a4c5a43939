#include "tests/support/timed_history.h"

#include <charconv>
#include <stdexcept>

#include "engine/ir/history_builder.h"

namespace elapid {

namespace {

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string_view::npos
             ? std::string_view()
             : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::optional<std::int64_t> parse_time(std::string_view text) {
  if (text == "_") {
    return std::nullopt;
  }
  std::int64_t time = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), time);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw std::invalid_argument("no timestamp: " + std::string(text));
  }
  return time;
}

TxnStatus status_of_mark(EventType type) {
  return type == EventType::kInvoke ? TxnStatus::kIndeterminate : status_of(type);
}

TimedTxn parse_txn(Workload model, std::string_view text) {
  const std::size_t blank = text.find(' ');
  const std::string_view times = text.substr(0, blank);
  const std::size_t dash = times.find('-', 1);
  const TinyEvent event = parse_tiny(model, text.substr(blank)).events.back();
  return {.session = event.process,
          .status = status_of_mark(event.type),
          .start = parse_time(times.substr(0, dash)),
          .commit = parse_time(times.substr(dash + 1)),
          .mops = event.mops};
}

std::string time_text(std::optional<std::int64_t> time) {
  return time ? std::to_string(*time) : "_";
}

class TimedBuilder {
 public:
  void add(const TimedTxn& txn) {
    std::vector<MopInput> mops;
    std::vector<ValueId> elements;
    for (const TinyMop& mop : txn.mops) {
      mops.push_back(input(mop, elements));
    }
    TxnInput whole = {.session = txn.session,
                      .status = txn.status,
                      .start_timestamp = txn.start,
                      .commit_timestamp = txn.commit,
                      .mops = mops,
                      .elements = elements};
    if (txn.real_time) {
      whole.invocation_time = txn.real_time->first;
      whole.completion_time = txn.real_time->second;
    }
    if (const Status status = builder_.add_transaction(whole); !status) {
      throw std::invalid_argument(status.error().message);
    }
  }

  History finish(const TimedHistory& history) {
    Result<History> built = std::move(builder_).build(
        {.format = "timed",
         .workload = history.model,
         .initial = history.initial ? ValueId::integer(*history.initial) : ValueId::nil()});
    if (!built) {
      throw std::invalid_argument(built.error().message);
    }
    return std::move(built).value();
  }

 private:
  MopInput input(const TinyMop& mop, std::vector<ValueId>& elements) {
    MopInput out = {.kind = mop.kind, .key = builder_.key(ValueId::integer(mop.key))};
    if (mop.kind == OpKind::kReadList) {
      out.list_begin = static_cast<std::uint32_t>(elements.size());
      out.list_length = static_cast<std::uint32_t>(mop.values.size());
      for (const std::int64_t value : mop.values) {
        elements.push_back(ValueId::integer(value));
      }
    } else if (!mop.values.empty()) {
      out.value = ValueId::integer(mop.values.front());
    }
    return out;
  }

  HistoryBuilder builder_;
};

}  // namespace

TimedHistory parse_timed(Workload model, std::string_view text) {
  TimedHistory history = {.model = model};
  while (!trim(text).empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    history.txns.push_back(parse_txn(model, trim(text.substr(0, end))));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return history;
}

std::string to_text(const TimedHistory& history) {
  std::string text;
  for (const TimedTxn& txn : history.txns) {
    const EventType mark = txn.status == TxnStatus::kCommitted ? EventType::kOk
                           : txn.status == TxnStatus::kAborted ? EventType::kFail
                                                               : EventType::kInfo;
    text += (text.empty() ? "" : "; ") + time_text(txn.start) + "-" + time_text(txn.commit) + " " +
            to_text(TinyHistory{history.model, {{mark, txn.session, txn.mops}}});
    if (txn.real_time) {
      text +=
          " @" + std::to_string(txn.real_time->first) + "-" + std::to_string(txn.real_time->second);
    }
  }
  return text;
}

History build(const TimedHistory& history) {
  TimedBuilder builder;
  for (const TimedTxn& txn : history.txns) {
    builder.add(txn);
  }
  return builder.finish(history);
}

}  // namespace elapid
