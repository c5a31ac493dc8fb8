import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const src = new URL('../src/', import.meta.url)
const migrations = new URL('../migrations/', import.meta.url)

/**
 * Whose each table is: a folder or a file of `src`. Only they insert, update or delete its rows; others call them. A
 * table that is not named here belongs to the file that stores it with `makeRecords`. What the database does by itself
 * (references, triggers) is written in the migrations.
 */
const folders: Record<string, string[]> = {
  'kernel/outgoing/push': ['platformSecrets'],
  'kernel/files': ['storedFiles'],
  // Written by socket.io's adapter.
  'kernel/live/peers': ['liveWords'],

  lines: ['lineLeases'],
  'lines/sandbox': ['sandboxPhones', 'sandboxCustomers', 'sandboxMessages'],
  'lines/baileys': ['linkedKeys', 'groupSends', 'groupReads'],
  'lines/cloud': ['cloudLines', 'cloudSends', 'cloudInbox'],

  accounts: [
    'plans',
    'companies',
    'settings',
    'users',
    'userQueues',
    // Written by a trigger.
    'userOnline',
    'passwordResets',
    'invitations',
    'pushSubscriptions',
    'sessions',
    'apiKeys',
    'audit',
    'auditContacts',
    'platformSettings',
  ],
  'accounts/two-factor': ['secondFactors', 'passkeys'],

  'accounts/money': ['invoices', 'charges', 'payments', 'moneySettings', 'moneyEvents', 'reminders'],

  'directory/connections': ['whatsapps', 'whatsappQueues', 'lineHistory', 'lineSends', 'lineUp'],
  'directory/queues': ['queues', 'queueOptions'],
  'directory/contacts': [
    'contacts',
    'contactIdentities',
    'contactMerges',
    'contactFields',
    'deletedContacts',
    'deletedContactRows',
  ],
  'directory/contact-lists': ['contactLists', 'contactListItems', 'listImports'],
  'directory/ai': ['prompts', 'promptTokens'],
  'directory/integrations': ['queueIntegrations', 'machineCalls'],
  'directory/webhooks': ['webhooks', 'webhookEvents', 'webhookHours'],
  'directory/ai/knowledge': ['knowledge', 'knowledgePieces'],
  // Written only by triggers.
  'directory/tallies': ['tallies'],
  'desk/tickets/ticket-tallies': ['ticketTallies'],
  'directory/file-lists': ['files', 'fileOptions'],
  'accounts/platform': ['helps', 'announcements', 'backups'],

  'desk/tickets': ['tickets', 'ticketTracking', 'ticketEvents', 'ticketTags', 'ticketGoals', 'nextAnswers'],
  'desk/messages': ['messages', 'lineErrands'],
  'desk/notes': ['ticketNotes', 'noteMentions'],
  'desk/tickets/base/notices': ['notices'],
  'desk/chats': ['chats', 'chatUsers', 'chatMessages'],
  'desk/schedules': ['schedules'],
  'desk/campaigns': [
    'campaigns',
    'campaignSettings',
    'campaignShippings',
    'campaignStops',
    'campaignConsents',
    'campaignLines',
    'campaignNews',
  ],
  'desk/public-api': ['apiCalls'],
  'desk/rating': ['ratingRequests', 'userRatings'],
  'desk/menu-steps': ['menuSteps'],
  'desk/reports': [
    'figureNews',
    'figureCells',
    'figureTagNews',
    'figureTagCells',
    'figureTagCalendars',
    'figureCalendars',
  ],

  // Outside of the layers: imports write history, as the demo does.
  '../import-export': ['movedRows'],

  'automation/inbox': ['journal'],
  'automation/bots': ['menuTests'],
  'automation/bot-requests': ['asks'],
  'automation/erasure': ['contactErasures'],
  'automation/integrations': ['webhookDeliveries'],
}

/** File -> foreign tables that it writes all the same, and why. */
const exceptions: Record<string, { tables: string[]; why: string }> = {
  'automation/inbox/journal.ts': {
    tables: ['messages', 'tickets'],
    why: 'plain messages are stored in the very statement that journals them: a second one would halve a burst',
  },
}

const steps = readdirSync(migrations)
  .filter((file) => file.endsWith('.sql'))
  .map((file) => readFileSync(new URL(file, migrations), 'utf8'))
const dropped = steps
  .flatMap((text) => [...text.matchAll(/^drop table ([^;]+);/gim)])
  .flatMap(([, names]) => (names as string).replaceAll('"', '').split(/,\s*/))
const tables = steps
  .flatMap((text) => [...text.matchAll(/^create table "?(\w+)"?/gim)])
  .map(([, name]) => name as string)
  .filter((name) => !dropped.includes(name))

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
)
const codeOf = (file: string): string =>
  readFileSync(new URL(file, src), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

const keptIn = (code: string) =>
  [...code.matchAll(/\bmakeRecords(?:<[^(]*>)?\(\s*'(\w+)'/g)].map(([, name]) => name as string)
const listed = Object.values(folders).flat()
for (const file of files)
  for (const table of keptIn(codeOf(file)).filter((name) => !listed.includes(name))) {
    const keeper = file.replace(/\.ts$/, '')
    folders[keeper] = [...(folders[keeper] ?? []), table]
  }

/** Every table that a piece of code writes: through the query builder, through `records`, or in SQL text. */
function writesIn(code: string): string[] {
  const built = code.matchAll(/\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(\w+)(?: as \w+)?'/g)
  const said = code.matchAll(/\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate)\s+(?:only\s+)?"?(\w+)"?/gi)
  const named = [...[...built, ...said].map(([, name]) => name as string), ...keptIn(code)]
  return [...new Set(named.filter((name) => tables.includes(name)))]
}
/** A table name known only at run time. */
const unnamed =
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*[^'\s]|\b(?:insert into|update|delete from) \$\{|\bsql\.table\(/i

const roomOf = (table: string) => Object.keys(folders).find((folder) => folders[folder]?.includes(table))
const isIn = (file: string, folder: string | undefined) =>
  folder !== undefined && (file === `${folder}.ts` || file.startsWith(`${folder}/`))

describe('the owner of a table', () => {
  it('is declared once for every table', () => {
    expect(Object.values(folders).flat().sort()).toEqual([...new Set(tables)].sort())
  })

  it('is checked for every form of write', () => {
    const code = `
      db.insertInto('tickets').values(x)
      makeRecords<Row>('tags', {})
      sql\`update messages m set "ack" = 1\`
      sql\`delete from "lineErrands" where true\`
      with x as (insert into journal (a) select 1 on conflict do update set a = 2)
      for update of m`
    expect(writesIn(code).sort()).toEqual(['journal', 'lineErrands', 'messages', 'tags', 'tickets'])
    expect('db.updateTable(table)').toMatch(unnamed)
    expect("db.updateTable('tags')").not.toMatch(unnamed)
  })

  it('is the only folder that writes it', () => {
    const written = files.flatMap((file) => writesIn(codeOf(file)).map((table) => ({ file, table })))
    expect(written.length).toBeGreaterThan(80)
    const foreign = written.filter(
      ({ file, table }) => !isIn(file, roomOf(table)) && !exceptions[file]?.tables.includes(table),
    )
    expect(foreign.map(({ file, table }) => `${file} writes ${table} of ${roomOf(table)}`)).toEqual([])
    // An unused exception must be removed.
    for (const [file, { tables: theirs }] of Object.entries(exceptions))
      expect(writesIn(codeOf(file))).toEqual(expect.arrayContaining(theirs))
  })

  it('is found because writes name their table', () => {
    expect(files.filter((file) => file !== 'kernel/data/records.ts' && unnamed.test(codeOf(file)))).toEqual([])
  })

  it('has one place for incoming messages, and the batch of the journal', () => {
    const inserts = files.filter((file) => /insertInto\('messages'\)|insert into messages\b/.test(codeOf(file)))
    expect(inserts).toEqual(['automation/inbox/journal.ts', 'desk/messages/insert.ts'])
  })
})
