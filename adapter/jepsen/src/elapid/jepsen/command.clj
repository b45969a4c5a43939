(ns elapid.jepsen.command
  "The command line of a check."
  (:require [clojure.string :as str])
  (:import (java.io File)))

(def version
  "Of this adapter. It reads the results of programs with the same first two numbers: before 1.0 a
  minor version may change them."
  "0.1.0")

(def version-limit-ms
  "How long the program may take to tell its version."
  30000)

(def max-map
  "Bytes of the anomalies in a result: enough to see what went wrong, and nothing that Jepsen, which
  prints and stores all results, would choke on. All of them are in the evidence files."
  "500K")

(defn binary
  "The program to run, by its path or by its name."
  [{:keys [binary]}]
  (str (or binary (System/getenv "ELAPID_BIN") "elapid")))

(defn- names [xs]
  (if (seq xs) (str/join "," (map name xs)) "none"))

(defn- forms [xs] (str/join "," (map pr-str xs)))

(defn- text
  "Of a keyword its name, of anything else how it prints."
  [x]
  (if (keyword? x) (name x) (str x)))

(def ^:private flags
  "Options by name: the flag, and how it says the value."
  {:consistency-models   ["--consistency-models" names]
   :anomalies            ["--anomalies" names]
   :model                ["--model" text]
   :cycle-search-timeout ["--cycle-search-timeout" text]
   :plot-format          ["--plot-format" text]
   :plot-timeout         ["--plot-timeout" text]
   :max-plot-bytes       ["--max-plot-bytes" text]
   :engine               ["--engine" text]
   :initial              ["--initial" pr-str]
   :failed-cas           ["--failed-cas" text]
   :accounts             ["--accounts" forms]
   :total-amount         ["--total-amount" text]
   :group-size           ["--group-size" text]
   :key-count            ["--key-count" text]
   :lock                 ["--lock" text]
   :lock-limit           ["--lock-limit" text]
   :sub-via              ["--sub-via" names]
   :availability         ["--availability" text]
   :memory               ["--memory" text]
   :work                 ["--work" text]
   :threads              ["--threads" text]})

(def ^:private switches
  "Options that are true or false."
  {:sequential-keys?   "--sequential-keys"
   :linearizable-keys? "--linearizable-keys"
   :wfr-keys?          "--wfr-keys"
   :negative-balances? "--negative-balances"
   :linearizable?      "--linearizable-elements"
   :ww-deps            "--ww-deps"
   :elle-compat?       "--elle-compat"})

(def option-keys
  "What a command line can say."
  (concat (keys flags) (keys switches) [:transaction-order]))

(defn- order-file!
  "A file that holds the order of transactions: too long for an argument."
  ^File [^File dir order]
  (let [file (File. dir "transaction-order.edn")]
    (spit file (binding [*print-length* nil, *print-level* nil] (pr-str (into {} order))))
    file))

(defn- duration [seconds]
  (if (integer? seconds) (str seconds "s") (str (long (* 1000 seconds)) "ms")))

(defn- option-arguments [options dir]
  (concat
    (for [[option [flag value]] (sort flags), :when (some? (option options))]
      (str flag "=" (value (option options))))
    (for [[option flag] (sort switches), :when (some? (option options))]
      (str flag "=" (boolean (option options))))
    (when-let [order (:transaction-order options)]
      [(str "--transaction-order=" (order-file! dir order))])
    (when-let [seconds (:timeout-s options)]
      [(str "--timeout=" (duration seconds))])))

(defn of-test
  "What the map of a test tells the checker of its workload, as options."
  [test]
  (select-keys test [:accounts :total-amount :sub-via :ww-deps :key-count :availability]))

(defn question
  "The arguments of a check of nothing: of options that it does not understand, the program says so."
  [binary options]
  (-> [binary "check" "--output=edn" "--format=edn"]
      (into (option-arguments (dissoc options :transaction-order) nil))
      (into ["--" "/dev/null"])))

(defn check
  "The arguments, program first, of a check of this file that writes evidence into `dir`."
  [binary options ^File dir ^File input]
  (-> [binary "check" "--output=edn" (str "--max-map=" max-map) (str "--directory=" dir)
       "--format=edn"]
      (into (option-arguments options dir))
      (into (map str (:args options)))
      (into ["--" (str input)])))
