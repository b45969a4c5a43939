// Tells the caller how far the reading of an input has come, and lets it stop the reading.
#pragma once

#include <cstdint>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/options.h"

namespace elapid {

/// Of one pass over a source.
class ReadProgress {
 public:
  /// Borrows both.
  ReadProgress(const ByteSource& source, const ReadOptions& options)
      : source_(source), options_(options) {}

  /// Tells the caller that the pass has come to `offset`, once a mebibyte. Error: kUnreadable if
  /// the caller wants it to stop.
  Status report(std::uint64_t offset) {
    return options_.progress && offset >= next_ ? call(offset) : Status();
  }

 private:
  Status call(std::uint64_t offset);

  const ByteSource& source_;
  const ReadOptions& options_;
  std::uint64_t next_ = 0;
};

}  // namespace elapid
