-- In which language somebody writes, by its ISO 639 code: noted when a machine translated or answered for an agent.
alter table contacts add language text;
