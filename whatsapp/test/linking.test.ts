import { once } from 'node:events'
import { Curve, generateSignalPubKey } from 'baileys'
import { verifySignature } from 'libsignal/src/curve.js'
import { afterEach, describe, expect, it } from 'vitest'
import { CertificateAuthority } from '../src/certificate.ts'
import { memoryAuth } from './client.ts'
import { messageText, setUpService } from './service-fixture.ts'

const customer = '15559990000@s.whatsapp.net'
const old = (id: string, conversation: string) => ({
  message: { key: { remoteJid: customer, id, fromMe: false }, messageTimestamp: 1700000000, message: { conversation } },
})
const chunk = (id: string, text: string) => ({
  conversations: [{ id: customer, name: 'Old', messages: [old(id, text)] }],
})

const { client, person, link } = setUpService({
  history: ({ pushName }) =>
    pushName === 'With history'
      ? [chunk('OLD1', 'an old question'), chunk('OLD2', 'older'), chunk('OLD3', 'oldest')]
      : [],
})

describe('the certificate of the service', () => {
  const asShipped = Curve.verify
  /** What the library should do; 7.0.0-rc14 throws the result of the check away. */
  const verifyStrictly = () => {
    Curve.verify = (key, message, signature) =>
      verifySignature(Buffer.from(generateSignalPubKey(key)), message, Buffer.from(signature))
  }
  afterEach(() => {
    Curve.verify = asShipped
  })

  it('satisfies a client that really looks, once the root is trusted', async () => {
    verifyStrictly()
    await link(person('Strict'))
  })

  it('is refused by such a client when it is a stranger’s (400)', async () => {
    verifyStrictly()
    const restore = new CertificateAuthority().trust()
    const deceived = client()
    deceived.connect()
    expect(await once(deceived, 'closed')).toEqual([400])
    restore()
  })

  it('HAZARD: a stranger’s is accepted by the library as shipped', async () => {
    const restore = new CertificateAuthority().trust()
    const deceived = client()
    deceived.connect()
    expect(await once(deceived, 'qr')).toHaveLength(1)
    restore()
  })
})

describe('linking', () => {
  it('by QR: scanned, restarted (515), logged in; the past comes in chunks', async () => {
    const owner = person('With history')
    const shown = client()
    const past: unknown[] = []
    shown.listen('messaging-history.set', ({ messages }) =>
      past.push(...messages.map((one) => messageText(one.message))),
    )
    const closed: unknown[] = []
    shown.on('closed', (code) => closed.push(code))
    const last = shown.next('messaging-history.set', ({ progress }) => (progress === 100 ? true : undefined))
    const { device } = await link(owner, shown)
    expect(closed).toEqual([515])
    expect(shown.socket.user?.id).toBe(`${owner.account.phoneNumber}:1@s.whatsapp.net`)
    expect(shown.socket.user?.lid).toBe(`${owner.account.lidUser}:1@lid`)
    expect(device.preKeys.length).toBeGreaterThan(800)
    await last
    expect(past).toEqual(['an old question', 'older', 'oldest'])
  })

  it('brings older messages when the client asks its phone', async () => {
    const owner = person('Old')
    owner.olderHistory = ({ onDemandMsgCount, oldestMsgId }) =>
      chunk('OLDER', `${onDemandMsgCount} before ${oldestMsgId}`)
    const { client: linked } = await link(owner)
    const arrival = linked.next('messaging-history.set', ({ messages }) =>
      messages.find(({ key }) => key.id === 'OLDER'),
    )
    await linked.socket.fetchMessageHistory(50, { remoteJid: customer, id: 'OLD3', fromMe: false }, 1700000000)
    expect(messageText((await arrival).message)).toBe('50 before OLD3')
  })

  it('by eight characters', async () => {
    const owner = person('By code')
    const shown = client()
    const opened = once(shown, 'open')
    shown.connect()
    await once(shown, 'qr')
    const asked = once(owner, 'codeAsked')
    const code = await shown.socket.requestPairingCode(owner.account.phoneNumber)
    expect(code).toMatch(/^[0-9A-Z]{8}$/)
    await asked
    await owner.enterPairingCode(code)
    await opened
    expect(shown.socket.user?.id).toBe(`${owner.account.phoneNumber}:1@s.whatsapp.net`)
  })

  it('ends at a passkey where the account demands one: the library says nothing, the wire does', async () => {
    const owner = person('Careful')
    owner.account.demandsPasskey = true
    const shown = client()
    shown.connect()
    const [qr] = await once(shown, 'qr')
    const demanded = once(shown.socket.ws, 'CB:notification,type:passkey_prologue_request')
    await expect(owner.scan(qr as string)).rejects.toThrow('passkey')
    expect(await demanded).toHaveLength(1)
  })

  it('is refused to keys nobody knows (401)', async () => {
    const { client: linked } = await link(person('Owner'))
    await linked.end()
    const thief = memoryAuth()
    if (linked.auth.creds.me) thief.creds.me = linked.auth.creds.me
    const intruder = client({}, thief)
    intruder.connect()
    expect(await once(intruder, 'closed')).toEqual([401])
  })
})
