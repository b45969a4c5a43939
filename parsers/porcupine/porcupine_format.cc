#include "parsers/porcupine/porcupine_format.h"

#include <array>

namespace elapid {

namespace {

constexpr std::array<std::string_view, 2> kPorcupineDialects = {"etcd", "kv"};
constexpr std::string_view kEtcd = kPorcupineDialects[0];
constexpr std::string_view kKv = kPorcupineDialects[1];

std::vector<Sign> looks_like_porcupine(const FileLook& file) {
  static const Pattern log(R"(^INFO\s+jepsen\.util)", "I");
  static const Pattern kv(R"(:f :(get|put|append), :key ")");
  if (log.is_in(file.first_line)) {
    return {{Strength::kStrong, "it begins with a line of Jepsen's log", kEtcd}};
  }
  const FirstForm& form = file.form;
  const std::string_view line = form.inside.substr(0, form.inside.find('\n'));
  if (form.opening == '{' && form.first == ':' &&
      line.find(", :key \"") != std::string_view::npos && kv.is_in(line)) {
    return {{Strength::kCertain, "its first operation has a :key beside its value", kKv}};
  }
  return {};
}

constexpr std::array kPorcupineTargets = {
    Target{.format = &kPorcupineFormat,
           .dialect = kEtcd,
           .extension = ".log",
           .write_file = write_etcd_log,
           .aborted = true,
           .indeterminate = true,
           .invocations = true,
           .repeats = true,
           .one_register = true,
           .misread_aborted =
               "aborted transactions that Porcupine takes for writes that may have happened, or "
               "for compare-and-sets that saw another value",
           .values = kNaturals}};

}  // namespace

constinit const Format kPorcupineFormat = {.name = "porcupine",
                                           .tools = "Porcupine",
                                           .dialects = kPorcupineDialects,
                                           .looks_at_file = looks_like_porcupine,
                                           .read = read_porcupine,
                                           .targets = kPorcupineTargets};

}  // namespace elapid
