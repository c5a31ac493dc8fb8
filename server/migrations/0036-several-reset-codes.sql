-- Several codes of one person hold at once: asking for another in somebody's name must not void the one they have.
alter table "passwordResets" drop constraint "passwordResets_pkey";
alter table "passwordResets" add primary key ("userId", "codeHash");
