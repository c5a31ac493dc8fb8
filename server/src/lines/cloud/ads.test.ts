import { adsApi } from '@recado/contract/campaigns/ads'
import { contactListsApi } from '@recado/contract/campaigns/contact-lists'
import { reportSectionsApi } from '@recado/contract/dashboard/report-sections'
import { messagesApi } from '@recado/contract/messages'
import { ticketsApi } from '@recado/contract/tickets'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CloudDesk, openCloudDesk } from '../../../test/cloud-phone.ts'
import { nextPhoneNumber } from '../../../test/desk.ts'
import { closeTestServers } from '../../../test/test-server.ts'
import { makeReferral } from '../referral.ts'

let desk: CloudDesk
beforeAll(async () => {
  desk = await openCloudDesk()
})
afterAll(async () => {
  await closeTestServers()
  await desk.graph.close()
})

const referral = {
  source_type: 'ad',
  source_id: '120210001',
  source_url: 'https://fb.me/zapatos',
  headline: 'Zapatos 2x1',
  body: 'Solo esta semana',
  media_type: 'image',
  image_url: 'https://scontent.example.test/zapatos.jpg',
  ctwa_clid: 'ARAkLkA8rmlFeiCkt',
}
const shownAd = {
  title: 'Zapatos 2x1',
  body: 'Solo esta semana',
  url: 'https://fb.me/zapatos',
  picture: 'https://scontent.example.test/zapatos.jpg',
}

it('keeps the whole ad of a message: in the thread, the filters, contact lists and the report', async () => {
  const { admin } = desk
  const first = await desk.waitForMessage(await desk.line.customer(nextPhoneNumber()).says('quiero', { referral }))
  const second = await desk.waitForMessage(await desk.line.customer(nextPhoneNumber()).says('yo también', { referral }))
  const other = await desk.startConversation('sin anuncio')
  expect(first).toMatchObject({ adClickId: 'ARAkLkA8rmlFeiCkt' })
  const { messages } = await admin.call(messagesApi.list, { params: { ticketId: first.ticketId }, query: {} })
  expect(messages.at(-1)?.ad).toMatchObject(shownAd)

  // One ad, however many customers it brings.
  const { ads } = await admin.call(adsApi.list, {})
  expect(ads.map(({ title }) => title)).toEqual(['Zapatos 2x1'])
  const id = ads[0]?.id as number
  const query = { ads: JSON.stringify([id]), showAll: 'true', status: 'pending' } as never
  const { tickets } = await admin.call(ticketsApi.list, { query })
  expect(tickets.map((ticket) => ticket.id).toSorted()).toEqual([first.ticketId, second.ticketId].toSorted())
  expect(tickets.every(({ adId }) => adId === id)).toBe(true)
  expect((await desk.show(other.ticketId)).adId).toBeNull()

  const question = { tagIds: [], queueIds: [], adIds: [id], wroteFrom: null, wroteUntil: null, field: null }
  expect(await admin.call(contactListsApi.count, { body: question })).toMatchObject({ count: 2 })
  const foreign = { ...question, adIds: [id + 1000] }
  expect(await admin.request('POST', '/contact-lists', { name: 'Ajenos', question: foreign })).toMatchObject({
    status: 404,
  })

  await desk.accept(first.ticketId)
  await admin.call(ticketsApi.update, {
    params: { id: first.ticketId },
    body: { status: 'closed', justClose: true } as never,
  })
  const report = await admin.call(reportSectionsApi.ads, { query: {} as never })
  expect(report.ads).toMatchObject([{ id, title: 'Zapatos 2x1', conversations: 2, resolved: 1 }])
})

it('marks an open conversation with the ad that brings the customer back', async () => {
  const { customer, ticketId } = await desk.startConversation()
  await desk.waitForMessage(await customer.says('otra cosa', { referral: { ...referral, source_id: '120210002' } }))
  expect((await desk.show(ticketId)).adId).toBeGreaterThan(0)
})

it('bounds every value of a referral, and keeps no address that is not of the web', () => {
  const wild = fc.oneof(fc.string({ maxLength: 5000 }), fc.constant('javascript:alert(1)'), fc.anything())
  const keys = ['sourceType', 'sourceId', 'title', 'body', 'url', 'picture', 'clickId'] as const
  fc.assert(
    fc.property(fc.record(Object.fromEntries(keys.map((key) => [key, wild]))), (given) => {
      const made = makeReferral(given)
      if (!made) return
      expect(
        Object.values(made).every((text) => text.length <= 1000 && text.isWellFormed() && !text.includes('\0')),
      ).toBe(true)
      for (const address of [made.url, made.picture]) expect(address).toMatch(/^$|^https?:\/\//i)
    }),
  )
  expect(makeReferral({ clickId: 'x' })).toBeUndefined()
  // What the release before left in the journal.
  const [title, url] = ['Zapatos', 'https://fb.me/1']
  const empty = { sourceType: '', sourceId: '', body: '', picture: '', clickId: '' }
  expect(makeReferral({ title, url })).toEqual({ ...empty, title, url })
  expect(makeReferral({ title: 'a', url: `https://${'x'.repeat(600)}` })).toMatchObject({ url: '' })
})
