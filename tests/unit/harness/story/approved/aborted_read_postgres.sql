-- PostgreSQL, level read committed. Open a shell for each session (psql test):
--   session 0: T1
--   session 1: T2
--   session 2: T3
-- Then enter the numbered lines in their order, each in the shell of its transaction.

-- Before, in any shell:
create table elapid (k text primary key, v bigint);
insert into elapid values ('x', null);

begin isolation level read committed;                        -- 1. T1
update elapid set v = 1 where k = 'x';                       -- 2. T1
begin isolation level read committed;                        -- 3. T2
select v from elapid where k = 'x';                          -- 4. T2 shows 1
commit;                                                      -- 5. T2
rollback;                                                    -- 6. T1
begin isolation level read committed;                        -- 7. T3
update elapid set v = 3 where k = 'x';                       -- 8. T3
commit;                                                      -- 9. T3 whose client never knew the outcome

-- If every read shows what is noted here and every commit succeeds, PostgreSQL has this anomaly at level
-- read committed, which is then not read-committed. Otherwise something waits, fails, or shows another value.
