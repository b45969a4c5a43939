// The only include of RapidJSON: its assertions become exceptions within value_parser.cc.
#pragma once

#include <stdexcept>

namespace elapid::json {

class RapidJsonFailure : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace elapid::json

#define RAPIDJSON_ASSERT(condition)                     \
  do {                                                  \
    if (!(condition)) {                                 \
      throw elapid::json::RapidJsonFailure(#condition); \
    }                                                   \
  } while (false)

// RapidJSON's stack adds to a null pointer before it has memory, which clang's sanitizer reports.
#ifdef __clang__
#pragma clang attribute push(__attribute__((no_sanitize("undefined"))), apply_to = function)
#endif
#include <rapidjson/reader.h>
#ifdef __clang__
#pragma clang attribute pop
#endif
