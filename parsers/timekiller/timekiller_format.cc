#include "parsers/timekiller/timekiller_format.h"

#include <array>

namespace elapid {

namespace {

std::vector<Sign> looks_like_timekiller(const FileLook& file) {
  const FirstForm& form = file.form;
  if (!form.is_object() || !form.has_key("sts") || !form.has_key("cts") || !form.has_key("ops")) {
    return {};
  }
  return {{Strength::kStrong, "its objects have sts, cts and ops"}};
}

constexpr std::array kTimekillerTargets = {Target{.format = &kTimekillerFormat,
                                                  .extension = ".json",
                                                  .write_file = write_timekiller,
                                                  .make_event_writer = make_timekiller_event_writer,
                                                  .lists = true,
                                                  .timestamps = true,
                                                  .needs_timestamps = true,
                                                  .empty_transactions = true,
                                                  .repeats = true,
                                                  .ids = true,
                                                  .keys = kNaturals,
                                                  .values = kIntegers}};

}  // namespace

constinit const Format kTimekillerFormat = {.name = "timekiller",
                                            .tools = "TimeKiller, Chronos, Aion",
                                            .looks_at_file = looks_like_timekiller,
                                            .read = read_timekiller,
                                            .is_stream = true,
                                            .targets = kTimekillerTargets};

}  // namespace elapid
