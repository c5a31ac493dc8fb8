import { connectionsApi } from '@recado/contract/connections'
import { lineSignupApi } from '@recado/contract/health/line-signup'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openCloudLine, quickCloudTimings, unixSeconds } from '../../../test/cloud-phone.ts'
import { type FakeGraph, fakeGraph, fakeMetaApp, signWebhookBody } from '../../../test/fake-graph.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { minutes } from '../../kernel/clock.ts'
import { makeLog } from '../../kernel/log.ts'

let graph: FakeGraph
let harness: TestServer
const logged: string[] = []
beforeAll(async () => {
  graph = await fakeGraph()
  const sink = { write: (line: string) => void logged.push(line) }
  const timings = { ...quickCloudTimings, timeoutMs: 1500, maxAttempts: 2, checkMs: 500 }
  harness = await testServer({ graphUrl: graph.base, metaApp: fakeMetaApp }, makeLog('debug', sink), { cloud: timings })
})
afterAll(async () => {
  await closeTestServers()
  await graph.close()
})

const begin = (by: TestUser, body: { history?: boolean; name?: string; whatsappId?: number | null } = {}) =>
  by.call(lineSignupApi.begin, { body: { name: '', whatsappId: null, ...body } })
const exchange = (by: TestUser, state: string, code: string) =>
  by.call(lineSignupApi.exchange, { body: { state, code } })
const complete = (by: TestUser, state: string, phoneNumberId = '') =>
  by.call(lineSignupApi.complete, { body: { state, phoneNumberId } })
const showLine = (by: TestUser, id: number) => by.call(connectionsApi.show, { params: { id } })
const waitForLine = (by: TestUser, id: number, like: object) =>
  vi.waitFor(async () => expect(await showLine(by, id)).toMatchObject(like), { timeout: 10_000, interval: 30 })
const countCalls = (path: string) => graph.calls.filter((call) => call.path === path).length

describe('connecting a number with Meta', () => {
  it('exchanges the code on the server, sets the webhook, receives with it, and requests the history', async () => {
    const { admin } = await harness.createCompany()
    const account = graph.createAccount()
    const { url, state } = await begin(admin, { history: true, name: 'Ventas' })
    const dialog = new URL(url)
    expect(dialog.origin + dialog.pathname).toBe(`${graph.base}/dialog/oauth`)
    expect(Object.fromEntries(dialog.searchParams)).toMatchObject({
      ...{ client_id: fakeMetaApp.id, config_id: fakeMetaApp.configId, response_type: 'code', state },
      ...{ override_default_response_type: 'true', redirect_uri: `${harness.address}/connections` },
    })
    expect(dialog.searchParams.get('extras')).toContain('whatsapp_business_app_onboarding')
    expect(url).not.toContain(fakeMetaApp.secret)

    const code = graph.grantCode(account)
    const answer = await exchange(admin, state, code)
    const id = answer.connection?.id ?? 0
    expect(answer).toMatchObject({ connection: { name: 'Ventas', provider: 'cloud' }, numbers: [] })
    await waitForLine(admin, id, { status: 'CONNECTED', cloud: { viaSignup: true, hasAppSecret: true } })
    await expect.poll(() => graph.phoneAppSyncs).toEqual(['smb_app_state_sync', 'history'])
    expect((await showLine(admin, id)).history).toMatchObject({ state: 'running' })

    // Meta's own call with the verify token of the line succeeded, and events signed by the app reach the line.
    const webhook = graph.webhookOverrides.get(account.businessAccountId)
    expect(webhook?.url).toBe((await showLine(admin, id)).cloud?.webhookUrl)
    // A webhook that somebody replaced at Meta is set again.
    graph.webhookOverrides.clear()
    await expect.poll(() => graph.webhookOverrides.get(account.businessAccountId)).toEqual(webhook)
    const message = { id: 'wamid.signup', from: '5511980001122', timestamp: unixSeconds(), type: 'text' }
    const value = {
      metadata: { display_phone_number: '15550102030', phone_number_id: account.phoneNumberId },
      contacts: [{ profile: { name: 'Sol' }, wa_id: message.from }],
      messages: [{ ...message, text: { body: 'hola' } }],
    }
    const text = JSON.stringify({ entry: [{ id: account.businessAccountId, changes: [{ field: 'messages', value }] }] })
    const post = (secret: string) =>
      fetch(webhook?.url ?? '', {
        method: 'POST',
        headers: { 'x-hub-signature-256': signWebhookBody(secret, text) },
        body: text,
      })
    expect((await post(account.appSecret)).status).toBe(400)
    expect((await post(fakeMetaApp.secret)).status).toBe(200)
    const stored = () =>
      harness.wide().db.selectFrom('messages').select('body').where('wid', '=', 'wamid.signup').executeTakeFirst()
    await expect.poll(stored).toEqual({ body: 'hola' })

    // Neither the token nor the app's secret is in an answer or in the log.
    const secrets = [account.accessToken, fakeMetaApp.secret, code]
    for (const secret of secrets) expect(JSON.stringify([answer, await showLine(admin, id)])).not.toContain(secret)
    expect(logged.length).toBeGreaterThan(0)
    for (const secret of secrets) expect(logged.join('\n')).not.toContain(secret)
  })

  it('lets the person choose if there are several numbers, and names lines without a conflict', async () => {
    const { admin } = await harness.createCompany()
    const first = graph.createAccount()
    const second = graph.createAccount({ ...first, phoneNumberId: '7710002' })
    const { state } = await begin(admin, { history: true })
    // An older version of the API does not say whether a number is on a phone.
    graph.unknownFields.push('is_on_biz_app')
    const { connection, numbers } = await exchange(admin, state, graph.grantCode(first, second))
    graph.unknownFields.splice(0)
    expect(connection).toBeNull()
    expect(numbers.map(({ phoneNumberId }) => phoneNumberId)).toEqual([first.phoneNumberId, second.phoneNumberId])
    expect(numbers[0]?.onPhone).toBeNull()
    await expect(complete(admin, state, '123')).rejects.toThrow('ERR_SIGNUP_NO_NUMBER')
    const chosen = await complete(admin, state, second.phoneNumberId)
    // The second number is not on a phone, so there is no history to request.
    expect(chosen.connection).toMatchObject({ name: 'Tienda', history: null })
    expect(chosen.connection?.cloud?.phoneNumberId).toBe(second.phoneNumberId)
    await expect(complete(admin, state, first.phoneNumberId)).rejects.toThrow('ERR_SIGNUP_STATE')

    const other = await begin(admin)
    await exchange(admin, other.state, graph.grantCode(first, second))
    const { connection: line } = await complete(admin, other.state, first.phoneNumberId)
    expect(line?.name).toBe('Tienda 2')
    expect(await admin.call(connectionsApi.list, {})).toHaveLength(2)
  })

  it('gives an existing line of the company its new account, and keeps its texts', async () => {
    const { admin } = await harness.createCompany()
    const line = await openCloudLine(admin, graph, { name: 'Oficial', greetingMessage: 'Hola' })
    await line.waitForStatus('CONNECTED')
    const { state } = await begin(admin)
    const { connection } = await exchange(admin, state, graph.grantCode(line.account))
    expect(connection).toMatchObject({ id: line.id, name: 'Oficial', greetingMessage: 'Hola' })
    await waitForLine(admin, line.id, { status: 'CONNECTED', cloud: { viaSignup: true } })
    expect(await admin.call(connectionsApi.list, {})).toHaveLength(1)

    // A form that is saved unchanged keeps the connection; an own app secret ends it.
    const { phoneNumberId, businessAccountId } = line.account
    const save = (cloud: object) =>
      admin.call(connectionsApi.update, { params: { id: line.id }, body: { name: 'Oficial', cloud } as never })
    expect((await save({ phoneNumberId, businessAccountId })).cloud?.viaSignup).toBe(true)
    expect((await save({ phoneNumberId, businessAccountId, appSecret: 'own secret' })).cloud?.viaSignup).toBe(false)

    // A linked phone that is named becomes an official line.
    const { id } = await admin.call(connectionsApi.create, { body: { name: 'Teléfono', provider: 'beta' } as never })
    const next = await begin(admin, { whatsappId: id })
    const moved = await exchange(admin, next.state, graph.grantCode(graph.createAccount()))
    expect(moved.connection).toMatchObject({ id, name: 'Teléfono', provider: 'cloud' })
    await waitForLine(admin, id, { status: 'CONNECTED' })
  })

  it('shows on the line when Meta does not accept its webhook, and connects once Meta does', async () => {
    const { admin } = await harness.createCompany()
    const { state } = await begin(admin)
    graph.reach.webhooks = false
    const { connection } = await exchange(admin, state, graph.grantCode(graph.createAccount()))
    const id = connection?.id ?? 0
    await waitForLine(admin, id, { status: 'DISCONNECTED', reason: 'webhook-refused' })
    graph.reach.webhooks = true
    await waitForLine(admin, id, { status: 'CONNECTED', reason: '' })
  })
})

describe('the state of a signup', () => {
  it('is refused if it is wrong, expired, used, or of another person or company', async () => {
    const { admin, user } = await harness.createCompany()
    const colleague = await user('admin')
    const { admin: stranger } = await harness.createCompany()
    const code = graph.grantCode(graph.createAccount())
    const { state } = await begin(admin)
    const before = countCalls('oauth/access_token')
    await expect(exchange(admin, 'x'.repeat(43), code)).rejects.toThrow('ERR_SIGNUP_STATE')
    await expect(exchange(colleague, state, code)).rejects.toThrow('ERR_SIGNUP_STATE')
    await expect(exchange(stranger, state, code)).rejects.toThrow('ERR_SIGNUP_STATE')
    await expect(complete(admin, state)).rejects.toThrow('ERR_SIGNUP_STATE')
    harness.clock.advance(minutes(11))
    await expect(exchange(admin, state, code)).rejects.toThrow('ERR_SIGNUP_STATE')
    // A newer signup replaces the earlier one.
    const older = await begin(admin)
    const newer = await begin(admin)
    await expect(exchange(admin, older.state, code)).rejects.toThrow('ERR_SIGNUP_STATE')
    expect(countCalls('oauth/access_token')).toBe(before)
    const calls = [exchange(admin, newer.state, code), exchange(admin, newer.state, code)]
    const results = await Promise.allSettled(calls)
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(countCalls('oauth/access_token')).toBe(before + 1)
    expect(
      await harness.wide().db.selectFrom('lineSignups').select('userId').where('userId', '=', admin.id).execute(),
    ).toEqual([])
  })

  it('needs the right to add lines, a place in the plan, and an app of the operator', async () => {
    const { admin, user, id } = await harness.createCompany()
    await expect(begin(await user('supervisor'))).rejects.toThrow('ERR_NO_PERMISSION')
    const { admin: stranger } = await harness.createCompany()
    const line = await openCloudLine(stranger, graph)
    await expect(begin(admin, { whatsappId: line.id })).rejects.toThrow('ERR_NO_WAPP_FOUND')

    const { db } = harness.wide()
    const plan = await db.selectFrom('plans').selectAll().where('id', '=', 2).executeTakeFirstOrThrow()
    const setPlaces = (connections: number) =>
      db.updateTable('plans').set({ connections }).where('id', '=', 2).execute()
    // The last place is taken while the person is at Meta: nothing is lost, and a larger plan lets them continue.
    await setPlaces(1)
    const { state } = await begin(admin)
    const taken = await admin.call(connectionsApi.create, { body: { name: 'Prueba', provider: 'sandbox' } as never })
    await expect(begin(admin)).rejects.toThrow('ERR_PLAN_LIMIT_CONNECTIONS')
    await expect(exchange(admin, state, graph.grantCode(graph.createAccount()))).rejects.toThrow(
      'ERR_PLAN_LIMIT_CONNECTIONS',
    )
    await setPlaces(plan.connections ?? 10)
    expect((await complete(admin, state)).connection?.id).not.toBe(taken.id)
    expect(await db.selectFrom('whatsapps').select('id').where('companyId', '=', id).execute()).toHaveLength(2)

    const plain = await testServer({ graphUrl: graph.base })
    const { admin: other } = await plain.createCompany()
    expect(await other.call(lineSignupApi.available)).toEqual({ available: false })
    expect(await admin.call(lineSignupApi.available)).toEqual({ available: true })
    await expect(begin(other)).rejects.toThrow('ERR_SIGNUP_OFF')
    await plain.close()
  })
})

describe('a signup that fails at Meta', () => {
  it('tries a code once, whether Meta refuses it or stays silent', async () => {
    const { admin } = await harness.createCompany()
    for (const trouble of [{ kind: 'refuse', code: 100 }, { kind: 'hang' }, { kind: 'garbage' }] as const) {
      const { state } = await begin(admin)
      const before = countCalls('oauth/access_token')
      const code = graph.grantCode(graph.createAccount())
      graph.signupTroubles.set('access_token', trouble)
      await expect(exchange(admin, state, code)).rejects.toThrow('ERR_SIGNUP_CODE')
      await expect(exchange(admin, state, code)).rejects.toThrow('ERR_SIGNUP_STATE')
      expect(countCalls('oauth/access_token')).toBe(before + 1)
    }
    expect(await admin.call(connectionsApi.list, {})).toEqual([])
  })

  it('keeps the token sealed while Meta is silent, and continues without a second code', async () => {
    const { admin } = await harness.createCompany()
    const account = graph.createAccount()
    for (const path of ['debug_token', 'phone_numbers']) {
      const { state } = await begin(admin)
      graph.otherTroubles.splice(0)
      const refuse = () => graph.signupTroubles.set(path, { kind: 'refuse', status: 500, code: 2 })
      refuse()
      // Reads are repeated, so the second attempt fails, too.
      const again = setInterval(refuse, 1)
      await expect(exchange(admin, state, graph.grantCode(account))).rejects.toMatchObject({
        ...{ status: 502, message: expect.stringContaining('ERR_SIGNUP_META') },
      })
      clearInterval(again)
      graph.signupTroubles.delete(path)
      const { rows } = { rows: await harness.wide().db.selectFrom('lineSignups').selectAll().execute() }
      expect(rows.find(({ userId }) => userId === admin.id)?.accessTokenSealed).toMatch(/^.{20,}$/)
      expect(JSON.stringify(rows)).not.toContain(account.accessToken)
      expect((await complete(admin, state)).connection?.cloud?.phoneNumberId).toBe(account.phoneNumberId)
    }
  })

  it('says that no account was shared, and deletes what nobody finished', async () => {
    const { admin, id } = await harness.createCompany()
    const { state } = await begin(admin)
    await expect(exchange(admin, state, graph.grantCode())).rejects.toThrow('ERR_SIGNUP_NO_ACCOUNT')
    const left = () =>
      harness.wide().db.selectFrom('lineSignups').select('userId').where('companyId', '=', id).execute()
    expect(await left()).toHaveLength(1)
    harness.clock.advance(minutes(31))
    await harness.wide().enqueueJob('line-signup:purge', { companyId: id })
    await expect.poll(left).toEqual([])
  })

  it('refuses a number or account of another company, but not ids that were only typed in', async () => {
    const { admin: owner } = await harness.createCompany()
    const { admin } = await harness.createCompany()
    const account = graph.createAccount()
    const typed = graph.createAccount()
    const line = await openCloudLine(owner, graph, {}, account)
    await line.waitForStatus('CONNECTED')
    const squatter = await openCloudLine(owner, graph, {}, { ...typed, accessToken: 'made up' })
    await squatter.waitForStatus('DISCONNECTED', 'token-expired')

    const { state } = await begin(admin)
    await expect(exchange(admin, state, graph.grantCode(account))).rejects.toThrow('ERR_SIGNUP_NUMBER_TAKEN')
    expect(await admin.call(connectionsApi.list, {})).toEqual([])
    const sibling = graph.createAccount({ businessAccountId: account.businessAccountId })
    const second = await begin(admin)
    await expect(exchange(admin, second.state, graph.grantCode(sibling))).rejects.toThrow('ERR_SIGNUP_NUMBER_TAKEN')
    const third = await begin(admin)
    expect((await exchange(admin, third.state, graph.grantCode(typed))).connection).not.toBeNull()
  })
})
