import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readCode, readTableOwners, recordTablesIn, sourceFiles } from '../schema/table-owners.ts'

const migrations = new URL('../migrations/', import.meta.url)

/** Exceptions: files that write tables of other modules, with the reason. */
const exceptions: Record<string, { tables: string[]; why: string }> = {
  'automation/inbox/journal.ts': {
    tables: ['messages', 'tickets'],
    why: 'plain messages are stored in the very statement that journals them: a second one would halve a burst',
  },
}

const steps = readdirSync(migrations)
  .filter((file) => file.endsWith('.sql'))
  .map((file) => readFileSync(new URL(file, migrations), 'utf8'))
const droppedTables = steps
  .flatMap((text) => [...text.matchAll(/^drop table ([^;]+);/gim)])
  .flatMap(([, names]) => (names as string).replaceAll('"', '').split(/,\s*/))
const tables = steps
  .flatMap((text) => [...text.matchAll(/^create table "?(\w+)"?/gim)])
  .map(([, name]) => name as string)
  .filter((name) => !droppedTables.includes(name))

const folders = readTableOwners()

/** Every table that a piece of code writes: through the query builder, through `records`, or in SQL text. */
function writesIn(code: string): string[] {
  const built = code.matchAll(/\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(\w+)(?: as \w+)?'/g)
  const said = code.matchAll(/\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate)\s+(?:only\s+)?"?(\w+)"?/gi)
  const named = [...[...built, ...said].map(([, name]) => name as string), ...recordTablesIn(code)]
  return [...new Set(named.filter((name) => tables.includes(name)))]
}
/** Matches a write whose table name is known only at run time. */
const unnamedTableWrite =
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*[^'\s]|\b(?:insert into|update|delete from) \$\{|\bsql\.table\(/i

const roomOf = (table: string) => Object.keys(folders).find((folder) => folders[folder]?.includes(table))
const isIn = (file: string, folder: string | undefined) =>
  folder !== undefined && (file === `${folder}.ts` || file.startsWith(`${folder}/`))

describe('the owner of a table', () => {
  it('is declared once for every table', () => {
    expect(Object.values(folders).flat().sort()).toEqual([...new Set(tables)].sort())
  })

  it('is checked for every form of write statement', () => {
    const code = `
      db.insertInto('tickets').values(x)
      makeRecords<Row>('tags', {})
      sql\`update messages m set "ack" = 1\`
      sql\`delete from "lineErrands" where true\`
      with x as (insert into journal (a) select 1 on conflict do update set a = 2)
      for update of m`
    expect(writesIn(code).sort()).toEqual(['journal', 'lineErrands', 'messages', 'tags', 'tickets'])
    expect('db.updateTable(table)').toMatch(unnamedTableWrite)
    expect("db.updateTable('tags')").not.toMatch(unnamedTableWrite)
  })

  it('is the only folder that writes the table', () => {
    const written = sourceFiles.flatMap((file) => writesIn(readCode(file)).map((table) => ({ file, table })))
    expect(written.length).toBeGreaterThan(80)
    const foreign = written.filter(
      ({ file, table }) => !isIn(file, roomOf(table)) && !exceptions[file]?.tables.includes(table),
    )
    expect(foreign.map(({ file, table }) => `${file} writes ${table} of ${roomOf(table)}`)).toEqual([])
    // An unused exception must be removed.
    for (const [file, { tables: theirs }] of Object.entries(exceptions))
      expect(writesIn(readCode(file))).toEqual(expect.arrayContaining(theirs))
  })

  it('can be determined from the code, because every write statement names its table literally', () => {
    expect(
      sourceFiles.filter((file) => file !== 'kernel/data/records.ts' && unnamedTableWrite.test(readCode(file))),
    ).toEqual([])
  })

  it('inserts messages only in desk/messages/insert.ts and in the batch of the journal', () => {
    const inserts = sourceFiles.filter((file) => /insertInto\('messages'\)|insert into messages\b/.test(readCode(file)))
    expect(inserts).toEqual(['automation/inbox/journal.ts', 'desk/messages/insert.ts'])
  })
})
