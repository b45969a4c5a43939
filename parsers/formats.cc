#include "parsers/formats.h"

#include <algorithm>
#include <array>
#include <string>

#include "parsers/awdit/awdit_format.h"
#include "parsers/cobra/cobra_format.h"
#include "parsers/coo/coo_format.h"
#include "parsers/dbcop/dbcop_format.h"
#include "parsers/elle_json/json_format.h"
#include "parsers/isopredict/isopredict_format.h"
#include "parsers/jepsen/edn_format.h"
#include "parsers/jepsen_binary/jepsen_binary_format.h"
#include "parsers/porcupine/porcupine_format.h"
#include "parsers/rw_text/rw_text_format.h"
#include "parsers/timekiller/timekiller_format.h"
#include "parsers/vbox/vbox_format.h"
#include "parsers/veristrong_elle/veristrong_elle_format.h"
#include "parsers/viper/viper_format.h"

namespace elapid {

namespace {

constexpr std::array kFormats = {
    &kEdnFormat,        &kJsonFormat,       &kJsonlFormat,          &kJepsenBinaryFormat,
    &kCobraFormat,      &kVboxFormat,       &kRwTextFormat,         &kPolysiFormat,
    &kPlumeFormat,      &kIsovistaFormat,   &kAwditFormat,          &kDbcopFormat,
    &kViperFormat,      &kTimekillerFormat, &kVeristrongElleFormat, &kCooFormat,
    &kIsopredictFormat, &kKnossosFormat,    &kPorcupineFormat,
};

std::vector<Target> all_targets() {
  std::vector<Target> all;
  for (const Format* format : kFormats) {
    all.insert(all.end(), format->targets.begin(), format->targets.end());
  }
  return all;
}

}  // namespace

std::span<const Format* const> formats() {
  return kFormats;
}

std::vector<std::string_view> format_names() {
  std::vector<std::string_view> names;
  for (const Format* format : kFormats) {
    names.push_back(format->name);
  }
  return names;
}

const Format& recorder_format() {
  return kJsonlFormat;
}

std::optional<FormatName> find_format(std::string_view name) {
  const std::size_t colon = name.find(':');
  const auto found = std::ranges::find(kFormats, name.substr(0, colon), &Format::name);
  if (found == kFormats.end()) {
    return std::nullopt;
  }
  if (colon == std::string_view::npos) {
    return FormatName{*found, {}};
  }
  const std::span<const std::string_view> known = (*found)->dialects;
  const auto dialect = std::ranges::find(known, name.substr(colon + 1));
  return dialect == known.end() ? std::nullopt
                                : std::optional(FormatName{*found, std::string(*dialect)});
}

std::span<const Target> targets() {
  static const std::vector<Target> all = all_targets();
  return all;
}

const Target* find_target(const FormatName& name) {
  const auto found = std::ranges::find_if(targets(), [&](const Target& target) {
    return target.format == name.format && (name.dialect.empty() || target.dialect == name.dialect);
  });
  return found == targets().end() ? nullptr : &*found;
}

const Target* target_of_extension(std::string_view path) {
  const auto found = std::ranges::find_if(targets(), [&](const Target& target) {
    return target.extension_tells && path.ends_with(target.extension);
  });
  return found == targets().end() ? nullptr : &*found;
}

}  // namespace elapid
