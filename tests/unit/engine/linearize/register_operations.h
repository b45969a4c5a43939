// Operations of registers for tests, in a line each.
#pragma once

#include "engine/linearize/operation.h"
#include "engine/linearize/register.h"

namespace elapid::linearize {

inline ValueId number(std::int64_t n) {
  return ValueId::integer(n);
}

inline Operation made(RegisterF f, ValueId argument, ValueId result, std::uint32_t invoked,
                      std::uint32_t returned) {
  Operation operation;
  operation.f = static_cast<std::uint8_t>(f);
  operation.argument = argument;
  operation.result = result;
  operation.invoked = invoked;
  operation.returned = returned;
  return operation;
}

inline Operation write(std::int64_t n, std::uint32_t invoked, std::uint32_t returned = kNever) {
  return made(RegisterF::kWrite, number(n), ValueId::none(), invoked, returned);
}

inline Operation read(std::int64_t n, std::uint32_t invoked, std::uint32_t returned) {
  return made(RegisterF::kRead, ValueId::none(), number(n), invoked, returned);
}

inline Operation cas(std::int64_t from, std::int64_t to, std::uint32_t invoked,
                     std::uint32_t returned = kNever) {
  return made(RegisterF::kCas, number(from), number(to), invoked, returned);
}

inline Operation failed_cas(std::int64_t from, std::uint32_t invoked, std::uint32_t returned) {
  return made(RegisterF::kFailedCas, number(from), ValueId::none(), invoked, returned);
}

}  // namespace elapid::linearize
