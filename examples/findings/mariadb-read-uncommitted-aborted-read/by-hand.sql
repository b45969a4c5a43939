-- MySQL, level read uncommitted. Open a shell for each session (mysql test):
--   session 0: T1
--   session 1: T2
-- Then enter the numbered lines in their order, each in the shell of its transaction.

-- Before, in any shell:
create table elapid (k varchar(100) primary key, v text);
insert into elapid values ('0', '');

set transaction isolation level read uncommitted; begin;       -- 1. T1
update elapid set v = concat(v, ' 1') where k = '0';         -- 2. T1
set transaction isolation level read uncommitted; begin;       -- 3. T2
select v from elapid where k = '0';                          -- 4. T2 shows 1
commit;                                                      -- 5. T2
rollback;                                                    -- 6. T1

-- If every read shows what is noted here and every commit succeeds, MySQL has this anomaly at level
-- read uncommitted, which is then not read-committed. Otherwise something waits, fails, or shows another value.
