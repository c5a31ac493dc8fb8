import { setTimeout as pause } from 'node:timers/promises'
import { type MessageNews, type TicketNews, topics } from '@recado/contract/live'
import type { Message } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import { io, type Socket } from 'socket.io-client'
import { createNewsReplay } from '../../web/src/lib/news-replay.ts'
import {
  mergeNewestPages,
  type LoadedMessages as Thread,
} from '../../web/src/parts/conversation/messages/merge-messages.ts'
import {
  applyThreadNews,
  hasMessagesOfTicket,
  isSameChat,
  type ThreadScope,
  type ThreadNews as Told,
} from '../../web/src/parts/conversation/messages/thread-cache.ts'
import {
  applyTicketListNews,
  type LoadedTickets,
  mergeTicketPage,
  type TicketListNews,
  ticketPageSize,
} from '../../web/src/parts/ticket/loaded-tickets.ts'
import { detectLostTickets } from '../../web/src/parts/ticket/lost-tickets.ts'
import type { TicketFilter, TicketViewer } from '../../web/src/parts/ticket/ticket-filter.ts'
import { type AgentClient, expectDone } from './agent-client.ts'
import type { ScreenComparison as Compared } from './judge.ts'

const statuses = ['open', 'pending'] as const
type ListStatus = (typeof statuses)[number]
const listFilter = (status: ListStatus): TicketFilter => ({
  ...{
    status,
    showAll: true,
    snoozed: null,
    queueIds: null,
    order: 'newest',
    search: '',
    tags: [],
    users: [],
    ads: [],
  },
})
/** How many conversations an agent keeps open. */
const maxOpenThreads = 4
const reconnectMs = 200

type TicketPage = { tickets: Ticket[]; hasMore: boolean }
/** `turn`: counts the reads, so that a read which a later one has overtaken is dropped. */
type OpenThread = { chat: ThreadScope; thread: Thread; turn: number }
type ThreadPage = { messages: Message[]; hasMore: boolean }

/** An agent's screen: lists and open conversations, read once and then updated by events with the web app's code. */
export function openAgentScreen(client: AgentClient) {
  const lists = new Map<ListStatus, LoadedTickets>()
  const threads = new Map<number, OpenThread>()
  const ticketReplay = createNewsReplay<TicketListNews>()
  const messageReplay = createNewsReplay<Told>()
  let me: TicketViewer | null = null
  let socket: Socket | undefined
  let isClosed = false
  let isCurrent = false

  const readPage = async (status: ListStatus) =>
    expectDone(
      await client.callUntilAnswered<TicketPage>(
        'GET',
        `/tickets?status=${status}&showAll=true&order=newest&pageNumber=1`,
      ),
    )
  const readThread = async (ticketId: number) =>
    client.callUntilAnswered<ThreadPage>('GET', `/messages/${ticketId}?pageNumber=1&markAsRead=false`)
  const applyToLists = (news: TicketListNews) => {
    ticketReplay.record(news)
    for (const [status, list] of lists)
      if (me) lists.set(status, applyTicketListNews(list, news, listFilter(status), me))
  }

  function handleEvent(name: string, payload: unknown, companyId: number): void {
    if (name === topics.ticket.name(companyId)) {
      const news = payload as TicketNews
      leaving.receive(news)
      if ('ticket' in news) applyToLists({ kind: 'put', ticket: news.ticket })
      else applyToLists({ kind: news.action === 'delete' ? 'gone' : 'read', id: news.ticketId })
      if ('ticket' in news)
        for (const openThread of threads.values()) if (isNew(openThread, news.ticket)) renew(openThread.chat.ticketId)
    }
    if (name === topics.thread.name(companyId))
      for (const { chat } of threads.values()) if (isSameChat(chat, payload as ThreadScope)) renew(chat.ticketId)
    if (name !== topics.message.name(companyId)) return
    const news = payload as MessageNews
    if (news.action === 'create') applyToLists({ kind: 'put', ticket: news.ticket })
    else applyToLists({ kind: 'ack', message: news.message })
    applyToThreads(news)
  }
  function applyToThreads(news: Told): void {
    messageReplay.record(news)
    for (const openThread of threads.values())
      openThread.thread = applyThreadNews(openThread.thread, openThread.chat, news)
  }

  /**
   * Like `useOtherTicketsOfChat` in the web app: when a ticket of the chat becomes visible, its messages are added to
   * the conversation.
   */
  const isNew = ({ chat, thread }: OpenThread, ticket: Ticket): boolean =>
    ticket.id !== chat.ticketId && isSameChat(chat, ticket) && !hasMessagesOfTicket(thread, ticket.id)
  /**
   * When a ticket is no longer visible, its messages are removed; its open conversation is closed, and read again if
   * the ticket returns.
   */
  const leaving = detectLostTickets((ticketId) => {
    threads.delete(ticketId)
    const held = [...threads.values()].filter(({ thread }) => hasMessagesOfTicket(thread, ticketId))
    applyToThreads({ action: 'left', ticketId })
    for (const { chat } of held) renew(chat.ticketId)
  })
  /** If the conversation cannot be read, the socket is closed, and everything is read after the reconnect. */
  const renew = (ticketId: number): void => void readAgain(ticketId).catch(() => socket?.disconnect())

  /** Reads everything again after each interruption of the socket. */
  async function reread(): Promise<void> {
    for (const status of statuses) {
      const filter = listFilter(status)
      const empty: LoadedTickets = { rows: [], hasMore: true }
      const { page, news } = await ticketReplay.runWithNews(() => readPage(status))
      const who = me as TicketViewer
      lists.set(
        status,
        news.reduce((list, one) => applyTicketListNews(list, one, filter, who), mergeTicketPage(empty, page, filter)),
      )
    }
    for (const ticketId of threads.keys()) await readAgain(ticketId)
  }
  async function readAgain(ticketId: number): Promise<void> {
    const openThread = threads.get(ticketId)
    if (!openThread) return
    const turn = ++openThread.turn
    const { page, news } = await messageReplay.runWithNews(() => readThread(ticketId))
    // The conversation was closed meanwhile, or a later read has a newer result.
    if (threads.get(ticketId) !== openThread || openThread.turn !== turn) return
    // The ticket was assigned to another agent meanwhile.
    if (page.result !== 'done') return void threads.delete(ticketId)
    openThread.thread = news.reduce(
      (thread, one) => applyThreadNews(thread, openThread.chat, one),
      mergeNewestPages(openThread.thread, page.body),
    )
  }

  async function connect(): Promise<void> {
    while (!isClosed) {
      try {
        await readEverythingOnce()
      } catch {
        // The process does not answer: the next process is tried.
      }
      isCurrent = false
      await pause(reconnectMs)
    }
  }
  async function readEverythingOnce(): Promise<void> {
    const { user } = await client.login()
    me = user
    const ticket = expectDone(await client.callUntilAnswered<{ ticket: string }>('POST', '/auth/socket')).ticket
    const open = io(client.address(), {
      ...{ transports: ['websocket'], auth: { ticket }, forceNew: true, reconnection: false, timeout: 5000 },
    })
    socket = open
    open.onAny((name: string, payload: unknown) => handleEvent(name, payload, user.companyId))
    await new Promise<void>((ended) => {
      open.once('connect_error', () => ended())
      open.once('disconnect', () => ended())
      open.once('ready', () => {
        void reread().then(
          () => {
            isCurrent = open.connected
          },
          () => open.disconnect(),
        )
      })
    }).finally(() => open.close())
  }
  const connecting = connect()

  return {
    client,
    stands: () => isCurrent,
    tickets: (status: ListStatus): Ticket[] => lists.get(status)?.rows ?? [],
    mine: async (): Promise<Ticket[]> => {
      const { user } = await client.login()
      return (lists.get('open')?.rows ?? []).filter((row) => row.userId === user.id)
    },
    /** The agent opens a conversation, and it stays open. */
    async open(ticket: Ticket): Promise<void> {
      const chat = { ticketId: ticket.id, contactId: ticket.contactId, whatsappId: ticket.whatsappId }
      if (!threads.has(ticket.id)) threads.set(ticket.id, { chat, thread: { messages: [], hasMore: true }, turn: 0 })
      for (const id of [...threads.keys()].slice(0, -maxOpenThreads)) threads.delete(id)
      await readAgain(ticket.id)
    },
    /** The lists that the screen shows, each with the list that a newly opened browser would show. */
    async compared(): Promise<Compared[]> {
      const whose = client.email
      const all: Compared[] = []
      for (const status of statuses) {
        const fresh = await readPage(status)
        const list = { agent: whose, list: status, reread: fresh.tickets.map(ticketFingerprint) }
        // Events lengthen the list beyond its first page, which is read again.
        const shown = lists.get(status)?.rows.slice(0, ticketPageSize) ?? []
        all.push({ ...list, shown: shown.map(ticketFingerprint) })
      }
      for (const [ticketId, { thread }] of threads) {
        const fresh = await readThread(ticketId)
        if (fresh.result !== 'done') continue
        const reads = fresh.body.messages.map(messageFingerprint)
        const shows = thread.messages.slice(-Math.max(1, reads.length)).map(messageFingerprint)
        all.push({ agent: whose, list: `ticket ${ticketId}`, reread: reads, shown: shows })
      }
      return all
    },
    async close(): Promise<void> {
      isClosed = true
      leaving.end()
      socket?.disconnect()
      await connecting
    },
  }
}
export type AgentScreen = ReturnType<typeof openAgentScreen>

const ticketFingerprint = (t: Ticket) =>
  JSON.stringify([t.id, t.status, t.userId, t.queueId, t.unreadMessages, t.lastMessage, t.last?.id, t.last?.ack])
const messageFingerprint = (m: Message) =>
  JSON.stringify([m.id, m.ticketId, m.fromMe, m.body, m.ack, m.mediaState, m.error, m.isDeleted])
