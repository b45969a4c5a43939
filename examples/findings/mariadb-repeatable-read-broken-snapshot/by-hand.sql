-- MySQL, level repeatable read. Open a shell for each session (mysql test):
--   session 0: T1
--   session 1: T2
--   session 2: T3
-- Then enter the numbered lines in their order, each in the shell of its transaction.

-- Before, in any shell:
create table elapid (k varchar(100) primary key, v text);
insert into elapid values ('0', '');

set transaction isolation level repeatable read; begin;      -- 1. T1
set transaction isolation level repeatable read; begin;      -- 2. T2
select v from elapid where k = '0';                          -- 3. T2 shows an empty text
update elapid set v = concat(v, ' 1') where k = '0';         -- 4. T1
set transaction isolation level repeatable read; begin;      -- 5. T3
commit;                                                      -- 6. T1
update elapid set v = concat(v, ' 2') where k = '0';         -- 7. T2
commit;                                                      -- 8. T2
select v from elapid where k = '0';                          -- 9. T3 shows 1 2
commit;                                                      -- 10. T3

-- If every read shows what is noted here and every commit succeeds, MySQL has this anomaly at level
-- repeatable read, which is then not consistent-view, repeatable-read. Otherwise something waits, fails, or shows another value.
