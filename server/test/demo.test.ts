import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { campaignsApi } from '@recado/contract/campaigns/campaigns'
import { contactListsApi } from '@recado/contract/campaigns/contact-lists'
import { chatsApi } from '@recado/contract/chats'
import { dashboardApi } from '@recado/contract/dashboard/dashboard'
import { messageKinds, messagesApi } from '@recado/contract/messages'
import { schedulesApi } from '@recado/contract/schedules/schedules'
import { notesApi, ticketsApi } from '@recado/contract/tickets'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { localMidnight } from '../demo/calendar.ts'
import { demoCompany, demoQueues, demoStaff, demoTags } from '../demo/demo-company.ts'
import { fillDemo } from '../demo/fill-demo.ts'
import { makeStories } from '../demo/stories.ts'
import { exportCompany } from '../import-export/company/export-company.ts'
import { importCompany } from '../import-export/company/import-company.ts'
import { openOwnerPool } from './fixtures.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from './test-server.ts'

let harness: TestServer
let admin: TestUser
let companyId: number
const password = 'demo-1234'
const address = (name: string) => demoStaff.find((one) => one.name.startsWith(name))?.email ?? ''

beforeAll(async () => {
  harness = await testServer()
  companyId = (await fillDemo(harness.server.deps, { password })).companyId
  admin = await harness.login(address('Lucía'), password)
})
afterAll(closeTestServers)

const rowsOf = (table: 'contacts' | 'tickets' | 'messages' | 'queues' | 'tags' | 'userRatings' | 'ticketNotes') =>
  harness.wide().db.selectFrom(table).selectAll().where('companyId', '=', companyId).execute()

test('creates weeks of conversations in three languages, in every state and of every kind', async () => {
  const [tickets, messages, contacts] = await Promise.all([rowsOf('tickets'), rowsOf('messages'), rowsOf('contacts')])
  expect(contacts.length).toBeGreaterThan(60)
  const count = (status: string) => tickets.filter((t) => t.status === status).length
  expect(count('closed')).toBeGreaterThan(100)
  expect(count('open')).toBeGreaterThanOrEqual(20)
  expect(count('pending')).toBeGreaterThanOrEqual(10)
  expect(tickets.some((t) => t.chatbot)).toBe(true)
  expect(tickets.some((t) => t.isGroup)).toBe(true)
  const kinds = new Set(messages.map((m) => m.mediaType))
  const told = messageKinds.filter((kind) => kind !== 'vcard' && kind !== 'unknown')
  expect(told.filter((kind) => !kinds.has(kind))).toEqual([])
  const oldest = Math.min(...messages.map((m) => Date.parse(m.createdAt)))
  expect(Date.now() - oldest).toBeGreaterThan(35 * 86_400_000)
  expect(messages.every((m) => Date.parse(m.createdAt) <= Date.now())).toBe(true)
  expect((await rowsOf('queues')).length).toBe(Object.keys(demoQueues).length)
  expect((await rowsOf('tags')).length).toBe(demoTags.length)
  expect((await rowsOf('userRatings')).length).toBeGreaterThan(20)
  expect((await rowsOf('ticketNotes')).length).toBeGreaterThan(10)
})

test('creates varied weeks: returning customers, transfers, met and missed goals, new contacts', async () => {
  await harness.wide().enqueueJob('figures:sum', {})
  const { sums, before, queues: ways } = await admin.call(dashboardApi.view, { query: { days: 15, compare: true } })
  const parts = [sums, before?.sums ?? sums].map(({ again, transferred, returned, once, came, resolved }) => ({
    again: again / came,
    handed: (transferred + returned) / resolved,
    once: once / resolved,
  }))
  for (const { again, handed, once } of parts) {
    expect(again).toBeGreaterThan(0.03)
    expect(again).toBeLessThan(0.35)
    expect(handed).toBeGreaterThan(0.02)
    expect(handed).toBeLessThan(0.3)
    expect(once).toBeGreaterThan(0.1)
  }
  expect(sums.returned + (before?.sums.returned ?? 0)).toBeGreaterThan(0)
  // No conversation lasts a day, and no answer takes a day.
  expect(sums.talkSeconds / sums.talks).toBeLessThan(2 * 3600)
  expect(sums.nextSeconds / sums.nexts).toBeLessThan(1800)
  const late = ways.map(({ answerKept, answerLate, resolveKept, resolveLate }) => ({
    kept: answerKept + resolveKept,
    late: answerLate + resolveLate,
  }))
  expect(late.every(({ kept, late: n }) => kept > n)).toBe(true)
  expect(late.some(({ late: n }) => n > 0)).toBe(true)
  const { newContacts } = await admin.call(dashboardApi.view, { query: { days: 15 } })
  expect(newContacts).toBeGreaterThan(8)
})

test('creates team chats, each in the language of its members', async () => {
  const { records } = await admin.call(chatsApi.list)
  expect(records.map((chat) => chat.title)).toEqual(['Recepción y guías', 'Brasil', 'Martín Olaya'])
  const [desk, brasil] = records
  const mine = (chat = desk) => chat?.users.find((one) => one.userId === admin.id)
  expect([mine()?.unreads, desk?.mine?.mentions, mine(brasil)?.unreads]).toEqual([2, 1, 1])
  const { files, tickets } = await admin.call(chatsApi.details, { params: { id: desk?.id ?? 0 } })
  expect(files.map((file) => file.mediaName)).toEqual(['Parte_lago_viernes.pdf'])
  expect(tickets).toHaveLength(1)
})

test('creates ids in time order, and list previews that match the last message', async () => {
  const messages = (await rowsOf('messages')).sort((a, b) => a.id - b.id)
  const times = messages.map((m) => Date.parse(m.createdAt))
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  for (const ticket of await rowsOf('tickets')) {
    const own = messages.filter((m) => m.ticketId === ticket.id)
    const unread = own.filter((m) => !m.read && !m.fromMe).length
    expect(ticket.unreadMessages, `ticket ${ticket.id}`).toBe(unread)
    expect(Date.parse(ticket.updatedAt)).toBe(Date.parse(own.at(-1)?.createdAt ?? ''))
  }
})

test('returns the demo data completely over the API: lists, threads with files, notes, events', async () => {
  const { tickets } = await admin.call(ticketsApi.list, { query: { status: 'open', showAll: 'true' } as never })
  const carolina = tickets.find((t) => t.contact.name === 'Carolina Peñaflor')
  if (!carolina) throw new Error('Carolina is not there')
  const given = { params: { ticketId: carolina.id }, query: { markAsRead: 'false' } as never }
  const { messages } = await admin.call(messagesApi.list, given)
  const files = messages.filter((m) => m.mediaUrl)
  expect(files.map((m) => m.mediaType)).toEqual(
    expect.arrayContaining(['image', 'audio', 'application', 'sticker', 'video']),
  )
  for (const { mediaUrl } of files) expect((await fetch(mediaUrl ?? '')).status).toBe(200)
  expect(messages.some((m) => m.quotedMsg)).toBe(true)
  expect(messages.some((m) => m.reactions.length)).toBe(true)
  expect((await admin.call(notesApi.list, { query: { ticketId: carolina.id } })).length).toBeGreaterThan(0)
  const { events } = await admin.call(ticketsApi.happenings, { params: { id: carolina.id }, query: {} as never })
  expect(events.map((e) => e.kind)).toEqual(expect.arrayContaining(['accept', 'message']))
})

test('creates scheduled messages in several states and three languages, and sends none of them automatically', async () => {
  const { schedules } = await admin.call(schedulesApi.list, { query: {} as never })
  expect(new Set(schedules.map((s) => (s.heldAt ? 'held' : s.status)))).toEqual(
    new Set(['PENDENTE', 'held', 'ERRO', 'ENVIADA']),
  )
  expect(schedules.some((s) => s.repeat)).toBe(true)
  const due = schedules.filter((s) => s.status === 'PENDENTE' && !s.heldAt && Date.parse(s.sendAt) < Date.now())
  expect(due).toEqual([])
})

test('creates a finished campaign with its report, a planned campaign and a draft', async () => {
  const { records } = await admin.call(campaignsApi.list, { query: {} as never })
  expect(new Set(records.map(({ status }) => status))).toEqual(new Set(['FINALIZADA', 'PROGRAMADA', 'INATIVA']))
  const over = records.find(({ status }) => status === 'FINALIZADA')
  const report = await admin.call(campaignsApi.report, { params: { id: over?.id ?? 0 } })
  const { counts } = report.campaign
  expect(counts).toEqual(over?.counts)
  expect(counts).toMatchObject({ skipped: 3, failed: 2, stopped: 1, pending: 0, total: counts.valid + 3 })
  expect(counts.answered).toBeGreaterThan(3)
  expect(report.variants).toHaveLength(3)
  expect(report.failures.map(({ retryable }) => retryable).sort()).toEqual([false, true])
  expect(report.curve.at(-1)).toMatchObject({ planned: counts.valid, sent: counts.sent, answered: counts.answered })
  const lists = await admin.call(contactListsApi.list, { query: {} as never })
  expect(lists.records.filter(({ question }) => question)).toHaveLength(1)
  const rows = lists.records.filter(({ question }) => !question)
  expect(rows.map((list) => list.validCount + list.invalidCount)).toEqual(rows.map((list) => list.contactsCount))
})

test('creates test lines that connect, and delivers an agent’s message to the phone', async () => {
  const lines = await admin.request<{ id: number; status: string }[]>('GET', '/whatsapp')
  expect(lines.body.length).toBe(2)
  await vi.waitFor(
    async () => {
      const { body } = await admin.request<{ status: string }[]>('GET', '/whatsapp')
      expect(body.map((line) => line.status)).toEqual(['CONNECTED', 'CONNECTED'])
    },
    { timeout: 15_000, interval: 100 },
  )
  const { tickets } = await admin.call(ticketsApi.list, { query: { status: 'open', showAll: 'true' } as never })
  const one = tickets.find((t) => !t.isGroup)
  if (!one) throw new Error('nobody is being attended')
  await admin.call(messagesApi.send, { params: { ticketId: one.id }, body: { body: 'Ya lo veo' } as never })
  await vi.waitFor(
    async () => {
      const path = `/sandbox/${one.whatsappId}/messages?with=${one.contact.number}`
      const { body } = await admin.request<{ messages: { body: string }[] }>('GET', path)
      expect(body.messages.at(-1)?.body).toBe('Ya lo veo')
    },
    { timeout: 15_000, interval: 100 },
  )
})

test('changes nothing in a second run, except for the new password', async () => {
  const before = await rowsOf('messages')
  const second = await fillDemo(harness.server.deps, { password: 'another-1234' })
  expect(second).toMatchObject({ outcome: 'there', companyId, messages: before.length })
  expect((await rowsOf('messages')).length).toBe(before.length)
  await harness.login(address('Renata'), 'another-1234')
})

// An import refuses rows that the app would not have written: the demo's weeks of all kinds of work must be
// accepted.
test('exports the demo company and imports it into another server with every row and file', async () => {
  const there = await testServer()
  const [from, to] = [openOwnerPool(harness), openOwnerPool(there)]
  const folder = await mkdtemp(join(tmpdir(), 'recado-demo-'))
  try {
    const place = join(folder, 'demo')
    const manifest = await exportCompany({ owner: from, files: harness.server.deps.files }, { companyId, to: place })
    const brought = await importCompany({ owner: to, files: there.server.deps.files }, place)
    const second = await exportCompany(
      { owner: to, files: there.server.deps.files },
      { companyId: brought.companyId, to: join(folder, 'again') },
    )
    const counted = ({ tables, media }: typeof manifest) => ({
      ...Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
      ...{ files: media.files, bytes: media.bytesOfFiles },
    })
    expect(counted(second)).toEqual(counted(manifest))
    expect(Object.keys(brought.changeCounts).filter((what) => /password|mail/.test(what))).toEqual([])
  } finally {
    await Promise.all([from.end(), to.end()])
    await rm(folder, { recursive: true, force: true })
  }
})

test('rebuilds the demo company on request: deletes the old one with its files, and changes no other company', async () => {
  const other = await harness.createCompany()
  // The full number of weeks is tested above, so one week is enough here.
  const again = await fillDemo(harness.server.deps, { password, recreate: true, weeks: 1 })
  expect(again.outcome).toBe('made-again')
  expect(again.tickets).toBeGreaterThan(30)
  expect(again.companyId).not.toBe(companyId)
  expect((await rowsOf('tickets')).length).toBe(0)
  await vi.waitFor(() => expect(stat(join(harness.dataDir, 'files', String(companyId)))).rejects.toThrow(), {
    timeout: 10_000,
  })
  expect((await other.admin.request('GET', '/tags')).status).toBe(200)
})

test('does not change another company that has the same name', async () => {
  const alone = await testServer()
  const taken = await alone.createCompany(demoCompany.name)
  expect(await fillDemo(alone.server.deps, { password, recreate: true })).toMatchObject({
    outcome: 'taken',
    messages: 0,
  })
  expect((await taken.admin.request('GET', '/tags')).status).toBe(200)
  await alone.close()
})

test('creates identical data when it is built again for the same day', () => {
  const now = new Date('2026-11-16T15:00:00Z')
  expect(JSON.stringify(makeStories(now))).toBe(JSON.stringify(makeStories(now)))
})

test('creates a usual amount of activity for today, at any time of day it is built', () => {
  for (const at of ['2026-11-17T00:30:00Z', '2026-11-17T15:00:00Z', '2026-11-16T12:00:00Z', '2026-11-15T20:00:00Z']) {
    const now = new Date(at)
    const ago = makeStories(now).map(({ messages: spoken }) =>
      Math.floor((now.getTime() - Number(spoken[0]?.at)) / 86_400_000),
    )
    const began = (day: number) => ago.filter((one) => one === day).length
    const most = Math.max(...Array.from({ length: 28 }, (_, n) => began(n + 1)))
    expect(began(0)).toBeLessThan(most * 1.6)
  }
})

test('creates hardly any activity for today if built early in the morning', () => {
  for (const at of ['2026-11-17T03:20:00Z', '2026-11-17T06:10:00Z', '2026-11-16T09:00:00Z', '2026-11-15T11:40:00Z']) {
    const now = new Date(at)
    const midnight = localMidnight(now).getTime()
    const ago = makeStories(now).map(({ messages: spoken }) =>
      Math.ceil((midnight - Number(spoken[0]?.at)) / 86_400_000),
    )
    const began = (day: number) => ago.filter((one) => (day ? one === day : one <= 0)).length
    const usual = Array.from({ length: 28 }, (_, n) => began(n + 2)).sort((a, b) => a - b)
    // Today is compared with the median and the maximum of all days.
    expect(began(0)).toBeLessThan((usual[14] ?? 0) * 0.8)
    expect(began(1)).toBeLessThan((usual.at(-1) ?? 0) * 1.4)
  }
})
