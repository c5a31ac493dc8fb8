import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { parseQr } from '@recado/whatsapp/pairing'
import type { Person as Account } from '@recado/whatsapp/person'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  createCustomer,
  createLinkedLine,
  createShop,
  type LinkedServer,
  openLinkedServer,
  sendAnswer,
  startConversation,
  waitForTicket,
} from '../../../test/linked-phone.ts'
import { closeTestServers, type TestUser } from '../../../test/test-server.ts'
import { defaultWatchTimings } from './link/watchdog.ts'

/** The server with the linked lines whose states are tested: linking, losing the phone and finding it again. */
let linkedServer: LinkedServer
let admin: TestUser

beforeAll(async () => {
  const pace = { leaseMs: 6000, heartbeatMs: 1500 }
  linkedServer = await openLinkedServer({ slowReconnectMs: 50 }, { pace })
  admin = (await linkedServer.server.createCompany()).admin
  await linkedServer.server.wide().db.updateTable('plans').set({ connections: 100 }).execute()
})
afterEach(() => {
  Object.assign(linkedServer.wa, {
    ...{ loginRefusalReason: undefined, upgradeRefusalStatus: undefined },
    ...{ isSilent: false, ignoreMessages: false },
  })
})
afterAll(async () => {
  await closeTestServers()
  await linkedServer.wa.close()
})

async function linked(): Promise<{
  line: Awaited<ReturnType<typeof createLinkedLine>>
  shop: Account
  device: Device
}> {
  const shop = createShop(linkedServer)
  const line = await createLinkedLine(admin)
  return { shop, line, device: await line.scanWith(shop) }
}
type Device = Awaited<ReturnType<Account['scan']>>
/** The service's side of the connection: after linking there is a second connection. */
const connectionOf = (device: Device) =>
  vi.waitFor(() => {
    if (!device.connection) throw new Error('the phone has no connection')
    return device.connection
  })
const cut = async (device: Device) => (await connectionOf(device)).terminate()
const keysOf = async (whatsappId: number) =>
  linkedServer.server.wide().db.selectFrom('linkedKeys').selectAll().where('whatsappId', '=', whatsappId).execute()

describe('linking a phone', () => {
  it('takes the age of the number from its registration at WhatsApp, also when it is linked again', async () => {
    const shop = createShop(linkedServer)
    shop.account.registeredAt = new Date(Date.now() - 100 * 86_400_000)
    const line = await createLinkedLine(admin)
    const device = await line.scanWith(shop)
    expect((await line.showLine()).pacing).toMatchObject({ age: 100, dailyCap: 10 })
    shop.account.registeredAt = undefined
    await cut(device)
    await line.waitForStatusChange('CONNECTED')
    expect((await line.showLine()).pacing).toMatchObject({ age: 100 })
  })

  it('shows a QR code, then pairing, and is connected under the number of the phone', async () => {
    const shop = createShop(linkedServer)
    const line = await createLinkedLine(admin)
    await line.waitForStatusChange('qrcode')
    await shop.scan((await line.showLine()).qrcode)
    for (const status of ['PAIRING', 'CONNECTED']) await line.waitForStatusChange(status)
    expect(await line.showLine()).toMatchObject({
      number: shop.account.phoneNumber,
      qrcode: '',
      reason: '',
      retries: 0,
    })
  })

  it('stores one encrypted row per key, and none for a line that was never linked', async () => {
    const { line } = await linked()
    await expect.poll(async () => (await keysOf(line.id)).length).toBeGreaterThan(800)
    const keys = await keysOf(line.id)
    expect(keys.map((k) => k.type)).toContain('creds')
    const creds = keys.find((k) => k.type === 'creds')?.value ?? ''
    expect(creds).toMatch(/^[\w-]+$/)
    expect(JSON.parse(linkedServer.server.server.deps.vault.unseal(creds))).toMatchObject({
      signedIdentityKey: {},
      me: {},
    })
    const waiting = await createLinkedLine(admin)
    await waiting.waitForStatus('qrcode')
    expect(await keysOf(waiting.id)).toEqual([])
  })

  it('links by a code that is typed on the phone', async () => {
    const shop = createShop(linkedServer)
    const line = await createLinkedLine(admin)
    await line.waitForStatus('qrcode')
    const asked = once(shop, 'codeAsked')
    await line.code(`+${shop.account.phoneNumber}`)
    await asked
    const { pairingCode } = await vi.waitFor(async () => {
      const row = await line.waitForStatus('qrcode')
      expect(row.pairingCode).toMatch(/^[0-9A-Z]{8}$/)
      return row
    })
    await shop.enterPairingCode(pairingCode)
    const row = await line.waitForStatus('CONNECTED')
    expect(row).toMatchObject({ number: shop.account.phoneNumber, pairingCode: '' })
    await expect(line.code(shop.account.phoneNumber)).rejects.toThrow('ERR_WAPP_NO_CODE')
  })

  it('stops when no one scans the QR code, and shows a new one on request', async () => {
    const impatient = await openLinkedServer({ qrMs: 30 })
    const { admin: other } = await impatient.server.createCompany()
    const line = await createLinkedLine(other)
    await line.waitForStatusChange('TIMEOUT', 'qr-timeout')
    await line.restart()
    // The status is brief, so a poll could miss it.
    await line.waitForStatusChange('qrcode')
    await impatient.server.close()
    await impatient.wa.close()
    linkedServer.wa.trust()
  })

  it('reports that WhatsApp is unreachable, not that the QR code expired', async () => {
    const cut = await openLinkedServer()
    await cut.wa.close()
    const { admin: other } = await cut.server.createCompany()
    const line = await createLinkedLine(other)
    await line.waitForStatus('DISCONNECTED', 'unreachable')
    // The line keeps retrying without a request of a user.
    await vi.waitFor(async () => expect((await line.showLine()).retries).toBeGreaterThan(1), { timeout: 10_000 })
    await cut.server.close()
    linkedServer.wa.trust()
  })

  it('reports when pairing with the phone fails', async () => {
    const shop = createShop(linkedServer)
    const line = await createLinkedLine(admin)
    const { qrcode } = await line.waitForStatus('qrcode')
    void shop.link({ ...parseQr(qrcode), advSecret: randomBytes(32) }).catch(() => {})
    await line.waitForStatus('DISCONNECTED', 'pairing-failed')
    await line.renew()
    await line.scanWith(shop)
  })

  it('does not trust a server that only claims to be WhatsApp', async () => {
    // This process still trusts only the first service: the other service has another root certificate.
    const deceived = await openLinkedServer()
    const { admin: other } = await deceived.server.createCompany()
    linkedServer.wa.trust()
    const lonely = await createLinkedLine(other)
    await lonely.waitForStatus('DISCONNECTED', 'unreachable')
    expect(await lonely.showLine()).toMatchObject({ qrcode: '' })
    await deceived.server.close()
    await deceived.wa.close()
  })
})

describe('a linked phone', () => {
  it('is detected within 20 seconds when it falls silent, with the default watchdog', () => {
    const { quietMs, answerTimeoutMs: answerMs, pollMs } = defaultWatchTimings
    expect(quietMs + answerMs + 2 * pollMs).toBeLessThan(20_000)
  })

  it('is reconnected after the network, the service or the server was down', async () => {
    const { line, shop, device } = await linked()
    await cut(device)
    await line.waitForLoss()
    await line.waitForStatusChange('CONNECTED')
    linkedServer.wa.upgradeRefusalStatus = 503
    linkedServer.wa.streamError(device, 503)
    await line.waitForStatusChange('DISCONNECTED', 'refused')
    linkedServer.wa.upgradeRefusalStatus = undefined
    await line.waitForStatusChange('CONNECTED')
    const alice = createCustomer(linkedServer)
    await alice.sendText(shop.account, 'still there?')
    expect(await waitForTicket(admin, alice.account.phoneNumber)).toBeDefined()
  })

  it('is detected as lost within seconds on a dead network, and reconnected when it is back', async () => {
    // In a separate server: with such short timeouts a phone is sometimes lost on a busy machine.
    const watchful = await openLinkedServer({ watch: { quietMs: 500, answerTimeoutMs: 2000, pollMs: 50 } })
    const { admin: other } = await watchful.server.createCompany()
    const line = await createLinkedLine(other)
    const device = await line.scanWith(createShop(watchful))
    const connection = await connectionOf(device)
    connection.blackHole()
    watchful.wa.isSilent = true
    await line.waitForStatusChange('DISCONNECTED', 'network')
    watchful.wa.isSilent = false
    await line.waitForStatus('CONNECTED')
    await watchful.server.close()
    await watchful.wa.close()
    linkedServer.wa.trust()
  })

  it('loses its keys when it has unlinked the server, and is linked again by a new QR code', async () => {
    const { line, shop, device } = await linked()
    linkedServer.wa.unlink(device)
    await line.waitForStatus('DISCONNECTED', 'unlinked')
    expect(await keysOf(line.id)).toEqual([])
    await line.restart()
    await line.scanWith(shop)
  })

  it.each([
    [403, 'banned'],
    [402, 'banned-for-now'],
    [405, 'outdated'],
    [500, 'network'],
  ])('reports WhatsApp’s refusal %i as %s', async (code, reason) => {
    const { line, device } = await linked()
    linkedServer.wa.loginRefusalReason = code
    await cut(device)
    await line.waitForStatusChange('DISCONNECTED', reason)
    linkedServer.wa.loginRefusalReason = undefined
    if (code === 403) await line.restart()
    await line.waitForStatusChange('CONNECTED')
  })

  it('is not reconnected after another client took over, until a user reconnects it', async () => {
    const { line, device } = await linked()
    const connection = await connectionOf(device)
    connection.send({ tag: 'stream:error', attrs: {}, content: [{ tag: 'conflict', attrs: { type: 'replaced' } }] })
    await line.waitForStatus('DISCONNECTED', 'replaced')
    await line.restart()
    await line.waitForStatusChange('CONNECTED')
  })

  it('is notified when the server unlinks it: by disconnecting, by a new QR code, by deleting the line', async () => {
    const { line, shop } = await linked()
    expect(shop.account.linkedDevices.size).toBe(1)
    await line.disconnect()
    await line.waitForStatus('DISCONNECTED', 'off')
    await expect.poll(() => shop.account.linkedDevices.size).toBe(0)
    await expect.poll(() => keysOf(line.id)).toEqual([])
    await line.renew()
    await line.scanWith(shop)
    await line.renew()
    await line.waitForStatus('qrcode')
    await expect.poll(() => shop.account.linkedDevices.size).toBe(0)
    await line.scanWith(shop)
    await line.remove()
    await expect.poll(() => shop.account.linkedDevices.size).toBe(0)
  })

  it('is notified of the unlinking while WhatsApp does not answer a message, and the message is cancelled with a reason', async () => {
    const { line, shop } = await linked()
    const ticket = await startConversation(admin, shop, createCustomer(linkedServer))
    linkedServer.wa.ignoreMessages = true
    const { id } = await sendAnswer(admin, ticket.id, 'never answered')
    const row = async () => {
      const { db } = linkedServer.server.wide()
      return db.selectFrom('messages').select(['state', 'error', 'ack']).where('id', '=', Number(id)).executeTakeFirst()
    }
    await expect.poll(row).toMatchObject({ state: 'sending' })
    const hurt: unknown[] = []
    const note = (error: unknown) => hurt.push(error)
    process.on('uncaughtException', note).on('unhandledRejection', note)
    await line.remove()
    await expect.poll(row).toEqual({ state: 'failed', error: 'line-gone', ack: 0 })
    await expect.poll(() => shop.account.linkedDevices.size).toBe(0)
    process.off('uncaughtException', note).off('unhandledRejection', note)
    expect(hurt).toEqual([])
  })

  it('is notified of the unlinking later if it could not be reached at that time', async () => {
    const { line, shop, device } = await linked()
    linkedServer.wa.upgradeRefusalStatus = 503
    await cut(device)
    await line.waitForStatusChange('DISCONNECTED', 'refused')
    await line.disconnect()
    await line.waitForStatus('DISCONNECTED', 'off')
    linkedServer.wa.upgradeRefusalStatus = undefined
    await line.renew()
    await line.waitForStatus('qrcode')
    await expect.poll(() => shop.account.linkedDevices.size).toBe(0)
  })
})
