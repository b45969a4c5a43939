#include "parsers/rw_text/rw_text_format.h"

#include <array>

namespace elapid {

namespace {

std::vector<Sign> looks_like_rw_text(const FileLook& file) {
  static const Pattern pattern(R"(^[rw]\(-?\d+,-?\d+,-?\d+,-?\d+\))", "rw");
  if (!pattern.is_in(file.first_line)) {
    return {};
  }
  return {{Strength::kStrong, "its lines are op(key,value,session,transaction)"}};
}

constexpr std::array<std::string_view, 2> kPolysiDialects = {"text", "elle"};

constexpr Target kOperationLines = {.extension = ".txt",
                                    .write_file = write_rw_text,
                                    .repeats = true,
                                    .guesses_initial_txn = true,
                                    .ids = true,
                                    .zero_is_initial = true,
                                    .writes_initial = true,
                                    .initial = InitialForm::kZero,
                                    .keys = kNaturals,
                                    .values = kNaturals};

constexpr Target with_aborted_writes(const Format& format) {
  Target target = kOperationLines;
  target.format = &format;
  target.aborted_writes = true;
  return target;
}

constexpr Target polysi_text() {
  Target target = kOperationLines;
  target.format = &kPolysiFormat;
  target.dialect = kPolysiDialects[0];
  target.make_event_writer = make_polysi_event_writer;
  target.repeats = false;
  target.writes_initial = false;
  return target;
}

constexpr Target plume() {
  Target target = with_aborted_writes(kPlumeFormat);
  target.make_event_writer = make_plume_event_writer;
  return target;
}

constexpr Target isovista() {
  Target target = kOperationLines;
  target.format = &kIsovistaFormat;
  target.initial = InitialForm::kWritten;
  return target;
}

constexpr std::array kRwTextTargets = {with_aborted_writes(kRwTextFormat)};
constexpr std::array kPolysiTargets = {polysi_text(), Target{.format = &kPolysiFormat,
                                                             .dialect = kPolysiDialects[1],
                                                             .extension = ".edn",
                                                             .write_file = write_polysi_elle,
                                                             .registers = false,
                                                             .lists = true,
                                                             .empty_transactions = true,
                                                             .keys = kShortNaturals,
                                                             .values = kShortNaturals}};
constexpr std::array kPlumeTargets = {plume()};
constexpr std::array kIsovistaTargets = {isovista()};

}  // namespace

constinit const Format kRwTextFormat = {.name = "rw-text",
                                        .tools = "PolySI, Plume, IsoVista, AWDIT",
                                        .looks_at_file = looks_like_rw_text,
                                        .read = read_rw_text,
                                        .targets = kRwTextTargets};

constinit const Format kPolysiFormat = {.name = "polysi",
                                        .tools = "PolySI",
                                        .dialects = kPolysiDialects,
                                        .read = read_polysi,
                                        .targets = kPolysiTargets};

constinit const Format kPlumeFormat = {
    .name = "plume", .tools = "Plume", .read = read_plume, .targets = kPlumeTargets};

constinit const Format kIsovistaFormat = {
    .name = "isovista", .tools = "IsoVista", .read = read_isovista, .targets = kIsovistaTargets};

}  // namespace elapid
