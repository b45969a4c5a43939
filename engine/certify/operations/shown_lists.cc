#include "engine/certify/operations/shown_lists.h"

#include "engine/certify/operations/external_reads.h"
#include "engine/certify/operations/participants.h"

namespace elapid::certify {

ShownLists::ShownLists(const History& history, const Effects& effects) {
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (!effects.contradicts_itself({t})) {
      for (const ExternalRead& read : effects.reads({t})) {
        lists_.push_back({read.key(), effects.list(read)});
      }
    }
    begin_.push_back(static_cast<std::uint32_t>(lists_.size()));
  }
}

ShownLists::ShownLists(const History& history, const TxnLevels& levels) {
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    const bool counts = is_participant(history, {t}) && !levels.reads_anything({t});
    const auto reads = counts ? external_reads(history, {t}, levels.of({t})) : std::nullopt;
    for (const KeyRead& read : reads.value_or(std::vector<KeyRead>())) {
      if (read.op.kind() == OpKind::kReadList) {
        const std::span<const ValueId> list = history.elements(read.op);
        lists_.push_back({read.op.key(), list.first(list.size() - read.own)});
      }
    }
    begin_.push_back(static_cast<std::uint32_t>(lists_.size()));
  }
}

}  // namespace elapid::certify
