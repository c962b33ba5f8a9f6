-- CREATE TABLE no
/* CREATE TABLE no */
CREATE TABLE IF NOT EXISTS public.users (id int, s text default 'CREATE TABLE no;'); --= TABLE public.users
create or replace view "My View" as select 1; --= VIEW My View
CREATE UNIQUE INDEX CONCURRENTLY idx_a ON users (id); --= INDEX idx_a
CREATE INDEX ON users(id);
CREATE OR REPLACE FUNCTION app.f(a int) RETURNS int AS $body$ --= FUNCTION app.f()
BEGIN
  CREATE TEMP TABLE no_tmp (x int);
END;
$body$ LANGUAGE plpgsql;
CREATE TRIGGER trg AFTER INSERT ON users EXECUTE FUNCTION f(); --= TRIGGER trg
DELIMITER //
CREATE DEFINER=`root`@`localhost` PROCEDURE `p1`() --= PROCEDURE p1()
BEGIN
  DROP TABLE x;
  CREATE TEMPORARY TABLE no2 (x int);
END //
DELIMITER ;
CREATE TABLE [dbo].[T1] (x int) --= TABLE dbo.T1
GO
CREATE PROC dbo.P2 AS --= PROC dbo.P2()
BEGIN
  SELECT 1;
END
GO
CREATE MATERIALIZED VIEW mv AS SELECT 1; --= VIEW mv
CREATE TYPE t AS ENUM ('a'); --= TYPE t
INSERT INTO x VALUES ('
CREATE TABLE no3 (x int);
');
CREATE TABLE last (x int) --= TABLE last
