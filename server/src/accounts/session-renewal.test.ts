import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { authApi } from '@recado/contract/auth'
import { passkeysApi } from '@recado/contract/passwords/passkeys'
import { twoFactorApi } from '@recado/contract/passwords/two-factor'
import { pushApi } from '@recado/contract/push'
import { tagsApi } from '@recado/contract/tags'
import { usersApi } from '@recado/contract/users'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { coseKey } from '../../test/cose-key.ts'
import {
  closeTestServers,
  password as currentPassword,
  makeCaller,
  type SocketClient,
  startSecondProcess,
  type TestServer,
  type TestUser,
  testServer,
  viaProcess,
} from '../../test/test-server.ts'
import type { RunningServer } from '../server.ts'
import { totpCodeAt, totpStepAt } from './two-factor/totp.ts'

let harness: TestServer
let secondProcess: RunningServer
let twinAddress: string
beforeAll(async () => {
  harness = await testServer({ publicUrl: 'https://desk.example' })
  secondProcess = await startSecondProcess(harness)
  twinAddress = `http://127.0.0.1:${(secondProcess.app.server.address() as AddressInfo).port}`
})
afterAll(closeTestServers)

const currentTotpCode = (secret: string) => {
  harness.clock.advance(30_000)
  return totpCodeAt(secret, totpStepAt(harness.clock.now()))
}
const newPassword = 'Quite-another-1'
const write = (name: string, email: string) => ({ name, email, whatsappId: null })

/** A passkey as an authenticator would create it for this challenge. */
function credentialFor(challenge: string) {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  const head = Buffer.concat([createHash('sha256').update('desk.example').digest(), Buffer.from([0x45, 0, 0, 0, 0])])
  const data = Buffer.concat([head, Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey(publicKey, -7)])
  const client = { type: 'webauthn.create', challenge, origin: 'https://desk.example', crossOrigin: false }
  return {
    id: id.toString('base64url'),
    clientData: Buffer.from(JSON.stringify(client)).toString('base64url'),
    authenticatorData: data.toString('base64url'),
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64url'),
    algorithm: -7,
  }
}
async function addPasskey(me: TestUser) {
  const { challenge } = await me.call(passkeysApi.offer, { body: { currentPassword } })
  return me.call(passkeysApi.add, { body: { name: 'Laptop', credential: credentialFor(challenge) } })
}
async function turnOn(me: TestUser) {
  const { secret } = await me.call(twoFactorApi.begin, { body: { currentPassword } })
  await me.call(twoFactorApi.confirm, { body: { code: currentTotpCode(secret) } })
  return secret
}

type Change = (me: TestUser) => Promise<unknown>
/** Credential changes by the user. Each entry prepares the change first, and returns a function that makes it. */
const ownChanges: Record<string, (me: TestUser) => Promise<Change>> = {
  'a new password': async () => (me) =>
    me.call(usersApi.update, {
      params: { id: me.id },
      body: { ...write('Me', me.email), password: newPassword, currentPassword },
    }),
  'another address': async () => (me) =>
    me.call(usersApi.update, { params: { id: me.id }, body: { ...write('Me', `new-${me.email}`), currentPassword } }),
  'a second step': async () => turnOn,
  'new recovery codes': async (before) => {
    const secret = await turnOn(before)
    return (me) => me.call(twoFactorApi.renew, { body: { code: currentTotpCode(secret) } })
  },
  'the second step turned off': async (before) => {
    const secret = await turnOn(before)
    return (me) => me.call(twoFactorApi.end, { body: { currentPassword, code: currentTotpCode(secret) } })
  },
  'a new passkey': async () => addPasskey,
  'a passkey removed': async (before) => {
    const { id } = await addPasskey(before)
    return (me) => me.call(passkeysApi.remove, { params: { id }, body: { currentPassword } })
  },
}

const refresh = (cookie: string, origin = harness.address) =>
  makeCaller(origin).request<{ token: string }>('POST', '/auth/refresh_token', undefined, { cookie })
const keys = { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) }
const isClosed = (socketClient: SocketClient) =>
  expect.poll(() => socketClient.socket.connected, { timeout: 5000 }).toBe(false)
const canOpenSocket = (auth: Record<string, unknown>, query: Record<string, string> = {}) =>
  new Promise<boolean>((resolve) => {
    const socket = io(harness.address, { transports: ['websocket'], auth, query, forceNew: true, reconnection: false })
    socket.once('ready', () => resolve(true))
    socket.once('connect_error', () => resolve(false))
    socket.once('disconnect', () => resolve(false))
  })

describe.each(Object.entries(ownChanges))('a session after %s', (_name, prepare) => {
  it('continues under a new cookie, and every earlier copy of the cookie becomes invalid, in another process too', async () => {
    const company = await harness.createCompany()
    const me = await company.user()
    const change = await prepare(me)
    // The preparation may have renewed the session already: a thief copies the currently valid credentials.
    await me.request('GET', '/tags')
    const { token, cookie } = me.currentLogin()
    const stolen = makeCaller(harness.address, token)
    const elsewhere = viaProcess(secondProcess, { ...me, token, cookie })
    const { ticket } = await me.call(authApi.socket)
    const socketClient = await elsewhere.listen()
    await me.call(pushApi.subscribe, { body: { endpoint: 'https://push.example/thief', keys } })
    expect((await stolen.request('GET', '/tags')).status).toBe(200)
    expect((await elsewhere.request('GET', '/tags')).status).toBe(200)

    await change(me)
    expect((await me.request('GET', '/tags')).status).toBe(200)
    expect(await stolen.request('GET', '/tags')).toMatchObject({ status: 403, body: { error: 'ERR_TOKEN_EXPIRED' } })
    await expect.poll(async () => (await elsewhere.request('GET', '/tags')).status, { timeout: 3000 }).toBe(403)
    for (const address of [harness.address, twinAddress]) {
      const answer = await refresh(cookie, address)
      expect(answer).toMatchObject({ status: 401, body: { error: 'ERR_SESSION_EXPIRED' } })
      // A tab of the same browser that refreshed at this moment must not lose the new cookie.
      expect(answer.cookies).toEqual([])
    }
    expect(await canOpenSocket({ ticket })).toBe(false)
    expect(await canOpenSocket({}, { token })).toBe(false)
    const before = socketClient.received.length
    await company.admin.call(tagsApi.create, { body: { name: `News ${randomBytes(4).toString('hex')}`, color: '' } })
    await isClosed(socketClient)
    expect(socketClient.received.slice(before)).toEqual([])
    const push = await harness
      .wide()
      .db.selectFrom('pushSubscriptions')
      .where('userId', '=', me.id)
      .selectAll()
      .execute()
    expect(push).toEqual([])
    // Using a stolen copy does not end the owner's session.
    expect((await me.request('GET', '/tags')).status).toBe(200)
  })
})
