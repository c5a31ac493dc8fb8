import { randomBytes } from 'node:crypto'
import { pickUnusedColor } from '@recado/contract/queues'
import { defaultTagColor } from '@recado/contract/tags'
import { lineTokenHmac } from '../../src/accounts/api-access/api-keys.ts'
import type { DB } from '../../src/kernel/data/tables.ts'
import type { DumpRow } from '../dump/read-dump.ts'
import { findFreeName, maxNameTries } from './accounts.ts'
import { boolCell, intCell, isNullCell, jsonCell, lineCell, textCell } from './cells.ts'
import { parseOpeningHours } from './hours.ts'
import type { ImportRun, ParentKind, TargetCompany } from './import-run.ts'

/** Maximum length of a menu, a greeting or a farewell. */
const maxLongText = 4096
const hexColor = /^#([\da-f]{3}|[\da-f]{6})$/i

/** Returns a reader for the rows of a table that no earlier run imported, each with its company and id. */
export function makeNewRowReader(run: ImportRun, kind: ParentKind, name: string) {
  return (row: DumpRow): { home: TargetCompany; entry: { oldId: number; row: DumpRow } } | null => {
    const [home, oldId] = [run.companyOf(row), intCell(row, 'id')]
    if (!home || oldId === null) {
      run.skipOrphan(name, 'of no company that came', row.id)
      return null
    }
    if (run.findImported(home, kind, oldId) !== undefined) {
      run.report.tallyOf(name).there++
      return null
    }
    return { home, entry: { oldId, row } }
  }
}

async function loadTakenValues(
  home: TargetCompany,
  table: 'queues' | 'whatsapps',
  column: 'name' | 'color',
): Promise<Set<string>> {
  if (home.id < 0) return new Set()
  const rows = await home.scope.db
    .selectFrom(table)
    .select(column as 'name')
    .where('companyId', '=', home.id)
    .execute()
  return new Set(rows.map((row) => row.name ?? Reflect.get(row, column)).map((value) => String(value).toLowerCase()))
}

export async function importQueues(run: ImportRun): Promise<void> {
  const { report } = run
  await run.forEachBatch('queues', 'queues', makeNewRowReader(run, 'queue', 'queues'), async (home, all) => {
    const names = await loadTakenValues(home, 'queues', 'name')
    const colors = await loadTakenValues(home, 'queues', 'color')
    const entries = all.map(({ oldId, row }) => {
      const wantedName = lineCell(row, 'name', 44) || `Queue ${oldId}`
      const name = findFreeName(wantedName, names, 'moved')
      if (name !== wantedName) report.countChanged('queues', 'renamed, the name is taken', oldId)
      const sourceValue = lineCell(row, 'color', 7).toLowerCase()
      const color = hexColor.test(sourceValue) && !colors.has(sourceValue) ? sourceValue : pickUnusedColor([...colors])
      if (color !== sourceValue) report.countChanged('queues', 'another colour, each has its own', oldId)
      colors.add(color)
      if (lineCell(row, 'mediaPath', 10)) report.countChanged('queues', 'without the file of its greeting', oldId)
      return {
        oldId,
        row: {
          ...{ name, color, orderQueue: intCell(row, 'orderQueue') },
          greetingMessage: textCell(row, 'greetingMessage', maxLongText),
          outOfHoursMessage: textCell(row, 'outOfHoursMessage', maxLongText),
          schedules: parseOpeningHours(jsonCell(row, 'schedules'))?.hours ?? [],
          createdAt: run.timestampCell(row, 'createdAt') ?? run.now(),
          updatedAt: run.timestampCell(row, 'updatedAt') ?? run.now(),
        },
      }
    })
    await run.writeEntries(home, 'queue', 'queues', entries)
  })
}

/** The maximum number of options: customers type 1 to 99. */
const maxOptions = 99
const maxMenuDepth = 50

type MenuOption = { oldId: number; row: DumpRow; queue: number; parent: number | null; home: TargetCompany }

/** Imports menus from the top down, so that a parent exists before its children. */
export async function importMenuOptions(run: ImportRun): Promise<void> {
  const { report, spool } = run
  const name = 'queue options'
  if (!spool.has('queueoptions')) return
  const rows = new Map<number, DumpRow>()
  for (const row of await spool.readAll('queueoptions')) {
    report.tallyOf(name).found++
    const id = intCell(row, 'id')
    if (id === null) report.countSkipped(name, 'cannot be read', row.id)
    else rows.set(id, row)
  }
  const homeOfQueue = new Map<number, TargetCompany>()
  for (const row of await spool.readAll('queues')) {
    const [home, id] = [run.companyOf(row), intCell(row, 'id')]
    if (home && id !== null) homeOfQueue.set(id, home)
  }
  /**
   * The queue of an option: some options name their queue only at the top level. A cycle, or a path deeper than any
   * menu, leads to no queue.
   */
  const queueOf = (id: number): number | null => {
    let row = rows.get(id)
    for (let depth = 0; row && depth < maxMenuDepth; depth++) {
      const parent = intCell(row, 'parentId')
      if (parent === null || !rows.has(parent)) return intCell(row, 'queueId')
      row = rows.get(parent)
    }
    return null
  }
  let level: MenuOption[] = []
  const childrenByParent = new Map<number, MenuOption[]>()
  for (const [oldId, row] of rows) {
    const queue = queueOf(oldId)
    const home = queue === null ? undefined : homeOfQueue.get(queue)
    if (queue === null || !home || run.newIdOf(home, 'queue', queue) === null) {
      run.skipOrphan(name, 'its queue did not come', oldId)
      continue
    }
    const parentId = intCell(row, 'parentId')
    const option = { oldId, row, queue, home, parent: parentId !== null && rows.has(parentId) ? parentId : null }
    if (option.parent === null) level.push(option)
    else {
      const siblings = childrenByParent.get(option.parent)
      if (siblings) siblings.push(option)
      else childrenByParent.set(option.parent, [option])
    }
  }
  run.progress.begin(name, rows.size)
  while (level.length) {
    await writeOptions(run, level)
    run.progress.add(level.length)
    level = level.flatMap(({ oldId }) => childrenByParent.get(oldId) ?? [])
  }
  run.progress.end()
}

async function writeOptions(run: ImportRun, level: MenuOption[]): Promise<void> {
  const { report } = run
  for (const siblings of Map.groupBy(level, ({ queue, parent }) => `${queue}:${parent}`).values()) {
    const { home } = siblings[0] as MenuOption
    siblings.sort((a, b) => (intCell(a.row, 'option') ?? 100) - (intCell(b.row, 'option') ?? 100) || a.oldId - b.oldId)
    for (const { oldId } of siblings.splice(maxOptions))
      report.countSkipped('queue options', 'more than customers can choose from', oldId)
    const usedNumbers = new Set<number>()
    const entries = siblings.flatMap(({ oldId, row, queue, parent }) => {
      if (run.findImported(home, 'option', oldId) !== undefined) {
        report.tallyOf('queue options').there++
        usedNumbers.add(intCell(row, 'option') ?? 0)
        return []
      }
      const sourceValue = intCell(row, 'option') ?? 0
      let option = sourceValue >= 1 && sourceValue <= 99 && !usedNumbers.has(sourceValue) ? sourceValue : 1
      while (usedNumbers.has(option)) option++
      usedNumbers.add(option)
      if (option !== sourceValue) report.countChanged('queue options', 'another number, customers type 1 to 99', oldId)
      const forwardQueueId = run.newIdOf(home, 'queue', intCell(row, 'forwardQueueId'))
      return [
        {
          oldId,
          row: {
            ...{ queueId: run.newIdOf(home, 'queue', queue), parentId: run.newIdOf(home, 'option', parent), option },
            title: lineCell(row, 'title', 120) || String(option),
            message: textCell(row, 'message', maxLongText),
            ...{ leads: forwardQueueId === null ? 'person' : 'queue', forwardQueueId },
            createdAt: run.timestampCell(row, 'createdAt') ?? run.now(),
            updatedAt: run.timestampCell(row, 'updatedAt') ?? run.now(),
          },
        },
      ]
    })
    await run.writeEntries(home, 'option', 'queueOptions', entries)
  }
}

/** Limits the minutes to what the form allows. */
const clampMinutes = (sourceValue: number): number => Math.min(525_600, Math.max(0, sourceValue))

/** An imported line starts without a session, and with no automatic actions. */
const disconnectedLine = { status: 'DISCONNECTED', reason: 'off', wanted: false, provider: 'beta' } as const

const sealToken = (home: TargetCompany, sourceValue: string) => {
  const token = sourceValue.length >= 8 ? sourceValue : randomBytes(32).toString('base64url')
  const { scope } = home
  return { tokenSealed: scope.deps.vault.seal(token), tokenHash: lineTokenHmac(scope.deps, token) }
}

export async function importLines(run: ImportRun): Promise<void> {
  const { report } = run
  const name = 'connections'
  const readNewRow = makeNewRowReader(run, 'line', name)
  const read = (row: DumpRow) => {
    const channel = lineCell(row, 'channel', 40) || 'whatsapp'
    if (channel === 'whatsapp') return readNewRow(row)
    report.countSkipped(name, `of ${channel}, which is not spoken here`, row.id)
    return null
  }
  await run.forEachBatch('whatsapps', name, read, async (home, all) => {
    const names = await loadTakenValues(home, 'whatsapps', 'name')
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
    const tokenHashes = new Set<string>()
    const entries = all.map(({ oldId, row }) => {
      const wantedName = lineCell(row, 'name', 44) || `Line ${oldId}`
      const lineName = findFreeName(wantedName, names, 'moved')
      if (lineName !== wantedName) report.countChanged(name, 'renamed, the name is taken', oldId)
      const isDefault = !hasDefault && boolCell(row, 'isDefault')
      hasDefault ||= isDefault
      if ((intCell(row, 'expiresTicket') ?? 0) > 0 || (intCell(row, 'timeToTransfer') ?? 0) > 0)
        report.countChanged(name, 'its clocks are off (closing and passing on by themselves)', oldId)
      let keys = sealToken(home, lineCell(row, 'token', 100))
      if (tokenHashes.has(keys.tokenHash)) keys = sealToken(home, '')
      tokenHashes.add(keys.tokenHash)
      return {
        oldId,
        row: {
          ...disconnectedLine,
          ...keys,
          ...{ name: lineName, isDefault },
          greetingMessage: textCell(row, 'greetingMessage', maxLongText),
          complationMessage:
            textCell(row, 'complationMessage', maxLongText) || textCell(row, 'farewellMessage', maxLongText),
          outOfHoursMessage: textCell(row, 'outOfHoursMessage', maxLongText),
          ratingMessage: textCell(row, 'ratingMessage', maxLongText),
          // A running timer would close the imported tickets and message customers: the company can enable it later.
          expiresTicket: 0,
          expiresInactiveMessage: textCell(row, 'expiresInactiveMessage', maxLongText),
          transferQueueId: run.newIdOf(home, 'queue', intCell(row, 'transferQueueId')),
          timeUseBotQueues: clampMinutes(intCell(row, 'timeUseBotQueues') ?? 0),
          maxUseBotQueues: clampMinutes(intCell(row, 'maxUseBotQueues') ?? 3),
          createdAt: run.timestampCell(row, 'createdAt') ?? run.now(),
          updatedAt: run.timestampCell(row, 'updatedAt') ?? run.now(),
        },
      }
    })
    await run.writeEntries(home, 'line', 'whatsapps', entries)
  })
}

/**
 * Tickets whose connection was deleted in the source still need a line: messages belong to a chat, and a chat to a
 * line. A company gets one placeholder line, created when needed.
 */
export function makeStandInLines(run: ImportRun) {
  const made = new Map<TargetCompany, number>()
  const oldId = 0
  return async (home: TargetCompany): Promise<number> => {
    const known = made.get(home) ?? run.newIdOf(home, 'line', -home.oldId - 1)
    if (known) return known
    const names = await loadTakenValues(home, 'whatsapps', 'name')
    const name = findFreeName(run.kind === 'ticketz' ? 'Ticketz' : 'Whaticket', names, 'moved')
    const now = run.now()
    const row: Partial<Record<keyof DB['whatsapps'], unknown>> = {
      ...{ ...disconnectedLine, ...sealToken(home, ''), name, isDefault: false, createdAt: now, updatedAt: now },
    }
    await run.writeEntries(home, 'line', 'whatsapps', [{ oldId: oldId - home.oldId - 1, row }])
    run.report.countChanged('connections', 'made for tickets whose connection was deleted', name)
    const id = run.newIdOf(home, 'line', -home.oldId - 1) ?? 0
    made.set(home, id)
    return id
  }
}

export async function importTags(run: ImportRun): Promise<void> {
  const lanes = new Map<TargetCompany, number>()
  await run.forEachBatch('tags', 'tags', makeNewRowReader(run, 'tag', 'tags'), async (home, all) => {
    const entries = all.map(({ oldId, row }) => {
      const kanban = intCell(row, 'kanban') === 1 || boolCell(row, 'kanban') ? 1 : 0
      const position = kanban ? (lanes.get(home) ?? 0) + 1 : 0
      if (kanban) lanes.set(home, position)
      const sourceValue = lineCell(row, 'color', 7)
      return {
        oldId,
        row: {
          ...{
            name: lineCell(row, 'name', 50) || `Tag ${oldId}`,
            color: hexColor.test(sourceValue) ? sourceValue : defaultTagColor,
          },
          ...{ kanban, position, createdAt: run.timestampCell(row, 'createdAt') ?? run.now() },
        },
      }
    })
    await run.writeEntries(home, 'tag', 'tags', entries)
  })
}

/** Imports quick replies. A shortcut must be unique for the agent who types it. */
export async function importQuickReplies(run: ImportRun): Promise<void> {
  const { report } = run
  const name = 'quick replies'
  const takenByCompany = new Map<TargetCompany, Set<string>>()
  const shortcutKey = (userId: number | null, geral: boolean, shortcode: string) =>
    `${geral ? 'all' : userId}:${shortcode.toLowerCase()}`
  const loadTaken = async (home: TargetCompany) => {
    const known = takenByCompany.get(home)
    if (known) return known
    const existing =
      home.id < 0
        ? []
        : await home.scope.db
            .selectFrom('quickMessages')
            .select(['userId', 'geral', 'shortcode'])
            .where('companyId', '=', home.id)
            .execute()
    const made = new Set(existing.map((one) => shortcutKey(one.userId, one.geral, one.shortcode)))
    takenByCompany.set(home, made)
    return made
  }
  const write = async (home: TargetCompany, all: { oldId: string; row: DumpRow }[]) => {
    const newRows = await run.filterNew(home, 'quick', all)
    const usedNumbers = await loadTaken(home)
    const entries = newRows.flatMap(({ oldId, row }) => {
      const wantedName = lineCell(row, 'shortcode', 46) || lineCell(row, 'shortcut', 46)
      const message = textCell(row, 'message', maxLongText)
      if (!wantedName || !message) {
        report.countSkipped(name, 'without a shortcut or a text', oldId)
        return []
      }
      const userId = run.newIdOf(home, 'user', intCell(row, 'userId'))
      const geral = boolCell(row, 'geral') || userId === null
      let shortcode = wantedName
      for (let n = 2; usedNumbers.has(shortcutKey(userId, geral, shortcode)); n++)
        shortcode = `${wantedName} ${n < maxNameTries ? n : randomBytes(4).toString('hex')}`
      if (shortcode !== wantedName) report.countChanged(name, 'renamed, the shortcut is taken', oldId)
      usedNumbers.add(shortcutKey(userId, geral, shortcode))
      if (lineCell(row, 'mediaPath', 10)) report.countChanged(name, 'without its file', oldId)
      const status = isNullCell(row, 'status') || boolCell(row, 'status')
      return [
        {
          oldId,
          row: {
            shortcode,
            message,
            userId,
            geral,
            status,
            createdAt: run.timestampCell(row, 'createdAt') ?? run.now(),
          },
        },
      ]
    })
    await run.writeEntries(home, 'quick', 'quickMessages', entries)
  }
  for (const table of ['quickmessages', 'quickanswers'] as const)
    await run.forEachBatch(
      table,
      name,
      (row) => {
        const [home, id] = [run.companyOf(row), intCell(row, 'id')]
        if (home && id !== null)
          return { home, entry: { oldId: table === 'quickanswers' ? `answer ${id}` : String(id), row } }
        run.skipOrphan(name, 'of no company that came', row.id)
        return null
      },
      write,
    )
}
