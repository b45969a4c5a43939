#include "adapter/cli/commands/scan/scan_merge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "adapter/cli/options/options.h"
#include "engine/ir/visible.h"
#include "engine/ir/with_commas.h"

namespace elapid {
namespace {

/// What is known of a share, from one journal or several.
struct ShareState {
  bool has_ended = false;
  std::size_t histories = 0;
  std::size_t passed_over = 0;
  std::size_t noted = 0;  ///< histories that have a row
};

using Shares = std::map<std::size_t, ShareState>;  // by Shard::index

std::string as_list(const std::vector<std::string>& shares) {
  return fmt::format("share{} {}", shares.size() == 1 ? "" : "s", fmt::join(shares, ", "));
}

/// The shares that are missing, and those that have not ended; empty if there are none.
std::string missing_of(const Shares& shares, std::size_t count) {
  std::vector<std::string> missing;
  std::string begun;
  for (std::size_t index = 1; index <= count; ++index) {
    const auto share = shares.find(index);
    const std::string text = Shard{.index = index, .count = count}.text();
    if (share == shares.end()) {
      missing.push_back(text);
    } else if (!share->second.has_ended || share->second.noted < share->second.histories) {
      begun += fmt::format("Share {} has not ended: {} of {} histories are checked.\n", text,
                           with_commas(share->second.noted), with_commas(share->second.histories));
    }
  }
  return (missing.empty() ? "" : fmt::format("Missing: {}.\n", as_list(missing))) + begun;
}

Error other_than(const std::string& path, const std::string& first, std::string_view what) {
  return {.kind = ErrorKind::kUsage,
          .message = fmt::format("{} than those of {}", what, visible_line(first)),
          .file = path};
}

/// Whether a journal can stand in one table with the first one.
Status fits(const ShardNote& note, const ShardNote& first, const std::string& path,
            const std::string& first_path) {
  if (note.question != first.question) {
    return other_than(path, first_path,
                      "its rows answer another question, or are of another version");
  }
  if (note.shard.count != first.shard.count) {
    return other_than(
        path, first_path,
        fmt::format("the histories are divided into other shares ({})", note.shard.text()));
  }
  return {};
}

}  // namespace

Result<Scan> merged_scan(const ScanFlags& flags, CheckRequest request) {
  const std::string asked = answer_words(flags, add_scan_flags);
  if (!asked.empty() || !flags.resume.empty() || !flags.shard.empty() || flags.watch) {
    return usage_error(
        "--merge takes journals and -o alone: what was asked stands in the journals");
  }
  Scan scan = {.request = std::move(request)};
  ShardNote first;
  Shares shares;
  for (const std::string& path : scan.request.inputs) {
    Result<ShardJournal> journal = read_shard_journal(path);
    if (!journal) {
      return std::move(journal.error());
    }
    const ShardNote& note = journal.value().note;
    if (shares.empty()) {
      first = note;
    }
    if (Status status = fits(note, first, path, scan.request.inputs.front()); !status.ok()) {
      return std::move(status.error());
    }
    ShareState& share = shares[note.shard.index];
    share.has_ended |= note.has_ended;
    share.histories = note.histories;
    share.passed_over = note.passed_over;
    for (auto& [history, row] : journal.value().rows) {
      const bool is_new = scan.merged.insert_or_assign(history, std::move(row)).second;
      share.noted += is_new ? std::size_t{1} : 0;
    }
  }
  scan.levels = scan_levels(first.levels, first.elle_compat).value();
  for (const auto& [index, share] : shares) {
    scan.passed_over += share.passed_over;
  }
  for (const auto& [history, row] : scan.merged) {
    scan.paths.push_back(history);
  }
  scan.missing = missing_of(shares, first.shard.count);
  return scan;
}

}  // namespace elapid
