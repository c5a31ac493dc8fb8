import type pg from 'pg'
import type { Desk } from './desk.ts'

/** Messages of customers in the last 29 days, evenly distributed over this many open tickets. `now`: in milliseconds. */
export async function insertPastMessages(
  owner: pg.Pool,
  desk: Desk,
  { now, count, tickets }: { now: number; count: number; tickets: number },
): Promise<void> {
  await owner.query(
    `with c as (insert into contacts ("companyId", name, number) select $1, 'Contacto ' || n, (n + $1 * 100000)::text from generate_series(1, $3::int) n returning id),
      t as (insert into tickets ("companyId", "contactId", "whatsappId", status, "createdAt") select $1, c.id, $2, 'open', $5::timestamptz - interval '30 days' from c returning id, "contactId"),
      k as (insert into "ticketTracking" ("companyId", "ticketId", "createdAt", "queuedAt", began) select $1, t.id, $5::timestamptz - interval '30 days', $5::timestamptz - interval '30 days', 'new' from t),
      n as (select t.*, row_number() over () - 1 as place from t)
    insert into messages ("companyId", "ticketId", "contactId", "whatsappId", wid, "fromMe", body, "createdAt", "storedAt")
    select $1, n.id, n."contactId", $2, 'big-' || $1 || '-' || i, false, 'Hola, ¿qué precio tiene la excursión número ' || i || '?', at, at
    from generate_series(1, $4::int) i join n on n.place = i % $3
    cross join lateral (select $5::timestamptz - interval '29 days' * (1 - i::float8 / $4) as at) x order by i`,
    [desk.company.id, desk.line.id, tickets, count, new Date(now - 1000)],
  )
}
