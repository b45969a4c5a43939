-- MariaDB 10.11. Open two shells, A and B, and enter the lines in their order.

-- Before, in any shell:
create table elapid (k bigint primary key, v bigint, index (v)) engine = InnoDB;
insert into elapid values (1, 1);

-- In A and in B:
set session innodb_snapshot_isolation = on;
set session transaction isolation level repeatable read;

start transaction;                      -- 1. A
select * from elapid where v = 1;       -- 2. A shows row 1
update elapid set v = 3 where v = 1;    -- 3. B: 1 row
update elapid set v = 0 where v = 1;    -- 4. A: 0 rows, and no error
select * from elapid where v = 1;       -- 5. A shows row 1 again
commit;                                 -- 6. A

-- Without the index on v step 4 fails with error 1020, Record has changed since last read.
