// Versions of registers: the writers and the readers of each value of each key.
#pragma once

#include <span>
#include <vector>

#include "engine/elle/register_ops.h"
#include "engine/infer/txn_rows.h"
#include "engine/ir/hash_index.h"
#include "engine/ir/history.h"

namespace elapid::elle {

/// A version: a value of a key. Numbered by first appearance in external operations.
using VersionId = Id<struct RegisterVersionTag>;

/// All versions that external operations show, and nil for each key that has one; with their
/// external writers and readers among committed transactions. Elle takes only the versions of :info
/// transactions. Linear.
class RegisterVersions {
 public:
  explicit RegisterVersions(const History& history);

  [[nodiscard]] const RegisterOps& ops() const { return ops_; }

  [[nodiscard]] std::size_t count() const { return values_.size(); }

  /// The version; none() if no operation shows it.
  [[nodiscard]] VersionId find(KeyId key, ValueId value) const;

  [[nodiscard]] KeyId key(VersionId version) const { return keys_[version.index()]; }

  [[nodiscard]] ValueId value(VersionId version) const { return values_[version.index()]; }

  [[nodiscard]] std::span<const TxnId> writers(VersionId version) const {
    return writers_.of(version);
  }

  [[nodiscard]] std::span<const TxnId> readers(VersionId version) const {
    return readers_.of(version);
  }

 private:
  VersionId add(KeyId key, ValueId value);

  RegisterOps ops_;
  std::vector<KeyId> keys_;  // by version
  std::vector<ValueId> values_;
  HashIndex index_;
  TxnRows<VersionId> writers_;
  TxnRows<VersionId> readers_;
};

}  // namespace elapid::elle
