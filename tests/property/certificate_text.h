// The certificates of a verdict as their file holds them, and back.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/certificate/certificate.h"
#include "parsers/bytes/byte_source.h"
#include "tests/support/temporary_folder.h"

namespace elapid {

/// What the file of a verdict's certificates holds.
inline std::string certificates_text(const History& history, const Verdict& verdict) {
  const TemporaryFile file;
  REQUIRE(write_certificates(file.path(), history, verdict).ok());
  return content_of(file.path());
}

inline Result<std::vector<Certificate>> certificates_in(const std::string& text,
                                                        const History& history) {
  return read_certificates(*memory_source("certificates", text),
                           [&](std::string_view) { return &history; });
}

}  // namespace elapid
