import { expect, it } from 'vitest'
import { companyAndLineSql, killProcessAt } from '../../../test/killed-process.ts'

const killedProcess = killProcessAt([
  ['while it is prepared', 'insert on "campaignShippings" for each row'],
  ['in the middle of sending', 'update on "campaignShippings" for each row when (new.state = \'queued\')'],
  ['when it has left and nobody knows', "update on messages for each row when (new.state = 'sent')"],
  ['when its row is told', 'update on "campaignShippings" for each row when (new.state = \'sent\')'],
  ['when it ends', "update on campaigns for each row when (new.status = 'FINALIZADA')"],
])

it('delivers a campaign to everybody exactly once when the process is killed at every step', async () => {
  const made = await killedProcess.query(`
    with ${companyAndLineSql},
    s as (insert into "campaignSettings" ("companyId", key, value)
      select c.id, key, '0' from c, unnest(array['messageInterval', 'longerIntervalAfter']) key),
    l as (insert into "contactLists" ("companyId", name, "contactsCount", "validCount")
      select id, 'Lista', 8, 8 from c returning id, "companyId"),
    i as (insert into "contactListItems" ("companyId", "contactListId", name, number, key, "isWhatsappValid")
      select "companyId", id, 'Persona ' || n, '55119870000' || (10 + n), '5511870000' || (10 + n), true
      from l, generate_series(1, 8) n)
    insert into campaigns ("companyId", name, status, "contactListId", "whatsappId", message1, "scheduledAt")
    select l."companyId", 'Mayo', 'PROGRAMADA', l.id, w.id, 'Hola {nome}', now() from l, w returning id`)
  expect(made).toHaveLength(1)
  await killedProcess.dieAtEach()
  await killedProcess.until(async () =>
    expect(await killedProcess.query('select status from campaigns')).toEqual([{ status: 'FINALIZADA' }]),
  )
  expect(await killedProcess.shown()).toEqual(Array.from({ length: 8 }, (_, n) => `Hola Persona ${n + 1}`))
  expect(
    await killedProcess.query(`
      select (select count(*)::int from messages) as messages, (select count(*)::int from tickets) as tickets,
        (select array_agg(distinct state) from "campaignShippings") as states`),
  ).toEqual([{ messages: 8, tickets: 0, states: ['sent'] }])
})
