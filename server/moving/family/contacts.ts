import { sql } from 'kysely'
import { groupKey, type IdentityKey, keysOf, keyText, shownNumber } from '../../src/directory/contacts/identity.ts'
import { cleanName } from '../../src/directory/contacts/naming.ts'
import type { Row } from '../dump/read.ts'
import { insertRows } from '../insert.ts'
import { text, whole, words, yes } from './cells.ts'
import { newOf } from './directory.ts'
import type { Home, Move } from './move.ts'

type Person = { oldId: number; row: Row; key: IdentityKey; number: string }

/** How somebody is known: a group by its id, everybody else by a telephone, or by the id WhatsApp hides it behind. */
function keyOf(row: Row): { key: IdentityKey; number: string } | null {
  const said = words(row, 'number', 120)
  if (yes(row, 'isGroup')) {
    const key = groupKey(said)
    return key && { key, number: key.value }
  }
  const isLid = /@lid\b/.test(said)
  const [key] = keysOf(isLid ? { lid: said } : { phone: said })
  const number = isLid ? '' : shownNumber(said)
  // Shorter than any telephone of the world is none.
  return key && (isLid || number.length >= 5) ? { key, number } : null
}

/** People and groups. Two with the same telephone are one here, whatever digits it is written with. */
export async function moveContacts(move: Move): Promise<void> {
  const { report } = move
  const name = 'contacts'
  const fresh = newOf(move, 'contact', name)
  const read = (row: Row): { home: Home; entry: Person } | null => {
    const found = fresh(row)
    if (!found) return null
    const channel = words(row, 'channel', 40) || 'whatsapp'
    const known = keyOf(row)
    if (channel !== 'whatsapp') report.skip(name, `of ${channel}, which is not spoken here`, found.entry.oldId)
    else if (!known) report.skip(name, 'without a number', found.entry.oldId)
    else return { home: found.home, entry: { ...found.entry, ...known } }
    return null
  }
  // In a dry run nothing is there to be met again but what would have come.
  const imagined = new Map<string, number>()
  await move.each('contacts', name, read, async (home, people) => {
    const there = await byKeys(
      home,
      people.map(({ key }) => key),
    )
    const first = new Map<string, Person>()
    const doubles: { person: Person; mark: string }[] = []
    for (const person of people) {
      const mark = keyText(person.key)
      const known = there.get(mark) ?? imagined.get(`${home.id} ${mark}`)
      if (known === undefined && !first.has(mark)) first.set(mark, person)
      else doubles.push({ person, mark })
    }
    const entries = [...first.values()].map((person) => ({
      person,
      oldId: person.oldId,
      row: contactRow(move, person),
    }))
    await move.write(home, 'contact', 'contacts', entries, {
      also: async (tx, written) => {
        const rows = written.map(({ entry, id }) => ({
          companyId: home.id,
          ...entry.person.key,
          contactId: id,
          createdAt: move.now(),
        }))
        await insertRows(tx.db, 'contactIdentities', rows, null)
      },
    })
    if (move.dryRun)
      for (const [mark, { oldId }] of first) imagined.set(`${home.id} ${mark}`, move.ours(home, 'contact', oldId) ?? 0)
    for (const { person, mark } of doubles) {
      const id =
        there.get(mark) ??
        imagined.get(`${home.id} ${mark}`) ??
        move.ours(home, 'contact', first.get(mark)?.oldId ?? null)
      if (!id) continue
      move.same(home, 'contact', person.oldId, id)
      report.change(name, 'joined with another of the same number', person.oldId)
    }
    if (!move.dryRun && doubles.length)
      await insertRows(
        home.scope.db,
        'movedRows',
        doubles.flatMap(({ person: { oldId } }) => {
          const newId = move.ours(home, 'contact', oldId)
          return newId === null
            ? []
            : [{ companyId: home.id, source: move.source, kind: 'contact', oldId: String(oldId), newId }]
        }),
        null,
      )
  })
}

const contactRow = (move: Move, { row, number, key }: Person) => {
  const createdAt = move.at(row, 'createdAt') ?? move.now()
  return {
    ...{ name: cleanName(text(row, 'name', 200)) || number || key.value, number, email: words(row, 'email', 100) },
    ...{ isGroup: yes(row, 'isGroup'), disableBot: yes(row, 'disableBot') },
    ...{ createdAt, updatedAt: move.at(row, 'updatedAt') ?? createdAt },
  }
}

async function byKeys(home: Home, keys: IdentityKey[]): Promise<Map<string, number>> {
  if (home.id < 0 || !keys.length) return new Map()
  const { rows } = await sql<IdentityKey & { id: number }>`
    select i.kind, i.value, coalesce(c."mergedInto", c.id) as id
    from unnest(${keys.map((key) => key.kind)}::text[], ${keys.map((key) => key.value)}::text[]) k (kind, value)
    join "contactIdentities" i on i."companyId" = ${home.id} and i.kind = k.kind and i.value = k.value
    join contacts c on c."companyId" = i."companyId" and c.id = i."contactId"`.execute(home.scope.db)
  return new Map(rows.map((row) => [keyText(row), row.id]))
}

/** Whose each contact is, by its number over there: the fields of the dump do not say. */
async function contactHomes(move: Move): Promise<Map<number, Home>> {
  const homes = new Map<number, Home>()
  if (!move.many) return homes
  for await (const rows of move.spool.portions('contacts', 5000))
    for (const row of rows) {
      const [home, id] = [move.homeOf(row), whole(row, 'id')]
      if (home && id !== null) homes.set(id, home)
    }
  return homes
}

/** More would not fit into the field. */
const mostTags = 100

/** What the desk noted about somebody; and the tags of contacts, which only tickets wear here, as one more field. */
export async function moveFields(move: Move): Promise<void> {
  const { spool } = move
  if (!spool.has('contactcustomfields') && !spool.has('contacttags')) return
  const homes = await contactHomes(move)
  const homeOf = (oldId: number | null) => (move.many ? homes.get(oldId ?? -1) : move.homes.get(0))
  const name = 'extra fields'
  const write = async (
    home: Home,
    entries: { oldId: string; row: { contactId: number; name: string; value: string } }[],
  ) => {
    await move.write(home, 'field', 'contactFields', await move.fresh(home, 'field', entries))
  }
  await move.each(
    'contactcustomfields',
    name,
    (row) => {
      const home = homeOf(whole(row, 'contactId'))
      const contactId = home ? move.ours(home, 'contact', whole(row, 'contactId')) : null
      const label = words(row, 'name', 50)
      if (contactId === null || !home) move.orphan(name, 'its contact did not come', row.id)
      else if (!label) move.report.skip(name, 'without a name', row.id)
      else
        return {
          home,
          entry: { oldId: String(row.id), row: { contactId, name: label, value: words(row, 'value', 500) } },
        }
      return null
    },
    write,
  )
  if (!spool.has('contacttags')) return
  const labels = new Map<number, string>()
  for (const row of await spool.all('tags')) labels.set(whole(row, 'id') ?? 0, words(row, 'name', 50))
  const worn = new Map<number, Set<string>>()
  for await (const rows of spool.portions('contacttags', 5000))
    for (const row of rows) {
      const contactId = whole(row, 'contactId')
      const label = labels.get(whole(row, 'tagId') ?? -1)
      const home = homeOf(contactId)
      if (contactId === null || !label || !home || move.ours(home, 'contact', contactId) === null) continue
      const names = worn.get(contactId) ?? new Set()
      if (names.size < mostTags) worn.set(contactId, names.add(label))
    }
  const tags = 'tags of contacts'
  move.report.of(tags).found += worn.size
  const byHome = new Map<Home, { oldId: string; row: { contactId: number; name: string; value: string } }[]>()
  for (const [oldId, names] of worn) {
    const home = homeOf(oldId)
    const contactId = home ? move.ours(home, 'contact', oldId) : null
    if (contactId === null || !home) {
      move.orphan(tags, 'its contact did not come', oldId)
      continue
    }
    const entry = {
      oldId: `tags ${oldId}`,
      row: { contactId, name: 'Tags', value: [...names].join(', ').slice(0, 500) },
    }
    const some = byHome.get(home)
    if (some) some.push(entry)
    else byHome.set(home, [entry])
    move.report.change(tags, 'kept as an extra field of the contact', oldId)
  }
  for (const [home, entries] of byHome)
    for (let at = 0; at < entries.length; at += 2000) await write(home, entries.slice(at, at + 2000))
}
