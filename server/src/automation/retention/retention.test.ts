import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { auditApi } from '@recado/contract/api-access/audit'
import { settingsApi } from '@recado/contract/settings'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { openOwnerPool } from '../../../test/fixtures.ts'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'
import { tinyPng } from '../../../test/upload.ts'
import { days } from '../../kernel/clock.ts'
import { Scope } from '../../kernel/data/scope.ts'

let harness: TestServer
let desk: Desk
let owner: pg.Pool
beforeAll(async () => {
  harness = await testServer()
  harness.clock.freeze()
  desk = await openDesk(harness)
  owner = openOwnerPool(harness)
})
afterAll(async () => {
  await owner?.end()
  await closeTestServers()
})

const filesOf = async () =>
  (await readdir(join(harness.dataDir, 'files', String(desk.company.id))).catch(() => [])).length
/** Runs the nightly job and waits until it is done. */
async function night(): Promise<void> {
  await new Scope(harness.server.deps, { companyId: 0, wide: true }).enqueueJob('retention:night', {})
  await vi.waitFor(async () => {
    const { rows } = await owner.query(
      `select last_error from graphile_worker.jobs where task_identifier ~ '^(retention|files):'`,
    )
    if (rows.length) throw new Error(`not yet: ${JSON.stringify(rows)}`)
  })
}

/** Creates three conversations: one is closed, one is ongoing, and in one half of the messages are old. */
async function createConversations(desk: Desk) {
  const over = await desk.openTicket(desk.admin, 'hace mucho')
  await desk.waitForMessage(await over.customer.sends(new File([tinyPng], 'casa.png', { type: 'image/png' })))
  const goesOn = await desk.openTicket(desk.admin, 'sigo esperando')
  await desk.waitForMessage(await goesOn.customer.sends(new File([tinyPng], 'otra.png', { type: 'image/png' })))
  const half = await desk.openTicket(desk.admin, 'lo viejo')
  const { id: young } = await desk.waitForMessage(await half.customer.says('lo nuevo'))
  await owner.query(`update messages set "createdAt" = "createdAt" + interval '60 days' where id = $1`, [young])
  await vi.waitFor(async () => {
    const { rows } = await owner.query(`select from messages where "companyId" = $1 and "mediaState" = 'ready'`, [
      desk.company.id,
    ])
    expect(rows).toHaveLength(2)
  })
  for (const { id } of [over, half])
    expect((await desk.putTicket(desk.admin, id, { status: 'closed', userId: desk.admin.id })).status).toBe(200)
  return { over, goesOn, half }
}

it('deletes old messages of closed tickets every night, and previews what would be deleted', async () => {
  const other = await openDesk(harness)
  const theirs = await createConversations(other)
  const { over, goesOn, half } = await createConversations(desk)
  // Creates campaign messages without a ticket; one of them still waits to be sent.
  const alone = (wid: string, state: string) =>
    owner.query(
      `insert into messages ("companyId", "contactId", "whatsappId", wid, "fromMe", body, state, "createdAt")
       select "companyId", "contactId", "whatsappId", $2, true, 'oferta', $3, "createdAt" from tickets where id = $1`,
      [over.id, wid, state],
    )
  await alone('alone-sent', 'sent')
  await alone('alone-failed', 'failed')
  const said = async (id: number, by = desk.admin) => (await desk.listMessages(by, id)).map(({ body }) => body)
  const going = await said(goesOn.id)
  const figures = (await desk.admin.request('GET', '/dashboard')).body
  const theirWords = await said(theirs.over.id, other.admin)
  const files = await filesOf()

  await desk.withClockForward(days(100), async () => {
    const admin = await harness.login(desk.admin.email)
    const preview = await admin.call(settingsApi.retention, { query: { months: 3 } })
    expect(preview).toMatchObject({ files: 1, tickets: 2, more: false })
    const { rows } = await owner.query<{ n: number }>(
      `select count(*)::int as n from messages m left join tickets t on t.id = m."ticketId"
       where m."companyId" = $1 and coalesce(t.status, 'closed') = 'closed' and m."createdAt" < $2`,
      [desk.company.id, preview.before],
    )
    expect(preview.messages).toBe(rows[0]?.n)
    expect(preview.messages).toBeGreaterThanOrEqual(5)
    // Retention is off: nothing is deleted.
    await night()
    expect(await admin.call(settingsApi.retention, { query: { months: 3 } })).toEqual(preview)
    // With a limit of six months, nothing would be deleted.
    expect(await admin.call(settingsApi.retention, { query: { months: 6 } })).toMatchObject({ messages: 0, files: 0 })
    await admin.call(settingsApi.update, { params: { key: 'retentionMonths' }, body: { value: '3' } })
    await night()
    expect(await admin.call(settingsApi.retention, { query: { months: 3 } })).toMatchObject({ messages: 0, tickets: 0 })
    expect((await admin.call(auditApi.list, { query: { deed: 'retention' } })).entries).toMatchObject([
      { deed: 'retention.deleted', about: preview.messages, by: { id: 0, name: 'Recado' } },
    ])
    // The next night finds nothing to delete, and records nothing.
    await night()
  })
  // A later login of this user replaced the session.
  const admin = await harness.login(desk.admin.email)
  expect((await admin.call(auditApi.list, { query: { deed: 'retention' } })).entries).toHaveLength(1)

  expect(await said(goesOn.id, admin)).toEqual(going)
  expect(await said(over.id, admin)).toEqual([])
  const left = await said(half.id, admin)
  expect(left).toContain('lo nuevo')
  expect(left).not.toContain('lo viejo')
  expect(await filesOf()).toBe(files - 1)
  // The ticket itself stays, without text of the deleted messages.
  expect(await desk.showTicket(over.id, admin)).toMatchObject({ status: 'closed', lastMessage: '' })
  const { rows: journal } = await owner.query(`select from journal where "ticketId" = $1`, [over.id])
  expect(journal).toEqual([])
  expect((await admin.request('GET', '/dashboard')).body).toEqual(figures)
  // Companies without retention keep everything.
  expect(await said(theirs.over.id, other.admin)).toEqual(theirWords)
})

it('previews and sets the retention for admins only, with a valid number of months', async () => {
  const agent = await desk.createUser('user')
  expect((await agent.request('GET', '/settings/retention?months=3')).body).toMatchObject({
    error: 'ERR_NO_PERMISSION',
  })
  const { admin } = await harness.createCompany()
  expect((await admin.request('GET', '/settings/retention?months=0')).status).toBe(400)
  expect((await admin.request('PUT', '/settings/retentionMonths', { value: '1' })).status).toBe(400)
})
