#include "engine/linearize/judged_object.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>
#include <utility>

namespace elapid::linearize {

namespace {

/// The reason, in which each operation is an actor.
Phrase reason_of(const Judgement& judgement) {
  std::string_view words = reason_in_words(judgement);
  Phrase reason;
  while (!words.empty()) {
    const std::size_t next = std::min(words.find('#'), words.size());
    std::string text(words.substr(0, next));
    if (reason.empty() && !text.empty()) {
      text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    }
    if (!text.empty()) {
      reason.push_back({std::move(text)});
    }
    words.remove_prefix(next);
    if (!words.empty()) {
      reason.push_back({ActorPart{.actor = static_cast<std::size_t>(words[1] - '1')}});
      words.remove_prefix(2);
    }
  }
  reason.push_back({std::string(": not linearizable!")});
  return reason;
}

Description description_of_reason(const History& history, const Object& object,
                                  const Judgement& judgement) {
  Description description = {.name = "not-linearizable",
                             .gloss = "no order of the operations explains what they saw"};
  for (const std::uint32_t place : judgement.places) {
    description.actors.push_back(
        {.event = representative_ref(history, object.operations[place].txn),
         .focus = {Focus{.mop = 0}}});
  }
  description.claims.push_back({.says = reason_of(judgement)});
  return description;
}

/// The offset, if the input is one file.
std::optional<std::uint64_t> offset_of(const History& history, TxnId txn) {
  const SourcePosition position = history.representative(txn).position;
  return position.file == 0 ? std::optional(position.offset) : std::nullopt;
}

Error malformed(const History& history, TxnId txn, const std::string& expected,
                const std::string& found) {
  return {.kind = ErrorKind::kMalformed,
          .message = "expected " + expected + ", found " + found + " (index " +
                     std::to_string(history.representative(txn).index) + ")",
          .byte_offset = offset_of(history, txn)};
}

}  // namespace

ObjectAnswer answer_of(const History& history, const Object& object, Judgement judgement) {
  ObjectAnswer answer = {.answer = judgement.answer, .order = std::move(judgement.order)};
  if (judgement.answer == Answer::kNotLinearizable) {
    answer.finding = description_of_reason(history, object, judgement);
    answer.core = std::move(judgement.places);
  } else if (judgement.answer == Answer::kUnknown) {
    answer.furthest = judgement.places.front();
  }
  return answer;
}

std::uint64_t work_of(const JudgeRequest& request) {
  return std::min(request.work, kDefaultWork);
}

std::optional<Error> refuse_foreign(const History& history,
                                    const std::function<bool(std::span<const Op>)>& is_known,
                                    const std::string& expected) {
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const std::span<const Op> ops = history.ops(txn);
    if (ops.empty() || is_known(ops)) {
      continue;
    }
    const OpKind kind = ops.front().kind();
    const std::string found = kind == OpKind::kOther || kind == OpKind::kAppend
                                  ? history.shown_text(ops.front().value())
                                  : "another one";
    return malformed(history, txn, "operations " + expected, found);
  }
  return std::nullopt;
}

std::optional<Error> refuse_value(const History& history,
                                  const std::function<std::optional<ValueId>(TxnId)>& wrong,
                                  const std::string& expected) {
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (const std::optional<ValueId> value = wrong(txn)) {
      return malformed(history, txn, expected, history.shown_text(*value));
    }
  }
  return std::nullopt;
}

}  // namespace elapid::linearize
