(ns elapid.jepsen.folder
  "The folder elapid/ in a run of Jepsen's store. Its results.edn gives it a colour in Jepsen's web
  view, and its summary.txt a preview there."
  (:require [clojure.java.io :as io]
            [clojure.string :as str]
            [elapid.jepsen.result :as result]
            [jepsen.store :as store])
  (:import (java.io File)
           (java.nio.file CopyOption Files StandardCopyOption)
           (java.nio.file.attribute FileAttribute)
           (java.util.concurrent ConcurrentHashMap)
           (java.util.concurrent.locks ReentrantLock)
           (java.util.function Function)))

(defn of
  "The folder for a check, which is made if need be: in the store, below :subdirectory, or, of a test
  that has no place there, a temporary one."
  ^File [test {:keys [subdirectory]} folder]
  (if (and (:name test) (:start-time test))
    (.getParentFile ^File (store/path! test subdirectory folder "results.edn"))
    (.toFile (Files/createTempDirectory "elapid" (make-array FileAttribute 0)))))

(def ^:private ^ConcurrentHashMap locks
  (ConcurrentHashMap.))

(defn call-alone
  "Calls `f` while no other thread does so with this folder: composed checkers run concurrently."
  [^File dir f]
  (let [lock ^ReentrantLock (.computeIfAbsent locks (.getCanonicalPath dir)
                                              (reify Function
                                                (apply [_ _] (ReentrantLock.))))]
    (.lockInterruptibly lock)
    (try
      (f)
      (finally
        (.unlock lock)))))

(defn- delete! [^File file]
  (when (and (.isDirectory file) (not (Files/isSymbolicLink (.toPath file))))
    (run! delete! (.listFiles file)))
  (io/delete-file file true))

(defn clear!
  "Empties the folder: what is there afterwards is of one check."
  [^File dir]
  (run! delete! (.listFiles dir)))

(defn- write-whole!
  "Writes a file beside its place and moves it there."
  [^File file text]
  (let [part (io/file (str file ".part"))]
    (spit part text :encoding "UTF-8")
    (Files/move (.toPath part) (.toPath file)
                (into-array CopyOption [StandardCopyOption/REPLACE_EXISTING
                                        StandardCopyOption/ATOMIC_MOVE]))))

(defn- map-text
  "The map, a key a line."
  [answer]
  (binding [*print-length* nil, *print-level* nil, *print-meta* false, *print-readably* true,
            *print-namespace-maps* false]
    (str "{" (str/join "\n " (for [[k v] answer] (str (pr-str k) " " (pr-str v)))) "}\n")))

(defn- names [xs]
  (str/join ", " (sort (map name xs))))

(defn- summary-text
  "The verdict in a few lines, where the program has left none."
  [{:keys [valid? anomaly-types not] :as answer}]
  (str/join
    (for [[what line] [[true                             (case valid?
                                                           true     "elapid: valid"
                                                           false    "elapid: invalid"
                                                           :unknown "elapid: unknown")]
                       [(:elapid/models answer)          (str "asked: " (names (:elapid/models answer)))]
                       [anomaly-types                    (str "found: " (names anomaly-types))]
                       [not                              (str "not: " (names not))]
                       [(:elapid/unknown-because answer) (:elapid/unknown-because answer)]]
          :when what]
      (str line "\n"))))

(defn write-answer!
  "Writes results.edn, and summary.txt if the program has not or has failed, and returns the answer:
  even where nothing can be written."
  [^File dir answer]
  (try
    (let [summary (io/file dir "summary.txt")]
      (write-whole! (io/file dir "results.edn") (map-text answer))
      (when (or (result/failed? answer) (not (.exists summary)))
        (write-whole! summary (summary-text answer))))
    answer
    (catch Exception e
      (update answer :elapid/notes (fnil conj []) (str "not written: " (.getMessage e))))))
