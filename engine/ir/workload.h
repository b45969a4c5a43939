// What the operations of a history mean: the kind of test that recorded it.
#pragma once

#include <span>
#include <string_view>

namespace elapid {

/// What is known of a workload wherever a history is. All else stands in its row of the table
/// (engine/workloads/table.h).
struct WorkloadType {
  std::string_view name;         ///< on the command line and in files: `list-append`
  bool has_levels = false;       ///< the isolation levels of its transactions can be checked
  bool has_lists = false;        ///< its transactions append to lists and read them whole
  bool has_transactions = true;  ///< of micro-operations; else single operations
  bool has_objects = false;      ///< single operations on objects, as on a register: keys of
                                 ///< jepsen.independent are objects of their own
  bool has_own_values = false;   ///< :value is no vector of micro-operations in any operation, and
                                 ///< evidence prints it as the source has it
  std::span<const std::string_view> fields = {};  ///< further keys of an operation that count, with
                                                  ///< their colon: `:final?`
};

/// A workload, by the type that defines it: two are the same if they refer to one object.
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
  static const Workload kOther;        ///< none of those that are known

 private:
  const WorkloadType* type_;
};

// The workloads that engines and formats are made for. Others are known to their row only.
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
