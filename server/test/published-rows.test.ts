import { api, recordTopics } from '@recado/contract/api'
import type { Endpoint, RecordDefinition } from '@recado/contract/endpoint'
import { topics } from '@recado/contract/live'
import type { RecordTopic } from '@recado/contract/topic'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Desk, nextPhoneNumber, openDesk } from './desk.ts'
import { closeTestServers, type SocketClient, type TestServer, type TestUser, testServer } from './test-server.ts'

/**
 * An event contains the whole row, as it would be read now: older clients replace their copy with it, and their forms send
 * it back. A missing field would be deleted.
 */
let harness: TestServer
let desk: Desk
let superUser: TestUser
let contactId: number
let contactListId: number
let queueId: number
let promptId: number
let [socketClient, high]: SocketClient[] = []
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  superUser = await harness.superUser()
  contactId = (await desk.admin.request<Row>('POST', '/contacts', { name: 'Beto', number: nextPhoneNumber() })).body.id
  contactListId = (await desk.admin.request<Row>('POST', '/contact-lists', { name: 'Lista' })).body.id
  queueId = (await desk.createQueue()).id
  const prompt = { ...(api.prompts.create.example as object), queueId }
  promptId = (await desk.admin.request<Row>('POST', '/prompt', prompt)).body.id
  socketClient = await desk.admin.listen()
  high = await superUser.listen()
})
afterAll(closeTestServers)

type Row = { id: number } & Record<string, unknown>
/**
 * `path`: where a record is created and read; `one`: where it is changed, if elsewhere. `list`: how to find it in a list,
 * if it cannot be read alone. `make`: the body that a form sends.
 */
type PublishedRecord = {
  topic: RecordTopic
  path: string | (() => string)
  one?: string
  make: (n: number) => object
  by?: () => TestUser
  list?: (rows: never) => Row[]
  /** Whether the record is not changed but ended, and can still be read. */
  ends?: true
}
type PlainSection = { topic: RecordTopic; record: RecordDefinition; create: Endpoint & { example: object } }
const color = (n: number) => `#00${n}0${n}${n}`
const rows: Record<string, PublishedRecord> = {
  tags: { topic: api.tags.topic, path: '/tags', make: (n) => ({ name: `tag ${n}`, color: '#ff0000', kanban: 1 }) },
  contacts: {
    topic: api.contacts.topic,
    path: '/contacts',
    make: (n) => ({ name: `Lucía ${n}`, number, email: '', extraInfo: [{ name: 'Ciudad', value: `Lima ${n}` }] }),
  },
  prompts: {
    topic: api.prompts.topic,
    path: '/prompt',
    make: (n) => ({ ...(api.prompts.create.example as object), name: `prompt ${n}`, queueId }),
  },
  knowledge: {
    topic: api.knowledge.topic,
    path: () => `/prompt/${promptId}/knowledge`,
    one: '/knowledge',
    make: (n) => ({ kind: 'text', name: `Envíos ${n}`, text: `En ${n} días.` }),
    list: (rows: Row[]) => rows,
  },
  integrations: {
    topic: api.integrations.topic,
    path: '/queueIntegration',
    make: (n) => ({ ...(api.integrations.create.example as object), name: `integration ${n}` }),
  },
  // A language belongs to one skill only.
  skills: {
    topic: api.skills.topic,
    path: '/skills',
    make: (n) => ({ name: `skill ${n}`, language: n < 3 ? 'pt' : null }),
  },
  quickMessages: {
    topic: api.quickMessages.topic,
    path: '/quick-messages',
    make: (n) => ({ shortcode: `hola${n}`, message: 'Hola', geral: true }),
  },
  files: {
    topic: api.files.topic,
    path: '/files',
    make: (n) => ({ name: `list ${n}`, message: 'x', options: [{ name: `uno ${n}` }] }),
  },
  users: {
    topic: api.users.topic,
    path: '/users',
    make: (n) => ({
      name: `Ana ${n}`,
      email: 'ana@whole.test',
      password: n === 1 ? 'a-password' : '',
      whatsappId: null,
    }),
  },
  queues: { topic: api.queues.topic, path: '/queue', make: (n) => ({ name: `Ventas ${n}`, color: color(n) }) },
  connections: { topic: api.connections.topic, path: '/whatsapp', make: (n) => ({ name: `Línea ${n}`, queueIds: [] }) },
  schedules: {
    topic: api.schedules.topic,
    path: '/schedules',
    make: (n) => ({ body: `Hasta mañana ${n}`, contactId, sendAt: '2093-01-15T10:00', whatsappId: null }),
  },
  contactLists: { topic: api.contactLists.topic, path: '/contact-lists', make: (n) => ({ name: `Clientes ${n}` }) },
  contactListItems: {
    topic: api.contactListItems.topic,
    path: '/contact-list-items',
    make: (n) => ({ name: `Ana ${n}`, number, email: '', contactListId }),
  },
  campaigns: {
    topic: api.campaigns.topic,
    path: '/campaigns',
    make: (n) => ({ name: `Mayo ${n}`, message1: 'Hola' }),
    // The texts and members of this record are loaded only when it is opened.
    list: (rows: { records: Row[] }) => rows.records,
  },
  apiKeys: {
    topic: api.apiKeys.topic,
    path: '/api-keys',
    make: (n) => ({ name: `Reservas ${n}`, scopes: ['send'] }),
    list: (rows: { apiKeys: Row[] }) => rows.apiKeys,
    ends: true,
  },
  webhooks: {
    topic: api.webhooks.topic,
    path: '/webhooks',
    make: (n) => ({ name: `Reservas ${n}`, url: 'https://hooks.example.test/recado', events: ['line.state'] }),
  },
  helps: {
    topic: api.helps.topic,
    path: '/helps',
    by: () => superUser,
    make: (n) => ({ title: `Help ${n}`, video: 'x' }),
  },
  announcements: {
    topic: api.announcements.topic,
    path: '/announcements',
    by: () => superUser,
    make: (n) => ({ title: `News ${n}`, text: 'x', priority: 1, status: true }),
  },
  plans: {
    topic: api.plans.topic,
    path: '/plans',
    by: () => superUser,
    make: (n) => ({ name: `Plan ${n}`, users: n }),
  },
  companies: {
    topic: api.companies.topic,
    path: '/companies',
    by: () => superUser,
    make: (n) => ({ name: `Firm ${n}`, billingName: `Firm ${n} S.A.`, addressCity: 'Lima', recurrence: 'MENSAL' }),
    // A single company is published to its own users, with other fields.
    list: (rows: { companies: Row[] }) => rows.companies,
  },
}
/** A record of `crud` that is not listed above: its example, with another text in the column that orders the list. */
for (const [name, section] of Object.entries(api))
  if (!(name in rows) && 'topic' in section && 'plural' in section.record) {
    const { topic, record, create } = section as PlainSection
    const make = (n: number) => ({ ...create.example, [record.search[0]]: `${name} ${n}` })
    rows[name] = { topic, path: create.path, make, ...(create.access === 'super' && { by: () => superUser }) }
  }
const number = nextPhoneNumber()
/** The body of another record: unique values are replaced. */
function copyWithUniqueValues(made: object): object {
  const own = { number: nextPhoneNumber(), email: 'another@whole.test', password: 'a-password' }
  return { ...made, ...Object.fromEntries(Object.entries(own).filter(([key]) => key in made)) }
}
/** Fields whose values change in the background. */
const changingFields = { updatedAt: '', status: '', reason: '', isWhatsappValid: null }
const withoutSignatures = <T>(value: T): T => JSON.parse(JSON.stringify(value).replace(/\?until=\d+&sig=[\w-]+/g, ''))

describe('the whole row in a live event', () => {
  it('is tested for every published record', () => {
    expect(new Set(Object.values(rows).map(({ topic }) => topic))).toEqual(new Set(recordTopics))
  })

  it.each(Object.entries(rows))(
    'is published for a created or changed record: %s',
    async (_, { topic, path: where, one, make, by = () => desk.admin, list, ends }) => {
      const person = by()
      const path = typeof where === 'string' ? where : where()
      const listener = (person === superUser ? high : socketClient) as SocketClient
      const name = topic.name(person.companyId)
      const { id } = (await person.request<Row>('POST', path, make(1))).body
      for (const n of [1, 2]) {
        const change = ends ? (['DELETE', undefined] as const) : (['PUT', make(2)] as const)
        if (n === 2)
          expect((await person.request(change[0], `${one ?? path}/${id}`, change[1])).status).toBeLessThan(300)
        // The test waits, because a new line is still connecting.
        await vi.waitFor(async () => {
          await listener.whenCaughtUp()
          const told = listener.received.findLast(
            (said) => said.name === name && (said.payload[topic.one] as Row | undefined)?.id === id,
          )
          const shown = list
            ? list((await person.request<never>('GET', path)).body).find((row) => row.id === id)
            : (await person.request<Row>('GET', `${path}/${id}`)).body
          // The event may have more fields: for a user, it also has the company.
          const news = told?.payload[topic.one] as Row
          const same = Object.fromEntries(Object.keys(shown as Row).map((key) => [key, news[key]]))
          expect(withoutSignatures(same)).toEqual(withoutSignatures(shown))
        })
      }
    },
  )

  /** Forms of older clients send back the whole row that they read, with extra fields and numbers as text. */
  const junk = {
    companyId: 4_000_000,
    company: { id: 4_000_000 },
    userId: '',
    tenantId: 1,
    super: true,
    $$hashKey: 'object:3',
  }
  const asText = (row: object) =>
    Object.fromEntries(Object.entries(row).map(([key, value]) => [key, typeof value === 'number' ? `${value}` : value]))

  it.each(Object.entries(rows).filter(([, { ends }]) => !ends))(
    'is published for %s, and sending the row back with extra fields changes nothing',
    async (_, { path: where, one, make, by = () => desk.admin, list }) => {
      const person = by()
      const path = typeof where === 'string' ? where : where()
      const { id } = (await person.request<Row>('POST', path, copyWithUniqueValues(make(3)))).body
      const read = async () =>
        list
          ? list((await person.request<never>('GET', path)).body).find((row) => row.id === id)
          : (await person.request<Row>('GET', `${path}/${id}`)).body
      const before = (await read()) as Row
      expect(before, path).toBeDefined()
      for (const body of [
        { ...before, ...junk },
        { ...asText(before), ...junk },
      ]) {
        const answer = await person.request('PUT', `${one ?? path}/${id}`, {
          ...copyWithUniqueValues(make(3)),
          ...body,
        })
        expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
        const now = (await read()) as Row
        expect(withoutSignatures({ ...now, ...changingFields })).toEqual(
          withoutSignatures({ ...before, ...changingFields }),
        )
      }
    },
  )

  it('is published for tickets after any change', async () => {
    const { id } = await desk.newTicket()
    const { contactId } = await desk.showTicket(id)
    const { body: contact } = await desk.admin.request<Row>('GET', `/contacts/${contactId}`)
    await desk.admin.request('PUT', `/contacts/${contactId}`, {
      ...contact,
      extraInfo: [{ name: 'Plan', value: 'Oro' }],
    })
    const queue = await desk.createQueue()
    const name = topics.ticket.name(desk.company.id)
    for (const body of [
      { status: 'open', userId: desk.admin.id },
      { queueId: queue.id, userId: desk.admin.id },
      { status: 'pending', userId: null },
      { status: 'closed' },
    ]) {
      await desk.putTicket(desk.admin, id, body)
      await socketClient?.whenCaughtUp()
      const told = socketClient?.received.findLast((said) => said.name === name && said.payload.action === 'update')
      const shown = await desk.showTicket(id)
      expect(shown.contact).toMatchObject({ extraInfo: [{ name: 'Plan', value: 'Oro' }] })
      expect(told?.payload.ticket).toEqual(shown)
    }
  })

  it('is published for messages and notes', async () => {
    const { customer, id } = await desk.openTicket(desk.admin)
    await desk.waitForMessage(await customer.says('¿están?'))
    await desk.send(desk.admin, id, 'sí')
    await desk.admin.request('POST', '/ticket-notes', { note: 'ojo', ticketId: id })
    await socketClient?.whenCaughtUp()
    const told = (name: string, key: string) =>
      (socketClient?.received ?? []).filter((said) => said.name === name).map((said) => said.payload[key] as Row)
    // The test waits, because acknowledgements are still on their way.
    await vi.waitFor(async () => {
      const messages = await desk.listMessages(desk.admin, id)
      await socketClient?.whenCaughtUp()
      const last = new Map(
        told(topics.message.name(desk.company.id), 'message').map((message) => [message.id, message]),
      )
      expect(messages).toHaveLength(3)
      // When customer messages are read, one event of their ticket is published for all of them.
      for (const message of messages)
        expect(last.get(message.id as never)).toEqual({ ...message, read: message.fromMe && message.read })
    })
    const { body: notes } = await desk.admin.request<Row[]>('GET', `/ticket-notes/list?ticketId=${id}`)
    expect(told(topics.note.name(desk.company.id), 'note').at(-1)).toEqual(notes[0])
  })
})
