import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { auditApi } from '@recado/contract/api-access/audit'
import { contactErasureApi } from '@recado/contract/api-access/export-and-erasure'
import { type WebhookEvent, webhooksApi } from '@recado/contract/api-access/webhooks'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { type FixtureTable, insertFixtures, openOwnerPool, readFixtureTables } from '../../../test/fixtures.ts'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'
import { tinyPng } from '../../../test/upload.ts'

let harness: TestServer
let desk: Desk
let owner: pg.Pool
let tables: FixtureTable[]
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
  owner = openOwnerPool(harness)
  tables = await readFixtureTables(owner)
})
afterAll(async () => {
  await owner?.end()
  await closeTestServers()
})

const erasedWord = 'Xilofonista'
const number = '5491177665544'

/** Finds every place in the database and on disk that contains one of these words. */
async function saidWhere(...words: string[]): Promise<string[]> {
  const { rows: columns } = await owner.query<{ schema: string; table: string; column: string }>(`
    select n.nspname as schema, c.relname as "table", a.attname as "column"
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind = 'r' and n.nspname in ('public', 'graphile_worker') and format_type(a.atttypid, null) in
      ('text', 'jsonb', 'json', 'text[]', 'tsvector', 'character varying')`)
  const found: string[] = []
  for (const { schema, table, column } of columns) {
    const { rows } = await owner.query(
      `select 1 from "${schema}"."${table}" where strpos("${column}"::text, $1) > 0 or strpos("${column}"::text, $2) > 0 or strpos("${column}"::text, $3) > 0 limit 1`,
      [words[0], words[1] ?? words[0], words[2] ?? words[0]],
    )
    if (rows.length) found.push(`${table}.${column}`)
  }
  return found.sort()
}

const filesOf = () => readdir(join(harness.dataDir, 'files', String(desk.company.id))).catch(() => [])

const waitForErasure = (id: number) =>
  vi.waitFor(
    async () => {
      const now = await desk.admin.call(contactErasureApi.erasure, { params: { id } })
      if (now.state !== 'done') {
        const { rows } = await owner.query('select last_error from graphile_worker.jobs where last_error is not null')
        throw new Error(`not yet: ${JSON.stringify([now, rows])}`)
      }
      return now
    },
    { timeout: 30_000, interval: 50 },
  )

/**
 * Tables that cannot contain customer data, and why. A new table must be listed here, or have a reference to contacts or
 * tickets, or be listed below as found by other values that `erase` has of a contact.
 */
const tablesWithoutContacts: Record<string, string> = {
  ads: 'ads of the company at Meta',
  messageCosts: 'the price of a message, without who got it',
  cloudHealth: 'the state of a line at Meta',
  linePasskeys: 'a line that is being linked, for ten minutes',
  cloudHealthEvents: "Meta's reports about a line and its templates",
  apiKeys: 'keys of programs',
  audit: 'ids of customers alone',
  campaignLines: 'pace',
  campaignNews: 'ids of campaigns',
  campaigns: 'what is said to everybody',
  campaignSettings: 'settings',
  charges: 'what the company pays',
  chats: 'the team among itself',
  chatMessages: 'the team among itself',
  chatUsers: 'the team among itself',
  cloudLines: 'accounts at Meta',
  companies: 'the company',
  contactErasures: 'ids alone',
  contactLists: 'names of lists',
  figureCalendars: 'counts',
  figureCells: 'counts',
  figureNews: 'counts',
  figureTagCalendars: 'counts',
  figureTagCells: 'counts',
  figureTagNews: 'counts',
  fileOptions: 'files of the company',
  files: 'files of the company',
  groupSends: 'how many are in a group',
  invitations: 'people of the team',
  invoices: 'what the company pays',
  knowledge: 'what machines are taught',
  knowledgePieces: 'what machines are taught',
  lineHistory: 'how far a phone was asked',
  lineLeases: 'processes',
  linePaceDays: 'counts',
  lineSignups: 'people of the team who connect a number',
  lineSends: 'pace, with ids of customers alone',
  lineUp: 'lines',
  menuTests: 'tests of menus',
  moneyEvents: 'what the company pays',
  movedRows: 'ids of another system',
  noteMentions: 'ids of the team',
  passwordResets: 'people of the team',
  prompts: 'what machines are told',
  promptTokens: 'counts',
  pushSubscriptions: 'browsers of the team',
  queueIntegrations: 'machines',
  queueOptions: 'menus',
  closingReasons: 'what a queue asks',
  closingFields: 'what a queue asks',
  queues: 'queues',
  quickMessages: 'replies to anybody',
  reminders: 'what the company pays',
  routingRequests: 'ids of queues',
  routingTurns: 'ids of the team',
  ticketOffers: 'an open offer: ids, and names of the team',
  sandboxPhones: 'how the test phone behaves',
  passkeys: 'people of the team',
  secondFactors: 'people of the team',
  sessions: 'people of the team',
  furtherSessions: 'people of the team',
  tasks: 'what people of the team wrote down for themselves',
  settings: 'settings',
  skills: 'what people of the team can do',
  tags: 'tags',
  tallies: 'counts',
  storedFiles: 'random names and sizes; it goes with the file',
  drafts: 'words of the team; they go with the ticket',
  flows: 'what the company automates',
  flowVersions: 'what the company automates',
  flowTriggers: 'what the company automates',
  flowEvents: 'ids of tickets, for a moment',
  flowRuns: 'they go with the ticket',
  flowStepTallies: 'counts',
  flowDays: 'counts',
  flowTests: 'what people of the team tried',
  flowTimers: 'ids of contacts, and times',
  macros: 'texts to anybody',
  macroQueues: 'ids of queues',
  macroRuns: 'they go with the ticket; a note goes when the steps are done',
  quickMessageQueues: 'ids of queues',
  ticketBatches: 'ids of the team; a note goes at the end of the batch',
  ticketBatchItems: 'ids of tickets and tags',
  ticketPins: 'ids of the team; they go with the ticket',
  ticketTallies: 'counts',
  ticketViews: 'conditions that people of the team wrote',
  ticketViewQueues: 'ids of queues',
  ticketViewMembers: 'ids of tickets; they go with the ticket',
  ticketViewTallies: 'counts',
  ticketViewChanges: 'ids of tickets, for a second',
  userOnline: 'people of the team',
  userActivity: 'people of the team',
  availabilitySpans: 'people of the team',
  userQueues: 'people of the team',
  users: 'people of the team',
  webhookHours: 'counts',
  webhooks: 'programs of the company',
  whatsapps: 'lines',
  whatsappQueues: 'lines',
}
/** Tables whose rows are found by phone number, vendor ids or message ids (see erase.ts). */
const byKnown = [
  ...[
    'apiCalls',
    'auditContacts',
    'deletedContacts',
    'deletedContactRows',
    'campaignStops',
    'cloudInbox',
    'cloudSends',
    'contactListItems',
    'groupReads',
    'journal',
  ],
  ...[
    'flowDryRuns',
    'lineErrands',
    'linkedKeys',
    'listImports',
    'sandboxCustomers',
    'sandboxMessages',
    'webhookEvents',
  ],
]

describe('erasing a contact', () => {
  it('handles every table that can hold data of a contact', () => {
    const reached = new Set(['contacts'])
    for (let grew = true; grew; ) {
      grew = false
      for (const { name, references } of tables)
        if (!reached.has(name) && references.some(({ to }) => reached.has(to))) {
          reached.add(name)
          grew = true
        }
    }
    const unknown = tables
      .filter(
        ({ tenant, name }) => tenant && !reached.has(name) && !byKnown.includes(name) && !tablesWithoutContacts[name],
      )
      .map(({ name }) => name)
    expect(unknown, 'say where a person is found in it, or why nobody is').toEqual([])
  })

  it('leaves no trace: in no text of any table, and not on disk', async () => {
    await desk.setSetting('CheckMsgIsGroup', 'disabled')
    const events: WebhookEvent[] = ['message.created', 'message.state', 'ticket.opened', 'contact.created']
    const hook = { name: 'Programa', url: 'https://hooks.example.test/', events, active: true }
    await desk.admin.call(webhooksApi.create, { body: hook })
    const customer = desk.line.customer(number, `${erasedWord} Pérez`)
    const { ticketId } = await desk.waitForMessage(await customer.says(`soy ${erasedWord}`))
    await desk.accept(desk.admin, ticketId)
    await desk.waitForMessage(await customer.sends(new File([tinyPng], `${erasedWord}.png`, { type: 'image/png' })))
    const { contactId } = await desk.showTicket(ticketId)
    const other = desk.line.customer('5491100000001', 'Otra')
    const kept = await desk.waitForMessage(await other.says('yo me quedo'))
    // The contact is in a group: messages of the contact there, and a reaction to somebody else's message.
    const group = await desk.line.group('Vecinos', [number, '5491100000001'])
    const theirs = await desk.waitForMessage(await customer.says(`en el grupo, ${erasedWord}`, { group: group.number }))
    const others = await other.says('hola grupo', { group: group.number })
    await desk.waitForMessage(others)
    await desk.waitForHandled(
      await customer.sendEvent('reaction', { body: '👍', targetId: others, group: group.number }),
    )

    // Inserts a row into every table that references the contact, with the word and the number in each text column.
    await insertFixtures(
      owner,
      tables,
      { id: desk.company.id, mark: 'Mueble', person: desk.admin.id },
      {
        contacts: { companyId: desk.company.id, id: contactId },
        tickets: { companyId: desk.company.id, id: ticketId },
        whatsapps: { companyId: desk.company.id, id: desk.line.id },
      },
    )
    await desk.db
      .insertInto('flowDryRuns')
      .values({
        ...{ companyId: desk.company.id, userId: desk.admin.id, document: '{}', state: 'done' },
        result: JSON.stringify({ hits: [{ contact: { id: contactId, name: erasedWord }, text: erasedWord }] }),
      })
      .execute()
    for (const { name, columns, references } of tables) {
      const ways = references.flatMap(({ to, columns: own }) =>
        to === 'contacts' || to === 'tickets' ? [`"${own.at(-1)}" = ${to === 'contacts' ? contactId : ticketId}`] : [],
      )
      if (!ways.length || name === 'tickets') continue
      const texts = columns.filter(
        (c) =>
          c.type === 'text' && !c.allowed.length && !/^(key|value|mediaPath|kind|status|wid|clientId)$/.test(c.name),
      )
      if (texts.length)
        await owner.query(
          `update "${name}" set ${texts.map((c) => `"${c.name}" = '${erasedWord} ${number}'`)} where ${ways.join(' or ')}`,
        )
    }
    const [line, c] = [desk.line.id, desk.company.id]
    const lists = await owner.query(
      `insert into "contactLists" ("companyId", name) values ($1, 'Lista') returning id`,
      [c],
    )
    const listId = lists.rows[0].id
    for (const [text, ...values] of [
      [
        `insert into "contactListItems" ("companyId", "contactListId", name, number, key) values ($1, $2, $3, $4, $4)`,
        c,
        listId,
        erasedWord,
        number,
      ],
      [
        `insert into "listImports" ("companyId", "contactListId", "fileName", state, samples) values ($1, $2, 'x', 'done', $3)`,
        c,
        listId,
        JSON.stringify([[erasedWord, '+54 9 11 7766-5544']]),
      ],
      [
        `insert into "campaignStops" ("companyId", key, word, at) values ($1, $2, 'BAJA', now()) on conflict do nothing`,
        c,
        number,
      ],
      [
        `insert into "cloudInbox" ("companyId", "whatsappId", events, "receivedAt") values ($1, $2, $3, now())`,
        c,
        line,
        JSON.stringify([{ from: number, text: erasedWord }, { from: '5491100000001' }]),
      ],
      [
        `insert into "cloudSends" ("companyId", "whatsappId", wid, wamid, "askedAt") values ($1, $2, $3, $4, now())`,
        c,
        line,
        theirs.wid,
        `wamid.${number}`,
      ],
      [
        `insert into "linkedKeys" ("companyId", "whatsappId", type, id, value, "updatedAt") values ($1, $2, 'session', $3, 'x', now())`,
        c,
        line,
        `${number}.0`,
      ],
      [
        `insert into "groupSends" ("companyId", "whatsappId", wid, members, "sentAt") values ($1, $2, 'G1', 2, now())`,
        c,
        line,
      ],
      [
        `insert into "groupReads" ("companyId", "whatsappId", wid, reader) values ($1, $2, 'G1', $3)`,
        c,
        line,
        `${number}@s.whatsapp.net`,
      ],
      [
        `insert into "lineErrands" ("companyId", "whatsappId", errand, "notBefore") values ($1, $2, $3, now() + interval '1 day')`,
        c,
        line,
        JSON.stringify({ kind: 'edit', contactId, wid: 'w', body: erasedWord }),
      ],
      [
        `insert into schedules ("companyId", "contactId", body, "mediaPath", "sendAt") values ($1, $2, $3, null, now() + interval '9 days')`,
        c,
        contactId,
        erasedWord,
      ],
      [
        `with entry as (insert into audit ("companyId", deed, about) values ($1, 'contact.renumbered', $2) returning id)
         insert into "auditContacts" ("companyId", "auditId", "contactId", name, changes) select $1, id, $2, $3, $4 from entry`,
        c,
        contactId,
        erasedWord,
        JSON.stringify([{ field: 'number', from: number, to: '' }]),
      ],
    ] as [string, ...unknown[]][])
      await owner.query(text, values)
    const before = await saidWhere(erasedWord, number)
    expect(before.length).toBeGreaterThan(30)
    const filesBefore = await filesOf()

    const held = await desk.admin.call(contactErasureApi.holdings, { params: { id: contactId } })
    expect(held).toMatchObject({ lists: 1 })
    expect(held.messages).toBeGreaterThanOrEqual(3)
    const { id } = await desk.admin.call(contactErasureApi.erase, { params: { id: contactId } })
    expect(await waitForErasure(id)).toMatchObject({ state: 'done', contactId })

    expect(await saidWhere(erasedWord, number, '7766-5544')).toEqual([])
    await vi.waitFor(async () => expect((await filesOf()).length).toBeLessThan(filesBefore.length), { timeout: 20_000 })
    for (const file of await filesOf())
      expect((await readFile(join(harness.dataDir, 'files', String(c), file))).includes(erasedWord)).toBe(false)

    // Messages of others stay.
    expect(await desk.waitForMessage(kept.wid)).toMatchObject({ body: 'yo me quedo' })
    expect(await desk.waitForMessage(others)).toMatchObject({ body: 'hola grupo', reactions: [] })
    const { rows: inbox } = await owner.query(
      'select events from "cloudInbox" where "companyId" = $1 and events <> $2',
      [c, '{}'],
    )
    expect(inbox).toEqual([{ events: [{ from: '5491100000001' }] }])

    // The audit names the author and the contact's id.
    const { entries } = await desk.admin.call(auditApi.list, { query: { deed: 'contact' } })
    expect(entries).toMatchObject([
      { deed: 'contact.erased', about: contactId, name: '', by: { id: desk.admin.id } },
      { deed: 'contact.renumbered', about: contactId, name: '', changes: [] },
    ])

    // Campaigns keep only the opt-out, as a hash.
    const { rows: stops } = await owner.query(
      'select key, "contactId", word from "campaignStops" where "companyId" = $1',
      [c],
    )
    for (const stop of stops.filter(({ key }) => key.startsWith('h:')))
      expect(stop).toMatchObject({ contactId: null, word: '' })
    const { rows: marked } = await owner.query(
      `select 1 from "campaignStops" s join companies k on k.id = s."companyId" where k.id = $1 and s.key = stop_mark(k."stopSalt", $2)`,
      [c, number],
    )
    expect(marked).toHaveLength(1)
  })

  it.each([
    // The job has read the requesting user and has not started the last part.
    ['before its last part', (companyId: number) => `select pg_advisory_xact_lock(4, ${companyId})`],
    // The job has deleted the scheduled messages, but not yet the tickets.
    ['in its last part', (_: number, contactId: number) => `select from contacts where id = ${contactId} for update`],
  ])('succeeds at the first attempt when the requesting user is deleted %s', async (_, lock) => {
    const admin = await desk.company.user('admin')
    const rows = await insertFixtures(owner, tables, { id: desk.company.id, mark: 'leaving', person: admin.id })
    const contactId = Number(rows.contacts?.id)
    const [holder, other] = [await owner.connect(), await owner.connect()]
    onTestFinished(() => [holder, other].forEach((client) => void client.release()))
    const pidOf = async (client: pg.PoolClient) => (await client.query('select pg_backend_pid() as pid')).rows[0].pid
    const [held, leaving] = await Promise.all([holder, other].map(pidOf))
    await holder.query('begin')
    await holder.query(lock(desk.company.id, contactId))
    const { id } = await admin.call(contactErasureApi.erase, { params: { id: contactId } })
    await vi.waitFor(async () => {
      const { rows: waiting } = await holder.query(
        'select pid from pg_stat_activity where $1::int = any (pg_blocking_pids(pid))',
        [held],
      )
      expect(waiting).toHaveLength(1)
    })
    const deletion = other.query('delete from users where id = $1', [admin.id])
    // Waits until the deletion is finished or blocked by the job.
    await Promise.race([
      deletion,
      vi.waitFor(async () => {
        const { rows: blocked } = await holder.query('select cardinality(pg_blocking_pids($1::int)) as by', [leaving])
        expect(blocked).not.toEqual([{ by: 0 }])
      }),
    ])
    await holder.query('commit')
    await deletion
    const seen = await vi.waitFor(async () => {
      const { rows: now } = await holder.query(
        `select state, (select array_agg(last_error) from graphile_worker.jobs where last_error is not null) as errors
        from "contactErasures" where id = $1`,
        [id],
      )
      expect(now).not.toEqual([{ state: 'running', errors: null }])
      return now
    })
    expect(seen).toEqual([{ state: 'done', errors: null }])
    const { entries } = await desk.admin.call(auditApi.list, { query: {} as never })
    const entry = entries.find(({ deed: action, about }) => action === 'contact.erased' && about === contactId)
    expect(entry?.by).toEqual({ id: 0, name: expect.stringMatching(/./) })
  })

  it('offers an export as a zip first; export and erasure are for admins only', async () => {
    const customer = desk.line.customer('5491122334455', 'Abril Ñ')
    const { ticketId } = await desk.waitForMessage(await customer.says('guárdame esto'))
    await desk.accept(desk.admin, ticketId)
    const wid = await customer.sends(new File([tinyPng], 'foto.png', { type: 'image/png' }))
    const sent = await vi.waitFor(
      async () => {
        const row = await desk.waitForMessage(wid)
        if (row.mediaState !== 'ready') throw new Error(row.mediaState)
        return row
      },
      { timeout: 20_000, interval: 50 },
    )
    const { contactId } = await desk.showTicket(ticketId)
    const agent = await desk.createUser('supervisor')
    for (const [method, path] of [
      ['GET', 'export'],
      ['GET', 'holdings'],
      ['POST', 'erase'],
    ] as const)
      expect((await agent.request(method, `/contacts/${contactId}/${path}`)).status).toBe(400)
    const answer = await fetch(`${harness.address}/contacts/${contactId}/export`, {
      headers: { authorization: `Bearer ${desk.admin.token}` },
    })
    expect(answer.headers.get('content-type')).toBe('application/zip')
    const inside = unzip(Buffer.from(await answer.arrayBuffer()))
    expect(inside.get('contacts.jsonl')?.toString()).toContain('Abril Ñ')
    expect(inside.get('messages.jsonl')?.toString()).toContain('guárdame esto')
    expect(inside.get(`files/${sent.mediaPath}`)?.equals(Buffer.from(tinyPng))).toBe(true)
    expect(JSON.parse(String(inside.get('about.json')))).toMatchObject({
      contactId,
      files: 1,
      rows: { tickets: 1, messages: 2 },
    })
    const { entries } = await desk.admin.call(auditApi.list, { query: { deed: 'contact.exported' } })
    expect(entries).toMatchObject([{ about: contactId, by: { id: desk.admin.id } }])
  })
})

/** Reads the zip as any unzip program does: by the directory at the end of the file. */
function unzip(bytes: Buffer): Map<string, Buffer> {
  const { inflateRawSync, crc32 } = process.getBuiltinModule('node:zlib')
  const end = bytes.length - 22
  expect(bytes.readUInt32LE(end)).toBe(0x06054b50)
  let at = bytes.readUInt32LE(end + 16)
  const found = new Map<string, Buffer>()
  for (let n = 0; n < bytes.readUInt16LE(end + 10); n++) {
    const [crc, packed, size] = [16, 20, 24].map((place) => bytes.readUInt32LE(at + place)) as [number, number, number]
    const length = bytes.readUInt16LE(at + 28)
    const name = bytes.subarray(at + 46, at + 46 + length).toString()
    const place = bytes.readUInt32LE(at + 42)
    const from = place + 30 + bytes.readUInt16LE(place + 26)
    const content = inflateRawSync(bytes.subarray(from, from + packed))
    expect([name, content.length, crc32(content)]).toEqual([name, size, crc])
    found.set(name, content)
    at += 46 + length
  }
  return found
}
