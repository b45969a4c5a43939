(ns elapid.jepsen
  "Checkers for Jepsen tests that ask the program elapid.

      (require '[elapid.jepsen :as elapid])

      (checker/compose
        {:elapid (elapid/checker {:consistency-models [:snapshot-isolation]})
         :stats  (checker/stats)})

  The check runs in a process of its own: it takes no memory of the JVM, keeps to its limits, and is
  killed when it does not. The answer is a map with Elle's keys and further ones in the namespace
  elapid. Its :valid? is true, false or :unknown, whatever happens: a process that cannot be run, ends
  in a way of its own or writes what cannot be read makes it :unknown, with the reason under :error.

  What was found is in the folder elapid/ of the run, or of :subdirectory: results.edn, summary.txt,
  the evidence, and stderr.txt. elapid.jepsen.append, .wr and .set stand in for Jepsen's checkers of
  those workloads, elapid.jepsen.workloads for those of the others."
  (:require [elapid.jepsen [command :as command]
                           [folder :as folder]
                           [history :as history]
                           [process :as process]
                           [result :as result]]
            [jepsen.checker :as checker])
  (:import (java.io File)
           (java.nio.file Files)
           (java.nio.file.attribute FileAttribute)))

(def ^:private default-options
  {:concurrency 1
   :folder      "elapid"
   :grace-s     300
   :timeout-s   600})

(def ^:private known-options
  (into #{:args :binary :concurrency :folder :grace-s :timeout-s} command/option-keys))

(defn- limit-ms
  "How long the process may take in all; nil: as long as it likes."
  [{:keys [timeout-s grace-s]}]
  (when timeout-s
    (long (* 1000 (+ timeout-s grace-s)))))

(defn- run-check
  "Runs the program once its version is right. Returns its result map, or one that says why there is
  none."
  [options ^File dir test history]
  (let [binary (command/binary options)]
    (or (result/version-failure (process/run [binary "--version"] dir command/version-limit-ms)
                                binary)
        (let [input   (history/file! dir test history)
              options (merge (command/of-test test) options)
              command (command/check binary options dir input)]
          (result/of-process (process/run command dir (limit-ms options)) command)))))

(defn- refuse-unknown-words!
  "Asks the program whether it understands the options, which say more than their names: a level may
  be misspelt. A program that cannot be asked now may be there after the test, or its verdict says
  why it is not."
  [options]
  (let [dir (.toFile (Files/createTempDirectory "elapid" (make-array FileAttribute 0)))]
    (try
      (when-let [complaint (-> (command/question (command/binary options) options)
                               (process/run dir command/version-limit-ms)
                               result/usage-failure)]
        (throw (IllegalArgumentException. ^String complaint)))
      (finally
        (folder/clear! dir)
        (.delete dir)))))

(defn- check-in
  "The check, with its files in the folder."
  [options ^File dir test history]
  (let [answer (try
                 (folder/clear! dir)
                 (run-check options dir test history)
                 (catch Throwable e    ; even a lack of memory costs no more than this answer
                   (when (instance? InterruptedException e)
                     (.interrupt (Thread/currentThread)))
                   (result/unknown (result/message e))))]
    (folder/write-answer! dir (result/ordered (assoc answer :elapid/directory (str dir))))))

(defn- checker-of
  [options]
  (reify checker/Checker
    (check [_ test history opts]
      (try
        (let [dir (folder/of test opts (:folder options))]
          (folder/call-alone dir #(check-in options dir test history)))
        (catch Throwable e    ; there is no folder
          (result/unknown (result/message e)))))))

(defn checker
  "A checker that lets elapid decide whether a history satisfies consistency models. Options, all of
  them optional; those of Elle mean what they mean there:

      :consistency-models  Models to demand, as [:serializable]. Default: strict serializability
      :anomalies           Further anomalies to look for, as [:G1 :internal]
      :model               The workload, as :list-append, :cas-register or :bank. Default: what the
                           operations tell
      :sequential-keys?    Whether each key is sequentially consistent
      :linearizable-keys?  Whether each key is linearizable
      :wfr-keys?           Whether a transaction's write of a key follows the version that it read
      :transaction-order   Map of completion indices to numbers: the order of transactions
      :cycle-search-timeout  Milliseconds to search a component for cycles
      :plot-format, :plot-timeout, :max-plot-bytes  Of the pictures among the evidence
      :elle-compat?        Whether to answer exactly as Elle does
      :engine              Which engine decides, as :solver
      :initial             What registers hold at first
      :failed-cas          What a failed :cas tells: :drop or :witness
      :accounts, :total-amount, :negative-balances?  Of :bank
      :linearizable?       Of :set-full: whether an element that a read misses after its add is an
                           error
      :group-size, :key-count  Of :long-fork and :sequential
      :lock, :lock-limit   Of :mutex: :reentrant, :semaphore and others, and how many times
      :sub-via, :ww-deps   Of :kafka
      :availability        :total, or the share of operations that have to succeed (Maelstrom)
                           What of these the test's map has need not be given: :accounts,
                           :total-amount, :sub-via, :ww-deps, :key-count and :availability

      :timeout-s           Seconds for deciding (default 600; nil: no limit). Then what is open
                           remains :unknown
      :grace-s             Seconds beyond for reading and writing (default 300). Then the process is
                           killed
      :memory              What deciding may take, as \"4G\". Default: half of the machine's
      :work                Edges to look at: a limit that does not depend on the machine
      :threads             Default: one a core
      :concurrency         Checks at once, under jepsen.independent (default 1; nil: no limit)

      :folder              Where results go, in the run's folder (default \"elapid\"): of several
                           checkers that are composed each needs one of its own
      :binary              The program. Default: the environment variable ELAPID_BIN, or else
                           elapid, on the PATH
      :args                Further arguments of `elapid check`, as strings

  An option that there is not, or a value that the program does not understand, such as a misspelt
  level, is refused at once, rather than after the test."
  ([] (checker {}))
  ([options]
   (when-let [unknown (seq (remove known-options (keys options)))]
     (throw (IllegalArgumentException.
              (str "elapid.jepsen/checker knows no option " (pr-str (vec unknown))
                   "; it knows " (pr-str (vec (sort known-options)))))))
   (let [options (merge default-options options)
         limit   (:concurrency options)]
     (refuse-unknown-words! options)
     (cond->> (checker-of options)
       limit (checker/concurrency-limit limit)))))

(defn standing-in
  "A checker for a workload, from options that are meant for Elle's: those that are not meant for a
  check, such as a generator's, are passed over. Models that are nil are none, as for Elle. Graphs of
  one's own cannot be handed to a program."
  [model options]
  (when (seq (:additional-graphs options))
    (throw (IllegalArgumentException.
             (str "elapid cannot be given :additional-graphs; ask for models that have the orders of "
                  "sessions or real time, as :strong-session-serializable or :strict-serializable"))))
  (checker (cond-> (assoc (select-keys options known-options) :model model)
             (contains? options :consistency-models) (update :consistency-models vec))))

(defn- definite? [valid?]
  (contains? #{true false} valid?))

(defn- answer-of
  "What a checker answers, as a map with a :valid?, even where it dies."
  [checker test history opts]
  (try
    (let [answer (checker/check checker test history opts)]
      (if (contains? #{true false :unknown} (:valid? answer))
        answer
        (assoc (result/unknown "the checker gave no verdict") :elapid/answer (pr-str answer))))
    (catch Throwable e
      (result/unknown (result/message e)))))

(defn compare-with
  "A checker that asks elapid and another checker the same. Where one says true and the other false,
  the verdict is :unknown, and :disagreement has what both say. Otherwise the answer is elapid's, with
  the other's verdict under :elapid/other; if one of them does not know, the verdict is as it would be
  of both composed: false if the other says so, else :unknown."
  ([other] (compare-with (checker) other))
  ([elapid other]
   (reify checker/Checker
     (check [_ test history opts]
       (let [ours    (answer-of elapid test history opts)
             theirs  (answer-of other test history opts)
             valids  (map :valid? [ours theirs])]
         (cond
           (apply = valids)
           (assoc ours :elapid/other {:valid? (:valid? theirs)})

           (every? definite? valids)
           (assoc (result/unknown (str "elapid says " (first valids) ", the other checker "
                                       (second valids)))
                  :disagreement {:elapid ours, :other theirs})

           :else
           (assoc ours
                  :valid? (checker/merge-valid valids)
                  :elapid/other theirs
                  :elapid/verdict (:valid? ours))))))))
