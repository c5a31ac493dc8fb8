-- What set it off: an event of a line or a call (kernel/trace.ts), for who sends it or asks later, in another process.
alter table messages add column trace text;
alter table asks add column trace text;
