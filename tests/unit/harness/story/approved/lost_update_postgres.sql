-- PostgreSQL, level repeatable read. Open a shell for each session (psql test):
--   session 0: T1
--   session 1: T2
--   session 2: T3
-- Then enter the numbered lines in their order, each in the shell of its transaction.

-- Before, in any shell:
create table elapid (k text primary key, v text);
insert into elapid values ('x', '');

begin isolation level repeatable read;                       -- 1. T1
select v from elapid where k = 'x';                          -- 2. T1 shows an empty text
begin isolation level repeatable read;                       -- 3. T2
select v from elapid where k = 'x';                          -- 4. T2 shows an empty text
update elapid set v = v || ' 1' where k = 'x';               -- 5. T1
commit;                                                      -- 6. T1
update elapid set v = v || ' 2' where k = 'x';               -- 7. T2
commit;                                                      -- 8. T2
begin isolation level repeatable read;                       -- 9. T3
select v from elapid where k = 'x';                          -- 10. T3 shows 1 2
commit;                                                      -- 11. T3

-- If every read shows what is noted here and every commit succeeds, PostgreSQL has this anomaly at level
-- repeatable read, which is then not cursor-stability, update-atomic. Otherwise something waits, fails, or shows another value.
