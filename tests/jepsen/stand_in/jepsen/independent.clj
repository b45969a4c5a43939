(ns jepsen.independent
  "Stands in for Jepsen's namespace of this name: a history of many keys as a history a key."
  (:require [jepsen [checker :as checker]
                    [store :as store]])
  (:import (clojure.lang MapEntry)))

(defn tuple [k v]
  (MapEntry. k v))

(defn- tuple? [value]
  (instance? MapEntry value))

(defn subhistory
  "Operations of the key, and those of no key."
  [k history]
  (keep (fn [{:keys [value] :as op}]
          (cond
            (not (tuple? value)) op
            (= k (key value))    (assoc op :value (val value))))
        history))

(defn checker
  [inner]
  (reify checker/Checker
    (check [_ test history opts]
      (let [ks      (distinct (keep (fn [{:keys [value]}] (when (tuple? value) (key value))) history))
            results (->> ks
                         (pmap (fn [k]
                                 (let [subdirectory [(:subdirectory opts) "independent" k]
                                       subhistory   (subhistory k history)
                                       result       (checker/check-safe
                                                      inner test subhistory
                                                      {:subdirectory subdirectory, :history-key k})]
                                   (spit (store/path! test subdirectory "results.edn") (pr-str result))
                                   [k result])))
                         (into {}))]
        {:valid?   (checker/merge-valid (map :valid? (vals results)))
         :results  results
         :failures (vec (keep (fn [[k result]] (when-not (:valid? result) k)) results))}))))
