import { once } from 'node:events'
import { WAMessageStatus } from 'baileys'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LinkedDevice } from '../src/accounts.ts'
import type { Person } from '../src/person.ts'
import type { Client } from './client.ts'
import { hasMessageText, nextMessage, setUpService, waitOptions } from './service-fixture.ts'

const service = setUpService()
let owner: Person
let alice: Person
let client: Client
let device: LinkedDevice

const wa = () => service.wa

beforeAll(async () => {
  owner = service.person('Shop')
  alice = service.person('Alice')
  ;({ client, device } = await service.link(owner))
})
beforeEach(async () => {
  if (!client.socket.ws.isOpen) await client.open()
})
afterEach(() => {
  service.wa.messageRefusalCode = undefined
  service.wa.loginRefusalReason = undefined
  service.wa.upgradeRefusalStatus = undefined
  service.wa.isSilent = false
  service.wa.refusedIqs.clear()
})

const closed = async (of: Client) => (await once(of, 'closed'))[0] as number | undefined

const ping = {
  tag: 'iq',
  attrs: { to: 's.whatsapp.net', type: 'get', xmlns: 'w:p' },
  content: [{ tag: 'ping', attrs: {} }],
}

describe('broken connection', () => {
  it('closes the client with 428 when the connection is cut, and delivers missed messages as "append"', async () => {
    device.connection?.terminate()
    expect(await closed(client)).toBe(428)
    const arrival = nextMessage(client, hasMessageText('are you there?'))
    await alice.sendText(owner.account, 'are you there?')
    expect(device.pendingCount).toBe(1)
    await client.open()
    expect((await arrival).type).toBe('append')
    await vi.waitFor(() => expect(device.pendingCount).toBe(0), waitOptions)
  })

  it('HAZARD: acknowledges a message before the application gets it, so that a crash in between loses the message', async () => {
    const seen: number[] = []
    const acknowledged = new Promise<void>((resolve) => {
      client.listen('messages.upsert', ({ messages }) => {
        if (!messages.some(hasMessageText('do not lose me'))) return
        seen.push(device.pendingCount)
        // At this moment the application has not started to store the message.
        vi.waitFor(() => expect(device.pendingCount).toBe(0), waitOptions).then(resolve)
      })
    })
    await alice.sendText(owner.account, 'do not lose me')
    await acknowledged
    device.connection?.terminate()
    await closed(client)
    const next = nextMessage(client, hasMessageText('the next one'))
    await client.open()
    await alice.sendText(owner.account, 'the next one')
    await next
    expect(seen).toHaveLength(1)
  })

  it.each([503, 515])('closes the client with code %i on a stream error with that code', async (code) => {
    wa().streamError(device, code)
    expect(await closed(client)).toBe(code)
    if (code === 515) await once(client, 'open')
  })

  it('closes the client with 440 when it is replaced by a second login with the same keys', async () => {
    const second = service.client({}, client.auth)
    const gone = closed(client)
    await second.open()
    expect(await gone).toBe(440)
    await second.end()
  })

  it('closes the client with 401 when it is unlinked on the phone, also at the next login', async () => {
    const { client: unlinked, device: gone } = await service.link(owner)
    const told = closed(unlinked)
    wa().unlink(gone)
    expect(await told).toBe(401)
    unlinked.connect()
    expect(await closed(unlinked)).toBe(401)
  })

  it('removes the device from the service after a logout', async () => {
    const { client: leaving, device: gone } = await service.link(owner)
    await leaving.socket.logout()
    await vi.waitFor(() => expect(owner.account.linkedDevices.has(gone.id)).toBe(false), waitOptions)
  })

  it('reports no closed connection on a dead network', async () => {
    const events: unknown[] = []
    client.on('closed', (code) => events.push(code))
    device.connection?.blackHole()
    const asked = client.socket.query(ping, 200)
    await expect(asked).rejects.toThrow('Timed Out')
    expect(events).toEqual([])
    device.connection?.terminate()
    await vi.waitFor(() => expect(events).toHaveLength(1), waitOptions)
  })
})

describe('simulated refusals of the service', () => {
  it.each([403, 405, 503])('refuses the login with %i', async (code) => {
    await client.end()
    wa().loginRefusalReason = code
    client.connect()
    expect(await closed(client)).toBe(code)
    wa().loginRefusalReason = undefined
    await client.open()
  })

  it.each([429, 503])('refuses the upgrade with %i', async (code) => {
    device.connection?.terminate()
    await closed(client)
    wa().upgradeRefusalStatus = code
    client.connect()
    expect(await closed(client)).toBe(code)
    wa().upgradeRefusalStatus = undefined
    await client.open()
  })

  it('does not answer at all, so that the client times out', async () => {
    await client.end()
    wa().isSilent = true
    const impatient = service.client({ connectTimeoutMs: 200 }, client.auth)
    impatient.connect()
    expect(await closed(impatient)).toBe(408)
  })

  it.each([463, 429])('refuses a message with %i', async (code) => {
    // The error is reported as an update, or merged into the echo if it arrives first.
    const isError = (status: unknown) => status === WAMessageStatus.ERROR
    const failure = Promise.any([
      client.next('messages.update', (updates) => updates.find(({ update }) => isError(update.status))),
      client.next('messages.upsert', ({ messages }) => {
        const message = messages.find(({ key, status }) => key.fromMe && isError(status))
        return message && { key: message.key, update: message }
      }),
    ])
    wa().messageRefusalCode = code
    const sent = await client.socket.sendMessage(alice.account.jid('lid'), { text: 'refused' })
    const { key, update } = await failure
    expect(key.id).toBe(sent?.key.id)
    expect(update.messageStubParameters?.[0]).toBe(String(code))
  })

  it('refuses a request with 429', async () => {
    wa().refusedIqs.set('w:profile:picture get picture', 429)
    await expect(client.socket.profilePictureUrl(alice.account.jid('pn'))).rejects.toMatchObject({ data: 429 })
  })
})
