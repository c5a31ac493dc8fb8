import { campaignsApi } from '@recado/contract/campaigns/campaigns'
import { contactListItemsApi, contactListsApi } from '@recado/contract/campaigns/contact-lists'
import { campaignSettingsApi } from '@recado/contract/campaigns/settings'
import { connectionsApi } from '@recado/contract/connections'
import { noticesApi } from '@recado/contract/notices'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type CloudDesk, openCloudDesk, openCloudLine } from '../../../test/cloud-phone.ts'
import { nextPhoneNumber } from '../../../test/desk.ts'
import { closeTestServers } from '../../../test/test-server.ts'
import { hours } from '../../kernel/clock.ts'
import { parseHealth, parseMessagingLimit } from './parse-health.ts'

let desk: CloudDesk
beforeAll(async () => {
  desk = await openCloudDesk()
})
afterAll(async () => {
  await closeTestServers()
  await desk.graph.close()
})

let lastTime = 1_790_000_000
/** A report of Meta as it arrives by the webhook: without the id of a number, and with its own time. */
const report = (field: string, value: object, time = ++lastTime) => ({
  object: 'whatsapp_business_account',
  entry: [{ id: desk.line.account.businessAccountId, time, changes: [{ field, value }] }],
})
async function deliver(field: string, value: object, time?: number): Promise<void> {
  expect(await desk.line.post(report(field, value, time))).toMatchObject({ status: 200 })
}
const ourNumber = { display_phone_number: '15550102030' }
const showHealth = async () => (await desk.line.showLine()).health
const listEvents = async (id = desk.line.id) =>
  (await desk.admin.call(connectionsApi.health, { params: { id } })).events
const listNotices = async () =>
  (await desk.admin.call(noticesApi.list, {})).notices.filter((n) => n.kind === 'line-health')

describe('the health of an official line', () => {
  it('stores each kind of report as the current state and in the history, and notifies admins of trouble', async () => {
    // A notice belongs to a ticket.
    await desk.startConversation()
    await deliver('phone_number_quality_update', {
      ...ourNumber,
      event: 'DOWNGRADE',
      old_limit: 'TIER_10K',
      current_limit: 'TIER_1K',
    })
    await deliver('phone_number_quality_update', { ...ourNumber, event: 'FLAGGED', current_limit: 'TIER_1K' })
    expect(await showHealth()).toMatchObject({ level: 'bad', quality: 'red', messagingLimit: 1000, account: '' })
    await vi.waitFor(async () => expect(await listNotices()).toHaveLength(1))
    expect((await listNotices())[0]?.by.name).toBe((await desk.line.showLine()).name)

    const until = Math.floor(desk.server.clock.now().getTime() / 1000) + 3 * 86_400
    await deliver('account_update', {
      phone_number: '15550102030',
      event: 'ACCOUNT_RESTRICTION',
      restriction_info: [{ restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration: until }],
    })
    expect(await showHealth()).toMatchObject({
      account: 'restricted',
      accountUntil: new Date(until * 1000).toISOString(),
    })
    await deliver('account_update', {
      event: 'DISABLED_UPDATE',
      ban_info: { waba_ban_state: ['SCHEDULE_FOR_DISABLE'], waba_ban_date: 'March 1, 2027' },
    })
    expect(await showHealth()).toMatchObject({ account: 'scheduled' })
    await deliver('account_update', { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: ['REINSTATE'] } })
    expect(await showHealth()).toMatchObject({ account: '', accountUntil: null })
    await deliver('account_alerts', {
      entity_type: 'WABA',
      alert_info: {
        alert_type: 'INCREASED_CAPABILITIES_ELIGIBILITY_DEFERRED',
        alert_severity: 'WARNING',
        alert_status: 'ACTIVE',
        alert_description: 'More information is needed.',
      },
    })
    const template = { message_template_id: 1, message_template_name: 'oferta', message_template_language: 'es' }
    await deliver('message_template_status_update', { ...template, event: 'REJECTED', reason: 'ABUSIVE_CONTENT' })
    await deliver('message_template_quality_update', {
      ...template,
      previous_quality_score: 'GREEN',
      new_quality_score: 'YELLOW',
    })
    await deliver('phone_number_name_update', {
      ...ourNumber,
      decision: 'REJECTED',
      requested_verified_name: 'Tienda',
      rejection_reason: 'NAME_ACCOUNT_MISMATCH',
    })
    await deliver('business_capability_update', { max_daily_conversation_per_phone: 2000 })
    await deliver('phone_number_quality_update', { ...ourNumber, event: 'UNFLAGGED', current_limit: 'TIER_2K' })
    expect(await showHealth()).toMatchObject({
      level: 'warn',
      quality: '',
      messagingLimit: 2000,
      nameDecision: 'rejected',
    })
    expect((await listEvents()).map(({ kind, level, value, subject }) => [kind, level, value, subject])).toEqual([
      ['quality', 'good', 'restored', ''],
      ['limit', 'good', '2000', ''],
      ['name', 'bad', 'rejected', 'Tienda'],
      ['template-quality', 'warn', 'yellow', 'oferta · es'],
      ['template', 'warn', 'rejected', 'oferta · es'],
      ['alert', 'warn', 'increased-capabilities-eligibility-deferred', ''],
      ['account', 'good', 'reinstated', ''],
      ['account', 'bad', 'scheduled', ''],
      ['account', 'bad', 'restricted', ''],
      ['quality', 'bad', 'red', ''],
      ['limit', 'info', '1000', ''],
    ])
  })

  it('stores a repeated notification once, and none for a number that the line does not have', async () => {
    const before = await listEvents()
    await deliver('phone_number_quality_update', { ...ourNumber, event: 'FLAGGED' }, 1_800_000_001)
    await deliver('phone_number_quality_update', { ...ourNumber, event: 'FLAGGED' }, 1_800_000_001)
    await deliver('phone_number_quality_update', { display_phone_number: '15559999999', event: 'UNFLAGGED' })
    expect(await listEvents()).toHaveLength(before.length + 1)
    expect(await showHealth()).toMatchObject({ quality: 'red' })
  })

  it('reports a change of the account on all of its lines with one notice, and not on lines of another account', async () => {
    const { account } = desk.line
    const sister = await openCloudLine(desk.admin, desk.graph, {}, { ...account, phoneNumberId: '999001' })
    const other = await openCloudLine(
      desk.admin,
      desk.graph,
      {},
      { ...desk.graph.createAccount(), appSecret: account.appSecret },
    )
    const before = (await listNotices()).length
    await deliver('account_update', { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'ALCOHOL' } })
    expect((await listEvents())[0]).toMatchObject({ kind: 'account', value: 'violation', reason: 'ALCOHOL' })
    expect((await listEvents(sister.id))[0]).toMatchObject({ kind: 'account', value: 'violation' })
    expect(await listEvents(other.id)).toEqual([])
    await vi.waitFor(async () => expect(await listNotices()).toHaveLength(before + 1))
    await deliver('account_update', { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: ['REINSTATE'] } })
  })

  it('asks Meta for quality and limit when it connects, also with a version that does not know the fields', async () => {
    Object.assign(desk.graph.numberHealth, { quality_rating: 'YELLOW', messaging_limit_tier: 'TIER_250' })
    const line = await openCloudLine(desk.admin, desk.graph)
    await line.waitForStatus('CONNECTED')
    await vi.waitFor(async () =>
      expect((await line.showLine()).health).toMatchObject({ level: 'warn', quality: 'yellow', messagingLimit: 250 }),
    )
    desk.graph.unknownFields.push('messaging_limit_tier')
    const older = await openCloudLine(desk.admin, desk.graph)
    expect(await older.waitForStatus('CONNECTED')).toMatchObject({ number: '15550102030' })
    desk.graph.unknownFields.length = 0
    for (const key of Object.keys(desk.graph.numberHealth)) Reflect.deleteProperty(desk.graph.numberHealth, key)
  })

  it('reads nothing but bounded values from reports of any shape', () => {
    const field = fc.constantFrom(
      ...['phone_number_quality_update', 'account_update', 'account_alerts', 'account_review_update', '__proto__'],
      ...['message_template_status_update', 'message_template_quality_update', 'phone_number_name_update'],
      ...['business_capability_update', 'toString'],
    )
    const keys = fc.constantFrom(
      ...['event', 'decision', 'current_limit', 'ban_info', 'restriction_info', 'alert_info', 'alert_type', 'reason'],
      ...['message_template_name', 'message_template_language', 'new_quality_score', 'requested_verified_name'],
      ...[
        'waba_ban_state',
        'expiration',
        'display_phone_number',
        'alert_description',
        'max_daily_conversation_per_phone',
      ],
    )
    const leaf = fc.oneof(
      fc.string({ maxLength: 5000 }),
      fc.constantFrom('FLAGGED', 'REJECTED', 'DISABLED_UPDATE', 'ACCOUNT_RESTRICTION', 'TIER_1K', 'x'.repeat(70_000)),
      fc.anything(),
    )
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.dictionary(keys, tie('value')),
        fc.array(tie('value'), { maxLength: 5 }),
      ),
    }))
    const change = fc.record({ field, value: fc.dictionary(keys, value) })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 200 }), fc.anything(), (changes, id) => {
        const reports = parseHealth({ entry: [{ id, time: id, changes }] })
        const all = reports.flatMap((one) => one.changes)
        expect(all.length).toBeLessThanOrEqual(100)
        for (const { subject, value: word, before, reason, until } of all) {
          expect(Math.max(subject.length, reason.length)).toBeLessThanOrEqual(600)
          expect(word).toMatch(/^[a-z0-9-]{1,60}$/)
          expect(before).toMatch(/^[a-z0-9-]{0,60}$/)
          expect(until === null || !Number.isNaN(Date.parse(until))).toBe(true)
        }
      }),
    )
    expect(
      ['TIER_50', 'TIER_1K', 'TIER_UNLIMITED', 2000, -1, 'TIER_NOT_SET', '9'.repeat(50)].map(parseMessagingLimit),
    ).toEqual([...[50, 1000, -1, 2000, -1, null, null]])
  })
})

describe("Meta's messaging limit in a campaign", () => {
  it('plans the days that the limit needs, and writes to no more people in any 24 hours', async () => {
    const { admin, server, graph } = desk
    graph.templates.push({
      ...{ id: '7', name: 'aviso', language: 'es', status: 'APPROVED', category: 'MARKETING' },
      components: [{ type: 'BODY', text: 'Hay novedades.' }],
    })
    await admin.call(campaignSettingsApi.save, {
      body: {
        settings: {
          messageInterval: 0,
          longerIntervalAfter: 0,
          stopAfter: 0,
          daysBetween: 0,
          hours: [],
          daysOff: false,
        } as never,
      },
    })
    graph.numberHealth.messaging_limit_tier = 'TIER_3'
    const line = await openCloudLine(admin, graph)
    await line.waitForStatus('CONNECTED')
    await vi.waitFor(async () => expect((await line.showLine()).health).toMatchObject({ messagingLimit: 3 }))
    const { id: contactListId } = await admin.call(contactListsApi.create, { body: { name: 'Siete' } })
    for (let n = 0; n < 7; n++)
      await admin.call(contactListItemsApi.create, {
        body: { name: `Persona ${n}`, number: nextPhoneNumber(), email: '', contactListId },
      })
    await vi.waitFor(async () => {
      const { validCount } = await admin.call(contactListsApi.show, { params: { id: contactListId } })
      expect(validCount).toBe(7)
    })
    const template = { name: 'aviso', language: 'es', variables: {} }
    const { id } = await admin.call(campaignsApi.create, {
      body: { name: 'Junio', contactListId, whatsappId: line.id, template },
    })
    const plan = await admin.call(campaignsApi.plan, { body: { id, contactListId, whatsappId: line.id } as never })
    expect(plan.days.map(({ count }) => count)).toEqual([3, 3, 1])
    expect(plan).toMatchObject({ overLimit: 4, basis: { line: { rolling: { limit: 3, used: [] } } } })
    expect(Date.parse(plan.lastAt as string) - Date.parse(plan.firstAt as string)).toBeGreaterThanOrEqual(hours(48))

    server.clock.freeze()
    const before = graph.acceptedSends.length
    const sentCount = () => graph.acceptedSends.length - before
    const pollFor = (count: number) =>
      vi.waitFor(async () => {
        await server.server.switchboard.timers.poll()
        expect(sentCount()).toBe(count)
      })
    await admin.call(campaignsApi.start, { params: { id }, body: {} })
    await pollFor(3)
    expect((await line.showLine()).health).toMatchObject({ reachedToday: 3 })
    // Midnight frees nothing: the limit counts any 24 hours.
    server.clock.advance(hours(23))
    for (let n = 0; n < 5; n++) await server.server.switchboard.timers.poll()
    expect(sentCount()).toBe(3)
    server.clock.advance(hours(1) + 60_000)
    await pollFor(6)
    server.clock.advance(hours(24) + 60_000)
    await pollFor(7)
  })
})
