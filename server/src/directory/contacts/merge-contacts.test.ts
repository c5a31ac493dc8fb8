import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'
import { deskContactHooks } from '../../desk/composition/contact-hooks.ts'
import { Scope } from '../../kernel/data/scope.ts'
import type { IdentityKind } from '../tables.ts'
import { addContact, waitForContactTurn } from './contact-store.ts'
import { mergeContacts } from './merge-contacts.ts'
import { unmergeContacts } from './unmerge-contacts.ts'
import { updateContactFromPhone } from './update-from-phone.ts'

let harness: TestServer
let scope: Scope
let agentId: number
let lines: number[]
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)
beforeEach(async () => {
  const { id: companyId, admin } = await harness.createCompany()
  agentId = admin.id
  scope = new Scope(harness.server.deps, { companyId })
  const row = { companyId, tokenHash: null, timeToTransfer: null, transferQueueId: null, promptId: null }
  const rows = await harness
    .wide()
    .db.insertInto('whatsapps')
    .values([
      { ...row, name: 'One' },
      { ...row, name: 'Two' },
    ])
    .returning('id')
    .execute()
  lines = rows.map((line) => line.id)
})

type Status = 'open' | 'pending' | 'closed'
type TicketSketch = { line: number; status: Status; taken: boolean; messages: number }
/** A short description of a contact and its data. */
type Sketch = {
  named: boolean
  isOwned: boolean
  language: string | null
  kinds: IdentityKind[]
  tickets: TicketSketch[]
  notes: number
  fields: number
  inGroup: number
  /** Number of our messages without a ticket. */
  alone: number
}

let sequence = 0
const merge = (keep: number, gone: number) =>
  scope.transaction(async (s) => {
    await waitForContactTurn(s)
    return mergeContacts(s, keep, gone, 'lid', deskContactHooks)
  })

async function draw(sketch: Sketch, groupTicket: { id: number; contactId: number }): Promise<number> {
  const n = ++sequence
  const number = sketch.kinds.includes('phone') ? String(5_490_000_000_000 + n) : ''
  const keys = sketch.kinds.map((kind) => ({ kind, value: kind === 'phone' ? number : `${kind}${n}` }))
  const { id } = await addContact(
    scope,
    { name: sketch.named ? `Person ${n}` : number || `lid${n}`, number, whatsappId: null },
    keys,
  )
  await scope.db
    .updateTable('contacts')
    .set({ ownerId: sketch.isOwned ? agentId : null, language: sketch.language })
    .where('id', '=', id)
    .execute()
  const living = new Set<number>()
  for (const t of sketch.tickets) {
    const status = t.status !== 'closed' && living.has(t.line) ? 'closed' : t.status
    if (status !== 'closed') living.add(t.line)
    const ticketId = await addTicket(id, lines[t.line] as number, status, t.taken)
    await addMessages(ticketId, id, lines[t.line] as number, t.messages)
  }
  await addMessages(groupTicket.id, groupTicket.contactId, lines[0] as number, sketch.inGroup, id)
  await addMessages(null, id, lines[1] as number, sketch.alone)
  const own = { companyId: scope.companyId, contactId: id }
  if (sketch.fields)
    await scope.db
      .insertInto('contactFields')
      .values(Array.from({ length: sketch.fields }, (_, i) => ({ ...own, name: `field ${i}`, value: 'x' })))
      .execute()
  for (let i = 0; i < sketch.notes; i++)
    await scope.db
      .insertInto('ticketNotes')
      .values({ ...own, ticketId: groupTicket.id, userId: agentId, userName: 'The admin', note: `note ${i}` })
      .execute()
  return id
}
async function addTicket(contactId: number, whatsappId: number, status: Status, taken = false): Promise<number> {
  const values = {
    companyId: scope.companyId,
    contactId,
    whatsappId,
    status,
    userId: taken ? agentId : null,
    queueId: null,
    promptId: null,
    integrationId: null,
  }
  return (await scope.db.insertInto('tickets').values(values).returning('id').executeTakeFirstOrThrow()).id
}
async function addMessages(
  ticketId: number | null,
  contactId: number,
  whatsappId: number,
  count: number,
  senderId: number | null = null,
): Promise<void> {
  if (!count) return
  const of = { companyId: scope.companyId, ticketId, contactId, whatsappId, senderId, fromMe: false } as const
  const rows = Array.from({ length: count }, () => ({
    ...of,
    wid: `w${++sequence}`,
    mediaType: 'conversation' as const,
  }))
  await scope.db
    .insertInto('messages')
    .values(rows.map((row) => ({ ...row, createdAt: new Date() })))
    .execute()
}
async function group(): Promise<{ id: number; contactId: number }> {
  const { id: contactId } = await addContact(
    scope,
    { name: 'Group', number: `g${++sequence}`, isGroup: true, whatsappId: null },
    [{ kind: 'group', value: `g${sequence}` }],
  )
  return { id: await addTicket(contactId, lines[0] as number, 'open'), contactId }
}

/** Reads all rows that a merge may change. */
async function picture() {
  const rows = async (what: string) => (await sql<Record<string, unknown>>`${sql.raw(what)}`.execute(scope.db)).rows
  return {
    contacts: await rows(
      'select id, name, number, email, "profilePicUrl", "ownerId", language, "mergedInto", "createdAt" from contacts order by id',
    ),
    identities: await rows('select kind, value, "contactId" from "contactIdentities" order by kind, value'),
    tickets: await rows('select id, "contactId" from tickets order by id'),
    messages: await rows('select id, "contactId", "senderId" from messages order by id'),
    notes: await rows('select id, "contactId" from "ticketNotes" order by id'),
    fields: await rows('select id, "contactId", name from "contactFields" order by id'),
  }
}
const ticketState = (ids: number[]) =>
  scope.db.selectFrom('tickets').select(['id', 'status', 'contactId']).where('id', 'in', ids).orderBy('id').execute()
const merges = () => scope.db.selectFrom('contactMerges').selectAll().orderBy('id').execute()

const sketches: fc.Arbitrary<Sketch> = fc.record({
  named: fc.boolean(),
  isOwned: fc.boolean(),
  language: fc.constantFrom('es', 'pt', null),
  kinds: fc.uniqueArray(fc.constantFrom<IdentityKind>('phone', 'lid', 'cloud', 'username'), { minLength: 1 }),
  tickets: fc.array(
    fc.record({
      line: fc.nat(1),
      status: fc.constantFrom<Status>('open', 'pending', 'closed'),
      taken: fc.boolean(),
      messages: fc.nat(2),
    }),
    { maxLength: 4 },
  ),
  notes: fc.nat(1),
  fields: fc.nat(2),
  inGroup: fc.nat(2),
  alone: fc.nat(2),
})

// Each run executes about eighty statements, which is slow on a busy machine.
describe('merging and splitting two contacts', () => {
  it('restores the original state, for any history', async () => {
    await fc.assert(
      fc.asyncProperty(sketches, sketches, async (one, two) => {
        const into = await group()
        const [keep, gone] = [await draw(one, into), await draw(two, into)]
        const before = await picture()
        const { moved } = await merge(keep, gone)
        const after = await picture()
        const hold = (rows: Record<string, unknown>[]) =>
          rows.filter((r) => r.contactId === gone || r.senderId === gone)
        expect([after.identities, after.tickets, after.messages, after.notes, after.fields].flatMap(hold)).toEqual([])
        expect(after.contacts.find((c) => c.id === gone)).toMatchObject({ mergedInto: keep })
        expect(
          await scope.db
            .selectFrom('tickets')
            .select('id')
            .where('contactId', '=', keep)
            .where('status', '!=', 'closed')
            .groupBy(['id', 'whatsappId'])
            .execute(),
        ).toHaveLength(
          new Set([one, two].flatMap((s) => s.tickets.filter((t) => t.status !== 'closed').map((t) => t.line))).size,
        )
        const { id } = (await merges()).at(-1) as { id: number }
        await scope.transaction((s) => unmergeContacts(s, id, deskContactHooks))
        expect(await picture()).toEqual(before)
        if (moved.closed.length)
          expect((await ticketState(moved.closed)).map((t) => t.status)).toEqual(moved.closed.map(() => 'closed'))
      }),
      { numRuns: 25 },
    )
  })

  it('works for chains of merges, undone in any order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(sketches, sketches, sketches),
        fc.boolean(),
        fc.boolean(),
        async (three, downwards, firstFirst) => {
          const into = await group()
          const [a, b, c] = [await draw(three[0], into), await draw(three[1], into), await draw(three[2], into)]
          const before = await picture()
          // The merges are either both into the first contact, or the second into the first and then the first into the
          // third.
          await merge(a, b)
          await (downwards ? merge(c, a) : merge(a, c))
          const [first, second] = (await merges()).slice(-2).map((m) => m.id) as [number, number]
          for (const id of firstFirst ? [first, second] : [second, first])
            await scope.transaction((s) => unmergeContacts(s, id, deskContactHooks))
          expect(await picture()).toEqual(before)
        },
      ),
      { numRuns: 20 },
    )
  })
})

const plain: Sketch = {
  ...{ named: true, isOwned: false, language: null, kinds: ['phone'] },
  ...{ tickets: [], notes: 0, fields: 0, inGroup: 0, alone: 0 },
}

describe('two active tickets on one line', () => {
  const pair = async (olderTaken: boolean, youngerTaken: boolean) => {
    const into = await group()
    const [keep, gone] = [await draw(plain, into), await draw({ ...plain, kinds: ['lid'] }, into)]
    const [older, younger] = [
      await addTicket(gone, lines[0] as number, 'open', olderTaken),
      await addTicket(keep, lines[0] as number, 'open', youngerTaken),
    ]
    const other = await addTicket(gone, lines[1] as number, 'pending')
    const told: number[] = []
    const { moved } = await scope.transaction(async (s) => {
      await waitForContactTurn(s)
      const close = async (inside: Scope, id: number) => {
        told.push(id)
        await inside.db.updateTable('tickets').set({ status: 'closed' }).where('id', '=', id).execute()
      }
      return mergeContacts(s, keep, gone, 'lid', {
        ...deskContactHooks,
        closeDuplicate: close,
        onMoved: async (_, { tickets }) => void told.push(...tickets),
      })
    })
    return { older, younger, other, moved, told, keep }
  }

  it('become one ticket: the attended ticket stays, else the older one', async () => {
    for (const [olderTaken, youngerTaken, ends] of [
      [false, false, 'younger'],
      [true, true, 'younger'],
      [true, false, 'younger'],
      [false, true, 'older'],
    ] as const) {
      const p = await pair(olderTaken, youngerTaken)
      expect(p.moved.closed).toEqual([p[ends]])
      expect([p.told[0], ...p.told.slice(1).sort((a, b) => a - b)]).toEqual([p[ends], p.older, p.other])
      expect((await ticketState([p.older, p.younger, p.other])).map((t) => t.contactId)).toEqual([
        p.keep,
        p.keep,
        p.keep,
      ])
    }
  })
})

describe('changes after a merge', () => {
  it('are kept when the merge is undone', async () => {
    const into = await group()
    const [keep, gone] = [
      await draw({ ...plain, kinds: ['lid'], named: false }, into),
      await draw(
        { ...plain, isOwned: true, language: 'pt', tickets: [{ line: 0, status: 'open', taken: false, messages: 1 }] },
        into,
      ),
    ]
    const { kept, moved } = await merge(keep, gone)
    expect(kept).toMatchObject({ name: expect.stringMatching(/^Person/), number: expect.stringMatching(/^549/) })
    expect(kept).toMatchObject({ ownerId: agentId, language: 'pt' })
    // The contact is renamed and gets another language, the moved ticket gets a message, and a new ticket is opened.
    await scope.db.updateTable('contacts').set({ name: 'Renamed', language: 'en' }).where('id', '=', keep).execute()
    await addMessages(moved.tickets[0] as number, keep, lines[0] as number, 1)
    const fresh = await addTicket(keep, lines[1] as number, 'open')
    const { id } = await scope.db.selectFrom('contactMerges').select('id').executeTakeFirstOrThrow()
    const back = await scope.transaction((s) => unmergeContacts(s, id, deskContactHooks))
    expect(back).toMatchObject({ id: gone, mergedInto: null })
    expect(
      await scope.db
        .selectFrom('contacts')
        .select(['name', 'number', 'ownerId', 'language'])
        .where('id', '=', keep)
        .executeTakeFirst(),
    ).toEqual({ name: 'Renamed', number: '', ownerId: null, language: 'en' })
    expect((await ticketState([fresh, ...moved.tickets])).map((t) => t.contactId).sort()).toEqual([keep, gone].sort())
    expect(
      await scope.db.selectFrom('messages').select('contactId').where('ticketId', 'in', moved.tickets).execute(),
    ).toEqual([{ contactId: gone }, { contactId: gone }])
    await expect(scope.transaction((s) => unmergeContacts(s, id, deskContactHooks))).rejects.toThrow(
      'ERR_NO_CONTACT_FOUND',
    )
  })
})

describe('address book updates from a phone', () => {
  const hear = (phone: string, name: string, picture?: string | null) =>
    updateContactFromPhone(
      scope,
      { identity: { phone }, name, whatsappId: lines[0] as number, picture },
      deskContactHooks,
    )

  it('set the picture of known contacts, and the name only of contacts without a name', async () => {
    await addContact(scope, { name: '5491155550000', number: '5491155550000', whatsappId: null }, [
      { kind: 'phone', value: '5491155550000' },
    ])
    expect(await hear('5491155550000', 'Ana', 'https://pictures.test/ana')).toMatchObject({
      name: 'Ana',
      profilePicUrl: 'https://pictures.test/ana',
    })
    expect(await hear('5491155550000', 'Anita')).toMatchObject({
      name: 'Ana',
      profilePicUrl: 'https://pictures.test/ana',
    })
    expect(await hear('5491155550000', '', null)).toMatchObject({ profilePicUrl: null })
    expect(await hear('5491155550009', 'A stranger')).toBeNull()
  })
})
