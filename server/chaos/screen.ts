import { setTimeout as pause } from 'node:timers/promises'
import { type MessageNews, type TicketNews, topics } from '@recado/contract/live'
import type { Message } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import { io, type Socket } from 'socket.io-client'
import { replay } from '../../web/src/lib/replay.ts'
import { joined, type Loaded as Thread } from '../../web/src/parts/conversation/messages/merge.ts'
import { type Chat, withNews } from '../../web/src/parts/conversation/messages/thread-cache.ts'
import type { Filter, Me } from '../../web/src/parts/ticket/filter.ts'
import { applyNews, type Loaded, mergePage, type News } from '../../web/src/parts/ticket/loaded.ts'
import { type Client, done } from './client.ts'
import type { Screen as Compared } from './judge.ts'

const statuses = ['open', 'pending'] as const
type Status = (typeof statuses)[number]
const filterOf = (status: Status): Filter => ({
  ...{ status, showAll: true, queueIds: null, order: 'newest', search: '', tags: [], users: [] },
})
/** So many conversations stay on a screen. */
const keptThreads = 4
const comeBackMs = 200
/** As in the web's `useOpenTicket`: a delete that no update follows means that the ticket has left this person's sight. */
const followsWithin = 500

type Page = { tickets: Ticket[]; hasMore: boolean }
type ThreadPage = { messages: Message[]; hasMore: boolean }

/** What an agent sees: the lists and the open conversations, read once and then followed by ear, with the web's own code. */
export function openScreen(client: Client) {
  const lists = new Map<Status, Loaded>()
  const threads = new Map<number, { chat: Chat; thread: Thread }>()
  const farewells = new Map<number, NodeJS.Timeout>()
  const heardTickets = replay<News>()
  const heardMessages = replay<MessageNews>()
  let me: Me | null = null
  let socket: Socket | undefined
  let over = false
  let stands = false

  const readPage = async (status: Status) =>
    done(await client.until<Page>('GET', `/tickets?status=${status}&showAll=true&order=newest&pageNumber=1`))
  const readThread = async (ticketId: number) =>
    client.until<ThreadPage>('GET', `/messages/${ticketId}?pageNumber=1&markAsRead=false`)
  const tellTicket = (news: News) => {
    heardTickets.hear(news)
    for (const [status, list] of lists) if (me) lists.set(status, applyNews(list, news, filterOf(status), me))
  }

  function hear(name: string, payload: unknown, companyId: number): void {
    if (name === topics.ticket.name(companyId)) {
      const news = payload as TicketNews
      farewell('ticket' in news ? news.ticket.id : news.ticketId, news.action === 'delete')
      if ('ticket' in news) tellTicket({ kind: 'put', ticket: news.ticket })
      else tellTicket({ kind: news.action === 'delete' ? 'gone' : 'read', id: news.ticketId })
    }
    if (name !== topics.message.name(companyId)) return
    const news = payload as MessageNews
    if (news.action === 'create') tellTicket({ kind: 'put', ticket: news.ticket })
    else tellTicket({ kind: 'ack', message: news.message })
    heardMessages.hear(news)
    for (const kept of threads.values()) kept.thread = withNews(kept.thread, kept.chat, news)
  }

  /** Who no longer sees a ticket is led away from its conversation, and reads it anew should it come back. */
  function farewell(ticketId: number, isGone: boolean): void {
    clearTimeout(farewells.get(ticketId))
    farewells.delete(ticketId)
    if (isGone) farewells.set(ticketId, setTimeout(() => void threads.delete(ticketId), followsWithin).unref())
  }

  /** After every gap: read, do not trust. */
  async function reread(): Promise<void> {
    for (const status of statuses) {
      const filter = filterOf(status)
      const empty: Loaded = { rows: [], hasMore: true }
      const { page, news } = await heardTickets.since(() => readPage(status))
      const who = me as Me
      lists.set(
        status,
        news.reduce((list, one) => applyNews(list, one, filter, who), mergePage(empty, page, filter)),
      )
    }
    for (const ticketId of threads.keys()) await readAgain(ticketId)
  }
  async function readAgain(ticketId: number): Promise<void> {
    const { page, news } = await heardMessages.since(() => readThread(ticketId))
    const kept = threads.get(ticketId)
    if (!kept) return
    // It went to somebody else meanwhile.
    if (page.how !== 'done') return void threads.delete(ticketId)
    kept.thread = news.reduce((thread, one) => withNews(thread, kept.chat, one), joined(kept.thread, page.body))
  }

  async function connect(): Promise<void> {
    while (!over) {
      try {
        await once()
      } catch {
        // Nobody is there: the next one is asked.
      }
      stands = false
      await pause(comeBackMs)
    }
  }
  async function once(): Promise<void> {
    const { user } = await client.me()
    me = user
    const ticket = done(await client.until<{ ticket: string }>('POST', '/auth/socket')).ticket
    const open = io(client.address(), {
      ...{ transports: ['websocket'], auth: { ticket }, forceNew: true, reconnection: false, timeout: 5000 },
    })
    socket = open
    open.onAny((name: string, payload: unknown) => hear(name, payload, user.companyId))
    await new Promise<void>((ended) => {
      open.once('connect_error', () => ended())
      open.once('disconnect', () => ended())
      open.once('ready', () => {
        void reread().then(
          () => {
            stands = open.connected
          },
          () => open.disconnect(),
        )
      })
    }).finally(() => open.close())
  }
  const connecting = connect()

  return {
    client,
    stands: () => stands,
    tickets: (status: Status): Ticket[] => lists.get(status)?.rows ?? [],
    mine: async (): Promise<Ticket[]> => {
      const { user } = await client.me()
      return (lists.get('open')?.rows ?? []).filter((row) => row.userId === user.id)
    },
    /** The agent opens a conversation, and it stays open. */
    async open(ticket: Ticket): Promise<void> {
      const chat = { ticketId: ticket.id, contactId: ticket.contactId, whatsappId: ticket.whatsappId }
      if (!threads.has(ticket.id)) threads.set(ticket.id, { chat, thread: { messages: [], hasMore: true } })
      for (const id of [...threads.keys()].slice(0, -keptThreads)) threads.delete(id)
      await readAgain(ticket.id)
    },
    /** What is on it, and what a new browser would show. */
    async compared(): Promise<Compared[]> {
      const whose = client.email
      const all: Compared[] = []
      for (const status of statuses) {
        const fresh = await readPage(status)
        const list = { whose, list: status, reads: fresh.tickets.map(lineOf) }
        all.push({ ...list, shows: (lists.get(status)?.rows ?? []).map(lineOf) })
      }
      for (const [ticketId, { thread }] of threads) {
        const fresh = await readThread(ticketId)
        if (fresh.how !== 'done') continue
        const reads = fresh.body.messages.map(bubbleOf)
        const shows = thread.messages.slice(-Math.max(1, reads.length)).map(bubbleOf)
        all.push({ whose, list: `ticket ${ticketId}`, reads, shows })
      }
      return all
    },
    async close(): Promise<void> {
      over = true
      for (const timer of farewells.values()) clearTimeout(timer)
      socket?.disconnect()
      await connecting
    },
  }
}
export type Screen = ReturnType<typeof openScreen>

const lineOf = (t: Ticket) =>
  JSON.stringify([t.id, t.status, t.userId, t.queueId, t.unreadMessages, t.lastMessage, t.last?.id, t.last?.ack])
const bubbleOf = (m: Message) =>
  JSON.stringify([m.id, m.ticketId, m.fromMe, m.body, m.ack, m.mediaState, m.error, m.isDeleted])
