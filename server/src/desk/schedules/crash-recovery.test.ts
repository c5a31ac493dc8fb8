import { expect, it } from 'vitest'
import { companyAndLineSql, killProcessAt } from '../../../test/killed-process.ts'

const killedProcess = killProcessAt([
  ['in the middle of its transaction', 'insert on "ticketEvents" for each row'],
  ['when it has left and nobody knows', "update on messages for each row when (new.state = 'sent')"],
  ['when its row is told', "update on schedules for each row when (new.status = 'ENVIADA')"],
])

it('sends a scheduled message exactly once when the process is killed at every step, as all other messages due with it', async () => {
  const made = await killedProcess.query(`
    with ${companyAndLineSql},
    k as (insert into contacts ("companyId", name, number)
      select id, 'Persona ' || n, '55119870000' || (10 + n) from c, generate_series(1, 8) n returning id, number, "companyId"),
    i as (insert into "contactIdentities" ("companyId", kind, value, "contactId") select "companyId", 'phone', number, id from k)
    insert into schedules ("companyId", "contactId", "whatsappId", body, "sendAt", repeat, first, slot)
    select w."companyId", k.id, w.id, 'una vez ' || k.number, now(), '{"unit":"day","every":1,"days":[],"by":"day","until":null,"times":2,"skipOff":false}',
      to_char(now(), 'YYYY-MM-DD"T"HH24:MI'), to_char(now(), 'YYYY-MM-DD"T"HH24:MI') from k, w returning id`)
  expect(made).toHaveLength(8)
  await killedProcess.dieAtEach()
  await killedProcess.until(async () =>
    expect(
      await killedProcess.query('select nth, status, count(*)::int from schedules group by 1, 2 order by 1'),
    ).toEqual([
      { nth: 1, status: 'ENVIADA', count: 8 },
      { nth: 2, status: 'PENDENTE', count: 8 },
    ]),
  )
  expect(await killedProcess.shown()).toEqual(Array.from({ length: 8 }, (_, n) => `una vez 55119870000${11 + n}`))
  expect(
    await killedProcess.query(
      'select (select count(*)::int from messages) as messages, (select count(*)::int from tickets) as tickets',
    ),
  ).toEqual([{ messages: 8, tickets: 8 }])
})
