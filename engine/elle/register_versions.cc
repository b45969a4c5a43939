#include "engine/elle/register_versions.h"

#include <cstdint>
#include <utility>

namespace elapid::elle {

RegisterVersions::RegisterVersions(const History& history) : ops_(history) {
  std::vector<std::pair<VersionId, TxnId>> writes;
  std::vector<std::pair<VersionId, TxnId>> reads;
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    for (const RegisterOp& op : ops_.of({t})) {
      add(op.key, ValueId::nil());
      const auto note = [&](ValueId value, std::vector<std::pair<VersionId, TxnId>>& rows) {
        if (!value.is_none()) {
          const VersionId version = add(op.key, value);
          if (history.committed({t})) {
            rows.emplace_back(version, TxnId{t});
          }
        }
      };
      note(op.write, writes);
      note(op.read, reads);
    }
  }
  writers_.build(count(), writes);
  readers_.build(count(), reads);
}

VersionId RegisterVersions::add(KeyId key, ValueId value) {
  const auto fresh = static_cast<std::uint32_t>(values_.size());
  const VersionId version{index_.find_or_add(hash_of(key, value), fresh, [&](std::uint32_t v) {
    return keys_[v] == key && values_[v] == value;
  })};
  if (version.value == fresh) {
    keys_.push_back(key);
    values_.push_back(value);
  }
  return version;
}

VersionId RegisterVersions::find(KeyId key, ValueId value) const {
  // HashIndex::kAbsent is the number of VersionId::none().
  return {index_.find(hash_of(key, value),
                      [&](std::uint32_t v) { return keys_[v] == key && values_[v] == value; })};
}

}  // namespace elapid::elle
