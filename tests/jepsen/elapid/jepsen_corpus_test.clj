(ns elapid.jepsen-corpus-test
  "Elle's own answers to published and simulated histories, through the adapter: a Jepsen test whose
  checker is swapped sees what it saw. Every file that Elle's authors and users published, and a share
  of the others."
  (:require [clojure.edn :as edn]
            [clojure.java.io :as io]
            [clojure.string :as str]
            [clojure.test :refer [deftest is testing use-fixtures]]
            [elapid.jepsen [append :as append]
                           [wr :as wr]]
            [elapid.jepsen-test.world :as world :refer [check program]]
            [jepsen.store :as store]))

(use-fixtures :each world/in-scratch)

(def ^:private share
  "One in so many of the histories that are not published files."
  400)

(defn- cases-of [workload]
  (let [folder  (io/file (System/getProperty "elapid.shared") "golden" workload)
        cases   (sort (filter #(str/ends-with? % ".opts.edn") (.list folder)))
        files   (filter #(str/starts-with? % "file-") cases)
        others  (remove (set files) cases)]
    (for [file (concat files (take-nth share others))
          :let [{:keys [history opts engine]} (edn/read-string (slurp (io/file folder file)))]
          :when (and (= :elle-main engine) (str/ends-with? history ".edn")
                     (not (str/ends-with? history ".json.edn")))]
      {:name     (str/replace file ".opts.edn" "")
       :history  (io/file folder history)
       :options  opts
       :expected (edn/read-string {:default (fn [_ value] value)}
                                  (slurp (io/file folder (str/replace file ".opts." ".expected."))))})))

(defn- compared
  "What is compared. Which cycles Elle finds before its clock ends a search varies with the machine."
  [{:keys [anomaly-types]} answer]
  (select-keys answer (cond-> [:valid? :not :also-not]
                        (not-any? #{:cycle-search-timeout} anomaly-types) (conj :anomaly-types))))

(defn- answer-to
  "What a checker says of the history as a run of a store."
  [make {:keys [name history options]}]
  (let [run   {:name name, :start-time "20261123T060000.000Z"
               :history (world/history-of (world/read-history history))}
        saved (store/path! run "history.edn")]
    (io/copy history saved)
    (check (make (assoc options :binary program, :elle-compat? true)) run)))

(deftest answers-as-elle
  (doseq [[workload make] {"list-append" append/checker, "rw-register" wr/checker}
          {:keys [name expected] :as golden} (cases-of workload)
          :when (not (:elle/exception expected))]
    (testing (str workload "/" name)
      (is (= (compared expected expected)
             (compared expected (answer-to make golden)))))))
