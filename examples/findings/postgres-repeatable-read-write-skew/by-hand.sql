-- PostgreSQL, level repeatable read. Open a shell for each session (psql test):
--   session 1: T1
--   session 0: T2
-- Then enter the numbered lines in their order, each in the shell of its transaction.

-- Before, in any shell:
create table elapid (k text primary key, v text);
insert into elapid values ('0', '');
insert into elapid values ('1', '');

begin isolation level repeatable read;                       -- 1. T1
select v from elapid where k = '0';                          -- 2. T1 shows an empty text
begin isolation level repeatable read;                       -- 3. T2
update elapid set v = v || ' 2' where k = '0';               -- 4. T2
select v from elapid where k = '1';                          -- 5. T2 shows an empty text
commit;                                                      -- 6. T2
update elapid set v = v || ' 1' where k = '1';               -- 7. T1
commit;                                                      -- 8. T1

-- If every read shows what is noted here and every commit succeeds, PostgreSQL has this anomaly at level
-- repeatable read, which is then not repeatable-read. Otherwise something waits, fails, or shows another value.
