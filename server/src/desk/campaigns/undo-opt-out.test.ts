import { auditApi } from '@recado/contract/api-access/audit'
import { campaignStopsApi } from '@recado/contract/campaigns/campaigns'
import { contactsApi } from '@recado/contract/contacts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, nextPhoneNumber, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'

let harness: TestServer
let desk: Desk
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  await harness.wide().db.updateTable('plans').set({ useCampaigns: true }).execute()
})
afterAll(closeTestServers)

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    (e: { code: string }) => e.code,
  )
const read = (contactId: number, by: TestUser = desk.admin) => by.call(campaignStopsApi.list, { query: { contactId } })
const undo = (by: TestUser, body: object) => by.call(campaignStopsApi.remove, { body: body as never })
async function createOptedOutContact() {
  const { id } = await desk.admin.call(contactsApi.create, { body: { name: 'Ema Luz', number: nextPhoneNumber() } })
  await desk.admin.call(campaignStopsApi.create, { body: { contactId: id } })
  return id
}

describe("undoing a customer's opt-out of campaigns", () => {
  it('is allowed to admins only, and requires the words of the customer’s consent', async () => {
    const contactId = await createOptedOutContact()
    const words = 'Sí, mándenme las ofertas'
    for (const profile of ['user', 'supervisor'] as const)
      expect(await refusal(undo(await desk.createUser(profile), { contactId, words }))).toBe('ERR_NO_PERMISSION')
    for (const body of [{ contactId }, { contactId, words: ' ' }, { contactId, words: 'x'.repeat(501) }])
      expect(await refusal(undo(desk.admin, body))).toBe('ERR_VALIDATION')
    expect((await read(contactId)).stops).toHaveLength(1)
    expect((await read(contactId)).consent).toBeNull()
    await undo(desk.admin, { contactId, words })
    expect(await read(contactId, await desk.createUser('user'))).toMatchObject({
      stops: [],
      consent: { words, user: { id: desk.admin.id } },
    })
  })

  it('is recorded in the audit log with those words, and only if there was an opt-out', async () => {
    const contactId = await createOptedOutContact()
    await undo(desk.admin, { contactId, words: 'Volví a querer' })
    await undo(desk.admin, { contactId, words: 'Otra vez' })
    const { entries } = await desk.admin.call(auditApi.list, { query: { deed: 'campaign-stop' } as never })
    expect(entries.filter(({ about }) => about === contactId)).toMatchObject([
      {
        deed: 'campaign-stop.undone',
        by: { id: desk.admin.id },
        name: expect.stringContaining('Ema Luz'),
        changes: [{ field: 'words', to: 'Volví a querer' }],
      },
    ])
  })

  it('is no longer shown once the customer opts out again', async () => {
    const contactId = await createOptedOutContact()
    await undo(desk.admin, { contactId, words: 'De acuerdo' })
    await desk.admin.call(campaignStopsApi.create, { body: { contactId } })
    expect(await read(contactId)).toMatchObject({ consent: null, stops: [{ contactId }] })
  })
})
