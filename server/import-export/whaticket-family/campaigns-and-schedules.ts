import { campaignStates } from '@recado/contract/campaigns/campaigns'
import { CampaignSettings } from '@recado/contract/campaigns/settings'
import { sql } from 'kysely'
import { countCampaign } from '../../src/desk/campaigns/recount.ts'
import { normalizePhoneNumber, phoneKey } from '../../src/directory/contacts/identity.ts'
import type { DumpRow } from '../dump/read-dump.ts'
import { insertRows } from '../insert.ts'
import { boolCell, intCell, jsonCell, lineCell, textCell } from './cells.ts'
import { makeNewRowReader } from './directory.ts'
import type { ImportRun, TargetCompany } from './import-run.ts'

/** Scheduled messages and campaigns. None of them is sent automatically after the import: an agent has to send them. */

/** The line for messages to a contact: the company's default, or any. */
async function findDefaultLine(move: ImportRun, home: TargetCompany): Promise<number | null> {
  if (home.id < 0) return move.nextDryRunId()
  const { rows } = await sql<{ id: number }>`
    select id from whatsapps where "companyId" = ${home.id} order by "isDefault" desc, id limit 1`.execute(
    home.scope.db,
  )
  return rows[0]?.id ?? null
}

/** Scheduled messages: sent ones are history, unsent ones wait for somebody to decide. */
export async function importSchedules(move: ImportRun): Promise<void> {
  const { report } = move
  const name = 'scheduled messages'
  const now = move.now()
  await move.forEachBatch(
    'schedules',
    name,
    (row) => {
      const [home, id] = [move.companyOf(row), intCell(row, 'id')]
      const contactId = home ? move.newIdOf(home, 'contact', intCell(row, 'contactId')) : null
      const body = textCell(row, 'body', 4096)
      const sendAt = move.timestampCell(row, 'sendAt')
      if (!home || id === null) move.skipOrphan(name, 'of no company that came', row.id)
      else if (contactId === null) report.countSkipped(name, 'its contact did not come', id)
      else if (!body || !sendAt) report.countSkipped(name, 'without a text or a time', id)
      else return { home, entry: { oldId: id, row, contactId, body, sendAt } }
      return null
    },
    async (home, all) => {
      const whatsappId = await findDefaultLine(move, home)
      const fresh = await move.filterNew(home, 'schedule', all)
      const entries = fresh.map(({ oldId, row, contactId, body, sendAt }) => {
        const sentAt = move.timestampCell(row, 'sentAt')
        const sent = sentAt !== null || row.status === 'ENVIADA'
        const waits = !sent && row.status !== 'ERRO' && sendAt > now
        if (waits) report.countChanged(name, 'held until somebody says that it is to go', oldId)
        if (lineCell(row, 'mediaPath', 10)) report.countChanged(name, 'without its file', oldId)
        return {
          oldId,
          row: {
            ...{ contactId, whatsappId, userId: move.newIdOf(home, 'user', intCell(row, 'userId')), body, sendAt },
            sentAt: sent ? (sentAt ?? sendAt) : null,
            status: sent ? 'ENVIADA' : waits ? 'PENDENTE' : 'ERRO',
            error: sent || waits ? null : 'too-late',
            heldAt: waits ? now : null,
            onReply: waits ? 'hold' : 'send',
            createdAt: move.timestampCell(row, 'createdAt') ?? now,
          },
        }
      })
      await move.writeEntries(home, 'schedule', 'schedules', entries)
    },
  )
}

export async function importContactLists(move: ImportRun): Promise<void> {
  const { report, spool } = move
  await move.forEachBatch(
    'contactlists',
    'contact lists',
    makeNewRowReader(move, 'list', 'contact lists'),
    async (home, all) => {
      const entries = all.map(({ oldId, row }) => ({
        oldId,
        row: {
          name: lineCell(row, 'name', 50) || `List ${oldId}`,
          createdAt: move.timestampCell(row, 'createdAt') ?? move.now(),
        },
      }))
      await move.writeEntries(home, 'list', 'contactLists', entries)
    },
  )
  if (!spool.has('contactlistitems')) return
  const name = 'people of lists'
  const seen = new Map<string, number>()
  const touched = new Map<TargetCompany, Set<number>>()
  await move.forEachBatch(
    'contactlistitems',
    name,
    (row) => {
      const [home, oldId] = [move.companyOf(row), intCell(row, 'id')]
      const contactListId = home ? move.newIdOf(home, 'list', intCell(row, 'contactListId')) : null
      const number = normalizePhoneNumber(row.number)
      if (!home || oldId === null || contactListId === null) move.skipOrphan(name, 'its list did not come', row.id)
      else if (move.findImported(home, 'listItem', oldId) !== undefined) report.tallyOf(name).there++
      else if (number.length < 5) report.countSkipped(name, 'without a number', oldId)
      else return { home, entry: { oldId, row, contactListId, number, key: phoneKey(number) } }
      return null
    },
    async (home, all) => {
      const there = await findListItems(home, all)
      const entries = all.flatMap(({ oldId, row, contactListId, number, key }) => {
        const mark = `${contactListId} ${key}`
        const double = there.get(mark) ?? seen.get(mark)
        if (double !== undefined) {
          report.countSkipped(name, 'twice in its list', oldId)
          return []
        }
        seen.set(mark, 0)
        const valid =
          row.isWhatsappValid === null || row.isWhatsappValid === undefined ? null : boolCell(row, 'isWhatsappValid')
        return [
          {
            oldId,
            row: {
              ...{
                contactListId,
                name: lineCell(row, 'name', 100) || number,
                number,
                key,
                email: lineCell(row, 'email', 100),
              },
              ...{ isWhatsappValid: valid, createdAt: move.timestampCell(row, 'createdAt') ?? move.now() },
            },
          },
        ]
      })
      await move.writeEntries(home, 'listItem', 'contactListItems', entries)
      seen.clear()
      const lists = touched.get(home) ?? new Set()
      touched.set(home, lists)
      for (const { row } of entries) lists.add(row.contactListId)
    },
  )
  if (move.dryRun) return
  for (const [home, lists] of touched)
    await sql`
      update "contactLists" l set "contactsCount" = n.all, "validCount" = n.valid, "invalidCount" = n.invalid
      from (
        select "contactListId" as id, count(*)::int as all, count(*) filter (where "isWhatsappValid")::int as valid,
          count(*) filter (where not "isWhatsappValid")::int as invalid
        from "contactListItems" where "companyId" = ${home.id} and "contactListId" = any(${[...lists]}::int[]) group by 1
      ) n where l."companyId" = ${home.id} and l.id = n.id`.execute(home.scope.db)
}

async function findListItems(
  home: TargetCompany,
  all: { contactListId: number; key: string }[],
): Promise<Map<string, number>> {
  if (home.id < 0) return new Map()
  const { rows } = await sql<{ contactListId: number; key: string; id: number }>`
    select i."contactListId", i.key, i.id
    from unnest(${all.map((one) => one.contactListId)}::int[], ${all.map((one) => one.key)}::text[]) k (list, key)
    join "contactListItems" i on i."companyId" = ${home.id} and i."contactListId" = k.list and i.key = k.key`.execute(
    home.scope.db,
  )
  return new Map(rows.map((row) => [`${row.contactListId} ${row.key}`, row.id]))
}

/** Finished campaigns stay finished; running ones are stopped, and planned ones become drafts. */
const statusAfterImport = {
  INATIVA: 'INATIVA',
  PROGRAMADA: 'INATIVA',
  EM_ANDAMENTO: 'CANCELADA',
  CANCELADA: 'CANCELADA',
  FINALIZADA: 'FINALIZADA',
} as const

export async function importCampaigns(move: ImportRun): Promise<void> {
  const { report } = move
  const name = 'campaigns'
  const over = new Set<number>()
  const homes = new Map<number, TargetCompany>()
  const note = (row: DumpRow) => {
    const [home, id] = [move.companyOf(row), intCell(row, 'id')]
    if (home && id !== null) homes.set(id, home)
    if (id !== null && row.status === 'FINALIZADA') over.add(id)
    return makeNewRowReader(move, 'campaign', name)(row)
  }
  await move.forEachBatch('campaigns', name, note, async (home, all) => {
    const entries = all.map(({ oldId, row }) => {
      const said = campaignStates.find((state) => state === row.status) ?? 'INATIVA'
      const status = statusAfterImport[said]
      if (status !== said)
        report.countChanged(
          name,
          said === 'PROGRAMADA' ? 'not planned any more: a draft' : 'stopped: somebody starts it again',
          oldId,
        )
      if (lineCell(row, 'mediaPath', 10)) report.countChanged(name, 'without its file', oldId)
      const texts = Object.fromEntries(
        [1, 2, 3, 4, 5]
          .flatMap((n) => [`message${n}`, `confirmationMessage${n}`])
          .map((key) => [key, textCell(row, key, 4096)]),
      )
      const createdAt = move.timestampCell(row, 'createdAt') ?? move.now()
      const begun = status === 'INATIVA' ? null : (move.timestampCell(row, 'scheduledAt') ?? createdAt)
      return {
        oldId,
        row: {
          ...texts,
          ...{
            name: lineCell(row, 'name', 50) || `Campaign ${oldId}`,
            status,
            confirmation: boolCell(row, 'confirmation'),
          },
          contactListId: move.newIdOf(home, 'list', intCell(row, 'contactListId')),
          tagId: move.newIdOf(home, 'tag', intCell(row, 'tagId')),
          whatsappId: move.newIdOf(home, 'line', intCell(row, 'whatsappId')),
          ...{ scheduledAt: begun, startedAt: begun, createdAt, freshSince: move.now() },
          completedAt:
            status === 'FINALIZADA'
              ? (move.timestampCell(row, 'completedAt') ?? move.timestampCell(row, 'updatedAt') ?? createdAt)
              : null,
        },
      }
    })
    await move.writeEntries(home, 'campaign', 'campaigns', entries)
  })
  await importCampaignShippings(move, homes, over)
  await importCampaignSettings(move)
}

/**
 * The recipients of a campaign. Those who got nothing stay pending in a stopped campaign; in a finished one they get
 * nothing.
 */
async function importCampaignShippings(
  move: ImportRun,
  homes: Map<number, TargetCompany>,
  over: Set<number>,
): Promise<void> {
  const { report, spool } = move
  const name = 'people of campaigns'
  if (!spool.has('campaignshipping')) return
  const items = new Map<number, { name: string; email: string }>()
  const touched = new Map<TargetCompany, Set<number>>()
  await move.forEachBatch(
    'campaignshipping',
    name,
    (row) => {
      const campaign = intCell(row, 'campaignId')
      const home = homes.get(campaign ?? -1)
      const campaignId = home ? move.newIdOf(home, 'campaign', campaign) : null
      const number = normalizePhoneNumber(row.number)
      if (!home || campaignId === null || campaign === null) move.skipOrphan(name, 'its campaign did not come', row.id)
      else if (number.length < 5) report.countSkipped(name, 'without a number', row.id)
      else return { home, entry: { oldId: String(row.id), row, campaignId, number, isOver: over.has(campaign) } }
      return null
    },
    async (home, all) => {
      const fresh = await move.filterNew(home, 'shipping', all)
      const once = new Map(fresh.map((one) => [`${one.campaignId} ${phoneKey(one.number)}`, one]))
      const people = await loadListItemNames(move, home, [...once.values()])
      const entries = [...once.values()].map(({ oldId, row, campaignId, number, isOver }) => {
        const deliveredAt = move.timestampCell(row, 'deliveredAt')
        const askedAt = move.timestampCell(row, 'confirmationRequestedAt')
        const confirmedAt = move.timestampCell(row, 'confirmedAt')
        const person = people.get(intCell(row, 'contactId') ?? -1)
        return {
          oldId,
          row: {
            ...{ campaignId, key: phoneKey(number), number, name: person?.name ?? number, email: person?.email ?? '' },
            // Invisible characters by which the family recognizes its own campaigns.
            body: textCell(row, 'message', 4096).replace(/[\u200c\u200e]/g, ''),
            confirmationBody: textCell(row, 'confirmationMessage', 4096).replace(/[\u200c\u200e]/g, ''),
            state: deliveredAt ? 'sent' : isOver ? 'skipped' : 'pending',
            reason: deliveredAt || !isOver ? null : 'unknown',
            // In the source it means handed over to WhatsApp; the arrival was not recorded.
            ...{ askedAt, confirmedAt, queuedAt: deliveredAt, sentAt: deliveredAt },
          },
        }
      })
      await move.writeEntries(home, 'shipping', 'campaignShippings', entries)
      const campaigns = touched.get(home) ?? new Set()
      touched.set(home, campaigns)
      for (const { campaignId } of fresh) campaigns.add(campaignId)
      items.clear()
    },
  )
  if (move.dryRun) return
  for (const [home, campaigns] of touched)
    for (const id of campaigns) {
      const row = await home.scope.db
        .selectFrom('campaigns')
        .selectAll()
        .where('companyId', '=', home.id)
        .where('id', '=', id)
        .executeTakeFirst()
      if (!row) continue
      const counts = JSON.stringify(await countCampaign(home.scope, row))
      await home.scope.db
        .updateTable('campaigns')
        .set({ counts })
        .where('companyId', '=', home.id)
        .where('id', '=', id)
        .execute()
    }
}

/** Names and numbers of the recipients: campaign rows reference a row of a contact list. */
async function loadListItemNames(
  move: ImportRun,
  home: TargetCompany,
  all: { row: DumpRow }[],
): Promise<Map<number, { name: string; email: string }>> {
  if (home.id < 0) return new Map()
  const ids = new Map(
    all.flatMap(({ row }) => {
      const oldId = intCell(row, 'contactId')
      const id = move.newIdOf(home, 'listItem', oldId)
      return oldId === null || id === null ? [] : [[id, oldId] as const]
    }),
  )
  const rows = ids.size
    ? await home.scope.db
        .selectFrom('contactListItems')
        .select(['id', 'name', 'email'])
        .where('companyId', '=', home.id)
        .where('id', 'in', [...ids.keys()])
        .execute()
    : []
  return new Map(rows.map(({ id, name, email }) => [ids.get(id) as number, { name, email }]))
}

async function importCampaignSettings(move: ImportRun): Promise<void> {
  const { report } = move
  const name = 'campaign settings'
  await move.forEachBatch(
    'campaignsettings',
    name,
    (row) => {
      const home = move.companyOf(row)
      const key = lineCell(row, 'key', 60)
      if (!home) {
        move.skipOrphan(name, 'of no company that came', key)
        return null
      }
      const shape = Object.hasOwn(CampaignSettings.shape, key)
        ? CampaignSettings.shape[key as keyof typeof CampaignSettings.shape]
        : null
      const said = jsonCell(row, 'value') ?? row.value
      const value = shape?.safeParse(said)
      if (value?.success) return { home, entry: { companyId: home.id, key, value: value.data } }
      report.countSkipped(name, shape ? 'a value that is none here' : 'no such setting here', key)
      return null
    },
    async (home, entries) => {
      const here =
        home.id < 0
          ? []
          : await home.scope.db.selectFrom('campaignSettings').select('key').where('companyId', '=', home.id).execute()
      const known = new Set(here.map(({ key }) => key))
      const fresh = entries.filter(({ key }) => !known.has(key) && known.add(key))
      report.tallyOf(name).there += entries.length - fresh.length
      if (!move.dryRun) await insertRows(home.scope.db, 'campaignSettings', fresh, null)
      report.tallyOf(name).written += fresh.length
    },
  )
}
