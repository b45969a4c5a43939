#include "parsers/readers.h"

#include "parsers/elle_json/json_events.h"
#include "parsers/jepsen/edn_events.h"

namespace elapid {

namespace {

/// A reader of one file, which need not know of directories.
template <class Read>
Result<ParsedHistory> read_file(Sources& sources, Read read) {
  Result<ByteSource*> source = sources.open(0);
  return source ? read(*source.value()) : Result<ParsedHistory>(std::move(source.error()));
}

Result<ParsedHistory> read_edn(Sources& sources, const std::string& /*dialect*/,
                               const ReadOptions& options) {
  return read_file(sources, [&](ByteSource& source) { return read_edn_history(source, options); });
}

template <Format kFormat>
Result<ParsedHistory> read_json(Sources& sources, const std::string& /*dialect*/,
                                const ReadOptions& options) {
  return read_file(sources,
                   [&](ByteSource& source) { return read_json_history(source, options, kFormat); });
}

}  // namespace

Reader reader_of(Format format) {
  switch (format) {
    case Format::kEdn:
    case Format::kKnossos:
      return read_edn;
    case Format::kJson:
      return read_json<Format::kJson>;
    case Format::kJsonl:
      return read_json<Format::kJsonl>;
    default:
      return nullptr;
  }
}

}  // namespace elapid
