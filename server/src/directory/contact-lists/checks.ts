import { contactListItemsApi } from '@recado/contract/campaigns/contact-lists'
import { traits } from '@recado/contract/traits'
import { type Selectable, sql } from 'kysely'
import { later } from '../../kernel/clock.ts'
import { type Means, Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { callingOut, type JobHandlers, laneOf } from '../../kernel/jobs.ts'
import { fullerNumber, phoneKey, shownNumber } from '../contacts/identity.ts'
import type { Phones } from '../contacts/phones.ts'
import { campaignRooms, recount } from './lists.ts'

declare module '../../kernel/jobs.ts' {
  interface Jobs {
    'list:check': { companyId: number }
  }
}

/** A linked phone that asks for strangers by the thousand is noticed: one a second, in portions. */
const paced = { portion: 20, restMs: 20_000 }
/** Others are asked as fast as they answer. */
const quick = { portion: 500, restMs: 0 }
/** A line that moves to another process is there again by then. */
const betweenMs = 10_000
/**
 * A check that failed says nothing of the number: it is tried again after five seconds, twenty, …, six hours. Most fail
 * because a line was away for a moment, and a campaign waits for them.
 */
const againMs = (tries: number) => Math.min(5000 * 4 ** tries, 6 * 3_600_000)

/**
 * There are numbers that nobody knows yet: somebody asks for them, now or at that time. What is wanted later has a key of
 * its own: a job that ends with "in six hours" must not put off what somebody has brought meanwhile.
 */
export const wantChecks = (scope: Scope, runAt?: Date): Promise<void> =>
  scope.job(
    'list:check',
    { companyId: scope.companyId },
    {
      key: `list-check${runAt ? '-later' : ''}:${scope.companyId}`,
      queue: laneOf(scope.companyId, 0),
      ...(runAt && { runAt }),
    },
  )

/** A line is there: what waited for one is asked for. */
export async function checkWhatWaits(scope: Scope): Promise<void> {
  const waits = await scope.db
    .selectFrom('contactListItems')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('isWhatsappValid', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (waits) await wantChecks(scope)
}

export const checkJobs = (means: Means, phones: Phones): Pick<JobHandlers, 'list:check'> => ({
  'list:check': callingOut(async ({ companyId }) => checkSome(new Scope(means, { companyId }), phones)),
})

type ItemRow = Selectable<DB['contactListItems']>
type Asked = { item: ItemRow; said: string | null | 'failed' }

/** Asks the line for a portion of the numbers, keeps what it says, and goes on later while there are more. */
async function checkSome(scope: Scope, phones: Phones): Promise<void> {
  const pace = await paceOf(scope)
  const due = await scope.db
    .selectFrom('contactListItems')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('isWhatsappValid', 'is', null)
    .where('checkAfter', '<=', scope.now().toISOString())
    .orderBy('checkAfter')
    .limit(pace?.portion ?? 1)
    .execute()
  if (!due.length) return again(scope)
  // No line can tell: when it is there, it goes on (`checkWhatWaits`).
  if (!pace) return
  const asked: Asked[] = []
  for (const item of due) {
    const said = await phones.check(scope, item.number).catch(() => 'failed' as const)
    if (said === undefined) break
    asked.push({ item, said })
  }
  await keep(scope, asked)
  // Its line is said to be connected and nobody has it: it is on its way from one process to another.
  if (asked.length < due.length) return wantChecks(scope, soon(betweenMs))
  await wantChecks(scope, pace.restMs ? soon(pace.restMs) : undefined)
}

/** Jobs run by the real clock. */
const soon = (ms: number) => new Date(Date.now() + ms)

/** What was put off comes back by itself. */
async function again(scope: Scope): Promise<void> {
  const next = await scope.db
    .selectFrom('contactListItems')
    .select('checkAfter')
    .where('companyId', '=', scope.companyId)
    .where('isWhatsappValid', 'is', null)
    .orderBy('checkAfter')
    .limit(1)
    .executeTakeFirst()
  if (next) await wantChecks(scope, soon(Math.max(1000, Date.parse(next.checkAfter) - scope.now().getTime())))
}

async function paceOf(scope: Scope): Promise<typeof paced | null> {
  const line = await scope.db
    .selectFrom('whatsapps')
    .select(['provider', 'status'])
    .where('companyId', '=', scope.companyId)
    .where('isDefault', '=', true)
    .executeTakeFirst()
  if (line?.status !== 'CONNECTED') return null
  return traits[line.provider].paced ? paced : quick
}

/** Each list for itself, so that nobody's form waits for long. */
async function keep(scope: Scope, asked: Asked[]): Promise<void> {
  const lists = [...new Set(asked.map(({ item }) => item.contactListId))].sort((a, b) => a - b)
  for (const contactListId of lists)
    await scope.transaction((tx) =>
      keepOfList(
        tx,
        contactListId,
        asked.filter(({ item }) => item.contactListId === contactListId),
      ),
    )
}

/** A longer list is told as a whole: nobody wants a hundred thousand words. */
const fewEnough = 1000

async function keepOfList(scope: Scope, contactListId: number, asked: Asked[]): Promise<void> {
  const { companyId } = scope
  const held = await scope.db
    .selectFrom('contactLists')
    .select('id')
    .where('companyId', '=', companyId)
    .where('id', '=', contactListId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!held) return
  const rows = asked.map(({ item, said }) => {
    const failed = said === 'failed'
    const theirs = failed || said === null ? '' : shownNumber(said)
    const number = theirs && phoneKey(theirs) === item.key ? fullerNumber(theirs, item.number) : theirs || item.number
    return {
      id: item.id,
      was: item.key,
      number,
      key: phoneKey(number),
      valid: failed ? null : said !== null,
      tries: item.checkTries,
    }
  })
  const column = <K extends keyof (typeof rows)[number]>(name: K) => rows.map((row) => row[name])
  const after = rows.map(({ valid, tries }) => (valid === null ? later(scope.now(), againMs(tries)) : scope.now()))
  // Whose number turns out to be one that is in the list already is there twice.
  const { rows: gone } = await sql<{ id: number }>`
    delete from "contactListItems" i using unnest(${column('id')}::int[], ${column('was')}::text[], ${column('key')}::text[]) r (id, was, key)
    where i."companyId" = ${companyId} and i.id = r.id and i.key = r.was and r.key <> r.was and (
      exists (select from "contactListItems" o where o."companyId" = ${companyId} and o."contactListId" = ${contactListId} and o.key = r.key)
      or exists (select from unnest(${column('id')}::int[], ${column('key')}::text[]) e (id, key) where e.key = r.key and e.id < r.id)
    ) returning i.id`.execute(scope.db)
  const { rows: changed } = await sql<ItemRow>`
    update "contactListItems" i set number = r.number, key = r.key, "isWhatsappValid" = r.valid,
      "checkTries" = i."checkTries" + 1, "checkAfter" = r.after
    from unnest(
      ${column('id')}::int[], ${column('was')}::text[], ${column('number')}::text[], ${column('key')}::text[],
      ${column('valid')}::boolean[], ${after}::timestamptz[]
    ) r (id, was, number, key, valid, after)
    where i."companyId" = ${companyId} and i.id = r.id and i.key = r.was and i."isWhatsappValid" is null
    returning i.*`.execute(scope.db)
  const list = await recount(scope, contactListId)
  if (list.contactsCount > fewEnough) return
  for (const row of changed) scope.tell(contactListItemsApi.topic, { action: 'update', row }, campaignRooms(scope))
  for (const { id } of gone) scope.tell(contactListItemsApi.topic, { action: 'delete', id }, campaignRooms(scope))
}

/** Those that are not known or not on WhatsApp are asked for again: numbers change hands. */
export async function checkAgain(scope: Scope, contactListId: number): Promise<void> {
  await scope.db
    .updateTable('contactListItems')
    .set({ isWhatsappValid: null, checkTries: 0, checkAfter: scope.now() })
    .where('companyId', '=', scope.companyId)
    .where('contactListId', '=', contactListId)
    .where((eb) => eb.or([eb('isWhatsappValid', 'is', null), eb('isWhatsappValid', '=', false)]))
    .execute()
  await wantChecks(scope)
}
