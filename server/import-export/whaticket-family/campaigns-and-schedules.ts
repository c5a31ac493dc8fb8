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

/** The line for messages to a contact: the company's default line, or any line. */
async function findDefaultLine(run: ImportRun, home: TargetCompany): Promise<number | null> {
  if (home.id < 0) return run.nextDryRunId()
  const { rows } = await sql<{ id: number }>`
    select id from whatsapps where "companyId" = ${home.id} order by "isDefault" desc, id limit 1`.execute(
    home.scope.db,
  )
  return rows[0]?.id ?? null
}

/** Imports scheduled messages: sent messages become history, unsent messages wait until a user decides. */
export async function importSchedules(run: ImportRun): Promise<void> {
  const { report } = run
  const name = 'scheduled messages'
  const now = run.now()
  await run.forEachBatch(
    'schedules',
    name,
    (row) => {
      const [home, id] = [run.companyOf(row), intCell(row, 'id')]
      const contactId = home ? run.newIdOf(home, 'contact', intCell(row, 'contactId')) : null
      const body = textCell(row, 'body', 4096)
      const sendAt = run.timestampCell(row, 'sendAt')
      if (!home || id === null) run.skipOrphan(name, 'of no company that came', row.id)
      else if (contactId === null) report.countSkipped(name, 'its contact did not come', id)
      else if (!body || !sendAt) report.countSkipped(name, 'without a text or a time', id)
      else return { home, entry: { oldId: id, row, contactId, body, sendAt } }
      return null
    },
    async (home, all) => {
      const whatsappId = await findDefaultLine(run, home)
      const newEntries = await run.filterNew(home, 'schedule', all)
      const entries = newEntries.map(({ oldId, row, contactId, body, sendAt }) => {
        const sentAt = run.timestampCell(row, 'sentAt')
        const sent = sentAt !== null || row.status === 'ENVIADA'
        const isHeld = !sent && row.status !== 'ERRO' && sendAt > now
        if (isHeld) report.countChanged(name, 'held until somebody says that it is to go', oldId)
        if (lineCell(row, 'mediaPath', 10)) report.countChanged(name, 'without its file', oldId)
        return {
          oldId,
          row: {
            ...{ contactId, whatsappId, userId: run.newIdOf(home, 'user', intCell(row, 'userId')), body, sendAt },
            sentAt: sent ? (sentAt ?? sendAt) : null,
            status: sent ? 'ENVIADA' : isHeld ? 'PENDENTE' : 'ERRO',
            error: sent || isHeld ? null : 'too-late',
            heldAt: isHeld ? now : null,
            onReply: isHeld ? 'hold' : 'send',
            createdAt: run.timestampCell(row, 'createdAt') ?? now,
          },
        }
      })
      await run.writeEntries(home, 'schedule', 'schedules', entries)
    },
  )
}

export async function importContactLists(run: ImportRun): Promise<void> {
  const { report, spool } = run
  await run.forEachBatch(
    'contactlists',
    'contact lists',
    makeNewRowReader(run, 'list', 'contact lists'),
    async (home, all) => {
      const entries = all.map(({ oldId, row }) => ({
        oldId,
        row: {
          name: lineCell(row, 'name', 50) || `List ${oldId}`,
          createdAt: run.timestampCell(row, 'createdAt') ?? run.now(),
        },
      }))
      await run.writeEntries(home, 'list', 'contactLists', entries)
    },
  )
  if (!spool.has('contactlistitems')) return
  const name = 'people of lists'
  const seen = new Map<string, number>()
  const touchedByCompany = new Map<TargetCompany, Set<number>>()
  await run.forEachBatch(
    'contactlistitems',
    name,
    (row) => {
      const [home, oldId] = [run.companyOf(row), intCell(row, 'id')]
      const contactListId = home ? run.newIdOf(home, 'list', intCell(row, 'contactListId')) : null
      const number = normalizePhoneNumber(row.number)
      if (!home || oldId === null || contactListId === null) run.skipOrphan(name, 'its list did not come', row.id)
      else if (run.findImported(home, 'listItem', oldId) !== undefined) report.tallyOf(name).there++
      else if (number.length < 5) report.countSkipped(name, 'without a number', oldId)
      else return { home, entry: { oldId, row, contactListId, number, key: phoneKey(number) } }
      return null
    },
    async (home, all) => {
      const existingItems = await findListItems(home, all)
      const entries = all.flatMap(({ oldId, row, contactListId, number, key }) => {
        const itemKey = `${contactListId} ${key}`
        const duplicateId = existingItems.get(itemKey) ?? seen.get(itemKey)
        if (duplicateId !== undefined) {
          report.countSkipped(name, 'twice in its list', oldId)
          return []
        }
        seen.set(itemKey, 0)
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
              ...{ isWhatsappValid: valid, createdAt: run.timestampCell(row, 'createdAt') ?? run.now() },
            },
          },
        ]
      })
      await run.writeEntries(home, 'listItem', 'contactListItems', entries)
      seen.clear()
      const lists = touchedByCompany.get(home) ?? new Set()
      touchedByCompany.set(home, lists)
      for (const { row } of entries) lists.add(row.contactListId)
    },
  )
  if (run.dryRun) return
  for (const [home, lists] of touchedByCompany)
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

/** Finished campaigns stay finished; running campaigns are stopped, and planned campaigns become drafts. */
const statusAfterImport = {
  INATIVA: 'INATIVA',
  PROGRAMADA: 'INATIVA',
  EM_ANDAMENTO: 'CANCELADA',
  CANCELADA: 'CANCELADA',
  FINALIZADA: 'FINALIZADA',
} as const

export async function importCampaigns(run: ImportRun): Promise<void> {
  const { report } = run
  const name = 'campaigns'
  const finishedIds = new Set<number>()
  const companyByCampaign = new Map<number, TargetCompany>()
  const readCampaign = (row: DumpRow) => {
    const [home, id] = [run.companyOf(row), intCell(row, 'id')]
    if (home && id !== null) companyByCampaign.set(id, home)
    if (id !== null && row.status === 'FINALIZADA') finishedIds.add(id)
    return makeNewRowReader(run, 'campaign', name)(row)
  }
  await run.forEachBatch('campaigns', name, readCampaign, async (home, all) => {
    const entries = all.map(({ oldId, row }) => {
      const sourceValue = campaignStates.find((state) => state === row.status) ?? 'INATIVA'
      const status = statusAfterImport[sourceValue]
      if (status !== sourceValue)
        report.countChanged(
          name,
          sourceValue === 'PROGRAMADA' ? 'not planned any more: a draft' : 'stopped: somebody starts it again',
          oldId,
        )
      if (lineCell(row, 'mediaPath', 10)) report.countChanged(name, 'without its file', oldId)
      const texts = Object.fromEntries(
        [1, 2, 3, 4, 5]
          .flatMap((n) => [`message${n}`, `confirmationMessage${n}`])
          .map((key) => [key, textCell(row, key, 4096)]),
      )
      const createdAt = run.timestampCell(row, 'createdAt') ?? run.now()
      const startedAt = status === 'INATIVA' ? null : (run.timestampCell(row, 'scheduledAt') ?? createdAt)
      return {
        oldId,
        row: {
          ...texts,
          ...{
            name: lineCell(row, 'name', 50) || `Campaign ${oldId}`,
            status,
            confirmation: boolCell(row, 'confirmation'),
          },
          contactListId: run.newIdOf(home, 'list', intCell(row, 'contactListId')),
          tagId: run.newIdOf(home, 'tag', intCell(row, 'tagId')),
          whatsappId: run.newIdOf(home, 'line', intCell(row, 'whatsappId')),
          ...{ scheduledAt: startedAt, startedAt: startedAt, createdAt, freshSince: run.now() },
          completedAt:
            status === 'FINALIZADA'
              ? (run.timestampCell(row, 'completedAt') ?? run.timestampCell(row, 'updatedAt') ?? createdAt)
              : null,
        },
      }
    })
    await run.writeEntries(home, 'campaign', 'campaigns', entries)
  })
  await importCampaignShippings(run, companyByCampaign, finishedIds)
  await importCampaignSettings(run)
}

/**
 * Imports the recipients of a campaign. Recipients who got nothing stay pending in a stopped campaign; in a finished
 * campaign they get nothing.
 */
async function importCampaignShippings(
  run: ImportRun,
  companyByCampaign: Map<number, TargetCompany>,
  finishedIds: Set<number>,
): Promise<void> {
  const { report, spool } = run
  const name = 'people of campaigns'
  if (!spool.has('campaignshipping')) return
  const items = new Map<number, { name: string; email: string }>()
  const touchedByCompany = new Map<TargetCompany, Set<number>>()
  await run.forEachBatch(
    'campaignshipping',
    name,
    (row) => {
      const campaign = intCell(row, 'campaignId')
      const home = companyByCampaign.get(campaign ?? -1)
      const campaignId = home ? run.newIdOf(home, 'campaign', campaign) : null
      const number = normalizePhoneNumber(row.number)
      if (!home || campaignId === null || campaign === null) run.skipOrphan(name, 'its campaign did not come', row.id)
      else if (number.length < 5) report.countSkipped(name, 'without a number', row.id)
      else return { home, entry: { oldId: String(row.id), row, campaignId, number, isOver: finishedIds.has(campaign) } }
      return null
    },
    async (home, all) => {
      const newEntries = await run.filterNew(home, 'shipping', all)
      const uniqueEntries = new Map(newEntries.map((one) => [`${one.campaignId} ${phoneKey(one.number)}`, one]))
      const people = await loadListItemNames(run, home, [...uniqueEntries.values()])
      const entries = [...uniqueEntries.values()].map(({ oldId, row, campaignId, number, isOver }) => {
        const deliveredAt = run.timestampCell(row, 'deliveredAt')
        const askedAt = run.timestampCell(row, 'confirmationRequestedAt')
        const confirmedAt = run.timestampCell(row, 'confirmedAt')
        const person = people.get(intCell(row, 'contactId') ?? -1)
        return {
          oldId,
          row: {
            ...{ campaignId, key: phoneKey(number), number, name: person?.name ?? number, email: person?.email ?? '' },
            // Removes invisible characters by which Whaticket-compatible systems recognize their own campaigns.
            body: textCell(row, 'message', 4096).replace(/[\u200c\u200e]/g, ''),
            confirmationBody: textCell(row, 'confirmationMessage', 4096).replace(/[\u200c\u200e]/g, ''),
            state: deliveredAt ? 'sent' : isOver ? 'skipped' : 'pending',
            reason: deliveredAt || !isOver ? null : 'unknown',
            // In the source, `deliveredAt` is when the message was handed over to WhatsApp; the arrival was not recorded.
            ...{ askedAt, confirmedAt, queuedAt: deliveredAt, sentAt: deliveredAt },
          },
        }
      })
      await run.writeEntries(home, 'shipping', 'campaignShippings', entries)
      const campaigns = touchedByCompany.get(home) ?? new Set()
      touchedByCompany.set(home, campaigns)
      for (const { campaignId } of newEntries) campaigns.add(campaignId)
      items.clear()
    },
  )
  if (run.dryRun) return
  for (const [home, campaigns] of touchedByCompany)
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
  run: ImportRun,
  home: TargetCompany,
  all: { row: DumpRow }[],
): Promise<Map<number, { name: string; email: string }>> {
  if (home.id < 0) return new Map()
  const ids = new Map(
    all.flatMap(({ row }) => {
      const oldId = intCell(row, 'contactId')
      const id = run.newIdOf(home, 'listItem', oldId)
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

async function importCampaignSettings(run: ImportRun): Promise<void> {
  const { report } = run
  const name = 'campaign settings'
  await run.forEachBatch(
    'campaignsettings',
    name,
    (row) => {
      const home = run.companyOf(row)
      const key = lineCell(row, 'key', 60)
      if (!home) {
        run.skipOrphan(name, 'of no company that came', key)
        return null
      }
      const shape = Object.hasOwn(CampaignSettings.shape, key)
        ? CampaignSettings.shape[key as keyof typeof CampaignSettings.shape]
        : null
      const sourceValue = jsonCell(row, 'value') ?? row.value
      const value = shape?.safeParse(sourceValue)
      if (value?.success) return { home, entry: { companyId: home.id, key, value: value.data } }
      report.countSkipped(name, shape ? 'a value that is none here' : 'no such setting here', key)
      return null
    },
    async (home, entries) => {
      const existing =
        home.id < 0
          ? []
          : await home.scope.db.selectFrom('campaignSettings').select('key').where('companyId', '=', home.id).execute()
      const known = new Set(existing.map(({ key }) => key))
      const newEntries = entries.filter(({ key }) => !known.has(key) && known.add(key))
      report.tallyOf(name).there += entries.length - newEntries.length
      if (!run.dryRun) await insertRows(home.scope.db, 'campaignSettings', newEntries, null)
      report.tallyOf(name).written += newEntries.length
    },
  )
}
