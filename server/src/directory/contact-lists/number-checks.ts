import { contactListItemsApi } from '@recado/contract/campaigns/contact-lists'
import { lineTraits } from '@recado/contract/line-traits'
import { type Selectable, sql } from 'kysely'
import { addMs } from '../../kernel/clock.ts'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { asExternalCallJob, type JobHandlers, outboundLaneName } from '../../kernel/jobs.ts'
import { chooseFullerNumber, normalizePhoneNumber, phoneKey } from '../contacts/identity.ts'
import type { PhoneQueries } from '../contacts/phone-queries.ts'
import { campaignAudience, recountList } from './contact-lists.ts'

declare module '../../kernel/jobs.ts' {
  interface Jobs {
    'list:check': { companyId: number }
  }
}

/**
 * Numbers per batch and the pause after it. WhatsApp notices a linked phone that looks up thousands of unknown numbers:
 * this is one lookup a second.
 */
const pacedBatch = { size: 20, restMs: 20_000 }
/** Other providers are queried as fast as they answer. */
const fastBatch = { size: 500, restMs: 0 }
/** After this time, a line that moves to another process is connected again. */
const lineRetryMs = 10_000
/**
 * A failed check says nothing about the number, so it is retried after five seconds, twenty, …, six hours. Most checks
 * fail because a line was down for a moment, and a campaign waits for them.
 */
const recheckDelayMs = (tries: number) => Math.min(5000 * 4 ** tries, 6 * 3_600_000)

/**
 * Schedules checks of unknown numbers, now or later. A later check has its own job key, because a job due "in six hours"
 * must not delay numbers added meanwhile.
 */
export const scheduleNumberChecks = (scope: Scope, runAt?: Date): Promise<void> =>
  scope.enqueueJob(
    'list:check',
    { companyId: scope.companyId },
    {
      key: `list-check${runAt ? '-later' : ''}:${scope.companyId}`,
      queue: outboundLaneName(scope.companyId, 0),
      ...(runAt && { runAt }),
    },
  )

/** Called when a line connects: checks the numbers that waited for a line. */
export async function checkWaitingNumbers(scope: Scope): Promise<void> {
  const waits = await scope.db
    .selectFrom('contactListItems')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('isWhatsappValid', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (waits) await scheduleNumberChecks(scope)
}

export const numberCheckJobs = (deps: Deps, phones: PhoneQueries): Pick<JobHandlers, 'list:check'> => ({
  'list:check': asExternalCallJob(async ({ companyId }) => checkBatch(new Scope(deps, { companyId }), phones)),
})

type CheckedRow = Selectable<DB['contactListItems']>
type CheckedItem = { item: CheckedRow; checkResult: string | null | 'failed' }

/** Checks a batch of numbers, stores the results, and schedules the next batch. */
async function checkBatch(scope: Scope, phones: PhoneQueries): Promise<void> {
  const batchSettings = await chooseBatch(scope)
  const due = await scope.db
    .selectFrom('contactListItems')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('isWhatsappValid', 'is', null)
    .where('checkAfter', '<=', scope.now().toISOString())
    .orderBy('checkAfter')
    .limit(batchSettings?.size ?? 1)
    .execute()
  if (!due.length) return scheduleNextCheck(scope)
  // No line can check numbers now: checking continues when a line connects (`checkWaitingNumbers`).
  if (!batchSettings) return
  const checked: CheckedItem[] = []
  for (const item of due) {
    const checkResult = await phones.checkNumber(scope, item.number).catch(() => 'failed' as const)
    if (checkResult === undefined) break
    checked.push({ item, checkResult: checkResult })
  }
  await saveChecks(scope, checked)
  // The line is connected but no process runs it, because it is moving between processes.
  if (checked.length < due.length) return scheduleNumberChecks(scope, inMs(lineRetryMs))
  await scheduleNumberChecks(scope, batchSettings.restMs ? inMs(batchSettings.restMs) : undefined)
}

/** The time of a job, by the real clock: jobs do not run by the test clock. */
const inMs = (ms: number) => new Date(Date.now() + ms)

/** Schedules retries of failed checks. */
async function scheduleNextCheck(scope: Scope): Promise<void> {
  const next = await scope.db
    .selectFrom('contactListItems')
    .select('checkAfter')
    .where('companyId', '=', scope.companyId)
    .where('isWhatsappValid', 'is', null)
    .orderBy('checkAfter')
    .limit(1)
    .executeTakeFirst()
  if (next) await scheduleNumberChecks(scope, inMs(Math.max(1000, Date.parse(next.checkAfter) - scope.now().getTime())))
}

async function chooseBatch(scope: Scope): Promise<typeof pacedBatch | null> {
  const line = await scope.db
    .selectFrom('whatsapps')
    .select(['provider', 'status'])
    .where('companyId', '=', scope.companyId)
    .where('isDefault', '=', true)
    .executeTakeFirst()
  if (line?.status !== 'CONNECTED') return null
  return lineTraits[line.provider].paced ? pacedBatch : fastBatch
}

/** Saves each list in its own transaction, so that no form waits long for a lock. */
async function saveChecks(scope: Scope, checked: CheckedItem[]): Promise<void> {
  const lists = [...new Set(checked.map(({ item }) => item.contactListId))].sort((a, b) => a - b)
  for (const contactListId of lists)
    await scope.transaction((tx) =>
      saveListChecks(
        tx,
        contactListId,
        checked.filter(({ item }) => item.contactListId === contactListId),
      ),
    )
}

/** With more changes than this, the list is reloaded as a whole, instead of publishing up to 100,000 events. */
const maxSingleUpdates = 1000

async function saveListChecks(scope: Scope, contactListId: number, checked: CheckedItem[]): Promise<void> {
  const { companyId } = scope
  const held = await scope.db
    .selectFrom('contactLists')
    .select('id')
    .where('companyId', '=', companyId)
    .where('id', '=', contactListId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!held) return
  const rows = checked.map(({ item, checkResult }) => {
    const failed = checkResult === 'failed'
    const theirs = failed || checkResult === null ? '' : normalizePhoneNumber(checkResult)
    const number =
      theirs && phoneKey(theirs) === item.key ? chooseFullerNumber(theirs, item.number) : theirs || item.number
    return {
      id: item.id,
      was: item.key,
      number,
      key: phoneKey(number),
      valid: failed ? null : checkResult !== null,
      tries: item.checkTries,
    }
  })
  const column = <K extends keyof (typeof rows)[number]>(name: K) => rows.map((row) => row[name])
  const after = rows.map(({ valid, tries }) =>
    valid === null ? addMs(scope.now(), recheckDelayMs(tries)) : scope.now(),
  )
  // A number that resolves to a number already in the list is a duplicate.
  const { rows: gone } = await sql<{ id: number }>`
    delete from "contactListItems" i using unnest(${column('id')}::int[], ${column('was')}::text[], ${column('key')}::text[]) r (id, was, key)
    where i."companyId" = ${companyId} and i.id = r.id and i.key = r.was and r.key <> r.was and (
      exists (select from "contactListItems" o where o."companyId" = ${companyId} and o."contactListId" = ${contactListId} and o.key = r.key)
      or exists (select from unnest(${column('id')}::int[], ${column('key')}::text[]) e (id, key) where e.key = r.key and e.id < r.id)
    ) returning i.id`.execute(scope.db)
  const { rows: changed } = await sql<CheckedRow>`
    update "contactListItems" i set number = r.number, key = r.key, "isWhatsappValid" = r.valid,
      "checkTries" = i."checkTries" + 1, "checkAfter" = r.after
    from unnest(
      ${column('id')}::int[], ${column('was')}::text[], ${column('number')}::text[], ${column('key')}::text[],
      ${column('valid')}::boolean[], ${after}::timestamptz[]
    ) r (id, was, number, key, valid, after)
    where i."companyId" = ${companyId} and i.id = r.id and i.key = r.was and i."isWhatsappValid" is null
    returning i.*`.execute(scope.db)
  const list = await recountList(scope, contactListId)
  if (list.contactsCount > maxSingleUpdates) return
  for (const row of changed)
    scope.publish(contactListItemsApi.topic, { action: 'update', row }, campaignAudience(scope))
  for (const { id } of gone) scope.publish(contactListItemsApi.topic, { action: 'delete', id }, campaignAudience(scope))
}

/** Rechecks unknown numbers and numbers not on WhatsApp, because numbers change owners. */
export async function recheckList(scope: Scope, contactListId: number): Promise<void> {
  await scope.db
    .updateTable('contactListItems')
    .set({ isWhatsappValid: null, checkTries: 0, checkAfter: scope.now() })
    .where('companyId', '=', scope.companyId)
    .where('contactListId', '=', contactListId)
    .where((eb) => eb.or([eb('isWhatsappValid', 'is', null), eb('isWhatsappValid', '=', false)]))
    .execute()
  await scheduleNumberChecks(scope)
}
