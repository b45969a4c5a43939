#include "adapter/cli/commands/convert/convert_jobs.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "adapter/cli/options/input_flags.h"
#include "parsers/find.h"
#include "parsers/formats.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

bool is_directory(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

/// The last component of a path, also of `runs/` and `.`.
std::string name_of(const std::string& path) {
  if (path == "-") {
    return "stdin";
  }
  std::error_code ignored;
  const fs::path whole = fs::weakly_canonical(path, ignored);
  return whole.has_filename() ? whole.filename().string() : whole.parent_path().filename().string();
}

/// The path without the extension of a compression.
fs::path uncompressed(fs::path path) {
  const bool is_compressed = path.extension() == ".gz" || path.extension() == ".zst";
  return is_compressed ? path.replace_extension() : path;
}

/// A history with the place it will have below the output.
struct Place {
  std::string input;
  fs::path path;  // with its own extension
};

/// Whether the extension belongs to a format, and not to a name such as `v1.2`.
bool has_known_extension(const fs::path& path) {
  constexpr std::array<std::string_view, 9> kOthers = {
      ".edn", ".log", ".hist", ".db", ".trace", ".dat", ".jepsen", ".history", ".fressian"};
  const std::string extension = path.extension().string();
  const auto is_it = [&](const Target& target) { return target.extension == extension; };
  return std::ranges::any_of(targets(), is_it) ||
         std::ranges::find(kOthers, extension) != kOthers.end();
}

fs::path with_extension(const Place& place, std::string_view extension) {
  fs::path path = place.path;
  if (has_known_extension(path)) {
    path.replace_extension();
  }
  return path += extension;
}

/// The outputs below `out`. Where two would have one name, each keeps its own extension too.
std::vector<ConvertJob> jobs_below(const std::string& out, const std::vector<Place>& places,
                                   std::string_view extension) {
  std::map<fs::path, std::size_t> uses;
  for (const Place& place : places) {
    ++uses[with_extension(place, extension)];
  }
  std::vector<ConvertJob> jobs;
  for (const Place& place : places) {
    fs::path path = with_extension(place, extension);
    if (uses[path] > 1) {
      path = place.path;
      path += extension;
    }
    jobs.push_back({place.input, (fs::path(out) / path).string()});
  }
  return jobs;
}

/// Adds the histories of one input. `prefix` is the folder for it below the output.
Status add_places(const std::string& input, const fs::path& prefix, std::vector<Place>& places) {
  ELAPID_ASSIGN_OR_RETURN(std::vector<std::string> found, histories_below(input));
  for (std::string& path : found) {
    const bool is_input = path == input;
    const fs::path below =
        is_input ? fs::path(name_of(input)) : prefix / fs::path(path).lexically_relative(input);
    places.push_back({std::move(path), uncompressed(below)});
  }
  return {};
}

}  // namespace

bool are_many(const std::vector<std::string>& inputs) {
  if (inputs.size() != 1 || !is_directory(inputs.front())) {
    return inputs.size() != 1;
  }
  return find_histories(inputs.front()).paths != inputs;
}

Result<ConvertJobs> convert_jobs(const std::vector<std::string>& inputs, const std::string& out,
                                 const Target& target) {
  const bool many = are_many(inputs);
  if (!many && (target.is_directory() || !is_directory(out))) {
    return ConvertJobs{.jobs = {{inputs.front(), out}}};
  }
  if (out == "-") {
    return usage_error("several histories cannot all go to standard output");
  }
  std::vector<Place> places;
  for (const std::string& input : inputs) {
    const fs::path prefix = inputs.size() == 1 ? fs::path() : fs::path(name_of(input));
    ELAPID_RETURN_IF_ERROR(add_places(input, prefix, places));
  }
  return ConvertJobs{.jobs = jobs_below(out, places, target.extension), .into_directory = true};
}

}  // namespace elapid
