import { once } from 'node:events'
import { type LinePasskeyOptions, linePasskeysApi } from '@recado/contract/health/line-passkeys'
import { passkeyLinkingApi } from '@recado/contract/health/passkey-linking'
import { createPasskey, signWithPasskey } from '@recado/whatsapp/passkey'
import type { Person as Account } from '@recado/whatsapp/person'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import {
  createLinkedLine,
  createShop,
  type LinkedLine,
  type LinkedServer,
  openLinkedServer,
  startConversation,
} from '../../../test/linked-phone.ts'
import { closeTestServers, makeCaller, startSecondProcess, type TestUser } from '../../../test/test-server.ts'
import { minutes } from '../../kernel/clock.ts'
import type { RunningServer } from '../../server.ts'

/** WhatsApp asks for a passkey when a phone links: our own WhatsApp server checks every step. */
let linkedServer: LinkedServer
/** Serves HTTP only: the line runs in the first process. */
let webProcess: RunningServer
let boss: TestUser
let admin: TestUser
const whatsappPage = { origin: 'https://web.whatsapp.com' }

beforeAll(async () => {
  // Without polls, so that only the signal between the processes can wake the line.
  linkedServer = await openLinkedServer({ passkeyPollMs: minutes(60) })
  webProcess = await startSecondProcess(linkedServer.server, {}, { role: 'web', whatsappUrl: '' })
  boss = await linkedServer.server.superUser()
  admin = (await linkedServer.server.createCompany()).admin
  await linkedServer.server.wide().db.updateTable('plans').set({ connections: 100 }).execute()
})
afterEach(() => boss.call(passkeyLinkingApi.save, { body: { enabled: false } }))
afterAll(async () => {
  await closeTestServers()
  await linkedServer.wa.close()
})

const enable = () => boss.call(passkeyLinkingApi.save, { body: { enabled: true } })
const paramsOf = (line: LinkedLine) => ({ params: { whatsappId: line.id } })
const showPasskey = (line: LinkedLine) => admin.call(linePasskeysApi.show, paramsOf(line))
const decide = (line: LinkedLine, confirmed: boolean) =>
  admin.call(linePasskeysApi.decide, { ...paramsOf(line), body: { confirmed } })
const listCeremonies = () => linkedServer.server.wide().db.selectFrom('linePasskeys').selectAll().execute()
const listKeys = (line: LinkedLine) =>
  linkedServer.server.wide().db.selectFrom('linkedKeys').select('type').where('whatsappId', '=', line.id).execute()

/** Calls the one-time address in the process that does not run the line, as a browser on WhatsApp's page does. */
function makePageCaller(address: string) {
  const { origin } = new URL(webProcess.address)
  const caller = makeCaller(origin)
  const { pathname } = new URL(address)
  return {
    pathname,
    options: () => caller.request<LinePasskeyOptions>('GET', pathname, undefined, whatsappPage),
    sign: (assertion: object) => caller.request<{ error?: string }>('POST', pathname, assertion, whatsappPage),
  }
}

/** A line whose phone has scanned the code, and whose account demands a passkey. */
async function askForPasskey(prepare: (shop: Account) => void = () => {}) {
  await enable()
  const shop = createShop(linkedServer)
  const passkey = createPasskey()
  shop.account.passkey = passkey
  prepare(shop)
  const line = await createLinkedLine(admin)
  const { qrcode } = await line.waitForStatus('qrcode')
  const phoneCode = once(shop, 'passkeyCode').then(([code]) => code as string)
  const linking = shop.scan(qrcode).then(
    (device) => ({ device, refusal: '' }),
    (error: Error) => ({ device: undefined, refusal: error.message }),
  )
  await line.waitForStatus('PAIRING', 'passkey-sign')
  return { shop, passkey, line, phoneCode, linking }
}

/** The person signs in the browser; resolves when the line shows its code. */
async function signOnPage({ line, passkey }: Awaited<ReturnType<typeof askForPasskey>>) {
  const { address } = await admin.call(linePasskeysApi.createAddress, paramsOf(line))
  const page = makePageCaller(address)
  const { body: options } = await page.options()
  expect((await page.sign(signWithPasskey(passkey, options))).status).toBe(200)
  await line.waitForStatus('PAIRING', 'passkey-compare')
  return page
}

it('stops at the request for a passkey while the switch is off, as on a new server', async () => {
  expect(await boss.call(passkeyLinkingApi.show)).toEqual({ enabled: false })
  const shop = createShop(linkedServer)
  shop.account.passkey = createPasskey()
  const line = await createLinkedLine(admin)
  const { qrcode } = await line.waitForStatus('qrcode')
  const refusal = expect(shop.scan(qrcode)).rejects.toThrow('left without the passkey')
  expect(await line.waitForStatus('DISCONNECTED', 'passkey')).toMatchObject({ qrcode: '' })
  await refusal
  expect(await listKeys(line)).toEqual([])
  expect(await showPasskey(line)).toEqual({ stage: 'none', code: '', expiresAt: null })
  await expect(admin.call(linePasskeysApi.createAddress, paramsOf(line))).rejects.toThrow('ERR_WAPP_NO_PASSKEY')
  await expect(admin.call(passkeyLinkingApi.save, { body: { enabled: true } })).rejects.toThrow('ERR_NO_PERMISSION')
})

it('links the phone after a signature through another process and a confirmed code', async () => {
  const asked = await askForPasskey()
  const { line, shop, passkey, phoneCode, linking } = asked
  expect(await showPasskey(line)).toMatchObject({ stage: 'sign', code: '' })
  await expect(decide(line, true)).rejects.toThrow('ERR_WAPP_NO_PASSKEY')
  const page = await signOnPage(asked)
  const { stage, code } = await showPasskey(line)
  expect({ stage, code }).toEqual({ stage: 'compare', code: await phoneCode })
  expect(code).toMatch(/^[1-9A-HJ-NP-TV-Z]{4}-[1-9A-HJ-NP-TV-Z]{4}$/)
  // The address was used up, and a new one is not made any more.
  expect((await page.options()).status).toBe(404)
  expect((await page.sign(signWithPasskey(passkey, { challenge: 'AAAA', rpId: 'whatsapp.com' }))).status).toBe(404)
  await expect(admin.call(linePasskeysApi.createAddress, paramsOf(line))).rejects.toThrow('ERR_WAPP_NO_PASSKEY')
  expect((await listCeremonies())[0]).toMatchObject({ tokenHash: null, assertionSealed: null })

  expect((await decide(line, true)).stage).toBe('confirmed')
  await line.waitForStatus('CONNECTED')
  expect((await linking).device).toBeDefined()
  expect(await line.showLine()).toMatchObject({ number: shop.account.phoneNumber, reason: '' })
  expect(await listCeremonies()).toEqual([])
  // The phone and the line share the new secret: messages are readable.
  expect(await startConversation(admin, shop, createShop(linkedServer, 'Customer'))).toMatchObject({
    id: expect.any(Number),
  })
})

it('asks WhatsApp for the options if its request does not contain them, also after a typed code', async () => {
  await enable()
  const shop = createShop(linkedServer)
  const passkey = createPasskey()
  Object.assign(shop.account, { passkey, withholdsPasskeyOptions: true })
  const line = await createLinkedLine(admin)
  await line.waitForStatus('qrcode')
  const codeAsked = once(shop, 'codeAsked')
  await line.code(`+${shop.account.phoneNumber}`)
  await codeAsked
  const { pairingCode } = await vi.waitFor(async () => {
    const row = await line.waitForStatus('qrcode')
    expect(row.pairingCode).not.toBe('')
    return row
  })
  const phoneCode = once(shop, 'passkeyCode').then(([code]) => code as string)
  const linking = shop.enterPairingCode(pairingCode)
  await line.waitForStatus('PAIRING', 'passkey-sign')
  await signOnPage({ line, passkey, shop, phoneCode, linking: linking as never })
  expect((await showPasskey(line)).code).toBe(await phoneCode)
  await decide(line, true)
  await line.waitForStatus('CONNECTED')
  await linking
})

it('does not link when the person cancels because the codes differ', async () => {
  const asked = await askForPasskey()
  await signOnPage(asked)
  const { line, linking } = asked
  await decide(line, false)
  await line.waitForStatus('DISCONNECTED', 'passkey-cancelled')
  expect((await linking).refusal).toBe('the client left without the passkey')
  expect(await listKeys(line)).toEqual([])
  expect(await listCeremonies()).toEqual([])
  await expect(decide(line, true)).rejects.toThrow('ERR_WAPP_NO_PASSKEY')
  // A new code starts from the beginning.
  await line.renew()
  await line.waitForStatus('qrcode')
})

it('accepts a signature only from the newest address, for this request, from WhatsApp’s page', async () => {
  const { line, passkey } = await askForPasskey()
  const first = makePageCaller((await admin.call(linePasskeysApi.createAddress, paramsOf(line))).address)
  const created = await admin.call(linePasskeysApi.createAddress, paramsOf(line))
  expect(created.openUrl).toBe(`https://web.whatsapp.com/#recado-passkey=${encodeURIComponent(created.address)}`)
  expect(new URL(created.address).pathname).toMatch(/^\/line-passkey\/[\w-]{43}$/)
  expect(JSON.stringify(await listCeremonies())).not.toContain(created.address.slice(-43))
  const page = makePageCaller(created.address)
  expect((await first.options()).status).toBe(404)
  const { body: options, headers } = await page.options()
  expect(options).toMatchObject({ rpId: 'whatsapp.com', userVerification: 'required' })
  expect(headers.get('access-control-allow-origin')).toBe('https://web.whatsapp.com')
  expect(headers.get('access-control-allow-credentials')).toBeNull()

  const assertion = signWithPasskey(passkey, options)
  const refusals = [
    signWithPasskey(passkey, { ...options, challenge: 'b3RoZXI' }),
    signWithPasskey(passkey, options, 'https://whatsapp.example'),
    { ...assertion, response: { ...assertion.response, clientDataJSON: 'bm90IGpzb24' } },
    { ...assertion, response: { ...assertion.response, signature: 'not base64url!' } },
  ]
  const answers = await Promise.all(refusals.map((one) => page.sign(one)))
  expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
    ...Array.from({ length: 3 }, () => [400, 'ERR_PASSKEY']),
    [400, 'ERR_VALIDATION'],
  ])
  expect((await page.sign({ ...assertion, padding: 'x'.repeat(9000) })).status).toBe(413)
  // Of two calls with the same address one is accepted.
  const statuses = (await Promise.all([page.sign(assertion), page.sign(assertion)])).map(({ status }) => status)
  expect(statuses.sort()).toEqual([200, 404])
  await line.disconnect()
})

it('opens no other path to WhatsApp’s page, and its one-time path to no other page', async () => {
  const { request } = makeCaller(linkedServer.server.address)
  const preflight = async (path: string, origin: string) =>
    (
      await request('OPTIONS' as never, path, undefined, {
        ...{ origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
      })
    ).headers.get('access-control-allow-origin')
  expect(await preflight('/line-passkey/x', whatsappPage.origin)).toBe(whatsappPage.origin)
  expect(await preflight('/line-passkey/x', 'https://evil.example')).toBe(whatsappPage.origin)
  expect(await preflight('/whatsapp', whatsappPage.origin)).toBeNull()
})

it('ends when ten minutes have passed, and its address with it', async () => {
  const { server, wa } = await openLinkedServer({ passkeyPollMs: 50 })
  const { admin: owner } = await server.createCompany()
  await (await server.superUser()).call(passkeyLinkingApi.save, { body: { enabled: true } })
  const shop = createShop({ wa })
  shop.account.passkey = createPasskey()
  const line = await createLinkedLine(owner)
  const { qrcode } = await line.waitForStatus('qrcode')
  shop.scan(qrcode).catch(() => {})
  await line.waitForStatus('PAIRING', 'passkey-sign')
  const { address } = await owner.call(linePasskeysApi.createAddress, paramsOf(line))
  const { request } = makeCaller(server.address)
  const read = () => request('GET', new URL(address).pathname)
  expect((await read()).status).toBe(200)
  server.clock.advance(minutes(10))
  expect((await read()).status).toBe(404)
  await line.waitForStatus('DISCONNECTED', 'passkey-expired')
  expect(await server.wide().db.selectFrom('linePasskeys').selectAll().execute()).toEqual([])
  await server.close()
  await wa.close()
  linkedServer.wa.trust()
})

it('reports that WhatsApp refused the signature', async () => {
  const asked = await askForPasskey()
  const other = createPasskey()
  const { line, linking } = asked
  const page = makePageCaller((await admin.call(linePasskeysApi.createAddress, paramsOf(line))).address)
  const { body: options } = await page.options()
  await page.sign(signWithPasskey({ ...other, credentialId: asked.passkey.credentialId }, options))
  await line.waitForStatus('DISCONNECTED', 'passkey-failed')
  expect((await linking).refusal).toBe('the signature is wrong')
})

it('refuses an address that tries many tokens', async () => {
  await enable()
  const { request } = makeCaller(linkedServer.server.address)
  const statuses = []
  for (let i = 0; i < 32; i++) statuses.push((await request('GET', `/line-passkey/guess-${i}`)).status)
  expect(statuses.slice(0, 2)).toEqual([404, 404])
  expect(statuses.at(-1)).toBe(429)
})
