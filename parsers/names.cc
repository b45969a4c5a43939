#include <algorithm>
#include <array>

#include "parsers/options.h"

namespace elapid {

namespace {

using Names = std::array<std::string_view, 3>;

/// A format and its dialects, the default first.
struct NamedFormat {
  Format format;
  std::string_view name;
  Names dialects = {};
  std::size_t dialect_count = 0;
};

constexpr std::array kFormats = {
    NamedFormat{Format::kEdn, "edn"},
    NamedFormat{Format::kJson, "json"},
    NamedFormat{Format::kJsonl, "jsonl"},
    NamedFormat{Format::kJepsen, "jepsen", {"binary", "fressian"}, 2},
    NamedFormat{Format::kCobra, "cobra", {"plain", "universal", "timestamps"}, 3},
    NamedFormat{Format::kRwText, "rw-text"},
    NamedFormat{Format::kPolysi, "polysi", {"text", "elle"}, 2},
    NamedFormat{Format::kPlume, "plume"},
    NamedFormat{Format::kIsovista, "isovista"},
    NamedFormat{Format::kAwdit, "awdit"},
    NamedFormat{Format::kDbcop, "dbcop", {"bincode", "json", "hist"}, 3},
    NamedFormat{Format::kViper, "viper", {"json", "edn"}, 2},
    NamedFormat{Format::kTimekiller, "timekiller"},
    NamedFormat{Format::kVeristrongElle, "veristrong-elle"},
    NamedFormat{Format::kCoo, "coo", {"read-committed", "read-uncommitted", "repeatable-read"}, 3},
    NamedFormat{Format::kIsopredict, "isopredict"},
    NamedFormat{Format::kKnossos, "knossos"},
    NamedFormat{Format::kPorcupine, "porcupine", {"etcd", "kv"}, 2},
};

const NamedFormat& entry(Format format) {
  return *std::ranges::find(kFormats, format, &NamedFormat::format);
}

}  // namespace

std::string_view name(Format format) {
  return entry(format).name;
}

std::vector<std::string_view> format_names() {
  std::vector<std::string_view> names;
  for (const NamedFormat& format : kFormats) {
    names.push_back(format.name);
  }
  return names;
}

std::span<const std::string_view> dialects(Format format) {
  return std::span(entry(format).dialects).first(entry(format).dialect_count);
}

std::string text(const FormatName& name) {
  std::string out(elapid::name(name.format));
  return name.dialect.empty() ? out : out + ':' + name.dialect;
}

std::optional<FormatName> find_format(std::string_view name) {
  const std::size_t colon = name.find(':');
  const auto found = std::ranges::find(kFormats, name.substr(0, colon), &NamedFormat::name);
  if (found == kFormats.end()) {
    return std::nullopt;
  }
  if (colon == std::string_view::npos) {
    return FormatName{found->format, {}};
  }
  const auto known = dialects(found->format);
  const auto dialect = std::ranges::find(known, name.substr(colon + 1));
  return dialect == known.end() ? std::nullopt
                                : std::optional(FormatName{found->format, std::string(*dialect)});
}

}  // namespace elapid
