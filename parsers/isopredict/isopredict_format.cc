#include "parsers/isopredict/isopredict_format.h"

#include <array>

namespace elapid {

namespace {

std::vector<Sign> looks_like_isopredict(const FileLook& file) {
  static const Pattern pattern(R"((^|\s)((READ|WRITE) KEY\[|INSERT\[|DELETE\[|CONTAINS\[))");
  if (file.first_line.find("KEY[") == std::string_view::npos &&
      file.first_line.find("S[") == std::string_view::npos &&
      file.first_line.find("T[") == std::string_view::npos &&
      file.first_line.find("E[") == std::string_view::npos) {
    return {};  // sooner said than the pattern is compiled
  }
  if (!pattern.is_in(file.first_line)) {
    return {};
  }
  return {
      {Strength::kStrong, "its first line names a key and the transaction that read or wrote it"}};
}

constexpr std::array kIsopredictTargets = {Target{.format = &kIsopredictFormat,
                                                  .extension = ".txt",
                                                  .write_file = write_isopredict,
                                                  .drops_values = true,
                                                  .drops_own_reads = true,
                                                  .by_session = true,
                                                  .first_session = 1}};

}  // namespace

constinit const Format kIsopredictFormat = {.name = "isopredict",
                                            .tools = "IsoPredict, MonkeyDB",
                                            .looks_at_file = looks_like_isopredict,
                                            .read = read_isopredict,
                                            .targets = kIsopredictTargets};

}  // namespace elapid
