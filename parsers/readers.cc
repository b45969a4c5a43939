#include "parsers/readers.h"

#include "parsers/awdit/awdit_reader.h"
#include "parsers/cobra/cobra_reader.h"
#include "parsers/coo/coo_reader.h"
#include "parsers/dbcop/dbcop_reader.h"
#include "parsers/elle_json/json_events.h"
#include "parsers/isopredict/isopredict_reader.h"
#include "parsers/jepsen/edn_events.h"
#include "parsers/jepsen_binary/jepsen_binary_reader.h"
#include "parsers/porcupine/porcupine_reader.h"
#include "parsers/rw_text/rw_text_reader.h"
#include "parsers/timekiller/timekiller_reader.h"
#include "parsers/veristrong_elle/veristrong_elle_reader.h"
#include "parsers/viper/viper_reader.h"

namespace elapid {

namespace {

/// A reader of one file, which need not know of directories.
template <class Parsed, class Read>
Result<Parsed> read_file(Sources& sources, Read read) {
  Result<ByteSource*> source = sources.open(0);
  return source ? read(*source.value()) : Result<Parsed>(std::move(source.error()));
}

using Histories = std::vector<IndependentHistory>;

Result<History> read_edn(Sources& sources, const std::string& /*dialect*/,
                         const ReadOptions& options) {
  return read_file<History>(sources,
                            [&](ByteSource& source) { return read_edn_history(source, options); });
}

Result<Histories> read_independent_edn(Sources& sources, const std::string& /*dialect*/,
                                       const ReadOptions& options) {
  return read_file<Histories>(
      sources, [&](ByteSource& source) { return elapid::read_independent_edn(source, options); });
}

template <Format kFormat>
Result<History> read_json(Sources& sources, const std::string& /*dialect*/,
                          const ReadOptions& options) {
  return read_file<History>(
      sources, [&](ByteSource& source) { return read_json_history(source, options, kFormat); });
}

template <Format kFormat>
Result<Histories> read_independent_json(Sources& sources, const std::string& /*dialect*/,
                                        const ReadOptions& options) {
  return read_file<Histories>(sources, [&](ByteSource& source) {
    return elapid::read_independent_json(source, options, kFormat);
  });
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
    case Format::kJepsen:
      return read_jepsen_binary;
    case Format::kCobra:
      return read_cobra;
    case Format::kRwText:
      return read_rw_text;
    case Format::kPolysi:
      return read_polysi;
    case Format::kPlume:
      return read_plume;
    case Format::kIsovista:
      return read_isovista;
    case Format::kAwdit:
      return read_awdit;
    case Format::kDbcop:
      return read_dbcop;
    case Format::kTimekiller:
      return read_timekiller;
    case Format::kVeristrongElle:
      return read_veristrong_elle;
    case Format::kCoo:
      return read_coo;
    case Format::kIsopredict:
      return read_isopredict;
    case Format::kViper:
      return read_viper;
    case Format::kPorcupine:
      return read_porcupine;
  }
  return nullptr;
}

IndependentReader independent_reader_of(Format format) {
  switch (format) {
    case Format::kEdn:
    case Format::kKnossos:
      return read_independent_edn;
    case Format::kJson:
      return read_independent_json<Format::kJson>;
    case Format::kJsonl:
      return read_independent_json<Format::kJsonl>;
    case Format::kJepsen:
      return read_independent_jepsen_binary;
    default:
      return nullptr;
  }
}

}  // namespace elapid
