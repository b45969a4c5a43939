#include "harness/process/process_tree.h"

#include <signal.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <unordered_map>

#include "engine/ir/integer_text.h"

namespace elapid {
namespace {

/// The fields of /proc/PID/stat for a process or a thread: `12 (name) S 1 ...`.
struct ProcessStat {
  char state = 'X';
  pid_t parent = 0;
};

/// Nothing if the process has ended. The name may contain any bytes.
std::optional<ProcessStat> stat_of(const std::filesystem::path& folder) {
  std::ifstream file(folder / "stat");
  std::array<char, 1024> buffer{};  // its first fields; the name has 64 bytes at most
  file.read(buffer.data(), buffer.size());
  const std::string stat(buffer.data(), static_cast<std::size_t>(file.gcount()));
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos || stat.size() < name_end + 5) {
    return std::nullopt;
  }
  const std::size_t begin = name_end + 4;
  const std::optional<pid_t> parent =
      integer_of<pid_t>(stat.substr(begin, stat.find(' ', begin) - begin));
  return parent ? std::optional(ProcessStat{.state = stat[name_end + 2], .parent = *parent})
                : std::nullopt;
}

/// Whether all threads of the process are stopped or have ended.
bool is_stopped(pid_t pid) {
  std::error_code error;
  for (std::filesystem::directory_iterator thread("/proc/" + std::to_string(pid) + "/task", error),
       end;
       !error && thread != end; thread.increment(error)) {
    const std::optional<ProcessStat> stat = stat_of(thread->path());
    if (stat && std::string_view("TtZX").find(stat->state) == std::string_view::npos) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::vector<pid_t> process_tree(pid_t root) {
  std::unordered_map<pid_t, std::vector<pid_t>> children;
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/proc", error), end; !error && entry != end;
       entry.increment(error)) {
    const std::optional<pid_t> pid = integer_of<pid_t>(entry->path().filename().string());
    const std::optional<ProcessStat> stat = pid ? stat_of(entry->path()) : std::nullopt;
    if (stat) {
      children[stat->parent].push_back(*pid);
    }
  }
  std::vector<pid_t> tree = {root};
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const auto found = children.find(tree[i]);
    if (found != children.end()) {
      tree.insert(tree.end(), found->second.begin(), found->second.end());
    }
  }
  return tree;
}

void signal_tree(const std::vector<pid_t>& tree, int signal) {
  for (const pid_t pid : tree) {
    ::kill(pid, signal);
  }
}

void stop_tree(const std::vector<pid_t>& tree) {
  constexpr std::chrono::seconds kMost{2};
  const auto until = std::chrono::steady_clock::now() + kMost;
  signal_tree(tree, SIGSTOP);
  while (!std::ranges::all_of(tree, is_stopped) && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace elapid
