import '../src/silence-libsignal.ts'
import { once } from 'node:events'
import type { proto, WAMessage } from 'baileys'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import type { LinkedDevice, ReceivedMessage } from '../src/accounts.ts'
import type { Person } from '../src/person.ts'
import { WhatsApp, type WhatsAppOptions } from '../src/service.ts'
import { Client } from './client.ts'

/** A service with its people for one test file. The file fails at the end if a client sent a request without a handler. */
export function setUpService(options: WhatsAppOptions = {}) {
  const errors: unknown[] = []
  const clients: Client[] = []
  let wa: WhatsApp
  let nextNumber = 15550000000
  beforeAll(async () => {
    wa = await WhatsApp.start({ ...options, onError: (error) => errors.push(error) })
    wa.trust()
  })
  afterAll(async () => {
    for (const client of clients) await client.end()
    await wa.close()
    expect(errors).toEqual([])
    expect(wa.unknownIqs).toEqual([])
  })

  function client(
    ...args: ConstructorParameters<typeof Client> extends [string, ...infer Rest] ? Rest : never
  ): Client {
    const made = new Client(wa.url, ...args)
    clients.push(made)
    return made
  }
  function person(name: string): Person {
    const made = wa.addPerson(String(nextNumber++), name)
    made.account.businessName = name
    return made
  }
  /** Links a client: it shows the QR, is scanned, connects and receives the initial data of its phone. */
  async function link(owner: Person, shown = client()): Promise<{ client: Client; device: LinkedDevice }> {
    const opened = once(shown, 'open')
    shown.connect()
    const [qr] = await once(shown, 'qr')
    const device = await owner.scan(qr as string)
    await opened
    await vi.waitFor(() => expect(shown.auth.creds.accountSyncCounter).toBeGreaterThan(0), waitOptions)
    return { client: shown, device }
  }
  return {
    get wa() {
      return wa
    },
    client,
    person,
    link,
  }
}

export const waitOptions = { timeout: 5_000, interval: 10 }

export const messageText = (message: proto.IMessage | null | undefined) =>
  message?.conversation ?? message?.extendedTextMessage?.text
export const hasMessageText = (wanted: string) => (message: WAMessage) => messageText(message.message) === wanted

/** Resolves with the next matching message. */
export function nextMessage(client: Client, match: (message: WAMessage) => boolean) {
  return client.next('messages.upsert', ({ messages, type }) => {
    const message = messages.find(match)
    return message && { message, type, jid: message.key.remoteJid ?? '' }
  })
}

export async function nextReceivedMessage(person: Person): Promise<ReceivedMessage> {
  const [received] = await once(person, 'message')
  return received as ReceivedMessage
}
