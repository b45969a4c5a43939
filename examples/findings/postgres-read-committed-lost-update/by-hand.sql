-- PostgreSQL, level read committed. Open a shell for each session (psql test):
--   session 1: T1
--   session 0: T2
-- Then enter the numbered lines in their order, each in the shell of its transaction.

-- Before, in any shell:
create table elapid (k text primary key, v bigint);
insert into elapid values ('0', null);

begin isolation level read committed;                       -- 1. T1
select v from elapid where k = '0';                          -- 2. T1 shows null
begin isolation level read committed;                       -- 3. T2
select v from elapid where k = '0';                          -- 4. T2 shows null
update elapid set v = 2 where k = '0';                       -- 5. T2
commit;                                                      -- 6. T2
update elapid set v = 1 where k = '0';                       -- 7. T1
commit;                                                      -- 8. T1

-- If every read shows what is noted here and every commit succeeds, PostgreSQL has this anomaly at level
-- read committed, which is then not cursor-stability, update-atomic. Otherwise something waits, fails, or shows another value.
