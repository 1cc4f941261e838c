-- Creates a record store's database and a role with no other rights. Run it in psql as a superuser,
-- then give the role a password, for example with: \password tictactoe
CREATE ROLE tictactoe LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION;
CREATE DATABASE tictactoe TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C';
REVOKE ALL ON DATABASE tictactoe FROM PUBLIC;
GRANT CONNECT ON DATABASE tictactoe TO tictactoe;
\connect tictactoe
REVOKE ALL ON SCHEMA public FROM PUBLIC;
CREATE SCHEMA tictactoe AUTHORIZATION tictactoe;
