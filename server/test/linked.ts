import '@recado/whatsapp/quiet'
import { once } from 'node:events'
import { connectionsApi, type LineSession } from '@recado/contract/connections'
import { type Message, messagesApi } from '@recado/contract/messages'
import { type Ticket, ticketsApi } from '@recado/contract/tickets'
import type { Person as Account } from '@recado/whatsapp/person'
import { type Options, WhatsApp } from '@recado/whatsapp/service'
import { vi } from 'vitest'
import type { LineOptions } from '../src/app.ts'
import { makeLog } from '../src/kernel/log.ts'
import type { LinkedPace } from '../src/lines/baileys/link/link.ts'
import { type Ear, house, type Person } from './house.ts'

/** A house whose linked phones find the local WhatsApp, the real client library between them. */
export async function linkedHouse(linked: Partial<LinkedPace> = {}, lines: LineOptions = {}, service: Options = {}) {
  const wa = await WhatsApp.start(service)
  wa.trust()
  const log = makeLog(process.env.TEST_LOG ?? 'silent')
  const h = await house({ whatsappUrl: wa.url }, log, { ...lines, linked: { reconnectMs: 20, ...linked } })
  return { wa, h }
}
export type Linked = Awaited<ReturnType<typeof linkedHouse>>

let numbers = 15_550_000_000
export const newNumber = (): string => String(++numbers)

/** Somebody with a telephone. */
export const someone = ({ wa }: Pick<Linked, 'wa'>, name = 'Alice'): Account => wa.person(newNumber(), name)

/** A business with its telephone. */
export function shopIn({ wa }: Pick<Linked, 'wa'>, name = 'Shop'): Account {
  const shop = wa.person(newNumber(), name)
  shop.account.businessName = name
  return shop
}

let made = 0
/** A line that waits for a phone. */
export async function newLine(admin: Person, body: Record<string, unknown> = {}) {
  const given = { name: `Phone ${++made}`, provider: 'beta', ...body } as never
  const ear = await earOf(admin)
  const { id } = await admin.call(connectionsApi.create, { body: given })
  return lineOf(admin, id, ear)
}

const ears = new WeakMap<Person, Promise<Ear>>()
function earOf(admin: Person): Promise<Ear> {
  const ear = ears.get(admin) ?? admin.listen()
  ears.set(admin, ear)
  return ear
}

function lineOf(admin: Person, id: number, ear: Ear) {
  const params = { whatsappId: id }
  const row = () => admin.call(connectionsApi.show, { params: { id } })
  const reaches = (status: string, reason = '') =>
    vi.waitFor(
      async () => {
        const now = await row()
        if (now.status !== status || (reason && now.reason !== reason))
          throw new Error(`the line is ${now.status} (${now.reason}), not ${status} ${reason}`)
        return now
      },
      { timeout: 15_000, interval: 20 },
    )
  let listened = ear.heard.length
  /** Waits until it has been so, for however short a time, since it was last asked about. */
  const went = (status: string, reason = '') =>
    vi.waitFor(
      () => {
        const found = ear.heard.findIndex(({ name, payload }, n) => {
          const session = payload?.session as LineSession | undefined
          if (n < listened || !name.endsWith('-whatsappSession') || session?.id !== id) return false
          return session.status === status && (!reason || session.reason === reason)
        })
        if (found < 0) throw new Error(`the line was never ${status} ${reason}`)
        listened = found + 1
      },
      { timeout: 15_000, interval: 20 },
    )
  return {
    id,
    row,
    reaches,
    went,
    restart: () => admin.call(connectionsApi.restart, { params }),
    renew: () => admin.call(connectionsApi.renew, { params }),
    disconnect: () => admin.call(connectionsApi.disconnect, { params }),
    askPast: () => admin.call(connectionsApi.askPast, { params }),
    stopPast: () => admin.call(connectionsApi.stopPast, { params }),
    code: (number: string) => admin.call(connectionsApi.code, { params, body: { number } }),
    remove: () => admin.call(connectionsApi.remove, { params: { id } }),
    /** The owner scans what the line shows. */
    async scannedBy(owner: Account) {
      const { qrcode } = await reaches('qrcode')
      const device = await owner.scan(qrcode)
      await reaches('CONNECTED')
      return device
    },
  }
}
export type LinkedLine = ReturnType<typeof lineOf>

/** Somebody's ticket, waiting or taken: waited for. */
export const ticketOf = (admin: Person, number: string): Promise<Ticket> =>
  vi.waitFor(
    async () => {
      const lists = await Promise.all(
        (['pending', 'open'] as const).map((status) =>
          admin.call(ticketsApi.list, { query: { status, showAll: true } as never }),
        ),
      )
      const found = lists.flatMap((list) => list.tickets).find((t) => t.contact.number === number)
      if (!found) throw new Error(`no ticket of ${number}`)
      return found
    },
    { timeout: 10_000, interval: 25 },
  )
export const messagesOf = async (admin: Person, ticketId: number): Promise<Message[]> =>
  (await admin.call(messagesApi.list, { params: { ticketId }, query: {} as never })).messages
export const accept = (admin: Person, id: number) =>
  admin.call(ticketsApi.update, { params: { id }, body: { status: 'open', userId: admin.id } as never })
export const answer = (admin: Person, ticketId: number, body: string) =>
  admin.call(messagesApi.send, { params: { ticketId }, body: { body } as never })

/** They wrote, and somebody of the desk took it. */
export async function talking(admin: Person, shop: Account, customer: Account, text = 'hola') {
  await customer.sendText(shop.account, text)
  const ticket = await ticketOf(admin, customer.account.phoneNumber)
  await accept(admin, ticket.id)
  return ticket
}
/** What the customer's phone shows next. */
export const nextMessage = async (customer: Account) => {
  const [received] = await once(customer, 'message')
  return received
}
export const textOf = (message: {
  conversation?: string | null
  extendedTextMessage?: { text?: string | null } | null
}) => message.conversation || message.extendedTextMessage?.text
