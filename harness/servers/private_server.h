// A private database server, which the caller may stop or kill. It uses the machine's packages, has
// a folder of its own, and listens only on a socket there. Its end removes the folder.
//
//   Result<PrivateServer> server = PrivateServer::start(postgres_server(), {});
//   ... = connect(server.value().uri());
//   server.value().kill();     // kill -9, all its processes
//   server.value().restart();  // on what it left behind
//
// The server ends with this object, or with the thread that started it, however this program ends;
// then its folder is removed. Call from a thread that lives as long as the program, before there
// are other threads (it forks). If this program is root, the server runs as a user of its own.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "engine/ir/result.h"
#include "harness/process/guard.h"
#include "harness/process/process_user.h"
#include "harness/process/scratch_folder.h"
#include "harness/servers/server_kind.h"

namespace elapid {

struct ServerLimits {
  std::chrono::milliseconds start{60000};  ///< the longest time until it takes connections
  std::chrono::milliseconds stop{10000};   ///< the longest time between a request to end and a kill
  std::function<bool()> is_cancelled = {};  ///< called during the first start; may be empty
};

class PrivateServer {
 public:
  /// Makes an empty database and starts a server on it. Errors: kUsage if the server is not
  /// installed, with the package; kInternal with the end of the server's log if it does not start.
  static Result<PrivateServer> start(const ServerKind& kind, ServerLimits limits);

  PrivateServer(PrivateServer&& other) noexcept;
  PrivateServer& operator=(PrivateServer&&) = delete;
  PrivateServer(const PrivateServer&) = delete;
  PrivateServer& operator=(const PrivateServer&) = delete;
  ~PrivateServer();

  /// The address for drivers; a restart does not change it.
  [[nodiscard]] std::string uri() const;

  [[nodiscard]] bool is_running() const { return pid_ > 0; }

  /// Kills all its processes (SIGKILL), and returns when they are gone.
  void kill();
  /// Stops all its processes (SIGSTOP), and lets them go on.
  void pause();
  void resume();
  /// Asks it to end in good order, and waits for that; kills it if it takes too long.
  void shut_down();
  /// Starts it again after kill() or shut_down(), on the same data, and waits until it takes
  /// connections. A cancellation does not stop this, since an injected fault must be healed.
  Status restart();

 private:
  PrivateServer(const ServerKind& kind, ServerLimits limits, ScratchFolder folder,
                std::optional<ProcessUser> user);

  Status begin_guard();
  Status create();
  Status launch();
  Status wait_until_ready();
  [[nodiscard]] std::string user_name() const;
  [[nodiscard]] Error failure(const std::string& what) const;
  bool has_ended();
  void stop(int signal);

  const ServerKind& kind_;
  ServerLimits limits_;
  ScratchFolder folder_;
  std::optional<ProcessUser> user_;
  pid_t pid_ = 0;                    ///< 0: not running
  std::optional<Guard> guard_ = {};  ///< removes the folder
};

}  // namespace elapid
