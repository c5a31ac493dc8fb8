import { campaignsApi } from '@recado/contract/campaigns/campaigns'
import { contactListItemsApi, contactListsApi } from '@recado/contract/campaigns/contact-lists'
import { campaignSettingsApi } from '@recado/contract/campaigns/settings'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type CloudDesk, openCloudDesk } from '../../../test/cloud-phone.ts'
import { nextPhoneNumber } from '../../../test/desk.ts'
import { closeTestServers } from '../../../test/test-server.ts'

let desk: CloudDesk
beforeAll(async () => {
  desk = await openCloudDesk()
  desk.graph.templates.push({
    ...{ id: '1', name: 'oferta', language: 'es', status: 'APPROVED', category: 'MARKETING' },
    parameter_format: 'POSITIONAL',
    components: [{ type: 'BODY', text: 'Hola {{1}}, hay {{2}}.', example: { body_text: [['Ana', 'rosas']] } }],
  })
  await desk.admin.call(campaignSettingsApi.save, {
    body: { settings: { messageInterval: 0, longerIntervalAfter: 0, stopAfter: 0 } },
  })
})
afterAll(async () => {
  await closeTestServers()
  await desk.graph.close()
})

const pollTimers = () => desk.server.server.switchboard.timers.poll()

/** A list of this many people with checked numbers: a campaign skips unchecked numbers. */
async function listOf(count: number): Promise<number> {
  const { id } = await desk.admin.call(contactListsApi.create, { body: { name: `Lista ${nextPhoneNumber()}` } })
  for (let n = 0; n < count; n++)
    await desk.admin.call(contactListItemsApi.create, {
      body: { name: `Persona ${n}`, number: nextPhoneNumber(), email: '', contactListId: id },
    })
  await vi.waitFor(async () => {
    const { validCount } = await desk.admin.call(contactListsApi.show, { params: { id } })
    expect(validCount).toBe(count)
  })
  return id
}
const template = { name: 'oferta', language: 'es', variables: { 'body.1': '{nome}', 'body.2': 'rosas' } }
const createCampaign = (contactListId: number, more: object) =>
  desk.admin.call(campaignsApi.create, {
    body: { name: 'Mayo', contactListId, whatsappId: desk.line.id, ...more },
  })
const show = (id: number) => desk.admin.call(campaignsApi.show, { params: { id }, query: { lean: true } })

it('requires a template for a campaign, with its variables filled per person, and no free text', async () => {
  const list = await listOf(2)
  const free = await createCampaign(list, { message1: 'Hola {nome}' })
  expect(await desk.admin.request('POST', `/campaigns/${free.id}/start`, {})).toMatchObject({
    status: 409,
    body: { error: 'ERR_CAMPAIGN_NEEDS_TEMPLATE' },
  })
  const { id } = await createCampaign(list, { template })
  await desk.admin.call(campaignsApi.start, { params: { id }, body: {} })
  await vi.waitFor(async () => {
    await pollTimers()
    expect(desk.graph.acceptedSends).toHaveLength(2)
  })
  const gaps = desk.graph.acceptedSends.map(({ body }) => JSON.stringify(body.template)).toSorted()
  expect(gaps[0]).toContain('"text":"Persona 0"')
  expect(gaps[1]).toContain('"text":"Persona 1"')
  await desk.line.deliverChanges(...desk.graph.acceptedSends.map((one) => desk.line.status(one, 'delivered')))
  await vi.waitFor(async () => {
    await pollTimers()
    expect(await show(id)).toMatchObject({ status: 'FINALIZADA', counts: { sent: 2, delivered: 2, failed: 0 } })
  })
})

it('waits as long as Meta requests, and stores refusals of campaign messages with a readable reason', async () => {
  const before = desk.graph.acceptedSends.length
  const { id } = await createCampaign(await listOf(5), { template })
  // Meta answers with a rate limit for the whole line, a rate limit for this customer, and then two unreachable
  // recipients: one reported at once, one later.
  desk.graph.troubles.push(
    { kind: 'refuse', status: 429, code: 130_429, retryAfter: '1' },
    { kind: 'refuse', code: 131_056, retryAfter: '1' },
    { kind: 'refuse', code: 131_026 },
  )
  await desk.admin.call(campaignsApi.start, { params: { id }, body: {} })
  await vi.waitFor(async () => {
    await pollTimers()
    expect(desk.graph.acceptedSends.length - before).toBe(4)
  })
  const taken = desk.graph.acceptedSends.slice(before)
  expect(new Set(taken.map(({ body }) => body.to)).size).toBe(4)
  await desk.line.deliverChanges(
    desk.line.status(taken[0] as never, 'failed', 131_049),
    ...taken.slice(1).map((one) => desk.line.status(one, 'delivered')),
  )
  await vi.waitFor(async () => {
    await pollTimers()
    expect(await show(id)).toMatchObject({ status: 'FINALIZADA', counts: { sent: 3, delivered: 3, failed: 2 } })
  })
  const { failures } = await desk.admin.call(campaignsApi.report, { params: { id } })
  expect(failures.map(({ reason, count }) => [reason, count]).toSorted()).toEqual([
    ['held-back:131049', 1],
    ['undeliverable:131026', 1],
  ])
  // An unreachable recipient is not retried, even on request.
  const again = (reason: string) => desk.admin.call(campaignsApi.retry, { params: { id }, body: { reason } })
  expect(await again('undeliverable:131026')).toEqual({ count: 0 })
  expect(await again('held-back:131049')).toEqual({ count: 1 })
})
