import { api } from '@recado/contract/api'
import { companiesApi } from '@recado/contract/companies'
import { type Contact, contactsApi } from '@recado/contract/contacts'
import type { Endpoint, RecordDefinition } from '@recado/contract/endpoint'
import { filesApi } from '@recado/contract/files'
import type { Schedule } from '@recado/contract/schedules/schedules'
import { tagsApi } from '@recado/contract/tags'
import { isSearchMatch, personSearchText } from '@recado/contract/text/people-search'
import { type RecordTopic, unpackRecordNews } from '@recado/contract/topic'
import { usersApi } from '@recado/contract/users'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { matchesScheduleSearch as isPlanned } from '../../web/src/features/schedules/schedule-search.ts'
import {
  applyRecordNews,
  compareByText,
  type ListRules,
  type LoadedRows,
  listRulesOf,
} from '../../web/src/records/merge-rows.ts'
import { deskContactHooks } from '../src/desk/composition/contact-hooks.ts'
import { resolveContact } from '../src/directory/contacts/resolve-contact.ts'
import { Scope } from '../src/kernel/data/scope.ts'
import { canCall, tableOfEntity, type UserRank } from './fixtures.ts'
import { closeTestServers, type SocketClient, type TestServer, type TestUser, testServer } from './test-server.ts'
import { sendForm, tinyPng } from './upload.ts'
import { waitTimeoutMs } from './wait-timeout.ts'

/**
 * A list that was read once and then updated by live events must equal a reloaded list. Users act at random, some at the
 * same moment; other users listen and apply the events to their list with the web app's own code.
 */
type Row = { id: number } & Record<string, unknown>
type Seed = { word: string; on: boolean; n: number }
/** An action of a user: on a row (any that ever existed) or without one. Returns the id of a new row. */
type UserAction = (by: TestUser, id: number, seed: Seed) => Promise<{ id: number } | unknown>
type FollowedRecord = { api: RecordApi; acts: UserAction[] }
type RecordApi = {
  topic: RecordTopic
  record: RecordDefinition & { plural: string }
  list: Endpoint
  create: Endpoint
  update?: Endpoint
  remove?: Endpoint
  /** An endpoint that ends a row: it stays in the list and is marked as ended. */
  revoke?: Endpoint
}
/** The sections of the contract with a paged list and live events of its rows. */
type Section = { [S in keyof typeof api]: (typeof api)[S] extends RecordApi ? S : never }[keyof typeof api]
const isPlain = (section: object): section is RecordApi =>
  'record' in section && 'plural' in (section as RecordApi).record

/** A record with the five standard endpoints: `write` makes its rows from a seed. */
const followRecord = (api: RecordApi, write: (seed: Seed) => object, more: UserAction[] = []): FollowedRecord => {
  // Users are written without passwords: hashing them would take most of the time of these tests.
  const { update, remove, revoke } = api
  const change: UserAction[] = update
    ? [(by, id, seed) => by.call(update, { params: { id } as never, body: { ...write(seed), password: '' } as never })]
    : []
  const ends = [remove, revoke].flatMap((end): UserAction[] =>
    end ? [(by, id) => by.call(end, { params: { id } as never })] : [],
  )
  const acts: UserAction[] = [
    (by, _, seed) => by.call(api.create, { body: write(seed) as never }),
    ...change,
    ...ends,
    // Updates are twice as likely as other actions, because they cause most errors in lists.
    ...change,
    ...more,
  ]
  return { api, acts }
}
const withMedia = (path: string): UserAction[] => [
  (by, id) => sendForm(by, `${path}/${id}/media-upload`, { file: [[tinyPng, 'dot.png']] }),
  (by, id) => by.request('DELETE', `${path}/${id}/media-upload`),
]
const uniqueName = ({ word, n }: Seed) => `${word} ${n}`

/** Sections not listed here are written as in the endpoint's example, under many names. */
const specialSections: { [S in Section]?: { write: (seed: Seed) => object; more?: UserAction[] } } = {
  tags: { write: (s) => ({ name: s.word, color: s.on ? '#ff0000' : '', kanban: s.n % 2 }) },
  contacts: {
    write: (s) => ({ name: s.word, number: `549115555000${s.n}`, email: s.on ? 'a@followed.test' : '', extraInfo: [] }),
    more: [
      // A customer writes: a new one, a known one, or with evidence that two contacts are one person.
      async (by, _, s) => {
        const identity = { lid: `lid${s.n % 3}`, ...(s.on && { phone: `549115555000${s.n}` }) }
        const scope = new Scope(harness.server.deps, { companyId: by.companyId })
        return (await resolveContact(scope, { identity, name: s.word, whatsappId: null }, deskContactHooks)).contact
      },
      async (by, id) => {
        const [merge] = await by.call(contactsApi.merges, { params: { id } })
        return by.call(contactsApi.unmerge, { params: { id: merge?.id } })
      },
    ],
  },
  quickMessages: {
    write: (s) => ({ shortcode: s.word, message: uniqueName(s), geral: s.on }),
    more: withMedia('/quick-messages'),
  },
  files: {
    write: (s) => ({
      name: s.word,
      message: uniqueName(s),
      options: Array.from({ length: s.n % 3 }, (_, i) => ({ name: `${s.word} ${i}` })),
    }),
    more: [
      async (by, id) => {
        const { options } = await by.call(filesApi.show, { params: { id } })
        const ids = options.slice(0, 1).map((o) => String(o.id))
        return sendForm(by, `/files/uploadList/${id}`, { id: ids, files: [[tinyPng, 'dot.png']] })
      },
      // Older clients call this without any file.
      (by, id) => by.request('POST', `/files/uploadList/${id}`, new FormData()),
    ],
  },
  schedules: {
    write: (s) => ({
      body: `${s.word} y más`,
      contactId: contactIds[s.n % 2],
      sendAt: '2099-01-15T10:00',
      whatsappId: null,
    }),
    more: [
      ...withMedia('/schedules'),
      (by, id, s) => by.request('PUT', `/schedules/${id}/move`, { sendAt: `2099-02-1${s.n}T10:00` }),
    ],
  },
  contactListItems: {
    write: (s) => ({ name: s.word, number: `549115555000${s.n}`, email: '', contactListId: someList }),
  },
  campaigns: {
    write: (s) => ({
      name: s.word,
      message1: uniqueName(s),
      contactListId: s.on ? someList : null,
      scheduledAt: s.on ? '2099-01-15 10:00:00' : null,
    }),
    more: [
      ...withMedia('/campaigns'),
      (by, id) => by.request('POST', `/campaigns/${id}/cancel`),
      (by, id) => by.request('POST', `/campaigns/${id}/restart`),
    ],
  },
  announcements: {
    write: (s) => ({ title: s.word, text: uniqueName(s), priority: 1 + (s.n % 3), status: s.on }),
    more: withMedia('/announcements'),
  },
  plans: { write: (s) => ({ name: s.word, users: s.n, useKanban: s.on }) },
  users: {
    write: (s) => ({
      name: s.word,
      email: `${s.n}-${s.on}@followed.test`,
      password: 'a-password',
      profile: s.on ? 'supervisor' : 'user',
      whatsappId: null,
    }),
    more: [
      (by, _, { n }) => by.request('POST', `/users/set-language/${['es', 'pt', 'en'][n % 3]}`),
      (by, _, { word }) =>
        by.call(usersApi.update, {
          params: { id: by.id },
          body: { name: word, email: by.email, profile: by.profile, whatsappId: null },
        }),
    ],
  },
  companies: {
    write: (s) => ({
      name: uniqueName(s),
      email: null,
      phone: '',
      planId: 1 + (s.n % 2),
      dueDate: s.on ? '2030-01-31' : null,
      recurrence: s.on ? 'ANUAL' : null,
      campaignsEnabled: s.on,
    }),
    more: [
      // A list also shows values of other tables: changing those must update the list, too.
      (by, _, s) => by.request('PUT', '/settings/userRating', { value: s.on ? 'enabled' : 'disabled' }),
      (by, _, s) => by.request('PUT', `/plans/${1 + (s.n % 2)}`, { name: `${uniqueName(s)} plan`, users: 10_000 }),
      (by, id) => by.call(companiesApi.renew, { params: { id } }),
      (by, _, s) =>
        by.call(companiesApi.signup, {
          query: { companyId: null },
          body: {
            name: uniqueName(s),
            email: `${s.n}@signup.test`,
            phone: '',
            password: 'a-password',
            companyId: null,
          },
        }),
    ],
  },
}

const asExample = (api: RecordApi) => (s: Seed) => ({ ...api.create.example, [api.record.search[0]]: s.word })
const followedRecords = Object.entries(api).flatMap(([name, section]): [string, FollowedRecord][] => {
  if (!isPlain(section)) return []
  const own = specialSections[name as Section]
  return [[name, followRecord(section, own?.write ?? asExample(section), own?.more)]]
})

let harness: TestServer
/** Contacts for schedules; the agents see only a ticket of the second contact. */
let contactIds: number[]
/** A contact list that no action deletes. */
let someList: number
let users: Record<'superUser' | 'admin' | 'supervisor' | 'agent' | 'other' | 'stranger', TestUser>
const socketClients = new Map<TestUser, SocketClient>()
const rankOf = (person: TestUser): UserRank => (person === users.superUser ? 'super' : person.profile)
beforeAll(async () => {
  harness = await testServer()
  await harness.wide().db.updateTable('plans').set({ users: 10_000 }).execute()
  const superUser = await harness.superUser()
  const home = superUser.companyId
  users = {
    superUser,
    admin: await harness.createUser(home, 'admin'),
    supervisor: await harness.createUser(home, 'supervisor'),
    agent: await harness.createUser(home, 'user'),
    other: await harness.createUser(home, 'user'),
    stranger: (await harness.createCompany()).admin,
  }
  contactIds = await chatsOf(home, users.agent.id)
  const { id } = await harness
    .wide()
    .db.insertInto('contactLists')
    .values({ companyId: home, name: 'Followed', question: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  someList = id
  for (const person of Object.values(users)) socketClients.set(person, await person.listen())
})
afterAll(closeTestServers)

/** Creates two contacts and a line; this user attends one of the contacts. */
async function chatsOf(companyId: number, userId: number): Promise<number[]> {
  const { db } = harness.wide()
  const line = { companyId, name: 'Followed', provider: 'sandbox' as const, isDefault: true, tokenHash: null }
  const { id: whatsappId } = await db.insertInto('whatsapps').values(line).returning('id').executeTakeFirstOrThrow()
  const ids: number[] = []
  for (const name of ['Alfa', 'Árbol']) {
    const person = { companyId, name, number: `54911444400${ids.length}`, whatsappId: null }
    ids.push((await db.insertInto('contacts').values(person).returning('id').executeTakeFirstOrThrow()).id)
  }
  const ticket = { companyId, contactId: ids[1] as number, whatsappId, userId, queueId: null, status: 'open' as const }
  await db.insertInto('tickets').values(ticket).execute()
  return ids
}

/** Ñ and á sort by their code point, after z, as in the database. */
const words = ['alfa', 'Beta', 'beta', 'Ñandú', 'ñandú', 'Árbol', 'zeta', 'Zeta 2', '100 %', 'a_b']
const step = fc.record({
  by: fc.nat(5),
  act: fc.nat(1000),
  to: fc.nat(1000),
  seed: fc.record({ word: fc.constantFrom(...words), on: fc.boolean(), n: fc.nat(5) }),
})
/** Searches: the whole list, and texts that match some rows. Accents and capitals are ignored. */
const searches = ['', 'ARBOL', '_']
/** Steps run in sequence; the actions of one step run at once. */
const storyArbitrary = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 3, maxLength: 7 })
type Story = ReturnType<(typeof storyArbitrary)['generate']>['value']
const propertyOptions = {
  seed: Number(process.env.LIVE_SEED ?? 600),
  numRuns: Number(process.env.LIVE_RUNS ?? 6),
  interruptAfterTimeLimit: 120_000,
}

type Page = { count: number; hasMore: boolean } & Record<string, Row[]>
async function read(who: TestUser, { list, record }: RecordApi, searchParam: string): Promise<LoadedRows<Row>> {
  const page = (await who.call<Endpoint>(list, { query: { pageNumber: 1, searchParam } } as never)) as Page
  return { rows: page[record.plural] as Row[], count: page.count, hasMore: page.hasMore, pageSize: 20, next: 2 }
}
/** The rows without the expiry of signed URLs: the same file has another URL an hour later. */
const withoutSignatures = (rows: Row[]) =>
  JSON.parse(JSON.stringify(rows).replace(/\?until=\d+&sig=[\w-]+/g, '')) as Row[]
/** The schema of the list's row. The event's row may have more fields. */
const rowOf = ({ list, record }: RecordApi) =>
  (list.reply as z.ZodObject<Record<string, z.ZodArray>>).shape[record.plural]?.element as z.ZodType<Row>

/**
 * The rules of the screens: contacts are also found by number and sorted by letters, schedules are found by the contact's
 * name.
 */
const rulesFor = (section: RecordApi): ListRules<Row> =>
  section === api.contacts
    ? {
        matches: (row, search) => isSearchMatch(row as unknown as Contact, search),
        order: compareByText((row) => personSearchText(row as unknown as Contact)),
      }
    : section === api.schedules
      ? { ...listRulesOf<Row>(section.record), matches: (row, search) => isPlanned(row as unknown as Schedule, search) }
      : listRulesOf<Row>(section.record)

/** Runs a story on a list. Rows up to the id `last` existed before and are not changed. */
async function follow({ api, acts }: FollowedRecord, last: number, moments: Story): Promise<void> {
  const people = Object.values(users)
  const topic = api.topic as RecordTopic<Row>
  const rules = rulesFor(api)
  const viewers = people.filter((person) => canCall(api.list, rankOf(person)))
  const start = new Map<TestUser, { lists: LoadedRows<Row>[]; heard: number }>()
  for (const who of viewers) {
    await socketClients.get(who)?.whenCaughtUp()
    const heard = socketClients.get(who)?.received.length ?? 0
    start.set(who, { heard, lists: await Promise.all(searches.map((search) => read(who, api, search))) })
  }
  const born: number[] = []
  for (const moment of moments) {
    const done = await Promise.allSettled(
      moment.map(({ by, act, to, seed }) =>
        (acts[born.length ? act % acts.length : 0] as UserAction)(
          people[by] as TestUser,
          born[to % (born.length || 1)] ?? 0,
          seed,
        ),
      ),
    )
    // Refusals are expected (another user's message, a name in use), but server errors are not.
    for (const end of done) if (end.status === 'rejected' && !(end.reason.status < 500)) throw end.reason
    for (const end of done)
      if (end.status === 'fulfilled' && (end.value as Row)?.id > last) born.push((end.value as Row).id)
  }
  for (const who of viewers) {
    const socketClient = socketClients.get(who) as SocketClient
    await socketClient.whenCaughtUp()
    const { heard, lists } = start.get(who) as { heard: number; lists: LoadedRows<Row>[] }
    const news = socketClient.received
      .slice(heard)
      .filter((said) => said.name === topic.name(who.companyId))
      .map((said) => unpackRecordNews<Row>(topic, said.payload))
    const shaped = news.map((n) => (n.action === 'delete' ? n : { ...n, row: rowOf(api).parse(n.row) }))
    const name = Object.keys(users).find((key) => users[key as keyof typeof users] === who)
    for (const [i, search] of searches.entries()) {
      const before = lists[i] as LoadedRows<Row>
      const told = shaped.reduce((list, n) => applyRecordNews(list, n, search, rules).loaded, before)
      const now = await read(who, api, search)
      expect({ for: name, search, count: told.count, rows: withoutSignatures(told.rows) }).toEqual({
        for: name,
        search,
        count: now.count,
        rows: withoutSignatures(now.rows),
      })
    }
  }
}

describe('a list updated by live events', () => {
  it('is tested for every record that has a list and live events', () => {
    const paged = Object.entries(api).filter(([, s]) => 'topic' in s && s.list.reply instanceof z.ZodObject)
    expect(followedRecords.map(([name]) => name)).toEqual(paged.map(([name]) => name))
    expect(Object.keys(specialSections).filter((name) => !followedRecords.some(([one]) => one === name))).toEqual([])
  })

  it.each(followedRecords)('equals the reloaded list: %s', async (_, f) => {
    const table = tableOfEntity(f.api.record.entity)
    const { db } = harness.wide()
    const last = ((
      await db
        .selectFrom(table as 'tags')
        .select((eb) => eb.fn.max('id').as('id'))
        .executeTakeFirst()
    )?.id ?? 0) as number
    await fc.assert(
      fc
        .asyncProperty(storyArbitrary, (moments) => follow(f, last, moments))
        .afterEach(async () => {
          await db
            .deleteFrom(table as 'tags')
            .where('id', '>', last)
            .execute()
        }),
      propertyOptions,
    )
  })
})

describe('live events and the outcome of a request', () => {
  it('publishes nothing for a failed request', async () => {
    const { superUser, admin, agent } = users
    const socketClient = socketClients.get(superUser) as SocketClient
    await superUser.call(filesApi.create, { body: { name: 'Taken', message: 'x' } })
    const second = await superUser.call(filesApi.create, { body: { name: 'Second', message: 'x' } })
    await socketClient.whenCaughtUp()
    const before = socketClient.received.length
    const refused = [
      // Each of these requests fails after it has already written something.
      admin.request('POST', '/users', { name: 'Twin', email: agent.email, password: 'a-password' }),
      admin.request('POST', '/users', {
        name: 'Lost',
        email: 'lost@followed.test',
        password: 'a-password',
        queueIds: [999_999],
      }),
      admin.request('PUT', `/users/${agent.id}`, { name: 'Lost', email: agent.email, queueIds: [999_999] }),
      superUser.request('POST', '/companies', { name: 'Half a company', email: agent.email }),
      superUser.request('PUT', `/files/${second.id}`, { name: 'Taken', message: 'x' }),
      superUser.request('PUT', `/users/${superUser.id}`, {
        name: 'No admin',
        email: superUser.email,
        profile: 'user',
        active: false,
      }),
    ]
    for (const answer of await Promise.all(refused)) expect([404, 409]).toContain(answer.status)
    // The response is a success, because only the owner of the address may learn that it is in use.
    await harness.anonymous.request('POST', '/companies/cadastro', {
      name: 'Half a signup',
      email: agent.email,
      password: 'a-password',
    })
    await socketClient.whenCaughtUp()
    expect(socketClient.received.slice(before)).toEqual([])
  })

  it('publishes the events of a successful request before its reply', async () => {
    const { admin, agent } = users
    const socketClient = socketClients.get(agent) as SocketClient
    for (let n = 0; n < 20; n++) {
      const tag = await admin.call(tagsApi.create, { body: { name: `prompt ${n}`, color: '' } })
      // The socket keeps the order of messages, and this request needs no work: its answer cannot overtake events.
      await socketClient.socket.timeout(waitTimeoutMs).emitWithAck('leaveNotification', '')
      expect(socketClient.received.at(-1)).toMatchObject({ payload: { action: 'create', tags: { id: tag.id } } })
    }
  })
})
