// The meaning of a history's operations: the kind of test that recorded it.
#pragma once

#include <span>
#include <string_view>

namespace elapid {

/// Properties of a workload that each user of a history may need. All others are in the workload's
/// row of the table (engine/workloads/table.h).
struct WorkloadType {
  std::string_view name;         ///< on the command line and in files: `list-append`
  bool has_levels = false;       ///< the isolation levels of its transactions can be checked
  bool has_lists = false;        ///< its transactions append to lists and read them whole
  bool has_transactions = true;  ///< of micro-operations. Otherwise: single operations
  bool has_objects = false;      ///< single operations on objects, such as registers; each key of
                                 ///< jepsen.independent is an object of its own
  bool has_own_values = false;   ///< no operation's :value is a vector of micro-operations;
                                 ///< evidence prints it as it is in the source
  std::span<const std::string_view> fields = {};  ///< further keys of operations that the workload
                                                  ///< uses, with colon: `:final?`
};

/// A workload. Two are equal if they refer to the same WorkloadType.
class Workload {
 public:
  constexpr explicit Workload(const WorkloadType& type) : type_(&type) {}

  [[nodiscard]] constexpr std::string_view name() const { return type_->name; }

  [[nodiscard]] constexpr bool has_levels() const { return type_->has_levels; }

  [[nodiscard]] constexpr bool has_lists() const { return type_->has_lists; }

  [[nodiscard]] constexpr bool has_transactions() const { return type_->has_transactions; }

  [[nodiscard]] constexpr bool has_objects() const { return type_->has_objects; }

  [[nodiscard]] constexpr bool has_own_values() const { return type_->has_own_values; }

  [[nodiscard]] constexpr std::span<const std::string_view> fields() const { return type_->fields; }

  friend constexpr bool operator==(Workload, Workload) = default;

  static const Workload kListAppend;  ///< transactions append to lists and read them whole
  static const Workload kRwRegister;  ///< transactions write and read registers
  static const Workload kRows;        ///< transactions change rows of tables and read by predicates
  static const Workload kCasRegister;  ///< single operations :read, :write and :cas on a register
  static const Workload kOther;        ///< an unknown workload

 private:
  const WorkloadType* type_;
};

// The workloads that engines and formats refer to. Only the table knows the others.
inline constexpr WorkloadType kListAppendType = {
    .name = "list-append", .has_levels = true, .has_lists = true};
inline constexpr WorkloadType kRwRegisterType = {.name = "rw-register", .has_levels = true};
inline constexpr WorkloadType kRowsType = {.name = "rows", .has_levels = true};
inline constexpr WorkloadType kCasRegisterType = {.name = "cas-register", .has_objects = true};
inline constexpr WorkloadType kOtherType = {.name = "other"};

inline constexpr Workload Workload::kListAppend{kListAppendType};
inline constexpr Workload Workload::kRwRegister{kRwRegisterType};
inline constexpr Workload Workload::kRows{kRowsType};
inline constexpr Workload Workload::kCasRegister{kCasRegisterType};
inline constexpr Workload Workload::kOther{kOtherType};

}  // namespace elapid
