import { announcementsApi } from '@recado/contract/announcements'
import { endpoints } from '@recado/contract/api'
import { companiesApi } from '@recado/contract/companies'
import { contactsApi } from '@recado/contract/contacts'
import { filesApi } from '@recado/contract/files'
import { helpsApi } from '@recado/contract/helps'
import type { Endpoint } from '@recado/contract/kit'
import { type RecordTopic, type Topics, topics, unpack } from '@recado/contract/live'
import { rowShapes } from '@recado/contract/live-shapes'
import { plansApi } from '@recado/contract/plans'
import { quickMessagesApi } from '@recado/contract/quick-messages'
import { tagsApi } from '@recado/contract/tags'
import { usersApi } from '@recado/contract/users'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { applyNews, byText, type Loaded, newestFirst } from '../../web/src/records/merge.ts'
import { resolveContact } from '../src/directory/contacts/resolve.ts'
import { Scope } from '../src/kernel/data/scope.ts'
import { mayCall, type Rank } from './furniture.ts'
import { closeHouses, type Ear, type House, house, type Person } from './house.ts'
import { png, upload } from './uploads.ts'

/**
 * A list that was read once and then followed by ear is the list one would read now. People do things at random, some
 * at the same moment; others listen and put what they hear into their list with the web's own code.
 */
type Row = { id: number } & Record<string, unknown>
type Seed = { word: string; on: boolean; n: number }
/** Something a person can do: to a row (any that ever was) or without one. Returns the id of a new row. */
type Act = (by: Person, id: number, seed: Seed) => Promise<{ id: number } | unknown>
type Followed = { list: Endpoint; plural: string; order: (a: Row, b: Row) => number; table: string; acts: Act[] }
type FollowedTopic = { [K in keyof Topics]: Topics[K] extends RecordTopic ? K : never }[keyof Topics]

type Plain = { list: Endpoint; create: Endpoint; update: Endpoint; remove: Endpoint }
/** A record with the five plain endpoints: its rows are made of what `write` makes of a seed. */
const plain = (
  api: Plain,
  table: string,
  plural: string,
  order: Followed['order'],
  write: (seed: Seed) => object,
  more: Act[] = [],
): Followed => {
  // Hashing a password again and again would be all that these tests do.
  const change: Act = (by, id, seed) =>
    by.call(api.update, { params: { id } as never, body: { ...write(seed), password: '' } as never })
  const acts: Act[] = [
    (by, _, seed) => by.call(api.create, { body: write(seed) as never }),
    change,
    (by, id) => by.call(api.remove, { params: { id } as never }),
    // Twice as often as the rest: what stays the same row is where lists go wrong.
    change,
    ...more,
  ]
  return { list: api.list, plural, order, table, acts }
}
const text = (key: string) => byText<Row>((row) => String(row[key]))
const withMedia = (path: string): Act[] => [
  (by, id) => upload(by, `${path}/${id}/media-upload`, { file: [[png, 'dot.png']] }),
  (by, id) => by.ask('DELETE', `${path}/${id}/media-upload`),
]
const unique = ({ word, n }: Seed) => `${word} ${n}`

const followed: Partial<Record<FollowedTopic, Followed>> = {
  tag: plain(tagsApi, 'tags', 'tags', text('name'), (s) => ({
    name: s.word,
    color: s.on ? '#ff0000' : '',
    kanban: s.n % 2,
  })),
  contact: plain(
    contactsApi,
    'contacts',
    'contacts',
    text('name'),
    (s) => ({ name: s.word, number: `549115555000${s.n}`, email: s.on ? 'a@followed.test' : '', extraInfo: [] }),
    [
      // Somebody writes: new, known, or the proof that two are one.
      async (by, _, s) => {
        const identity = { lid: `lid${s.n % 3}`, ...(s.on && { phone: `549115555000${s.n}` }) }
        const scope = new Scope(h.running.means, { companyId: by.companyId })
        return (await resolveContact(scope, { identity, name: s.word, whatsappId: null })).contact
      },
      async (by, id) => {
        const [merge] = await by.call(contactsApi.merges, { params: { id } })
        return by.call(contactsApi.unmerge, { params: { id: merge?.id } })
      },
    ],
  ),
  quickMessage: plain(
    quickMessagesApi,
    'quickMessages',
    'records',
    text('shortcode'),
    (s) => ({ shortcode: s.word, message: unique(s), geral: s.on }),
    withMedia('/quick-messages'),
  ),
  fileList: plain(
    filesApi,
    'files',
    'files',
    text('name'),
    (s) => ({
      name: s.word,
      message: unique(s),
      options: Array.from({ length: s.n % 3 }, (_, i) => ({ name: `${s.word} ${i}` })),
    }),
    [
      async (by, id) => {
        const { options } = await by.call(filesApi.show, { params: { id } })
        const ids = options.slice(0, 1).map((o) => String(o.id))
        return upload(by, `/files/uploadList/${id}`, { id: ids, files: [[png, 'dot.png']] })
      },
      // Older clients send it with no file at all.
      (by, id) => by.ask('POST', `/files/uploadList/${id}`, new FormData()),
    ],
  ),
  announcement: plain(
    announcementsApi,
    'announcements',
    'records',
    newestFirst,
    (s) => ({ title: s.word, text: unique(s), priority: 1 + (s.n % 3), status: s.on }),
    withMedia('/announcements'),
  ),
  help: plain(helpsApi, 'helps', 'records', text('title'), (s) => ({
    title: s.word,
    description: unique(s),
    video: '',
  })),
  plan: plain(plansApi, 'plans', 'plans', text('name'), (s) => ({ name: s.word, users: s.n, useKanban: s.on })),
  user: plain(
    usersApi,
    'users',
    'users',
    newestFirst,
    (s) => ({
      name: s.word,
      email: `${s.n}-${s.on}@followed.test`,
      password: 'a-password',
      profile: s.on ? 'supervisor' : 'user',
      whatsappId: null,
    }),
    [
      (by, _, { n }) => by.ask('POST', `/users/set-language/${['es', 'pt', 'en'][n % 3]}`),
      (by, _, { word }) =>
        by.call(usersApi.update, {
          params: { id: by.id },
          body: { name: word, email: by.email, profile: by.profile, whatsappId: null },
        }),
    ],
  ),
  company: plain(
    companiesApi,
    'companies',
    'companies',
    text('name'),
    (s) => ({
      name: unique(s),
      email: null,
      phone: '',
      planId: 1 + (s.n % 2),
      dueDate: s.on ? '2030-01-31' : null,
      recurrence: s.on ? 'ANUAL' : null,
      campaignsEnabled: s.on,
    }),
    [
      // What a list shows of other tables is news of the list as well.
      (by, _, s) => by.ask('PUT', '/settings/userRating', { value: s.on ? 'enabled' : 'disabled' }),
      (by, _, s) => by.ask('PUT', `/plans/${1 + (s.n % 2)}`, { name: `${unique(s)} plan`, users: 10_000 }),
      (by, id) => by.call(companiesApi.renew, { params: { id } }),
      (by, _, s) =>
        by.call(companiesApi.signup, {
          query: { companyId: null },
          body: { name: unique(s), email: `${s.n}@signup.test`, phone: '', password: 'a-password', companyId: null },
        }),
    ],
  ),
}

let h: House
let cast: Record<'superUser' | 'admin' | 'supervisor' | 'agent' | 'other' | 'stranger', Person>
const ears = new Map<Person, Ear>()
const rankOf = (person: Person): Rank => (person === cast.superUser ? 'super' : person.profile)
beforeAll(async () => {
  h = await house()
  await h.wide().db.updateTable('plans').set({ users: 10_000 }).execute()
  const superUser = await h.superUser()
  const home = superUser.companyId
  cast = {
    superUser,
    admin: await h.person(home, 'admin'),
    supervisor: await h.person(home, 'supervisor'),
    agent: await h.person(home, 'user'),
    other: await h.person(home, 'user'),
    stranger: (await h.company()).admin,
  }
  for (const person of Object.values(cast)) ears.set(person, await person.listen())
})
afterAll(closeHouses)

/** Ñ and á sort by their code, after z, as the database does it. */
const words = ['alfa', 'Beta', 'beta', 'Ñandú', 'ñandú', 'Árbol', 'zeta', 'Zeta 2', '100 %', 'a_b']
const step = fc.record({
  by: fc.nat(5),
  act: fc.nat(1000),
  to: fc.nat(1000),
  seed: fc.record({ word: fc.constantFrom(...words), on: fc.boolean(), n: fc.nat(5) }),
})
/** Moments one after the other; what stands in one moment happens at once. */
const story = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 3, maxLength: 7 })
type Story = ReturnType<(typeof story)['generate']>['value']
const bounds = {
  seed: Number(process.env.LIVE_SEED ?? 600),
  numRuns: Number(process.env.LIVE_RUNS ?? 6),
  interruptAfterTimeLimit: 40_000,
}

type Page = { count: number; hasMore: boolean } & Record<string, Row[]>
async function read(who: Person, f: Followed): Promise<Loaded<Row>> {
  const page = (await who.call<Endpoint>(f.list, { query: { pageNumber: 1 } } as never)) as Page
  return { rows: page[f.plural] as Row[], count: page.count, hasMore: page.hasMore, pageSize: 20, next: 2 }
}
/** Signed addresses say how long they work: the same file has another one an hour later. */
const unsigned = (rows: Row[]) => JSON.parse(JSON.stringify(rows).replace(/\?until=\d+&sig=[\w-]+/g, '')) as Row[]
/** The row of the list inside the row of the news, which may say more. */
const rowOf = (f: Followed) =>
  (f.list.reply as z.ZodObject<Record<string, z.ZodArray>>).shape[f.plural]?.element as z.ZodType<Row>

/** What is older than `last` was there before the story: it is not touched by it. */
async function follow(topic: RecordTopic<Row>, f: Followed, last: number, moments: Story): Promise<void> {
  const people = Object.values(cast)
  const viewers = people.filter((person) => mayCall(f.list, rankOf(person)))
  const start = new Map<Person, { loaded: Loaded<Row>; heard: number }>()
  for (const who of viewers) {
    await ears.get(who)?.settled()
    start.set(who, { heard: ears.get(who)?.heard.length ?? 0, loaded: await read(who, f) })
  }
  const born: number[] = []
  for (const moment of moments) {
    const done = await Promise.allSettled(
      moment.map(({ by, act, to, seed }) =>
        (f.acts[born.length ? act % f.acts.length : 0] as Act)(
          people[by] as Person,
          born[to % (born.length || 1)] ?? 0,
          seed,
        ),
      ),
    )
    // Refusals are part of life (another's message, a taken name); bugs are not.
    for (const end of done) if (end.status === 'rejected' && !(end.reason.status < 500)) throw end.reason
    for (const end of done)
      if (end.status === 'fulfilled' && (end.value as Row)?.id > last) born.push((end.value as Row).id)
  }
  for (const who of viewers) {
    const ear = ears.get(who) as Ear
    await ear.settled()
    const { heard, loaded } = start.get(who) as { heard: number; loaded: Loaded<Row> }
    const news = ear.heard
      .slice(heard)
      .filter((said) => said.name === topic.name(who.companyId))
      .map((said) => unpack<Row>(topic, said.payload))
    const shaped = news.map((n) => (n.action === 'delete' ? n : { ...n, row: rowOf(f).parse(n.row) }))
    const told = shaped.reduce(
      (list, n) => applyNews(list, n, '', { matches: () => true, order: f.order }).loaded,
      loaded,
    )
    const now = await read(who, f)
    const name = Object.keys(cast).find((key) => cast[key as keyof typeof cast] === who)
    expect({ for: name, count: told.count, rows: unsigned(told.rows) }).toEqual({
      for: name,
      count: now.count,
      rows: unsigned(now.rows),
    })
  }
}

describe('a list plus its news is the list', () => {
  it('for every record that has both', () => {
    // A list and a topic belong together when the row of the one is (in) the row of the other; the closest one counts.
    const keys = (schema: z.ZodType) => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : [])
    const records = Object.keys(rowShapes) as (keyof typeof rowShapes)[]
    const bySize = [...records].sort((a, b) => keys(rowShapes[a]).length - keys(rowShapes[b]).length)
    const listOf = (e: Endpoint) => {
      const shape = e.reply instanceof z.ZodObject ? (e.reply.shape as Record<string, z.ZodType>) : {}
      const [rows] = Object.values(shape).filter((part) => part instanceof z.ZodArray)
      const row = keys((rows as z.ZodArray | undefined)?.element as z.ZodType)
      if (e.method !== 'GET' || !('hasMore' in shape) || row.length < 2) return undefined
      return bySize.find((name) => row.every((key) => keys(rowShapes[name]).includes(key)))
    }
    const listed = new Set(endpoints.map(listOf))
    expect(records.filter((name) => listed.has(name)).sort()).toEqual(Object.keys(followed).sort())
  })

  it.each(Object.entries(followed))('%s', { timeout: 60_000 }, async (name, f) => {
    const topic = topics[name as FollowedTopic] as unknown as RecordTopic<Row>
    const { db } = h.wide()
    const last = ((
      await db
        .selectFrom(f.table as 'tags')
        .select((eb) => eb.fn.max('id').as('id'))
        .executeTakeFirst()
    )?.id ?? 0) as number
    await fc.assert(
      fc
        .asyncProperty(story, (moments) => follow(topic, f, last, moments))
        .afterEach(async () => {
          await db
            .deleteFrom(f.table as 'tags')
            .where('id', '>', last)
            .execute()
        }),
      bounds,
    )
  })
})

describe('what did not happen', () => {
  it('is not heard', async () => {
    const { superUser, admin, agent } = cast
    const ear = ears.get(superUser) as Ear
    await superUser.call(filesApi.create, { body: { name: 'Taken', message: 'x' } })
    const second = await superUser.call(filesApi.create, { body: { name: 'Second', message: 'x' } })
    await ear.settled()
    const before = ear.heard.length
    const refused = [
      // Each of these fails after it has already written something.
      admin.ask('POST', '/users', { name: 'Twin', email: agent.email, password: 'a-password' }),
      admin.ask('POST', '/users', {
        name: 'Lost',
        email: 'lost@followed.test',
        password: 'a-password',
        queueIds: [999_999],
      }),
      admin.ask('PUT', `/users/${agent.id}`, { name: 'Lost', email: agent.email, queueIds: [999_999] }),
      superUser.ask('POST', '/companies', { name: 'Half a company', email: agent.email }),
      superUser.ask('PUT', `/files/${second.id}`, { name: 'Taken', message: 'x' }),
      superUser.ask('PUT', `/users/${superUser.id}`, {
        name: 'No admin',
        email: superUser.email,
        profile: 'user',
        active: false,
      }),
      h.anyone.ask('POST', '/companies/cadastro', {
        name: 'Half a signup',
        email: agent.email,
        password: 'a-password',
      }),
    ]
    for (const answer of await Promise.all(refused)) expect([404, 409]).toContain(answer.status)
    await ear.settled()
    expect(ear.heard.slice(before)).toEqual([])
  })

  it('and what did is heard before the reply', async () => {
    const { admin, agent } = cast
    const ear = ears.get(agent) as Ear
    for (let n = 0; n < 20; n++) {
      const tag = await admin.call(tagsApi.create, { body: { name: `prompt ${n}`, color: '' } })
      // The socket keeps its order, and this question needs no thought: its answer cannot overtake what was said before.
      await ear.socket.timeout(5000).emitWithAck('leaveNotification', '')
      expect(ear.heard.at(-1)).toMatchObject({ payload: { action: 'create', tags: { id: tag.id } } })
    }
  })
})
