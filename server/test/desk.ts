import { messagesApi } from '@recado/contract/messages'
import { queuesApi } from '@recado/contract/queues'
import type { Profile } from '@recado/contract/rules'
import { type SettingKey, settingsApi } from '@recado/contract/settings'
import { type Ticket, ticketsApi } from '@recado/contract/tickets'
import type { NotNull } from 'kysely'
import { vi } from 'vitest'
import type { InboundEvent, InboundMessage, LineRow } from '../src/lines/line.ts'
import type { TestServer, TestUser } from './test-server.ts'

let lastSequence = 0
const nextWord = () => `${++lastSequence}`
export const nextPhoneNumber = () => `55119${String(80_000_000 + ++lastSequence)}`

export type Desk = Awaited<ReturnType<typeof openDesk>>
type DeskQuery = Record<string, string | number | boolean | number[] | undefined>

/** A company at work: a line with customers, queues, agents, and helpers to act and to check results. */
export async function openDesk(h: TestServer, lineOptions: Record<string, unknown> = {}) {
  const company = await h.createCompany()
  const { admin } = company
  const { db } = h.wide()
  const line = await h.openLine(company, lineOptions)
  const { inbox } = h.server.switchboard

  async function queue(name = `Queue ${nextWord()}`) {
    const color = `#${String(100_000 + ++lastSequence)}`
    return admin.call(queuesApi.create, {
      body: { name, color } as never,
    })
  }
  async function person(
    profile: Profile,
    queues: { id: number }[] = [],
    allTicket: 'enabled' | 'desabled' = 'desabled',
  ): Promise<TestUser & { name: string }> {
    const user = await company.user(profile)
    const name = `${profile} ${nextWord()}`
    await db.updateTable('users').set({ name, allTicket }).where('id', '=', user.id).execute()
    for (const { id: queueId } of queues)
      await db.insertInto('userQueues').values({ companyId: company.id, userId: user.id, queueId }).execute()
    return { ...user, name }
  }

  /**
   * The row of a message by its id on the phone, once it is stored. It finds only messages of a ticket, as all incoming
   * messages are.
   */
  const stored = (wid: string) =>
    vi.waitFor(
      () =>
        db
          .selectFrom('messages')
          .selectAll()
          .where('companyId', '=', company.id)
          .where('wid', '=', wid)
          .$narrowType<{ ticketId: NotNull }>()
          .executeTakeFirstOrThrow(),
      { timeout: 5000, interval: 10 },
    )
  /** Waits until a customer's action has been handled. */
  const handled = (wid: string) =>
    vi.waitFor(
      () =>
        db
          .selectFrom('journal')
          .selectAll()
          .where('companyId', '=', company.id)
          .where('eventId', 'like', `%:${wid}`)
          .where('processedAt', 'is not', null)
          .executeTakeFirstOrThrow(),
      { timeout: 5000, interval: 10 },
    )
  const show = (id: number, by: TestUser = admin): Promise<Ticket> => by.call(ticketsApi.show, { params: { id } })
  /** Lets a new customer write, and waits until the ticket is pending. */
  async function newTicket(text = 'hola', name = `Cliente ${nextWord()}`) {
    const customer = line.customer(nextPhoneNumber(), name)
    const { ticketId } = await stored(await customer.says(text))
    return { customer, id: ticketId }
  }
  const put = <T = Ticket>(by: TestUser, id: number, body: object) => by.request<T>('PUT', `/tickets/${id}`, body)
  const accept = (by: TestUser, id: number) =>
    by.call(ticketsApi.update, { params: { id }, body: { status: 'open', userId: by.id } as never })
  async function openTicket(by: TestUser, text?: string) {
    const { customer, id } = await newTicket(text)
    await accept(by, id)
    return { customer, id }
  }
  const list = async (by: TestUser, query: DeskQuery = {}): Promise<Ticket[]> => {
    const parameters = Object.entries({ pageNumber: 1, ...query }).map(([k, v]) => [
      k,
      Array.isArray(v) ? JSON.stringify(v) : v,
    ])
    return (await by.call(ticketsApi.list, { query: Object.fromEntries(parameters) })).tickets
  }
  const ids = async (by: TestUser, query: DeskQuery = {}) => (await list(by, query)).map((t) => t.id)
  const thread = async (by: TestUser, ticketId: number, query: object = {}) =>
    (await by.call(messagesApi.list, { params: { ticketId }, query: query as never })).messages
  const send = (by: TestUser, ticketId: number, body: string | object) =>
    by.call(messagesApi.send, { params: { ticketId }, body: (typeof body === 'string' ? { body } : body) as never })
  const set = (key: SettingKey, value: string) => admin.call(settingsApi.update, { params: { key }, body: { value } })
  const track = (ticketId: number) =>
    db.selectFrom('ticketTracking').selectAll().where('ticketId', '=', ticketId).orderBy('id').execute()
  const happened = async (id: number) =>
    (await admin.call(ticketsApi.happenings, { params: { id }, query: {} as never })).events

  /** The line's row as the process that holds the line has it. */
  async function row(): Promise<LineRow> {
    const lease = await db
      .selectFrom('lineLeases')
      .select('fence')
      .where('whatsappId', '=', line.id)
      .executeTakeFirstOrThrow()
    const { wantedRound, provider } = await db
      .selectFrom('whatsapps')
      .selectAll()
      .where('id', '=', line.id)
      .executeTakeFirstOrThrow()
    return { id: line.id, companyId: company.id, provider, wantedRound, fence: lease.fence }
  }
  /** Delivers events that test phones would not send; resolves when they are handled. */
  async function deliverEvents(...events: InboundEvent[]): Promise<void> {
    await inbox.receive(await row(), events)
    await inbox.idle()
  }
  /** Runs `act` at a later time. Not for user requests, because the sessions would have expired by then. */
  async function inThe(future: number, act: () => Promise<void>): Promise<void> {
    h.clock.advance(future)
    await act()
    h.clock.advance(-future)
  }
  return {
    server: h,
    withClockForward: inThe,
    company,
    admin,
    db,
    line,
    createQueue: queue,
    createUser: person,
    waitForMessage: stored,
    waitForHandled: handled,
    showTicket: show,
    newTicket,
    putTicket: put,
    accept,
    openTicket,
    listTickets: list,
    listTicketIds: ids,
    listMessages: thread,
    send,
    setSetting: set,
    listSegments: track,
    listEvents: happened,
    loadLineRow: row,
    receive: deliverEvents,
  }
}

/** A text message as lines deliver it. */
export const makeTextEvent = (phone: string, body: string, more: Partial<InboundMessage> = {}): InboundMessage => ({
  kind: 'message',
  id: `T${++lastSequence}`,
  chat: `${phone}@s.whatsapp.net`,
  at: new Date().toISOString(),
  fromMe: false,
  person: { phone },
  pushName: `Nombre ${phone.slice(-4)}`,
  content: { kind: 'text', body },
  ...more,
})
