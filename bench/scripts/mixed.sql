-- mixed.sql: tables, an index, joins, windows and text functions, all in memory.
CREATE TABLE item(id INTEGER PRIMARY KEY, kind INTEGER, price INTEGER, name TEXT);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)
INSERT INTO item SELECT i, i * 7919 % 211, i * 104729 % 9973, 'item ' || (i * 31 % 5003) FROM n;
CREATE TABLE sale(item INTEGER, day INTEGER, count INTEGER);
INSERT INTO sale SELECT id * 17 % 300000, id % 365, price % 9 FROM item;
CREATE INDEX by_kind ON item(kind, price);
CREATE INDEX by_item ON sale(item);
SELECT kind, count(*), sum(price), max(name) FROM item GROUP BY kind ORDER BY 3 DESC LIMIT 5;
SELECT kind, sum(count * price) FROM item JOIN sale ON item.id = sale.item GROUP BY kind ORDER BY 2 DESC LIMIT 5;
SELECT day, total, sum(total) OVER (ORDER BY day) FROM (SELECT day, sum(count) AS total FROM sale GROUP BY day) LIMIT 5 OFFSET 300;
SELECT count(DISTINCT name), sum(length(replace(name, '1', 'xx'))) FROM item WHERE name LIKE '%1%3%';
UPDATE item SET price = price + 1 WHERE kind IN (SELECT kind FROM item WHERE price < 5);
SELECT count(*), total(price) FROM item a WHERE EXISTS (SELECT 1 FROM sale b WHERE b.item = a.id AND b.count > 7);
DELETE FROM sale WHERE day % 3 = 0;
SELECT count(*), sum(count) FROM sale;
