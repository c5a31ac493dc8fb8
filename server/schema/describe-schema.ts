import type pg from 'pg'
import { readTableOwners } from './table-owners.ts'
import { triggerDescriptions } from './trigger-descriptions.ts'

type Column = { table: string; name: string; type: string; nullable: boolean; fallback: string | null }
type Constraint = { table: string; kind: 'p' | 'u' | 'f' | 'c' | 'x'; definition: string }
type Index = { table: string; definition: string }
type Policies = { table: string; policies: number }
type Trigger = { table: string; name: string; fn: string; definition: string; comment: string | null }

const columnsQuery = `
  select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as nullable,
         case when a.attidentity <> '' then 'identity' when a.attgenerated <> '' then 'generated'
              else pg_get_expr(d.adbin, d.adrelid) end as fallback
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname not like 'kysely%'
  order by c.relname collate "C", a.attnum`
// PostgreSQL 18 also lists "not null" as a constraint (kind "n"), which the column already shows.
const constraintsQuery = `
  select conrelid::regclass::text as "table", contype as kind, pg_get_constraintdef(oid) as definition
  from pg_constraint where connamespace = 'public'::regnamespace and conrelid <> 0 and contype in ('p', 'u', 'f', 'c', 'x')
  order by array_position(array['p', 'u', 'f', 'c', 'x'], contype::text), pg_get_constraintdef(oid) collate "C"`
const indexesQuery = `
  select c.relname as "table", pg_get_indexdef(i.indexrelid) as definition
  from pg_index i join pg_class c on c.oid = i.indrelid
  where c.relnamespace = 'public'::regnamespace and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
  order by pg_get_indexdef(i.indexrelid) collate "C"`
const policiesQuery = `
  select tablename as "table", count(*)::int as policies from pg_policies where schemaname = 'public' group by 1`
const triggersQuery = `
  select c.relname as "table", g.tgname as name, p.proname as fn, pg_get_triggerdef(g.oid) as definition,
         coalesce(obj_description(g.oid, 'pg_trigger'), obj_description(p.oid, 'pg_proc')) as comment
  from pg_trigger g join pg_class c on c.oid = g.tgrelid join pg_proc p on p.oid = g.tgfoid
  where c.relnamespace = 'public'::regnamespace and not g.tgisinternal
  order by c.relname collate "C", g.tgname collate "C"`

const removeQuotes = (name: string) => name.replaceAll('"', '')
const code = (text: string) => `\`${text.replaceAll('\n', ' ').replace(/\s+/g, ' ').replaceAll('|', '\\|')}\``
const list = (title: string, items: string[]) =>
  items.length ? [`${title}:`, ...items.map((item) => `- ${item}`), ''] : []

function describeColumn({ name, type, nullable, fallback }: Column): string {
  const notes = [nullable ? 'nullable' : '', fallback && /^(identity|generated)$/.test(fallback) ? fallback : '']
  if (fallback && !notes[1]) notes.push(`default ${code(fallback)}`)
  const short = type.replace('timestamp with time zone', 'timestamptz').replace('double precision', 'float8')
  return `| ${code(name)} | ${short} | ${notes.filter(Boolean).join(', ')} |`
}

/** The events of a trigger, such as "after insert or update of name". */
function describeEvents(definition: string): string {
  const events = /TRIGGER \S+ (.*?) ON public\./.exec(definition)?.[1] ?? ''
  const when = / WHEN /.test(definition) ? ', if its condition holds' : ''
  return `${events.replaceAll('"', '').replace(/\b(BEFORE|AFTER|INSTEAD|INSERT|UPDATE|DELETE|TRUNCATE|OR|OF)\b/g, (word) => word.toLowerCase())}${when}`
}

function describeTrigger({ name, fn, definition, comment }: Trigger): string {
  const does = comment ?? triggerDescriptions[fn]
  if (!does) throw new Error(`Describe the trigger function ${fn} in server/schema/trigger-descriptions.ts`)
  return `| ${code(name)} | ${describeEvents(definition)} | ${code(fn)} | ${does} |`
}

/** The page docs/schema.md of a migrated database. */
export async function describeSchema(db: pg.Pool): Promise<string> {
  const columns = (await db.query<Column>(columnsQuery)).rows
  const constraints = (await db.query<Constraint>(constraintsQuery)).rows
  const indexes = (await db.query<Index>(indexesQuery)).rows
  const policies = (await db.query<Policies>(policiesQuery)).rows
  const triggers = (await db.query<Trigger>(triggersQuery)).rows
  const tables = [...new Set(columns.map(({ table }) => table))]
  const owners = readTableOwners()
  const ownerOf = (table: string) => Object.keys(owners).find((owner) => owners[owner]?.includes(table))
  const unowned = tables.filter((table) => !ownerOf(table))
  if (unowned.length) throw new Error(`Name the owner of ${unowned} in server/schema/table-owners.ts`)
  const unused = Object.keys(triggerDescriptions).filter((fn) => !triggers.some((trigger) => trigger.fn === fn))
  if (unused.length) throw new Error(`No trigger calls ${unused}: remove it from server/schema/trigger-descriptions.ts`)

  const describeTable = (table: string): string[] => {
    const own = <Part extends { table: string }>(parts: Part[]) =>
      parts.filter((part) => removeQuotes(part.table) === table)
    const count = own(policies)[0]?.policies ?? 0
    const rules = own(constraints)
    const keys = rules.filter(({ kind }) => kind !== 'c').map(({ definition }) => code(definition))
    const checks = rules.filter(({ kind }) => kind === 'c').map(({ definition }) => code(definition))
    // Removes the schema and the table, which every index definition repeats.
    const paths = own(indexes).map(({ definition }) =>
      code(definition.replace(/ ON public\.\S+ USING/, ' using').toString()),
    )
    const actions = own(triggers)
    return [
      `### ${table}`,
      '',
      `Row-level security policies: ${count}.`,
      '',
      '| column | type | notes |',
      '|---|---|---|',
      ...own(columns).map(describeColumn),
      '',
      ...list('Keys', keys),
      ...list('Checks', checks),
      ...list('Indexes', paths),
      ...(actions.length
        ? ['| trigger | runs | function | what it does |', '|---|---|---|---|', ...actions.map(describeTrigger), '']
        : []),
    ]
  }

  const titleOf = (owner: string) => (owner.startsWith('..') ? `server/${owner.slice(3)}` : owner)
  const groups = Object.keys(owners).sort((a, b) => (titleOf(a) < titleOf(b) ? -1 : 1))
  return [
    '# Look up a table',
    '',
    '`npm run schema` makes this page from the migrations; a test fails while it is out of date. Do not edit it.',
    '',
    `${tables.length} tables, ${triggers.length} triggers. Only the owner of a table writes its rows ([architecture.md](architecture.md)).`,
    'Owners are folders or files of `server/src`. Columns keep their names on the wire.',
    'Each company also has a sequence of ticket numbers in the schema `numbers`; jobs are in `graphile_worker`.',
    '',
    ...groups.flatMap((owner) => [
      `## ${titleOf(owner)}`,
      '',
      ...tables.filter((table) => ownerOf(table) === owner).flatMap(describeTable),
    ]),
  ].join('\n')
}
