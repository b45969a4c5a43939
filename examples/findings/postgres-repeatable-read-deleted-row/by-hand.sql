-- PostgreSQL 15. Open two shells, A and B (psql test), and enter the lines in their order.

-- Before, in any shell:
create table elapid (k bigint primary key, v bigint);
insert into elapid values (1, 1);

begin isolation level repeatable read;  -- 1. A
select * from elapid where k = 1;       -- 2. A shows 1, 1
delete from elapid where k = 1;         -- 3. B: 1 row
insert into elapid values (1, 2);       -- 4. A: 1 row, and no error
select * from elapid order by v;        -- 5. A shows 1, 1 and 1, 2: the primary key twice
commit;                                 -- 6. A
select * from elapid;                   -- 7. A shows 1, 2

-- At level serializable step 4 fails: could not serialize access due to read/write dependencies among transactions.
