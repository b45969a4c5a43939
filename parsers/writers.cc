#include "parsers/writers.h"

#include "parsers/awdit/awdit_writer.h"
#include "parsers/cobra/cobra_writer.h"
#include "parsers/coo/coo_writer.h"
#include "parsers/dbcop/dbcop_writer.h"
#include "parsers/elle_json/json_writer.h"
#include "parsers/isopredict/isopredict_writer.h"
#include "parsers/jepsen/edn_writer.h"
#include "parsers/jepsen/knossos_writer.h"
#include "parsers/jepsen_binary/jepsen_binary_writer.h"
#include "parsers/porcupine/etcd_writer.h"
#include "parsers/rw_text/rw_text_writer.h"
#include "parsers/timekiller/timekiller_writer.h"
#include "parsers/veristrong_elle/veristrong_elle_writer.h"
#include "parsers/viper/viper_writer.h"

namespace elapid {

namespace {

Writer dbcop_writer(std::string_view dialect) {
  return {.file = dialect == "json"   ? write_dbcop_json
                  : dialect == "hist" ? write_dbcop_hist
                                      : write_dbcop_bincode};
}

}  // namespace

Writer writer_of(const Target& target) {
  switch (target.format) {
    case Format::kEdn:
      return {.file = write_edn};
    case Format::kJson:
      return {.file = write_json};
    case Format::kJsonl:
      return {.file = write_jsonl};
    case Format::kCobra:
      return {.directory = write_cobra};
    case Format::kPolysi:
      return {.file = target.lists ? write_polysi_elle : write_rw_text};
    case Format::kRwText:
    case Format::kPlume:
    case Format::kIsovista:
      return {.file = write_rw_text};
    case Format::kAwdit:
      return {.file = write_awdit};
    case Format::kDbcop:
      return dbcop_writer(target.dialect);
    case Format::kViper:
      return {.directory = target.dialect == "edn" ? write_viper_edn : write_viper_json};
    case Format::kTimekiller:
      return {.file = write_timekiller};
    case Format::kVeristrongElle:
      return {.file = write_veristrong_elle};
    case Format::kCoo:
      return {.file = write_coo};
    case Format::kIsopredict:
      return {.file = write_isopredict};
    case Format::kJepsen:
      return {.file = write_jepsen_binary};
    case Format::kKnossos:
      return {.file = write_knossos};
    case Format::kPorcupine:
      return {.file = write_etcd_log};
  }
  return {};
}

}  // namespace elapid
