// What the operations of a history mean: the kind of test that recorded it.
#ifndef ELAPID_ENGINE_IR_WORKLOAD_H_
#define ELAPID_ENGINE_IR_WORKLOAD_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace elapid {

enum class Workload : std::uint8_t {
  kListAppend,   ///< transactions append to lists and read them whole
  kRwRegister,   ///< transactions write and read registers
  kCasRegister,  ///< single operations :read, :write and :cas
  kOther,        ///< none of those read so far
};

/// Whether the isolation levels of its transactions can be checked.
[[nodiscard]] constexpr bool has_levels(Workload workload) {
  return workload == Workload::kListAppend || workload == Workload::kRwRegister;
}

/// As on the command line and in files: `list-append`.
[[nodiscard]] std::string_view name(Workload workload);

/// The workload of this name.
[[nodiscard]] std::optional<Workload> find_workload(std::string_view name);

}  // namespace elapid

#endif  // ELAPID_ENGINE_IR_WORKLOAD_H_
