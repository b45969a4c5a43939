#include "parsers/veristrong_elle/veristrong_elle_format.h"

#include <array>

namespace elapid {

namespace {

std::vector<Sign> looks_like_veristrong_elle(const FileLook& file) {
  static const Pattern pattern(R"(^\s*\d+\s+-?\d+\s+-?\d+\s+[AR]\s)", "0123456789");
  if (!pattern.is_in(file.text)) {
    return {};
  }
  return {{Strength::kStrong, "it begins with a count and a line of `session txn A|R`"}};
}

constexpr std::array kVeristrongElleTargets = {Target{.format = &kVeristrongElleFormat,
                                                      .extension = ".txt",
                                                      .write_file = write_veristrong_elle,
                                                      .registers = false,
                                                      .lists = true,
                                                      .ids = true,
                                                      .keys = kNaturals,
                                                      .values = kNaturals}};

}  // namespace

constinit const Format kVeristrongElleFormat = {.name = "veristrong-elle",
                                                .tools = "VeriStrong",
                                                .looks_at_file = looks_like_veristrong_elle,
                                                .read = read_veristrong_elle,
                                                .targets = kVeristrongElleTargets};

}  // namespace elapid
