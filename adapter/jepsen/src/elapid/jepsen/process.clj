(ns elapid.jepsen.process
  "Programs: run with a limit of time, and never left behind.

  Output goes to files, which neither fill memory nor stall a program as pipes would."
  (:import (java.io File IOException)
           (java.lang ProcessBuilder$Redirect ProcessHandle)
           (java.util List Set)
           (java.util.concurrent ConcurrentHashMap TimeUnit)
           (java.util.function Consumer)))

(def ^:private ^Set running
  (ConcurrentHashMap/newKeySet))

(defn- kill!
  "Ends the program with all that it has started, and waits until it is gone. Nothing that has ended
  is harmed."
  [^Process process]
  (-> (.descendants process)
      (.forEach (reify Consumer
                  (accept [_ child] (.destroyForcibly ^ProcessHandle child)))))
  (.destroyForcibly process)
  (.waitFor process 10 TimeUnit/SECONDS))

(def ^:private kill-at-exit
  "What still runs when the JVM ends ends with it."
  (delay
    (.addShutdownHook (Runtime/getRuntime)
                      (Thread. ^Runnable (fn [] (run! kill! (vec running)))))))

(defn- start
  ^Process [command ^File out ^File err]
  @kill-at-exit
  (-> (ProcessBuilder. ^List (vec command))
      (.redirectInput (ProcessBuilder$Redirect/from (File. "/dev/null")))
      (.redirectOutput out)
      (.redirectError err)
      (.start)))

(defn- await-exit
  "The exit code; nil if the time was over before."
  [^Process process limit-ms]
  (cond
    (nil? limit-ms)                                    (.waitFor process)
    (.waitFor process limit-ms TimeUnit/MILLISECONDS)  (.exitValue process)))

(defn run
  "Runs a command, and kills it when `limit-ms` are over (nil: never), when this thread is
  interrupted, and when the JVM ends. Returns

      {:out   the file with its standard output
       :err   the file with what it said on standard error
       :exit  its exit code; 128 and the signal, if one ended it
       :limit-ms  instead of :exit: what it was killed for
       :error     instead of both: why it could not be started}

  The files are in `dir`, and there is one run in it at a time."
  [command ^File dir limit-ms]
  (let [out (File. dir "results.edn.part")
        err (File. dir "stderr.txt")]
    (try
      (let [process (start command out err)]
        (.add running process)
        (try
          (if-let [code (await-exit process limit-ms)]
            {:out out, :err err, :exit code}
            {:out out, :err err, :limit-ms limit-ms})
          (finally
            (let [interrupted? (Thread/interrupted)]
              (kill! process)
              (.remove running process)
              (when interrupted?
                (.interrupt (Thread/currentThread)))))))
      (catch IOException e
        {:out out, :err err, :error (.getMessage e)}))))
