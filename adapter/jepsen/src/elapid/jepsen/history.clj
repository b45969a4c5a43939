(ns elapid.jepsen.history
  "The file with a history, for a program to read."
  (:require [clojure.edn :as edn]
            [clojure.java.io :as io]
            [jepsen.store :as store])
  (:import (java.io File InputStream PushbackReader RandomAccessFile StringReader)))

(defn- newlines
  "Among the first n bytes."
  ^long [^bytes buffer ^long n]
  (loop [i 0, found 0]
    (cond
      (= i n)                  found
      (== 10 (aget buffer i))  (recur (inc i) (inc found))
      :else                    (recur (inc i) found))))

(defn- line-count
  "Newlines in a file, which is not held in memory."
  ^long [^File file]
  (with-open [in (io/input-stream file)]
    (let [buffer (byte-array 65536)]
      (loop [lines 0]
        (let [n (.read ^InputStream in buffer)]
          (if (neg? n)
            lines
            (recur (+ lines (newlines buffer n)))))))))

(def ^:private longest-last-line
  "Bytes in which an operation's :index is looked for."
  65536)

(defn- last-line
  "The end of a file after its last newline but one; nil where that is far away."
  [^File file]
  (with-open [in (RandomAccessFile. file "r")]
    (let [size   (.length in)
          length (int (min size longest-last-line))
          bytes  (byte-array length)]
      (.seek in (- size length))
      (.readFully in bytes)
      (let [text  (String. bytes "UTF-8")
            start (.lastIndexOf text "\n" (- (count text) 2))]
        (when (or (<= 0 start) (= length size))
          (subs text (inc start)))))))

(def ^:private told-apart-by
  [:index :process :type :f])

(defn- says?
  "Whether a line of a history is this operation."
  [line op]
  (try
    (let [read-op (edn/read {:default (fn [_ value] value), :eof nil}
                            (PushbackReader. (StringReader. line)))]
      (= (map #(get op %) told-apart-by) (map #(get read-op %) told-apart-by)))
    (catch Exception _ false)))

(defn- saved-as?
  "Whether the file is this history as Jepsen saves it: a line an operation, of which the last is the
  last."
  [^File file history]
  (and (.isFile file)
       (pos? (count history))
       (= (count history) (line-count file))
       (when-let [line (last-line file)]
         (says? line (nth history (dec (count history)))))))

(defn- saved-file
  "The file in the store that holds this history already; nil if there is none."
  [test history]
  (when (and (:name test) (:start-time test) (identical? history (:history test)))
    (let [file (io/file (store/path test) "history.edn")]
      (when (saved-as? file history)
        file))))

(defn- write!
  "Writes a history as Jepsen does, a line an operation, without holding it as text."
  [^File file history]
  (with-open [out (io/writer file)]
    (binding [*out*                   out
              *flush-on-newline*      false
              *print-length*          nil
              *print-level*           nil
              *print-meta*            false
              *print-dup*             false
              *print-readably*        true
              *print-namespace-maps*  false]
      (reduce (fn [_ op] (prn (into {} op))) nil history)))
  file)

(defn file!
  "A file with the history: that of the store where it has this very history, else one that is
  written into `dir`, as for a part of a history that jepsen.independent made."
  ^File [^File dir test history]
  (or (saved-file test history)
      (write! (io/file dir "history.edn") history)))
