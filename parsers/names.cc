#include <algorithm>
#include <array>

#include "parsers/read.h"

namespace elapid {

namespace {

template <class Enum>
struct Named {
  Enum value;
  std::string_view name;
};

constexpr std::array<Named<Format>, 3> kFormats = {
    {{Format::kEdn, "edn"}, {Format::kJson, "json"}, {Format::kJsonl, "jsonl"}}};

constexpr std::array<Named<Workload>, 3> kWorkloads = {{{Workload::kListAppend, "list-append"},
                                                        {Workload::kRwRegister, "rw-register"},
                                                        {Workload::kOther, "other"}}};

template <class Table, class Enum>
std::string_view name_in(const Table& table, Enum value) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [value](const auto& entry) { return entry.value == value; });
  return found == table.end() ? std::string_view() : found->name;
}

template <class Enum, std::size_t kSize>
std::optional<Enum> find_in(const std::array<Named<Enum>, kSize>& table, std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [name](const auto& entry) { return entry.name == name; });
  return found == table.end() ? std::nullopt : std::optional(found->value);
}

}  // namespace

std::string_view name(Format format) {
  return name_in(kFormats, format);
}

std::optional<Format> find_format(std::string_view name) {
  return find_in(kFormats, name);
}

std::string_view name(Workload workload) {
  return name_in(kWorkloads, workload);
}

std::optional<Workload> find_workload(std::string_view name) {
  return find_in(kWorkloads, name);
}

}  // namespace elapid
