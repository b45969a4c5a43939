// The body of a request as a file: streamed, counted, and with its digest.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <variant>

#include "adapter/http/problem.h"
#include "adapter/http/routes.h"

namespace elapid::http {

struct UploadLimits {
  std::uint64_t bytes = std::uint64_t{1} << 30;
  std::chrono::seconds time{600};  ///< in which the whole body must arrive
};

struct Upload {
  std::string digest = {};  ///< SHA-256, in hex
  std::uint64_t bytes = 0;
};

/// Writes the body to a new file, to the disk. Any content type counts as bytes, except a form with
/// files (multipart/form-data), which must have one file. On a problem there is no file: 400, 408,
/// 411, 413, 415, 507.
std::variant<Upload, Problem> receive(const Call& call, const std::string& path,
                                      const UploadLimits& limits);

}  // namespace elapid::http
