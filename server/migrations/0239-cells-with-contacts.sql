-- The release before takes news of new contacts (0226) with all other, and has no column for them in the cells it makes. So
-- cells say whether contacts are in them, and what it takes makes them be made anew, for as long as both run side by side.
alter table "figureCalendars" add contacts boolean not null default false;
create or replace function forget_cells() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if coalesce(current_setting('recado.cells', true), '') <> 'with contacts' then
    delete from "figureCalendars" where "companyId" in (select "companyId" from was);
  end if;
  return null;
end $$;
