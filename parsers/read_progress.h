// Reports the progress of reading an input to the caller, who may stop the reading.
#pragma once

#include <cstdint>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/options.h"

namespace elapid {

/// The progress of one pass over a source.
class ReadProgress {
 public:
  /// Borrows both arguments.
  ReadProgress(const ByteSource& source, const ReadOptions& options)
      : source_(source), options_(options) {}

  /// Tells the caller once a mebibyte that the pass is at `offset`. Error: kUnreadable if the
  /// caller stops the reading.
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
