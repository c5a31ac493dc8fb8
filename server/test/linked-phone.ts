import '@recado/whatsapp/silence-libsignal'
import { once } from 'node:events'
import { connectionsApi, type LineSession } from '@recado/contract/connections'
import { type Message, messagesApi } from '@recado/contract/messages'
import { type Ticket, ticketsApi } from '@recado/contract/tickets'
import type { Person as Account } from '@recado/whatsapp/person'
import { WhatsApp, type WhatsAppOptions } from '@recado/whatsapp/service'
import { vi } from 'vitest'
import type { LineOptions } from '../src/app.ts'
import type { Config } from '../src/kernel/config.ts'
import { makeLog } from '../src/kernel/log.ts'
import type { LinkedTimings } from '../src/lines/baileys/link/phone-link.ts'
import { type SocketClient, type TestUser, testServer } from './test-server.ts'
import { waitTimeoutMs } from './wait-timeout.ts'

/** A server whose linked phones connect to a local fake WhatsApp, through the real client library. */
export async function openLinkedServer(
  linked: Partial<LinkedTimings> = {},
  lines: LineOptions = {},
  service: WhatsAppOptions = {},
  config: Partial<Config> = {},
) {
  const wa = await WhatsApp.start(service)
  wa.trust()
  const log = makeLog(process.env.TEST_LOG ?? 'silent')
  const h = await testServer({ whatsappUrl: wa.url, ...config }, log, {
    ...lines,
    // A busy machine needs longer to tell a phone that it is unlinked.
    linked: { reconnectMs: 20, unlinkTimeoutMs: waitTimeoutMs, ...linked },
  })
  return { wa, server: h }
}
export type LinkedServer = Awaited<ReturnType<typeof openLinkedServer>>

let lastPhoneNumber = 15_550_000_000
export const nextLinkedNumber = (): string => String(++lastPhoneNumber)

/** A person with a phone. */
export const createCustomer = ({ wa }: Pick<LinkedServer, 'wa'>, name = 'Alice'): Account =>
  wa.addPerson(nextLinkedNumber(), name)

/** A business with its phone. */
export function createShop({ wa }: Pick<LinkedServer, 'wa'>, name = 'Shop'): Account {
  const shop = wa.addPerson(nextLinkedNumber(), name)
  shop.account.businessName = name
  return shop
}

let lastSequence = 0
/** A line that waits for a phone. */
export async function createLinkedLine(admin: TestUser, body: Record<string, unknown> = {}) {
  const write = { name: `Phone ${++lastSequence}`, provider: 'beta', ...body } as never
  const socketClient = await socketClientOf(admin)
  const { id } = await admin.call(connectionsApi.create, { body: write })
  return makeLinkedLine(admin, id, socketClient)
}

const socketClients = new WeakMap<TestUser, Promise<SocketClient>>()
function socketClientOf(admin: TestUser): Promise<SocketClient> {
  const socketClient = socketClients.get(admin) ?? admin.listen()
  socketClients.set(admin, socketClient)
  return socketClient
}

function makeLinkedLine(admin: TestUser, id: number, socketClient: SocketClient) {
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
      { timeout: waitTimeoutMs, interval: 20 },
    )
  let seenCount = socketClient.received.length
  /** Waits until the line has had such a state since the last call, however briefly. */
  const waitForEvent = (meant: string, isMeant: (session: LineSession) => boolean) =>
    vi.waitFor(
      () => {
        const found = socketClient.received.findIndex(({ name, payload }, n) => {
          const session = payload?.session as LineSession | undefined
          if (n < seenCount || !name.endsWith('-whatsappSession') || session?.id !== id) return false
          return isMeant(session)
        })
        if (found < 0) throw new Error(`the line was never ${meant}`)
        seenCount = found + 1
      },
      { timeout: waitTimeoutMs, interval: 20 },
    )
  const went = (status: string, reason = '') =>
    waitForEvent(`${status} ${reason}`, (now) => now.status === status && (!reason || now.reason === reason))
  return {
    id,
    showLine: row,
    waitForStatus: reaches,
    waitForStatusChange: went,
    /**
     * Waits until a connected line has lost its connection. Not for `DISCONNECTED`: a line that tries again before that
     * state is stored skips it.
     */
    waitForLoss: () => waitForEvent('lost', ({ status }) => status !== 'CONNECTED'),
    restart: () => admin.call(connectionsApi.restart, { params }),
    renew: () => admin.call(connectionsApi.renew, { params }),
    disconnect: () => admin.call(connectionsApi.disconnect, { params }),
    requestHistory: () => admin.call(connectionsApi.askPast, { params }),
    stopHistory: () => admin.call(connectionsApi.stopPast, { params }),
    code: (number: string) => admin.call(connectionsApi.code, { params, body: { number } }),
    remove: () => admin.call(connectionsApi.remove, { params: { id } }),
    /** The phone's owner scans the displayed QR code. */
    async scanWith(owner: Account) {
      const { qrcode } = await reaches('qrcode')
      const device = await owner.scan(qrcode)
      await went('CONNECTED')
      return device
    },
  }
}
export type LinkedLine = ReturnType<typeof makeLinkedLine>

/** Waits for a customer's ticket, pending or open. */
export const waitForTicket = (admin: TestUser, number: string): Promise<Ticket> =>
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
    { timeout: waitTimeoutMs, interval: 25 },
  )
export const listTicketMessages = async (admin: TestUser, ticketId: number): Promise<Message[]> =>
  (await admin.call(messagesApi.list, { params: { ticketId }, query: {} as never })).messages
export const acceptLinkedTicket = (admin: TestUser, id: number) =>
  admin.call(ticketsApi.update, { params: { id }, body: { status: 'open', userId: admin.id } as never })
export const sendAnswer = (admin: TestUser, ticketId: number, body: string) =>
  admin.call(messagesApi.send, { params: { ticketId }, body: { body } as never })

/** Lets the customer write and an agent accept the ticket. */
export async function startConversation(admin: TestUser, shop: Account, customer: Account, text = 'hola') {
  await customer.sendText(shop.account, text)
  const ticket = await waitForTicket(admin, customer.account.phoneNumber)
  await acceptLinkedTicket(admin, ticket.id)
  return ticket
}
/** The next message on the customer's phone. */
export const waitForMessage = async (customer: Account) => {
  const [received] = await once(customer, 'message')
  return received
}
export const messageText = (message: {
  conversation?: string | null
  extendedTextMessage?: { text?: string | null } | null
}) => message.conversation || message.extendedTextMessage?.text
