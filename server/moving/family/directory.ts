import { randomBytes } from 'node:crypto'
import { freeColor } from '@recado/contract/queues'
import { defaultTagColor } from '@recado/contract/tags'
import { tokenMark } from '../../src/accounts/doors/keys.ts'
import type { DB } from '../../src/kernel/data/tables.ts'
import type { Row } from '../dump/read.ts'
import { freeName, mostTries } from './accounts.ts'
import { isNone, json, text, whole, words, yes } from './cells.ts'
import { weekIn } from './hours.ts'
import type { Home, Move, Parent } from './move.ts'

/** What a menu, a greeting or a farewell may hold. */
const longText = 4096
const hex = /^#([\da-f]{3}|[\da-f]{6})$/i

/** The rows of a table that no earlier run brought, each with its company and number. */
export function newOf(move: Move, kind: Parent, name: string) {
  return (row: Row): { home: Home; entry: { oldId: number; row: Row } } | null => {
    const [home, oldId] = [move.homeOf(row), whole(row, 'id')]
    if (!home || oldId === null) {
      move.orphan(name, 'of no company that came', row.id)
      return null
    }
    if (move.known(home, kind, oldId) !== undefined) {
      move.report.of(name).there++
      return null
    }
    return { home, entry: { oldId, row } }
  }
}

async function takenIn(home: Home, table: 'queues' | 'whatsapps', column: 'name' | 'color'): Promise<Set<string>> {
  if (home.id < 0) return new Set()
  const rows = await home.scope.db
    .selectFrom(table)
    .select(column as 'name')
    .where('companyId', '=', home.id)
    .execute()
  return new Set(rows.map((row) => row.name ?? Reflect.get(row, column)).map((value) => String(value).toLowerCase()))
}

export async function moveQueues(move: Move): Promise<void> {
  const { report } = move
  await move.each('queues', 'queues', newOf(move, 'queue', 'queues'), async (home, all) => {
    const names = await takenIn(home, 'queues', 'name')
    const colors = await takenIn(home, 'queues', 'color')
    const entries = all.map(({ oldId, row }) => {
      const wish = words(row, 'name', 44) || `Queue ${oldId}`
      const name = freeName(wish, names, 'moved')
      if (name !== wish) report.change('queues', 'renamed, the name is taken', oldId)
      const said = words(row, 'color', 7).toLowerCase()
      const color = hex.test(said) && !colors.has(said) ? said : freeColor([...colors])
      if (color !== said) report.change('queues', 'another colour, each has its own', oldId)
      colors.add(color)
      if (words(row, 'mediaPath', 10)) report.change('queues', 'without the file of its greeting', oldId)
      return {
        oldId,
        row: {
          ...{ name, color, orderQueue: whole(row, 'orderQueue') },
          greetingMessage: text(row, 'greetingMessage', longText),
          outOfHoursMessage: text(row, 'outOfHoursMessage', longText),
          schedules: weekIn(json(row, 'schedules'))?.hours ?? [],
          createdAt: move.at(row, 'createdAt') ?? move.now(),
          updatedAt: move.at(row, 'updatedAt') ?? move.now(),
        },
      }
    })
    await move.write(home, 'queue', 'queues', entries)
  })
}

/** Customers type 1 to 99. */
const mostOptions = 99
const deepestMenu = 50

type Option = { oldId: number; row: Row; queue: number; parent: number | null; home: Home }

/** The menus: from the top down, so that a parent is there before its children. */
export async function moveOptions(move: Move): Promise<void> {
  const { report, spool } = move
  const name = 'queue options'
  if (!spool.has('queueoptions')) return
  const rows = new Map<number, Row>()
  for (const row of await spool.all('queueoptions')) {
    report.of(name).found++
    const id = whole(row, 'id')
    if (id === null) report.skip(name, 'cannot be read', row.id)
    else rows.set(id, row)
  }
  const homeOfQueue = new Map<number, Home>()
  for (const row of await spool.all('queues')) {
    const [home, id] = [move.homeOf(row), whole(row, 'id')]
    if (home && id !== null) homeOfQueue.set(id, home)
  }
  /** Some name their queue only at the top. A way that leads in a circle, or deeper than any menu, leads to none. */
  const queueOf = (id: number): number | null => {
    let row = rows.get(id)
    for (let depth = 0; row && depth < deepestMenu; depth++) {
      const parent = whole(row, 'parentId')
      if (parent === null || !rows.has(parent)) return whole(row, 'queueId')
      row = rows.get(parent)
    }
    return null
  }
  let level: Option[] = []
  const waiting = new Map<number, Option[]>()
  for (const [oldId, row] of rows) {
    const queue = queueOf(oldId)
    const home = queue === null ? undefined : homeOfQueue.get(queue)
    if (queue === null || !home || move.ours(home, 'queue', queue) === null) {
      move.orphan(name, 'its queue did not come', oldId)
      continue
    }
    const parentId = whole(row, 'parentId')
    const option = { oldId, row, queue, home, parent: parentId !== null && rows.has(parentId) ? parentId : null }
    if (option.parent === null) level.push(option)
    else {
      const siblings = waiting.get(option.parent)
      if (siblings) siblings.push(option)
      else waiting.set(option.parent, [option])
    }
  }
  move.progress.begin(name, rows.size)
  while (level.length) {
    await writeOptions(move, level)
    move.progress.add(level.length)
    level = level.flatMap(({ oldId }) => waiting.get(oldId) ?? [])
  }
  move.progress.end()
}

async function writeOptions(move: Move, level: Option[]): Promise<void> {
  const { report } = move
  for (const siblings of Map.groupBy(level, ({ queue, parent }) => `${queue}:${parent}`).values()) {
    const { home } = siblings[0] as Option
    siblings.sort((a, b) => (whole(a.row, 'option') ?? 100) - (whole(b.row, 'option') ?? 100) || a.oldId - b.oldId)
    for (const { oldId } of siblings.splice(mostOptions))
      report.skip('queue options', 'more than customers can choose from', oldId)
    const used = new Set<number>()
    const entries = siblings.flatMap(({ oldId, row, queue, parent }) => {
      if (move.known(home, 'option', oldId) !== undefined) {
        report.of('queue options').there++
        used.add(whole(row, 'option') ?? 0)
        return []
      }
      const said = whole(row, 'option') ?? 0
      let option = said >= 1 && said <= 99 && !used.has(said) ? said : 1
      while (used.has(option)) option++
      used.add(option)
      if (option !== said) report.change('queue options', 'another number, customers type 1 to 99', oldId)
      const forwardQueueId = move.ours(home, 'queue', whole(row, 'forwardQueueId'))
      return [
        {
          oldId,
          row: {
            ...{ queueId: move.ours(home, 'queue', queue), parentId: move.ours(home, 'option', parent), option },
            title: words(row, 'title', 120) || String(option),
            message: text(row, 'message', longText),
            ...{ leads: forwardQueueId === null ? 'person' : 'queue', forwardQueueId },
            createdAt: move.at(row, 'createdAt') ?? move.now(),
            updatedAt: move.at(row, 'updatedAt') ?? move.now(),
          },
        },
      ]
    })
    await move.write(home, 'option', 'queueOptions', entries)
  }
}

/** As long as a form lets anybody choose. */
const minutesOf = (said: number): number => Math.min(525_600, Math.max(0, said))

/** A line as it can be here from the beginning: without a session, and nothing about it happens by itself. */
const asleep = { status: 'DISCONNECTED', reason: 'off', wanted: false, provider: 'beta' } as const

const sealed = (home: Home, said: string) => {
  const token = said.length >= 8 ? said : randomBytes(32).toString('base64url')
  const { scope } = home
  return { tokenSealed: scope.means.vault.seal(token), tokenHash: tokenMark(scope.means, token) }
}

export async function moveLines(move: Move): Promise<void> {
  const { report } = move
  const name = 'connections'
  const fresh = newOf(move, 'line', name)
  const read = (row: Row) => {
    const channel = words(row, 'channel', 40) || 'whatsapp'
    if (channel === 'whatsapp') return fresh(row)
    report.skip(name, `of ${channel}, which is not spoken here`, row.id)
    return null
  }
  await move.each('whatsapps', name, read, async (home, all) => {
    const names = await takenIn(home, 'whatsapps', 'name')
    let hasDefault =
      home.id > 0 &&
      (
        await home.scope.db
          .selectFrom('whatsapps')
          .select('id')
          .where('companyId', '=', home.id)
          .where('isDefault', '=', true)
          .execute()
      ).length > 0
    const marks = new Set<string>()
    const entries = all.map(({ oldId, row }) => {
      const wish = words(row, 'name', 44) || `Line ${oldId}`
      const lineName = freeName(wish, names, 'moved')
      if (lineName !== wish) report.change(name, 'renamed, the name is taken', oldId)
      const isDefault = !hasDefault && yes(row, 'isDefault')
      hasDefault ||= isDefault
      if ((whole(row, 'expiresTicket') ?? 0) > 0 || (whole(row, 'timeToTransfer') ?? 0) > 0)
        report.change(name, 'its clocks are off (closing and passing on by themselves)', oldId)
      let keys = sealed(home, words(row, 'token', 100))
      if (marks.has(keys.tokenHash)) keys = sealed(home, '')
      marks.add(keys.tokenHash)
      return {
        oldId,
        row: {
          ...asleep,
          ...keys,
          ...{ name: lineName, isDefault },
          greetingMessage: text(row, 'greetingMessage', longText),
          complationMessage: text(row, 'complationMessage', longText) || text(row, 'farewellMessage', longText),
          outOfHoursMessage: text(row, 'outOfHoursMessage', longText),
          ratingMessage: text(row, 'ratingMessage', longText),
          // A clock that runs would close the tickets that came, and say so to customers: whoever wants it turns it on.
          expiresTicket: 0,
          expiresInactiveMessage: text(row, 'expiresInactiveMessage', longText),
          transferQueueId: move.ours(home, 'queue', whole(row, 'transferQueueId')),
          timeUseBotQueues: minutesOf(whole(row, 'timeUseBotQueues') ?? 0),
          maxUseBotQueues: minutesOf(whole(row, 'maxUseBotQueues') ?? 3),
          createdAt: move.at(row, 'createdAt') ?? move.now(),
          updatedAt: move.at(row, 'updatedAt') ?? move.now(),
        },
      }
    })
    await move.write(home, 'line', 'whatsapps', entries)
  })
}

/**
 * Tickets whose connection was deleted over there still need one: what was said in them belongs to a chat, and a chat to
 * a line. One for each company, made when it is needed.
 */
export function makeStandIns(move: Move) {
  const made = new Map<Home, number>()
  const oldId = 0
  return async (home: Home): Promise<number> => {
    const known = made.get(home) ?? move.ours(home, 'line', -home.oldId - 1)
    if (known) return known
    const names = await takenIn(home, 'whatsapps', 'name')
    const name = freeName(move.kind === 'ticketz' ? 'Ticketz' : 'Whaticket', names, 'moved')
    const now = move.now()
    const row: Partial<Record<keyof DB['whatsapps'], unknown>> = {
      ...{ ...asleep, ...sealed(home, ''), name, isDefault: false, createdAt: now, updatedAt: now },
    }
    await move.write(home, 'line', 'whatsapps', [{ oldId: oldId - home.oldId - 1, row }])
    move.report.change('connections', 'made for tickets whose connection was deleted', name)
    const id = move.ours(home, 'line', -home.oldId - 1) ?? 0
    made.set(home, id)
    return id
  }
}

export async function moveTags(move: Move): Promise<void> {
  const lanes = new Map<Home, number>()
  await move.each('tags', 'tags', newOf(move, 'tag', 'tags'), async (home, all) => {
    const entries = all.map(({ oldId, row }) => {
      const kanban = whole(row, 'kanban') === 1 || yes(row, 'kanban') ? 1 : 0
      const position = kanban ? (lanes.get(home) ?? 0) + 1 : 0
      if (kanban) lanes.set(home, position)
      const said = words(row, 'color', 7)
      return {
        oldId,
        row: {
          ...{ name: words(row, 'name', 50) || `Tag ${oldId}`, color: hex.test(said) ? said : defaultTagColor },
          ...{ kanban, position, createdAt: move.at(row, 'createdAt') ?? move.now() },
        },
      }
    })
    await move.write(home, 'tag', 'tags', entries)
  })
}

/** A shortcut means one thing to who types it. */
export async function moveQuickReplies(move: Move): Promise<void> {
  const { report } = move
  const name = 'quick replies'
  const taken = new Map<Home, Set<string>>()
  const markOf = (userId: number | null, geral: boolean, shortcode: string) =>
    `${geral ? 'all' : userId}:${shortcode.toLowerCase()}`
  const takenBy = async (home: Home) => {
    const known = taken.get(home)
    if (known) return known
    const here =
      home.id < 0
        ? []
        : await home.scope.db
            .selectFrom('quickMessages')
            .select(['userId', 'geral', 'shortcode'])
            .where('companyId', '=', home.id)
            .execute()
    const made = new Set(here.map((one) => markOf(one.userId, one.geral, one.shortcode)))
    taken.set(home, made)
    return made
  }
  const write = async (home: Home, all: { oldId: string; row: Row }[]) => {
    const fresh = await move.fresh(home, 'quick', all)
    const used = await takenBy(home)
    const entries = fresh.flatMap(({ oldId, row }) => {
      const wish = words(row, 'shortcode', 46) || words(row, 'shortcut', 46)
      const message = text(row, 'message', longText)
      if (!wish || !message) {
        report.skip(name, 'without a shortcut or a text', oldId)
        return []
      }
      const userId = move.ours(home, 'user', whole(row, 'userId'))
      const geral = yes(row, 'geral') || userId === null
      let shortcode = wish
      for (let n = 2; used.has(markOf(userId, geral, shortcode)); n++)
        shortcode = `${wish} ${n < mostTries ? n : randomBytes(4).toString('hex')}`
      if (shortcode !== wish) report.change(name, 'renamed, the shortcut is taken', oldId)
      used.add(markOf(userId, geral, shortcode))
      if (words(row, 'mediaPath', 10)) report.change(name, 'without its file', oldId)
      const status = isNone(row, 'status') || yes(row, 'status')
      return [
        {
          oldId,
          row: { shortcode, message, userId, geral, status, createdAt: move.at(row, 'createdAt') ?? move.now() },
        },
      ]
    })
    await move.write(home, 'quick', 'quickMessages', entries)
  }
  for (const table of ['quickmessages', 'quickanswers'] as const)
    await move.each(
      table,
      name,
      (row) => {
        const [home, id] = [move.homeOf(row), whole(row, 'id')]
        if (home && id !== null)
          return { home, entry: { oldId: table === 'quickanswers' ? `answer ${id}` : String(id), row } }
        move.orphan(name, 'of no company that came', row.id)
        return null
      },
      write,
    )
}
