(ns elapid.jepsen-test
  "The adapter with the program itself, with programs that fail in each way, and under what Jepsen does
  with checkers. main runs all that is here; see tests/jepsen/run."
  (:require [clojure.edn :as edn]
            [clojure.java.io :as io]
            [clojure.string :as str]
            [clojure.test :refer [deftest is testing use-fixtures]]
            [clojure.walk :as walk]
            [elapid.jepsen :as elapid]
            [elapid.jepsen [append :as append]
                           [command :as command]
                           [set :as set]
                           [workloads :as workloads]
                           [wr :as wr]]
            [elapid.jepsen-test.world :as world :refer [check program script]]
            [jepsen [checker :as checker]
                    [independent :as independent]])
  (:import (clojure.lang IPersistentCollection Keyword Symbol)
           (java.util Date)))

(use-fixtures :each world/in-scratch)

(defn- answers
  "What a checker with these options says of the run in tests/data."
  [options]
  (check (elapid/checker (merge {:binary program} options)) (world/saved-run)))

(defn- reason [options]
  (let [{:keys [valid? error] :as answer} (answers options)]
    (is (= :unknown valid?))
    (is (= error (:elapid/unknown-because answer)))
    (is (= answer (world/result-in (world/saved-run))) "results.edn has the reason too")
    (is (str/includes? (slurp (world/file "summary.txt")) error))
    error))

; What it answers

(deftest valid
  (let [answer (answers {:consistency-models [:snapshot-isolation]})]
    (is (true? (:valid? answer)))
    (is (= #{:snapshot-isolation} (:elapid/models answer)))
    (is (= 120 (:events (:elapid/counts answer))))
    (is (= answer (world/result-in (world/saved-run))))
    (is (.exists (world/file "summary.txt")))))

(deftest invalid
  (let [answer (answers {:consistency-models [:serializable]})]
    (is (false? (:valid? answer)))
    (is (= [:G2-item] (:anomaly-types answer)))
    (is (= :G2-item (:type (first (:G2-item (:anomalies answer))))))
    (is (= #{:repeatable-read} (:not answer)))
    (is (contains? (:also-not answer) :serializable))
    (is (= answer (world/result-in (world/saved-run))))
    (is (= [:valid? :anomaly-types :anomalies :not :also-not] (take 5 (keys answer)))
        "as people read it")
    (is (.exists (world/file "G2-item.txt")) "evidence is beside it")
    (is (.exists (world/file "report.html")))))

(deftest unknown-by-budget
  (let [answer (answers {:consistency-models [:snapshot-isolation], :engine :search, :work 1})]
    (is (= :unknown (:valid? answer)))
    (is (str/includes? (:elapid/unknown-because answer) "budget"))
    (is (nil? (:error answer)) "that is no failure")))

(deftest answers-do-not-stay
  (is (false? (:valid? (answers {:consistency-models [:serializable]}))))
  (is (true? (:valid? (answers {:consistency-models [:snapshot-isolation]}))))
  (is (not (.exists (world/file "G2-item.txt")))))

(deftest options-reach-the-program
  (let [dir  (io/file "some where")
        line (command/check "elapid" {:consistency-models [:serializable :snapshot-isolation]
                                      :anomalies [:G1], :model :list-append, :wfr-keys? true
                                      :sequential-keys? false, :engine :solver, :initial 0
                                      :memory "4G", :threads 2, :work 10, :timeout-s 1.5
                                      :cycle-search-timeout 7, :plot-format :png, :plot-timeout 8
                                      :max-plot-bytes 9, :elle-compat? false, :args ["-q"]}
                            dir (io/file "history.edn"))]
    (is (= ["elapid" "check"] (take 2 line)))
    (is (= ["-q" "--" "history.edn"] (take-last 3 line)))
    (doseq [argument ["--directory=some where" "--consistency-models=serializable,snapshot-isolation"
                      "--anomalies=G1" "--model=list-append" "--wfr-keys=true"
                      "--sequential-keys=false" "--engine=solver" "--initial=0" "--memory=4G"
                      "--threads=2" "--work=10" "--timeout=1500ms" "--cycle-search-timeout=7"
                      "--plot-format=png" "--plot-timeout=8" "--max-plot-bytes=9"
                      "--elle-compat=false"]]
      (is (some #{argument} line) argument))))

(deftest options-that-there-are-not
  (is (thrown-with-msg? IllegalArgumentException #":consistency-model\b"
                        (elapid/checker {:consistency-model [:serializable]}))))

(deftest values-that-the-program-does-not-understand
  (is (thrown-with-msg? IllegalArgumentException #"'serialisable'; did you mean serializable\?"
                        (elapid/checker {:binary program, :consistency-models [:serialisable]})))
  (is (thrown-with-msg? IllegalArgumentException #"unknown engine 'olve'"
                        (append/checker {:binary program, :engine :olve})))
  (is (elapid/checker {:binary "/no-such-elapid", :consistency-models [:serialisable]})
      "the test may bring the program"))

(deftest transaction-order
  (is (false? (:valid? (answers {:transaction-order {1 1, 3 0}, :consistency-models [:serializable]}))))
  (is (= {1 1, 3 0} (edn/read-string (slurp (world/file "transaction-order.edn"))))))

(deftest versions-are-one
  (let [project (io/file world/data "../../../adapter/jepsen/project.clj")]
    (is (= world/project-version command/version (nth (edn/read-string (slurp project)) 2)))))

; Histories

(deftest a-saved-history-is-not-copied
  (answers {})
  (is (not (.exists (world/file "history.edn")))))

(deftest another-history-is-not-taken-for-the-saved-one
  (let [{:keys [history] :as run} (world/saved-run)
        ours    (elapid/checker {:binary program, :consistency-models [:serializable]})
        of      (fn [test history] (:events (:elapid/counts (checker/check ours test history {}))))
        shorter (world/history-of (butlast history))]
    (testing "a part of it"
      (is (= 119 (of run shorter)))
      (is (= 119 (count (str/split-lines (slurp (world/file "history.edn")))))))
    (testing "another one of the same length"
      (let [other (world/history-of (assoc-in (vec history) [119 :process] 77))]
        (is (= 120 (of (assoc run :history other) other)))
        (is (.exists (world/file "history.edn")))))
    (testing "a file that is not whole"
      (spit (world/history-file run) (apply str (map prn-str (take 60 history))))
      (is (= 120 (of run history))))
    (testing "no file"
      (io/delete-file (world/history-file run))
      (is (= 120 (of run history))))))

(deftest histories-are-written-whatever-the-printer-is-told
  (binding [*print-length* 2, *print-level* 1, *print-meta* true, *print-namespace-maps* true]
    (let [run    (dissoc (world/saved-run) :name)
          answer (check (elapid/checker {:binary program}) run)]
      (is (= 120 (:events (:elapid/counts answer))))
      (is (= answer (edn/read-string (slurp (io/file (:elapid/directory answer) "results.edn"))))
          "of a test without a place in the store the files are in a temporary folder"))))

(deftest empty-histories
  (is (= :unknown (:valid? (check (elapid/checker {:binary program})
                                  (assoc (world/saved-run) :history []))))))

(deftest hostile-values
  (let [evil   ["<script>alert(1)</script>" "\u001b[31m\u0007" "\u202eabc\u2066" "a\nb\t\"\\"
                "\u0000" "&amp;'`$(rm -rf /)"]
        write  (fn [i v] (let [op {:process i, :f :txn, :value [[:append v i]], :error v}]
                           [(assoc op :type :invoke) (assoc op :type :fail)]))
        read   (fn [i v] (let [op {:process (+ 100 i), :f :txn}]
                           [(assoc op :type :invoke, :value [[:r v nil]])
                            (assoc op :type :ok, :value [[:r v [i]]])]))
        ops    (concat (mapcat write (range) evil) (mapcat read (range) evil))
        history (world/history-of (map-indexed #(assoc %2 :index %1, :time %1) ops))
        run    (assoc (world/saved-run) :history history)
        answer (check (elapid/checker {:binary program}) run)
        keys   (fn [answer] (set (map (comp second :mop) (:G1a (:anomalies answer)))))]
    (is (false? (:valid? answer)))
    (is (= (set evil) (keys answer)) "keys come back as they are")
    (is (= answer (world/result-in run)))
    (is (not (re-find #"[\p{Cntrl}&&[^\n]]" (slurp (world/file "summary.txt")))))))

(deftest answers-are-small
  (let [abort   (fn [i] (for [[process type value] [[0 :invoke [[:append i i]]] [0 :fail [[:append i i]]]
                                                    [1 :invoke [[:r i nil]]]    [1 :ok [[:r i [i]]]]]]
                          {:type type, :process process, :f :txn, :value value}))
        history (world/history-of (map-indexed #(assoc %2 :index %1, :time %1)
                                               (mapcat abort (range 4000))))
        run     (assoc (world/saved-run) :history history)
        answer  (check (elapid/checker {:binary program}) run)]
    (is (= [:G1a] (:anomaly-types answer)))
    (is (= 4000 (+ (count (:G1a (:anomalies answer))) (:G1a (:elapid/omitted answer)))))
    (is (< (.length (world/file "results.edn")) 1000000))
    (is (< 1000000 (.length (world/file "G1a.txt"))) "where all of them are")))

; Failures of the process

(deftest missing-binary
  (is (re-find #"no-such-elapid cannot be run .*ELAPID_BIN" (reason {:binary "/no-such-elapid"})))
  (is (re-find #"cannot be run" (reason {:binary (str (world/scratch))})) "a folder"))

(deftest wrong-version
  (is (re-find #"is not elapid .* said \"elapid 9.9.9\"" (reason {:binary (script "echo elapid 9.9.9")})))
  (is (re-find #"is not elapid" (reason {:binary "/bin/true"})))
  (is (re-find #"is not elapid" (reason {:binary (script "head -c 300000 /dev/zero")}))))

(deftest crashes
  (is (re-find #"signal 11 ended it" (reason {:binary (world/impostor "kill -SEGV $$")})))
  (is (re-find #"signal 9 ended it" (reason {:binary (world/impostor "kill -KILL $$")})))
  (is (re-find #"exit code 70.*: a bug" (reason {:binary (world/impostor "echo a bug >&2; exit 70")})))
  (is (re-find #"exit code 64.*no-such-flag" (reason {:args ["--no-such-flag"]})))
  (is (re-find #"exit code 5: it should not" (reason {:binary (world/impostor "exit 5")}))))

(deftest garbage
  (doseq [[what output] {"no map" "echo hello", "no EDN" "echo '{:valid? '", "nothing" ":"
                         "two maps" "echo '{:valid? true} {:valid? true}'"
                         "too much" "echo '{:valid? true'; head -c 5000000 /dev/zero | tr '\\0' ' '; echo '}'"
                         "nested too deeply" "head -c 900000 /dev/zero | tr '\\0' '['"}]
    (testing what
      (is (re-find #"cannot be read" (reason {:binary (world/impostor output)}))))))

(deftest disagreeing-exit-codes
  (is (re-find #"exit code 1 disagrees with :valid\? true"
               (reason {:binary (world/impostor "echo '{:valid? true}'; exit 1")})))
  (is (re-find #"exit code 0 disagrees with :valid\? nil"
               (reason {:binary (world/impostor "echo '{}'")})))
  (is (re-find #"exit code 0 disagrees" (reason {:binary (world/impostor "echo '{:valid? 1}'")}))))

(deftest full-disk
  (is (re-find #"exit code 70.*No space left on device"
               (reason {:binary (world/impostor (str "exec " program " \"$@\" >/dev/full"))}))))

(deftest unwritable-folder
  (let [run (world/saved-run)]
    (spit (world/file) "in the way")
    (let [{:keys [valid? error]} (check (elapid/checker {:binary program}) run)]
      (is (= :unknown valid?))
      (is (string? error)))))

(deftest killed-when-the-time-is-over
  (is (re-find #"still running after 0.2 s and was killed"
               (reason {:binary (world/impostor "exec sleep 1000"), :timeout-s 0.1, :grace-s 0.1}))))

(deftest killed-on-interrupt
  (let [pipe    (world/pipe)
        answer  (promise)
        ours    (elapid/checker {:binary (world/hanging pipe), :timeout-s nil})
        run     (world/saved-run)
        thread  (doto (Thread. #(let [result (check ours run)]
                                  (deliver answer [result (Thread/interrupted)])))
                  (.start))]
    (with-open [in (io/reader pipe)]
      (is (= "started" (.readLine in)))
      (.interrupt thread)
      (let [[result interrupted?] (deref answer 60000 nil)]
        (is (= :unknown (:valid? result)))
        (is (re-find #"InterruptedException" (str (:error result))))
        (is interrupted? "which is not swallowed"))
      (is (nil? (deref (future (.readLine in)) 60000 :alive)) "all processes are gone"))))

(deftest killed-with-the-jvm
  (let [pipe  (world/pipe)
        child (world/start-jvm `(do (require 'elapid.jepsen-test.world)
                                    (world/check-and-exit ~(str pipe))))]
    (with-open [in (io/reader pipe)]
      (is (= "started" (.readLine in)))
      (.close (.getOutputStream child))
      (is (zero? (.waitFor child)))
      (is (nil? (deref (future (.readLine in)) 60000 :alive)) "the process is gone"))))

; Under Jepsen

(deftest composed
  (let [models  {:si [:snapshot-isolation], :ser [:serializable]}
        compose (fn [options]
                  (checker/compose
                    (into {} (for [[k models] models]
                               [k (elapid/checker (merge {:binary program, :consistency-models models}
                                                         (options k)))]))))]
    (testing "a folder each"
      (let [answer (check (compose (fn [k] {:folder (str "elapid-" (name k))})) (world/saved-run))]
        (is (= [false true false] (map :valid? [answer (:si answer) (:ser answer)])))
        (is (true? (:valid? (edn/read-string (slurp (world/store-file "elapid-si/results.edn"))))))
        (is (false? (:valid? (edn/read-string (slurp (world/store-file "elapid-ser/results.edn"))))))))
    (testing "one folder: no answer takes the other's place"
      (let [answer (check (compose (constantly {})) (world/saved-run))]
        (is (= [true false] (map :valid? [(:si answer) (:ser answer)])))))
    (testing "a failure leaves the others their verdicts"
      (let [answer (check (compose (fn [k] (when (= k :si) {:binary "/none"}))) (world/saved-run))]
        (is (= [false :unknown false] (map :valid? [answer (:si answer) (:ser answer)])))))))

(deftest of-independent-keys
  (let [{:keys [history] :as run} (world/saved-run)
        lift   (fn [k] (map #(update % :value (partial independent/tuple k)) history))
        aborted (for [[process type value] [[90 :invoke [[:append 9 1]]] [90 :fail [[:append 9 1]]]
                                            [91 :invoke [[:r 9 nil]]]    [91 :ok [[:r 9 [1]]]]]]
                  {:type type, :process process, :f :txn, :value (independent/tuple "b c" value)})
        nemesis {:type :info, :process :nemesis, :f :kill, :value {"n1" :killed}}
        ops    (world/history-of (map-indexed #(assoc %2 :index %1, :time %1) (concat (lift 0) aborted [nemesis])))
        ours   (elapid/checker {:binary program, :consistency-models [:snapshot-isolation]
                                :concurrency 2})
        answer (check (independent/checker ours) (assoc run :history ops))]
    (is (false? (:valid? answer)))
    (is (= ["b c"] (:failures answer)))
    (is (true? (get-in answer [:results 0 :valid?])))
    (is (= 121 (get-in answer [:results 0 :elapid/counts :events])) "with what the nemesis did")
    (is (false? (:valid? (edn/read-string
                           (slurp (world/store-file "independent/b c/elapid/results.edn"))))))
    (is (= 5 (count (str/split-lines
                      (slurp (world/store-file "independent/b c/elapid/history.edn"))))))))

(defn- saying [answer]
  (reify checker/Checker
    (check [_ _ _ _] (if (fn? answer) (answer) answer))))

(deftest compared
  (let [compared (fn [models other]
                   (check (elapid/compare-with
                            (elapid/checker {:binary program, :consistency-models models})
                            (saying other))
                          (world/saved-run)))]
    (testing "agreeing"
      (let [answer (compared [:serializable] {:valid? false, :anomaly-types [:G2-item]})]
        (is (false? (:valid? answer)))
        (is (= {:valid? false} (:elapid/other answer)))
        (is (= [:G2-item] (:anomaly-types answer)))
        (is (not (contains? answer :disagreement)))))
    (testing "disagreeing"
      (let [answer (compared [:serializable] {:valid? true})]
        (is (= :unknown (:valid? answer)))
        (is (= "elapid says false, the other checker true" (:error answer)))
        (is (= {:valid? true} (get-in answer [:disagreement :other])))
        (is (= [:G2-item] (get-in answer [:disagreement :elapid :anomaly-types])))))
    (testing "one of them does not know"
      (is (= :unknown (:valid? (compared [:snapshot-isolation] {:valid? :unknown}))))
      (is (false? (:valid? (compared [:serializable] {:valid? :unknown}))))
      (is (= :unknown (:valid? (check (elapid/compare-with (elapid/checker {:binary "/none"})
                                                           (saying {:valid? true}))
                                      (world/saved-run)))))
      (is (= :unknown (:valid? (compared [:snapshot-isolation] nil))))
      (is (= :unknown (:valid? (compared [:snapshot-isolation] #(throw (OutOfMemoryError. "x")))))))))

(deftest in-place-of-jepsen's-checkers
  (let [run     (world/saved-run)
        options {:binary program, :consistency-models [:serializable], :key-count 3
                 :max-txn-length 4}]
    (testing "append"
      (is (false? (:valid? (check (append/checker options) run))))
      (is (satisfies? checker/Checker (append/checker)))
      (is (= [:generated options] (append/gen options) (:generator (append/test options))))
      (is (= :final-reads (:final-generator (append/test options))) "what else Jepsen's test has")
      (is (false? (:valid? (check (:checker (append/test options)) run)))))
    (testing "models that are nil are none, as for Elle"
      (let [answer #(:valid? (check (append/checker (assoc options :consistency-models %)) run))]
        (is (= (answer []) (answer nil)))
        (is (not (false? (answer nil))))))
    (testing "wr"
      (is (satisfies? checker/Checker (wr/checker)))
      (is (= [:generated options] (wr/gen options) (:generator (wr/test options))))
      (is (= :unknown (:valid? (check (wr/checker options) run))) "these are no registers"))
    (testing "set"
      (let [op      (fn [f t v] {:type t, :f f, :value v, :process 0})
            history [(op :add :invoke 1) (op :add :ok 1) (op :add :invoke 2) (op :add :ok 2)
                     (op :read :invoke nil) (op :read :ok [1])]
            answer  (check (set/checker {:binary program}) (assoc run :history (world/history-of history)))]
        (is (false? (:valid? answer)))
        (is (= [1 "#{2}"] [(:lost-count answer) (:lost answer)]))
        (is (= :unknown (:valid? (check (set/checker {:binary program})
                                        (assoc run :history (world/history-of (subvec history 0 4))))))
            "never read")))
    (testing "graphs are code, which no program can be given"
      (is (thrown-with-msg? IllegalArgumentException #"additional-graphs"
                            (append/checker {:additional-graphs [identity]}))))))

(deftest of-other-workloads
  (let [op     (fn [f t v] {:type t, :f f, :value v, :process 0})
        judge  (fn [checker history & {:as told}]
                 (check checker
                        (merge (world/saved-run) told {:history (world/history-of history)})))
        reads  (fn [& balances]
                 (into [] (mapcat (fn [b] [(op :read :invoke nil) (op :read :ok b)])) balances))
        twice  (into [] (mapcat (fn [f] [(op f :invoke nil) (op f :ok nil)])) [:acquire :acquire])]
    (testing "a bank, whose total is in the test's map"
      (is (true? (:valid? (judge (workloads/bank {:binary program}) (reads {0 6, 1 4})))))
      (is (= [false 1]
             ((juxt :valid? :error-count)
              (judge (workloads/bank {:binary program}) (reads {0 6, 1 4})
                     :total-amount 11, :accounts [0 1])))))
    (testing "an option counts more"
      (is (true? (:valid? (judge (workloads/bank {:binary program, :total-amount 10})
                                 (reads {0 6, 1 4})
                                 :total-amount 11)))))
    (testing "objects"
      (is (false? (:valid? (judge (workloads/mutex {:binary program}) twice))))
      (is (true? (:valid? (judge (workloads/mutex {:binary program, :lock :reentrant}) twice)))))))

(defn- storable?
  "Whether Jepsen's store has a way to write it: no records, functions, or tags."
  [x]
  (and (not (record? x))
       (or (nil? x) (boolean? x) (number? x) (string? x) (char? x) (uuid? x)
           (some #(instance? % x) [Keyword Symbol Date IPersistentCollection]))))

(deftest answers-can-be-stored
  (let [strange "#foo/bar {:a #object[java.lang.Object 0x1f \"x\"]}"
        history (world/file "history.edn")]
    (io/make-parents history)
    (let [answer (answers {:binary (world/impostor
                                     (str "printf '%s' '{:valid? false :x " strange
                                          " :at #inst \"2020-01-01\" :sym a/b}'; exit 1"))})
          seen   (atom [])]
      (walk/postwalk #(do (swap! seen conj %) %) answer)
      (is (false? (:valid? answer)))
      (is (every? storable? @seen))
      (is (str/starts-with? (:x answer) "#foo/bar ")))))
