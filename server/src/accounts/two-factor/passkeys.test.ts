import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { auditApi } from '@recado/contract/api-access/audit'
import { authApi } from '@recado/contract/auth'
import { passkeysApi } from '@recado/contract/passwords/passkeys'
import { settingsApi } from '@recado/contract/settings'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { coseKey } from '../../../test/cose-key.ts'
import { closeTestServers, password, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { minutes } from '../../kernel/clock.ts'
import { PasskeyRefusedError, relyingPartyFor, verifyAssertion, verifyRegistration } from './webauthn.ts'

let harness: TestServer
beforeAll(async () => {
  harness = await testServer({ publicUrl: 'https://desk.example' })
})
afterAll(closeTestServers)

const party = { id: 'desk.example', origin: 'https://desk.example' }
const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()
const encoded = (data: Buffer | string) => Buffer.from(data).toString('base64url')

type AuthenticatorOverrides = { origin?: string; rpId?: string; flags?: number; type?: string; crossOrigin?: boolean }
type Pair = { publicKey: KeyObject; privateKey: KeyObject; algorithm: number }
const pairs: Record<string, () => Pair> = {
  ES256: () => ({ ...generateKeyPairSync('ec', { namedCurve: 'P-256' }), algorithm: -7 }),
  EdDSA: () => ({ ...generateKeyPairSync('ed25519'), algorithm: -8 }),
  RS256: () => ({ ...generateKeyPairSync('rsa', { modulusLength: 2048 }), algorithm: -257 }),
}

/** A software authenticator that behaves correctly by default. */
function authenticator(kind = 'ES256') {
  const { publicKey, privateKey, algorithm } = (pairs[kind] as () => Pair)()
  const id = randomBytes(32)
  let counter = 0
  let handle = ''
  const client = (
    challenge: string,
    type: string,
    { origin = party.origin, crossOrigin = false, ...how }: AuthenticatorOverrides,
  ) => Buffer.from(JSON.stringify({ type: how.type ?? type, challenge, origin, crossOrigin }))
  const head = (flags: number, rpId: string) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count])
  }
  return {
    id,
    /** The user handle, which the authenticator stores. */
    belongs: (to: string) => {
      handle = to
    },
    makes(challenge: string, how: AuthenticatorOverrides = {}) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const cose = coseKey(publicKey, algorithm)
      const data = Buffer.concat([head(how.flags ?? 0x45, how.rpId ?? party.id), Buffer.alloc(16), length, id, cose])
      return {
        id: encoded(id),
        clientData: encoded(client(challenge, 'webauthn.create', how)),
        authenticatorData: encoded(data),
        publicKey: encoded(publicKey.export({ format: 'der', type: 'spki' })),
        algorithm,
      }
    },
    signs(challenge: string, how: AuthenticatorOverrides & { still?: boolean } = {}) {
      if (!how.still) counter++
      const data = head(how.flags ?? 0x05, how.rpId ?? party.id)
      const clientData = client(challenge, 'webauthn.get', how)
      const signed = Buffer.concat([data, sha256(clientData)])
      return {
        id: encoded(id),
        clientData: encoded(clientData),
        authenticatorData: encoded(data),
        signature: encoded(sign(kind === 'EdDSA' ? null : 'sha256', signed, privateKey)),
        userHandle: handle,
      }
    },
  }
}

const requestOffer = (person: TestUser) => person.call(passkeysApi.offer, { body: { currentPassword: password } })
async function registered(person: TestUser, kind?: string) {
  const device = authenticator(kind)
  const { challenge, user } = await requestOffer(person)
  device.belongs(user.id)
  const kept = await person.call(passkeysApi.add, { body: { name: 'Portátil', credential: device.makes(challenge) } })
  return { device, kept }
}
const atTheDoor = async () => (await harness.anonymous.call(passkeysApi.challenge)).challenge
const enter = (credential: object) =>
  harness.anonymous.request<{ token?: string; error?: string }>('POST', '/auth/login/passkey', credential)
const refusedReply = { status: 400, body: { error: 'ERR_PASSKEY' } }

describe('a passkey', () => {
  it.each(['ES256', 'EdDSA', 'RS256'])('logs in without a password: %s', async (kind) => {
    const { admin } = await harness.createCompany()
    const { device, kept } = await registered(admin, kind)
    expect(kept).toMatchObject({ name: 'Portátil', lastUsedAt: null })
    const answer = await enter(device.signs(await atTheDoor()))
    expect(answer).toMatchObject({ status: 200, body: { token: expect.any(String), user: { id: admin.id } } })
    expect(answer.cookies.some((cookie) => cookie.startsWith('jrt='))).toBe(true)
    const again = await harness.login(admin.email)
    const { passkeys } = await again.call(passkeysApi.list)
    expect(passkeys).toMatchObject([{ id: kept.id, lastUsedAt: expect.any(String) }])
    const { entries } = (await again.call(auditApi.list, { query: { deed: 'passkey' } })) as { entries: object[] }
    expect(entries).toMatchObject([{ deed: 'passkey.added', name: 'Portátil' }])
  })

  it('is offered after the password, without revealing other users’ passkeys', async () => {
    const { admin } = await harness.createCompany()
    expect(await admin.request('POST', '/auth/two-factor/passkeys/offer', { currentPassword: 'wrong' })).toMatchObject({
      body: { error: 'ERR_CURRENT_PASSWORD' },
    })
    const { device } = await registered(admin)
    expect(await requestOffer(admin)).toMatchObject({
      rp: { id: 'desk.example' },
      algorithms: [-7, -8, -257],
      known: [encoded(device.id)],
    })
    expect(Object.keys(await harness.anonymous.call(passkeysApi.challenge)).sort()).toEqual([
      'challenge',
      'rpId',
      'timeout',
    ])
  })

  it('signs each challenge once, and no challenge that is expired or made for another purpose', async () => {
    const { admin } = await harness.createCompany()
    const { device } = await registered(admin)
    const challenge = await atTheDoor()
    const signed = device.signs(challenge)
    expect((await enter(signed)).status).toBe(200)
    expect(await enter(signed)).toMatchObject(refusedReply)
    expect(await enter(device.signs(challenge))).toMatchObject(refusedReply)
    const late = await atTheDoor()
    harness.clock.advance(minutes(2) + 1000)
    expect(await enter(device.signs(late))).toMatchObject(refusedReply)
    const again = await harness.login(admin.email)
    expect(await enter(device.signs((await requestOffer(again)).challenge))).toMatchObject(refusedReply)
    expect(await enter(device.signs(encoded('1.x.y')))).toMatchObject(refusedReply)
    expect((await enter(device.signs(await atTheDoor()))).status).toBe(200)
  })

  it.each<[string, AuthenticatorOverrides & { still?: boolean }]>([
    ['on a page of another origin', { origin: 'https://desk.example.evil.test' }],
    ['on another port', { origin: 'https://desk.example:8443' }],
    ['without TLS', { origin: 'http://desk.example' }],
    ['for another name', { rpId: 'evil.test' }],
    ['in a frame of elsewhere', { crossOrigin: true }],
    ['without a finger, a face or a PIN', { flags: 0x01 }],
    ['without anybody there', { flags: 0x04 }],
    ['as if it were made and not used', { type: 'webauthn.create' }],
    ['with a counter that does not go forward', { still: true }],
  ])('is refused %s', async (_, how) => {
    const { admin } = await harness.createCompany()
    const { device } = await registered(admin)
    expect((await enter(device.signs(await atTheDoor()))).status).toBe(200)
    expect(await enter(device.signs(await atTheDoor(), how))).toMatchObject(refusedReply)
  })

  it('is refused with a signature of another key or of an unknown key', async () => {
    const { admin } = await harness.createCompany()
    const { device } = await registered(admin)
    const other = authenticator()
    const challenge = await atTheDoor()
    expect(await enter({ ...other.signs(challenge), id: encoded(device.id) })).toMatchObject(refusedReply)
    expect(await enter(other.signs(challenge))).toMatchObject(refusedReply)
    const { admin: thief } = await harness.createCompany()
    expect(
      await enter({ ...device.signs(challenge), userHandle: encoded(`${thief.companyId}.${thief.id}`) }),
    ).toMatchObject(refusedReply)
    expect(await enter({ ...device.signs(challenge), userHandle: encoded('0.0') })).toMatchObject(refusedReply)
    expect((await enter(device.signs(challenge))).status).toBe(200)
  })

  it('is registered once per offer, only by the user to whom it was offered, and only with the key that signed', async () => {
    const one = await harness.createCompany()
    const two = await harness.createCompany()
    const device = authenticator()
    const { challenge } = await requestOffer(one.admin)
    const add = (person: TestUser, credential: object) =>
      person.request('POST', '/auth/two-factor/passkeys', { name: 'x', credential })
    expect(await add(two.admin, device.makes(challenge))).toMatchObject(refusedReply)
    const stranger = authenticator().makes(challenge)
    expect(await add(one.admin, { ...device.makes(challenge), publicKey: stranger.publicKey })).toMatchObject(
      refusedReply,
    )
    expect(await add(one.admin, device.makes(challenge, { flags: 0x41 }))).toMatchObject(refusedReply)
    expect(await add(one.admin, device.makes(challenge, { origin: 'https://evil.test' }))).toMatchObject(refusedReply)
    expect((await add(one.admin, device.makes(challenge))).status).toBe(200)
    expect(await add(one.admin, device.makes(challenge))).toMatchObject(refusedReply)
  })

  it('is registered once per offer, also when several requests arrive in parallel', async () => {
    const { admin } = await harness.createCompany()
    const add = (challenge: string) =>
      admin.request('POST', '/auth/two-factor/passkeys', {
        name: 'Laptop',
        credential: authenticator().makes(challenge),
      })
    const { challenge } = await requestOffer(admin)
    const answers = await Promise.all(Array.from({ length: 5 }, () => add(challenge)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await add(challenge)).toMatchObject(refusedReply)
    const { passkeys } = await admin.call(passkeysApi.list)
    expect(passkeys).toHaveLength(1)
    // Removing the passkey does not make its offer valid again.
    const [{ id = 0 } = {}] = passkeys
    await admin.call(passkeysApi.remove, { params: { id }, body: { currentPassword: password } })
    expect(await add(challenge)).toMatchObject(refusedReply)
  })

  it('is renamed and removed by its user, and is refused afterwards', async () => {
    const { admin } = await harness.createCompany()
    const { device, kept } = await registered(admin)
    const params = { id: kept.id }
    expect(await admin.call(passkeysApi.rename, { params, body: { name: 'Teléfono' } })).toMatchObject({
      name: 'Teléfono',
    })
    expect(
      await admin.request('POST', `/auth/two-factor/passkeys/${kept.id}/end`, { currentPassword: 'no' }),
    ).toMatchObject({
      body: { error: 'ERR_CURRENT_PASSWORD' },
    })
    await admin.call(passkeysApi.remove, { params, body: { currentPassword: password } })
    expect(await enter(device.signs(await atTheDoor()))).toMatchObject(refusedReply)
  })

  it('does not bypass a deactivated company or account', async () => {
    const { id, admin } = await harness.createCompany()
    const { device } = await registered(admin)
    await harness.wide().db.updateTable('users').set({ active: false }).where('id', '=', admin.id).execute()
    expect(await enter(device.signs(await atTheDoor()))).toMatchObject(refusedReply)
    await harness.wide().db.updateTable('users').set({ active: true }).where('id', '=', admin.id).execute()
    await harness.wide().db.updateTable('companies').set({ status: false }).where('id', '=', id).execute()
    expect((await enter(device.signs(await atTheDoor()))).body).toMatchObject({ error: 'ERR_COMPANY_INACTIVE' })
  })
})

describe('a company that requires a second login step', () => {
  it('accepts a passkey as second step; the password alone neither logs in nor sets up another second step', async () => {
    const { admin } = await harness.createCompany()
    const { device } = await registered(admin)
    await admin.call(settingsApi.update, { params: { key: 'twoFactor' }, body: { value: 'enabled' } } as never)
    const body = { email: admin.email, password }
    expect(await harness.anonymous.request('POST', '/auth/login', body)).toMatchObject({
      ...{ status: 401, body: { error: 'ERR_TWO_FACTOR_REQUIRED', passkey: true } },
    })
    expect(await harness.anonymous.request('POST', '/auth/login/two-factor', body)).toMatchObject({
      body: { error: 'ERR_TWO_FACTOR_REQUIRED' },
    })
    const signed = device.signs(await atTheDoor())
    expect(await harness.anonymous.call(authApi.passkey, { body: signed })).toMatchObject({ user: { id: admin.id } })
  })

  it('lets an admin restore access for a user who lost the passkey', async () => {
    const { admin, user } = await harness.createCompany()
    const agent = await user()
    const { device } = await registered(agent)
    await admin.request('POST', `/users/${agent.id}/two-factor/end`)
    expect(await enter(device.signs(await atTheDoor()))).toMatchObject(refusedReply)
    expect((await harness.login(agent.email)).id).toBe(agent.id)
  })
})

describe('repeated passkey attempts', () => {
  it('are rate-limited', async () => {
    const own = await testServer({ publicUrl: 'https://desk.example' })
    const device = authenticator()
    const ask = (credential: object) => own.anonymous.request('POST', '/auth/login/passkey', credential)
    const statuses: number[] = []
    for (let n = 0; n < 25; n++) statuses.push((await ask(device.signs('AAAA'))).status)
    expect(statuses.slice(0, 20).every((status) => status === 400)).toBe(true)
    expect(statuses.slice(20)).toEqual([429, 429, 429, 429, 429])
  })
})

describe('WebAuthn input', () => {
  it('is refused when truncated or garbled, and never crashes', async () => {
    const device = authenticator()
    const good = device.makes(encoded('c'))
    expect(await verifyRegistration(good, party)).toMatchObject({ challenge: 'c' })
    for (const field of ['id', 'clientData', 'authenticatorData', 'publicKey'] as const)
      for (const odd of ['', 'AAAA', encoded('null'), encoded('[]'), encoded(randomBytes(400))])
        await expect(verifyRegistration({ ...good, [field]: odd }, party), `${field} ${odd}`).rejects.toThrow(
          PasskeyRefusedError,
        )
    await expect(verifyRegistration({ ...good, algorithm: -8 }, party)).rejects.toThrow(PasskeyRefusedError)
    const signed = device.signs(encoded('c'))
    const known = { publicKey: good.publicKey, algorithm: -7, counter: 0 }
    expect(await verifyAssertion(signed, known, party)).toMatchObject({ counter: 1 })
    // The user handle is only used to look up the user; it is not part of the signed data.
    for (const field of ['clientData', 'authenticatorData', 'signature'] as const)
      for (const odd of ['', 'AAAA', encoded('null'), encoded(randomBytes(400))])
        await expect(verifyAssertion({ ...signed, [field]: odd }, known, party), `${field} ${odd}`).rejects.toThrow(
          PasskeyRefusedError,
        )
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'der', type: 'spki' })
    await expect(verifyRegistration({ ...good, publicKey: encoded(weak), algorithm: -257 }, party)).rejects.toThrow(
      PasskeyRefusedError,
    )
  })

  it('is bound to the public URL, and to localhost on the local machine', () => {
    expect(relyingPartyFor('https://desk.example')).toEqual(party)
    expect(relyingPartyFor('http://127.0.0.1:3000')).toEqual({ id: 'localhost', origin: 'http://localhost:3000' })
  })
})
