-- MySQL, level serializable. Open a shell for each session (mysql test):
--   session 0: T1
--   session 1: T2
--   session 2: T3
-- Then enter the numbered lines in their order, each in the shell of its transaction.

-- Before, in any shell:
create table elapid (k varchar(100) primary key, v text);
insert into elapid values ('x', '');

set transaction isolation level serializable; begin;         -- 1. T1
select v from elapid where k = 'x';                          -- 2. T1 shows an empty text
set transaction isolation level serializable; begin;         -- 3. T2
select v from elapid where k = 'x';                          -- 4. T2 shows an empty text
update elapid set v = concat(v, ' 1') where k = 'x';         -- 5. T1
commit;                                                      -- 6. T1
update elapid set v = concat(v, ' 2') where k = 'x';         -- 7. T2
commit;                                                      -- 8. T2
set transaction isolation level serializable; begin;         -- 9. T3
select v from elapid where k = 'x';                          -- 10. T3 shows 1 2
commit;                                                      -- 11. T3

-- If every read shows what is noted here and every commit succeeds, MySQL has this anomaly at level
-- serializable, which is then not cursor-stability, update-atomic. Otherwise something waits, fails, or shows another value.
