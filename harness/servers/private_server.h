// A private database server, which the caller may stop or kill. It runs from the machine's packages
// in a folder of its own and listens only on a socket there. The folder is removed afterwards.
//
//   Result<PrivateServer> server = PrivateServer::start(postgres_server(), {});
//   ... = connect(server.value().uri());
//   server.value().kill();     // kill -9, all its processes
//   server.value().restart();  // on what it left behind
//
// The server ends with this object, and, however this program ends, with the thread that started
// it, and its folder is removed: call from a thread that lives as long as the program, before there
// are others (it forks). As root it runs as a user of its own.
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
  std::chrono::milliseconds start{60000};   ///< until it takes connections
  std::chrono::milliseconds stop{10000};    ///< from being asked to end until it is killed
  std::function<bool()> is_cancelled = {};  ///< asked while it starts at first; may be empty
};

class PrivateServer {
 public:
  /// Makes an empty database and starts a server on it. Errors: kUsage where it is not installed,
  /// with the package; kInternal with the last words of the server's log where it does not come up.
  static Result<PrivateServer> start(const ServerKind& kind, ServerLimits limits);

  PrivateServer(PrivateServer&& other) noexcept;
  PrivateServer& operator=(PrivateServer&&) = delete;
  PrivateServer(const PrivateServer&) = delete;
  PrivateServer& operator=(const PrivateServer&) = delete;
  ~PrivateServer();

  /// As drivers take it; the same after a restart.
  [[nodiscard]] std::string uri() const;

  [[nodiscard]] bool is_running() const { return pid_ > 0; }

  /// Ends all its processes at once (SIGKILL), and returns when they are gone.
  void kill();
  /// Stops all its processes where they stand (SIGSTOP), and lets them go on.
  void pause();
  void resume();
  /// Asks it to end in good order, and returns when it is gone; kills it if it takes too long.
  void shut_down();
  /// Starts it again after kill() or shut_down(), on the same data, and waits until it takes
  /// connections: what hurts a server heals it, whatever is cancelled meanwhile.
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
  pid_t pid_ = 0;                    ///< 0: it does not run
  std::optional<Guard> guard_ = {};  ///< of the folder
};

}  // namespace elapid
