import { campaignsApi } from '@recado/contract/campaigns/campaigns'
import { contactListItemsApi, contactListsApi } from '@recado/contract/campaigns/contact-lists'
import { campaignSettingsApi } from '@recado/contract/campaigns/settings'
import { reportSectionsApi } from '@recado/contract/dashboard/report-sections'
import { messagePricesApi, type PriceList } from '@recado/contract/money/message-prices'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type CloudDesk, openCloudDesk } from '../../../test/cloud-phone.ts'
import { nextPhoneNumber } from '../../../test/desk.ts'
import { closeTestServers, type TestUser } from '../../../test/test-server.ts'
import { findPriceList, makePriceFinder, toMicros } from '../../accounts/money/message-prices.ts'
import { parsePricing } from './parse-pricing.ts'

let desk: CloudDesk
let root: TestUser
beforeAll(async () => {
  desk = await openCloudDesk()
  root = await desk.server.superUser()
  desk.graph.templates.push({
    ...{ id: '1', name: 'oferta', language: 'es', status: 'APPROVED', category: 'MARKETING' },
    parameter_format: 'POSITIONAL',
    components: [{ type: 'BODY', text: 'Hola, hay rosas.' }],
  })
  await desk.admin.call(campaignSettingsApi.save, {
    body: { settings: { messageInterval: 0, longerIntervalAfter: 0, stopAfter: 0 } },
  })
})
afterAll(async () => {
  await closeTestServers()
  await desk.graph.close()
})

const priceList = (from: string, currency: string, marketing: string): PriceList => ({
  ...{ from, currency },
  countries: [
    { country: 'Brasil', codes: ['55'], marketing, utility: '0.0068' },
    { country: 'Uruguay', codes: ['598'], utility: '0.01' },
  ],
})
const savePrices = (lists: PriceList[]) => root.call(messagePricesApi.save, { body: { lists } })
const template = { name: 'oferta', language: 'es' }
const charged = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'marketing' }

async function listOf(numbers: string[]): Promise<number> {
  const { id } = await desk.admin.call(contactListsApi.create, { body: { name: `Lista ${nextPhoneNumber()}` } })
  for (const number of numbers)
    await desk.admin.call(contactListItemsApi.create, { body: { name: 'Ana', number, email: '', contactListId: id } })
  await vi.waitFor(async () => {
    const { validCount } = await desk.admin.call(contactListsApi.show, { params: { id } })
    expect(validCount).toBe(numbers.length)
  })
  return id
}
const loadCosts = () => desk.admin.call(reportSectionsApi.costs, { query: {} as never })

it('says what a campaign costs before and after, per template and month, each message once', async () => {
  const { admin, line } = desk
  const people = [nextPhoneNumber(), nextPhoneNumber(), nextPhoneNumber()]
  const contactListId = await listOf([...people, '59899123456'])
  const draft = { contactListId, whatsappId: line.id, template }
  const example = await admin.call(campaignsApi.plan, { body: draft })
  expect(example.cost).toMatchObject({ category: 'marketing', unpriced: 0, isExample: true, listFrom: '2025-07-01' })
  await savePrices([priceList('2020-01-01', 'EUR', '9'), priceList('2020-02-01', 'USD', '0.0625')])
  const { cost } = await admin.call(campaignsApi.plan, { body: draft })
  expect(cost).toEqual({
    ...{ category: 'marketing', unpriced: 1, isExample: false, listFrom: '2020-02-01' },
    amounts: [{ currency: 'USD', micros: 3 * 62_500 }],
  })
  expect((await admin.call(campaignsApi.plan, { body: { ...draft, template: null } })).cost).toBeNull()

  const { id } = await admin.call(campaignsApi.create, {
    body: { name: 'Mayo', ...draft, template: { ...template, variables: {} } },
  })
  await admin.call(campaignsApi.start, { params: { id }, body: {} })
  await vi.waitFor(async () => {
    await desk.server.server.switchboard.timers.poll()
    expect(desk.graph.acceptedSends).toHaveLength(4)
  })
  const loadReport = () => admin.call(campaignsApi.report, { params: { id } })
  expect((await loadReport()).cost).toBeNull()
  // Messages are sent in parallel, so Meta may get them in any order.
  const recipients = [...people, '59899123456']
  const report = async (n: number, status: string, pricing?: object) => {
    const recipient_id = recipients[n]
    const sent = desk.graph.acceptedSends.find(({ body }) => String(body.to).replace(/\D/g, '') === recipient_id)
    if (!sent) throw new Error(`nothing was sent to ${recipient_id}`)
    await line.deliverChanges(line.status(sent, status, undefined, { recipient_id, ...(pricing && { pricing }) }))
  }
  // A message that was only sent costs nothing; its price comes again with the delivery, and again when it is read.
  for (const n of [0, 1, 2, 3]) await report(n, 'sent', charged)
  for (const n of [0, 1, 3]) await report(n, 'delivered', charged)
  await report(0, 'read', charged)
  await report(2, 'delivered', { ...charged, billable: false, type: 'free_entry_point' })
  const total = {
    ...{ charged: 3, free: 1, unpriced: 1 },
    amounts: [{ currency: 'USD', micros: 2 * 62_500 }],
  }
  await vi.waitFor(async () => expect((await loadReport()).cost).toEqual(total))
  const month = desk.server.clock.now().toISOString().slice(0, 7)
  expect(await loadCosts()).toMatchObject({
    ...{ total, isExample: false },
    months: [{ month, ...total }],
    templates: [{ template: 'oferta', ...total }],
  })
})

it('keeps amounts of two currencies apart, and what was recorded before a change of prices', async () => {
  const before = (await loadCosts()).total.amounts
  await savePrices([priceList('2020-01-01', 'BRL', '0.35')])
  const { ticketId } = await desk.startConversation()
  const wid = await desk.send(ticketId, 'hola')
  const sent = await desk.waitForSend(wid)
  await desk.line.deliverChanges(desk.line.status(sent, 'delivered', undefined, { pricing: charged }))
  await vi.waitFor(async () => {
    desk.server.clock.advance(60_000)
    const { total, templates } = await loadCosts()
    expect(total.amounts).toEqual([{ currency: 'BRL', micros: 350_000 }, ...before])
    expect(templates.map((one) => one.template).toSorted()).toEqual(['', 'oferta'])
  })
})

it('accepts only whole lists: days, codes and amounts that can be read without doubt', async () => {
  const good = priceList('2026-01-01', 'USD', '0.1')
  const countries = (more: object) => [{ ...good, countries: [{ ...good.countries[0], ...more }] }]
  for (const lists of [
    [],
    [good, good],
    [{ ...good, from: '2026-02-30' }],
    [{ ...good, currency: 'dollars' }],
    [{ ...good, countries: [...good.countries, ...good.countries] }],
    countries({ marketing: 0.1 }),
    countries({ marketing: '-1' }),
    countries({ marketing: '0.1234567' }),
    countries({ codes: ['055'] }),
    countries({ marketting: '1' }),
  ])
    expect(await root.request('PUT', '/platform/message-prices', { lists })).toMatchObject({ status: 400 })
  expect(await desk.admin.request('PUT', '/platform/message-prices', { lists: [good] })).toMatchObject({
    body: { error: 'ERR_NO_PERMISSION' },
  })
  expect(await root.call(messagePricesApi.save, { body: { lists: null } })).toMatchObject({ isExample: true })
})

it('calculates in whole millionths, by the longest calling code and the list of the day', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999_999 }), (micros) => {
      const text = `${Math.floor(micros / 1_000_000)}.${String(micros % 1_000_000).padStart(6, '0')}`
      expect(toMicros(text)).toBe(micros)
    }),
  )
  expect([toMicros('0.0618'), toMicros('7')]).toEqual([61_800, 7_000_000])
  const list: PriceList = {
    ...{ from: '2026-01-01', currency: 'USD' },
    countries: [
      { country: 'US', codes: ['1'], marketing: '1' },
      { country: 'DO', codes: ['1809'], marketing: '2' },
      { country: 'rest', codes: ['*'], marketing: '3' },
    ],
  }
  const findPrice = makePriceFinder(list)
  expect(['12025550100', '18095550100', '4915112345', ''].map((phone) => findPrice(phone, 'marketing').micros)).toEqual(
    [1_000_000, 2_000_000, 3_000_000, null],
  )
  expect(findPrice('12025550100', 'utility')).toEqual({ country: 'US', micros: null })
  expect(findPriceList([list], '2025-12-31')).toBeNull()
  expect(findPriceList([list, { ...list, from: '2026-03-01' }], '2026-02-28')?.from).toBe('2026-01-01')
})

it('reads the price of a status strictly: what is not known is neither charged nor priced', () => {
  expect(parsePricing(charged)).toEqual({ category: 'marketing', isCharged: true })
  expect(parsePricing({ category: 'UTILITY', billable: true })).toEqual({ category: 'utility', isCharged: true })
  expect(parsePricing({ category: 'toString', type: 'regular' })).toEqual({ category: '', isCharged: true })
  fc.assert(
    fc.property(fc.anything(), fc.anything(), fc.anything(), (category, type, billable) => {
      const read = parsePricing({ category, type, billable })
      if (read?.isCharged)
        expect(type === 'regular' || billable === true || String(type).toLowerCase() === 'regular').toBe(true)
      if (typeof category !== 'string') expect(read?.category ?? '').toBe('')
    }),
  )
})
