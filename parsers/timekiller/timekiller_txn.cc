#include "parsers/timekiller/timekiller_txn.h"

#include <algorithm>

namespace elapid {

namespace {

constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_name(std::string_view name, std::string_view full) {
  return name.size() == 1 || std::equal(name.begin(), name.end(), full.begin(), full.end(),
                                        [](char c, char wanted) { return lower(c) == wanted; });
}

}  // namespace

std::optional<OpKind> find_timekiller_kind(std::string_view name) {
  switch (name.empty() ? '\0' : lower(name.front())) {
    case 'r':
      return is_name(name, "read") ? std::optional(OpKind::kRead) : std::nullopt;
    case 'w':
      return is_name(name, "write") ? std::optional(OpKind::kWrite) : std::nullopt;
    case 'a':
      return is_name(name, "append") ? std::optional(OpKind::kAppend) : std::nullopt;
    default:
      return std::nullopt;
  }
}

const char* describe_timekiller_kind(OpKind kind) {
  switch (kind) {
    case OpKind::kWrite:
      return "a write";
    case OpKind::kAppend:
      return "an append";
    default:
      return "a read";
  }
}

}  // namespace elapid
