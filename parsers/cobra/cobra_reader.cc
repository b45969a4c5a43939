#include "parsers/cobra/cobra_format.h"

#include <utility>
#include <vector>

#include "parsers/cobra/history_reader.h"
#include "parsers/cobra/log_files.h"

namespace elapid {

Result<History> read_cobra(Sources& sources, const std::string& dialect,
                           const ReadOptions& options) {
  std::vector<cobra::LogFile> logs;
  if (sources.is_directory()) {
    Result<std::vector<cobra::LogFile>> found = cobra::find_logs(sources.path());
    ELAPID_RETURN_IF_ERROR(found);
    logs = std::move(found).value();
  } else {
    const std::string& path = sources.path();
    logs.push_back({.path = path, .session = cobra::session_of(path).value_or(0)});
    // Compressed or unknown sizes only make the room that is made beforehand smaller.
    Result<ByteSource*> source = sources.open(0);
    logs.back().bytes = source ? source.value()->total() : 0;
  }
  cobra::HistoryReader reader(sources, std::move(logs), dialect, options);
  ELAPID_RETURN_IF_ERROR(reader.read());
  return std::move(reader).finish();
}

}  // namespace elapid
