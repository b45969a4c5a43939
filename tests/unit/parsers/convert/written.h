// Histories written to a folder of their own, for tests of writers.
#pragma once

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "parsers/formats.h"
#include "parsers/read.h"
#include "parsers/write.h"
#include "tests/support/temporary_folder.h"

namespace elapid {

/// The names of what is in a folder, sorted and with blanks between.
inline std::string listing(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  std::string all;
  for (const std::string& name : names) {
    all += (all.empty() ? "" : " ") + name;
  }
  return all;
}

inline const Target& target(const std::string& name) {
  const auto format = find_format(name);
  const Target* found = format ? find_target(*format) : nullptr;
  if (found == nullptr) {
    throw std::invalid_argument("not a format that is written: " + name);
  }
  return *found;
}

/// The letters of losses, each once.
inline std::string letters(const std::vector<Loss>& losses) {
  std::string all;
  for (const Loss& loss : losses) {
    all += all.find(loss.letter) == std::string::npos ? std::string(1, loss.letter) : "";
  }
  return all;
}

/// Losses as `A 2, T 5`.
inline std::string counts(const std::vector<Loss>& losses) {
  std::string all;
  for (const Loss& loss : losses) {
    all +=
        (all.empty() ? "" : ", ") + std::string(1, loss.letter) + ' ' + std::to_string(loss.count);
  }
  return all;
}

/// The text of a history in a format that is one file; `error: ...` if it is refused.
inline std::string written(const History& history, Workload workload, const std::string& format,
                           LossPolicy policy = LossPolicy::kAny) {
  const TemporaryFolder folder;
  const auto report = write_history(history, workload, folder / "out",
                                    {.target = &target(format), .policy = policy});
  return report ? content_of(folder / "out") : "error: " + report.error().message;
}

}  // namespace elapid
