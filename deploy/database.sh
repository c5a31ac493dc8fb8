#!/bin/sh
# Run once by the image of the database, on an empty volume. Recado logs in as an ordinary role: it owns its own database
# and nothing else of the server, and can neither run programs, read files nor make roles.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$DATABASE_PASSWORD" --username postgres --dbname postgres <<'SQL'
create role recado login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password :'password';
create role recado_app nologin nobypassrls;
create role recado_platform nologin nobypassrls;
grant recado_app, recado_platform to recado;
create database recado owner recado;
revoke connect on database recado from public;
revoke connect on database postgres from public;
SQL
