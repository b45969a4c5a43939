(ns jepsen.checker
  "Stands in for Jepsen's namespace of this name, for tests on machines without Jepsen: what the
  adapter uses of it, and what of it uses the adapter."
  (:import (java.util.concurrent Semaphore)))

(defprotocol Checker
  (check [checker test history opts]))

(def ^:private weights {true 0, :unknown 1, false 2})

(defn merge-valid
  "The gravest of verdicts; something else among them is an error, as in Jepsen."
  [valids]
  (doseq [valid valids]
    (when-not (contains? weights valid)
      (throw (IllegalArgumentException. (str (pr-str valid) " is not a known :valid? value")))))
  (last (sort-by weights (cons true valids))))

(defn check-safe
  "An Exception, but no Error, becomes an unknown verdict."
  ([checker test history] (check-safe checker test history {}))
  ([checker test history opts]
   (try
     (check checker test history opts)
     (catch Exception e
       {:valid? :unknown, :error (str e)}))))

(defn compose
  "Runs checkers at once."
  [checkers]
  (reify Checker
    (check [_ test history opts]
      (let [results (into {} (pmap (fn [[k c]] [k (check-safe c test history opts)]) checkers))]
        (assoc results :valid? (merge-valid (map :valid? (vals results))))))))

(defn concurrency-limit [limit checker]
  (let [permits (Semaphore. limit true)]
    (reify Checker
      (check [_ test history opts]
        (.acquire permits)
        (try
          (check checker test history opts)
          (finally (.release permits)))))))
