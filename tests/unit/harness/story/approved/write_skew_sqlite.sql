-- SQLite, level serializable. Open a shell for each session (sqlite3 test.db):
--   session 0: T1
--   session 1: T2
-- Then enter the numbered lines in their order, each in the shell of its transaction.

-- Before, in any shell:
pragma journal_mode = wal;
create table elapid (k text primary key, v bigint);
insert into elapid values ('x', null);
insert into elapid values ('y', null);

begin;                                                       -- 1. T1
select v from elapid where k = 'x';                          -- 2. T1 shows null
begin;                                                       -- 3. T2
select v from elapid where k = 'y';                          -- 4. T2 shows null
update elapid set v = 1 where k = 'x';                       -- 5. T2
commit;                                                      -- 6. T2
update elapid set v = 1 where k = 'y';                       -- 7. T1
commit;                                                      -- 8. T1

-- If every read shows what is noted here and every commit succeeds, SQLite has this anomaly at level
-- serializable, which is then not repeatable-read. Otherwise something waits, fails, or shows another value.
