(ns jepsen.store
  "Stands in for Jepsen's namespace of this name: where the files of a test are."
  (:require [clojure.java.io :as io]))

(def base-dir "store")

(defn path
  [test & parts]
  (assert (:name test))
  (assert (:start-time test))
  (apply io/file base-dir (:name test) (:start-time test)
         (->> parts flatten (remove nil?) (map str))))

(defn path! [& args]
  (let [file (apply path args)]
    (io/make-parents file)
    file))
