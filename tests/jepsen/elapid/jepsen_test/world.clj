(ns elapid.jepsen-test.world
  "What tests of the adapter stand on: a store with one run, in a folder that goes with the test, and
  programs that misbehave."
  (:require [clojure.edn :as edn]
            [clojure.java.io :as io]
            [clojure.string :as str]
            [elapid.jepsen :as elapid]
            [jepsen [checker :as checker]
                    [store :as store]])
  (:import (java.io File)
           (java.nio.file Files)
           (java.nio.file.attribute FileAttribute)))

(def program         (System/getProperty "elapid.program"))
(def project-version (System/getProperty "elapid.version"))
(def data            (System/getProperty "elapid.data"))

(def ^:dynamic *scratch* nil)

(defn scratch ^File [] *scratch*)

(defn- delete! [^File file]
  (when (.isDirectory file)
    (run! delete! (.listFiles file)))
  (io/delete-file file true))

(defn in-scratch
  "Calls a test with a folder of its own, the store in it."
  [f]
  (let [dir (.toFile (Files/createTempDirectory "elapid-jepsen-test" (make-array FileAttribute 0)))]
    (try
      (binding [*scratch* dir]
        (with-redefs [store/base-dir (str (io/file dir "store"))]
          (f)))
      (finally
        (delete! dir)))))

(def history-of
  "Operations as Jepsen keeps them, where Jepsen is there; else a vector."
  (or (try (requiring-resolve 'jepsen.history/history) (catch Exception _ nil)) vec))

(defn read-history
  "The operations of a file, on lines or in one vector."
  [file]
  (let [forms (with-open [in (java.io.PushbackReader. (io/reader file))]
                (->> (repeatedly #(edn/read {:default (fn [_ value] value), :eof ::end} in))
                     (take-while #(not= ::end %))
                     (into [])))]
    (if (vector? (first forms)) (first forms) forms)))

(def ^:private run-name "write-skew")
(def ^:private run-time "20261123T060000.000Z")

(defn store-file
  "A file of the run."
  ^File [& path]
  (apply io/file store/base-dir run-name run-time path))

(defn file
  "A file of the run's folder elapid/."
  ^File [& path]
  (apply store-file "elapid" path))

(defn history-file [run]
  (store/path run "history.edn"))

(defn saved-run
  "The test map when Jepsen asks the checkers: the history is saved, and part of the test."
  []
  (let [saved (io/file data run-name run-time "history.edn")
        copy  (store-file "history.edn")]
    (when-not (.exists copy)
      (io/make-parents copy)
      (io/copy saved copy))
    {:name run-name, :start-time run-time, :history (history-of (read-history saved))}))

(defn check [checker run]
  (checker/check checker run (:history run) {}))

(defn result-in [run]
  (edn/read-string (slurp (store/path run "elapid" "results.edn"))))

(defn script
  "A program of these lines of shell."
  [& lines]
  (let [file (File/createTempFile "program" ".sh" (scratch))]
    (spit file (str/join "\n" (cons "#!/bin/sh" lines)))
    (.setExecutable file true)
    (str file)))

(defn impostor
  "A program that gives itself out as elapid, of its version and by the options that it understands,
  and then does as the line says."
  [line]
  (script "for last; do :; done"
          (str "case $last in --version|/dev/null) exec " program " \"$@\";; esac")
          line))

(defn pipe
  "A pipe with a name: whoever reads it notices when all who could write to it are gone."
  ^File []
  (let [file (io/file (scratch) "pipe")]
    (.waitFor (.start (ProcessBuilder. ["mkfifo" (str file)])))
    file))

(defn hanging
  "A program that says in the pipe that it has started, and goes on forever with a child."
  [pipe]
  (impostor (str "exec 3>'" pipe "'; sleep 1000 & echo started >&3; wait")))

(defn check-and-exit
  "For a JVM of its own: begins a check that hangs, and ends when standard input does."
  [pipe]
  (let [dir (.getParentFile (io/file pipe))]
    (binding [*scratch* dir]
      (with-redefs [store/base-dir (str (io/file dir "store"))]
        (let [ours (elapid/checker {:binary (hanging pipe), :timeout-s nil})
              run  (saved-run)]
          (future (check ours run))
          (while (not= -1 (.read System/in)))
          (System/exit 0))))))

(defn start-jvm
  "A JVM like this one that evaluates a form."
  ^Process [form]
  (.start (ProcessBuilder.
            (into [(str (io/file (System/getProperty "java.home") "bin" "java"))
                   "-cp" (System/getProperty "java.class.path")]
                  (concat (for [k ["elapid.program" "elapid.version" "elapid.data"]]
                            (str "-D" k "=" (System/getProperty k)))
                          ["clojure.main" "-e" (pr-str form)])))))
