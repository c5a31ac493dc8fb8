import { randomBytes } from 'node:crypto'
import { type ConnectionWrite, connectionsApi } from '@recado/contract/connections'
import { defaultLineProvider, lineTraits } from '@recado/contract/line-traits'
import type { Updateable } from 'kysely'
import { lineTokenHmac } from '../../accounts/api-access/api-keys.ts'
import { requirePlanCapacity } from '../../accounts/plan-limits.ts'
import { publishUser } from '../../accounts/user-view.ts'
import { lockInCompany } from '../../kernel/data/advisory-locks.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError, translateConstraintErrors } from '../../kernel/errors.ts'
import { scheduleFileRemoval } from '../../kernel/files/media.ts'
import { requestUnlink } from '../../lines/baileys/link/unlink.ts'
import { saveCloudAccount } from '../../lines/cloud/account.ts'
import { listPhoneFiles, setPhoneLinked } from '../../lines/sandbox/test-phone.ts'
import { listTicketsOnScreens } from '../tickets-on-screens.ts'
import { listLineQueues, lockLine, selectOwnLines } from './find-line.ts'
import { stopPastRequest } from './line-history.ts'
import { type ConnectionRow, publishConnection, publishLineSession } from './view.ts'

declare module '../../kernel/events.ts' {
  interface Events {
    /** A line was deleted; `ticketIds`: its tickets that may be open on a screen. */
    'line.deleted': { companyId: number; whatsappId: number; ticketIds: number[] }
  }
}

const conflicts = {
  whatsapps_name_key: 'ERR_WAPP_NAME_ALREADY_EXISTS',
  // A token in use by another line must not be revealed: report it as invalid.
  whatsapps_token_key: 'ERR_VALIDATION',
  whatsapps_companyId_transferQueueId_fkey: 'ERR_QUEUE_NOT_FOUND',
  whatsappQueues_companyId_queueId_fkey: 'ERR_QUEUE_NOT_FOUND',
  whatsapps_companyId_promptId_fkey: 'ERR_NO_PROMPT_FOUND',
  whatsapps_companyId_integrationId_fkey: 'ERR_NO_INTEGRATION_FOUND',
} as const

const sealToken = (scope: Scope, token: string) => ({
  tokenSealed: scope.deps.vault.seal(token),
  tokenHash: lineTokenHmac(scope.deps, token),
})

/** The fields of the form itself. */
function formFields(body: ConnectionWrite) {
  const { name, greetingMessage, complationMessage, outOfHoursMessage, ratingMessage } = body
  const { expiresTicket, expiresInactiveMessage, timeToTransfer, transferQueueId } = body
  const { timeUseBotQueues, maxUseBotQueues, promptId } = body
  const machine = { promptId, ...(body.integrationId !== undefined && { integrationId: body.integrationId }) }
  const { mode: paceMode, perMinute: pacePerMinute, dailyCap: paceDailyCap } = body.pacing ?? {}
  // A client sends back the effective limits, not the chosen ones, so they are stored only in the mode `own`.
  const pace = { paceMode, ...(paceMode === 'own' && { pacePerMinute, paceDailyCap }) }
  const texts = { name, greetingMessage, complationMessage, outOfHoursMessage, ratingMessage, expiresInactiveMessage }
  return {
    ...texts,
    ...pace,
    ...machine,
    expiresTicket,
    timeToTransfer,
    transferQueueId,
    timeUseBotQueues,
    maxUseBotQueues,
  }
}

export async function saveConnection(
  scope: Scope,
  id: number,
  values: Updateable<DB['whatsapps']>,
): Promise<ConnectionRow> {
  return translateConstraintErrors(conflicts, () =>
    scope.db
      .updateTable('whatsapps')
      .set({ ...values, updatedAt: scope.now() })
      .where('companyId', '=', scope.companyId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow(() => new AppError('ERR_NO_WAPP_FOUND')),
  )
}

/** A menu with several queues needs a greeting. */
export function assertGreeting(queueIds: number[] | undefined, greetingMessage: string): void {
  if (new Set(queueIds).size > 1 && !greetingMessage) throw new AppError('ERR_WAPP_GREETING_REQUIRED')
}

export async function setQueues(scope: Scope, whatsappId: number, queueIds: number[]): Promise<void> {
  const { companyId } = scope
  await scope.db
    .deleteFrom('whatsappQueues')
    .where('companyId', '=', companyId)
    .where('whatsappId', '=', whatsappId)
    .execute()
  const rows = [...new Set(queueIds)].map((queueId) => ({ companyId, whatsappId, queueId }))
  if (rows.length)
    await translateConstraintErrors(conflicts, () => scope.db.insertInto('whatsappQueues').values(rows).execute())
}

/**
 * Lets the customers of exactly these lines reach a queue. A line that gets its second queue and has no greeting gets the
 * given one. Returns the lines that changed; the caller publishes them.
 */
export async function setQueueLines(
  scope: Scope,
  queueId: number,
  { whatsappIds, lineGreeting }: { whatsappIds: number[]; lineGreeting: string },
): Promise<number[]> {
  await lockInCompany(scope, 'connections')
  const lines = await selectOwnLines(scope).orderBy('id').forNoKeyUpdate().execute()
  if (whatsappIds.some((id) => !lines.some((line) => line.id === id))) throw new AppError('ERR_NO_WAPP_FOUND')
  const changed: number[] = []
  for (const line of lines) {
    const before = (await listLineQueues(scope, line.id)).map((queue) => queue.id)
    const isWanted = whatsappIds.includes(line.id)
    if (before.includes(queueId) === isWanted) continue
    const after = isWanted ? [...before, queueId] : before.filter((id) => id !== queueId)
    const greetingMessage = line.greetingMessage || (after.length > 1 ? lineGreeting : '')
    assertGreeting(after, greetingMessage)
    await saveConnection(scope, line.id, { greetingMessage })
    await setQueues(scope, line.id, after)
    changed.push(line.id)
  }
  return changed
}

/** Makes another line the default. */
export async function setDefaultLine(scope: Scope, id: number): Promise<void> {
  await clearOtherDefault(scope, id)
  await publishConnection(scope, await saveConnection(scope, id, { isDefault: true }))
}

/** There is only one default line: the former default loses the flag, and that change is published. */
async function clearOtherDefault(scope: Scope, to: number): Promise<void> {
  const before = await selectOwnLines(scope).where('isDefault', '=', true).where('id', '!=', to).executeTakeFirst()
  if (before) await publishConnection(scope, await saveConnection(scope, before.id, { isDefault: false }))
}

export async function createConnection(scope: Scope, body: ConnectionWrite): Promise<ConnectionRow> {
  assertGreeting(body.queueIds, body.greetingMessage)
  await requirePlanCapacity(scope, 'connections')
  const others = await selectOwnLines(scope).limit(1).execute()
  const isDefault = body.isDefault === true || !others.length
  if (isDefault) await clearOtherDefault(scope, 0)
  const row = await translateConstraintErrors(conflicts, () =>
    scope.db
      .insertInto('whatsapps')
      .values({
        ...formFields(body),
        ...sealToken(scope, body.token || randomBytes(32).toString('base64url')),
        companyId: scope.companyId,
        provider: body.provider ?? defaultLineProvider,
        isDefault,
        wanted: true,
        status: 'OPENING',
        createdAt: scope.now(),
        updatedAt: scope.now(),
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
  if (lineTraits[row.provider].account) await saveCloudAccount(scope, row.id, body.cloud)
  await setQueues(scope, row.id, body.queueIds ?? [])
  await publishConnection(scope, row)
  await scope.signal('lines')
  return row
}

export async function updateConnection(scope: Scope, id: number, body: ConnectionWrite): Promise<ConnectionRow> {
  await lockInCompany(scope, 'connections')
  const before = await lockLine(scope, id)
  const queueIds = body.queueIds ?? (await listLineQueues(scope, id)).map((q) => q.id)
  assertGreeting(queueIds, body.greetingMessage)
  const isDefault = body.isDefault ?? before.isDefault
  if (before.isDefault && !isDefault) throw new AppError('ERR_NO_OTHER_WHATSAPP')
  if (isDefault) await clearOtherDefault(scope, id)
  const moved = body.provider !== undefined && body.provider !== before.provider
  if (moved) await unlinkPhone(scope, before)
  const { account } = lineTraits[body.provider ?? before.provider]
  const renewed = account && (await saveCloudAccount(scope, id, body.cloud))
  const row = await saveConnection(scope, id, {
    ...formFields(body),
    isDefault,
    ...(body.token && sealToken(scope, body.token)),
    ...((moved || renewed) && restartValues(before)),
    ...(moved && { provider: body.provider, number: '' }),
  })
  await setQueues(scope, id, queueIds)
  // Session events close the QR dialogs of older clients, so they are published only when the session changed.
  if (moved || renewed) await publishLineSession(scope, row, before.status)
  else await publishConnection(scope, row)
  if (moved || renewed) await scope.signal('lines')
  return row
}

export async function removeConnection(scope: Scope, id: number): Promise<void> {
  await lockInCompany(scope, 'connections')
  const before = await lockLine(scope, id)
  await scheduleFileRemoval(scope, await listPhoneFiles(scope, id))
  const ticketIds = await listTicketsOnScreens(scope, 'whatsappId', id)
  await scope.emit('line.deleted', { companyId: scope.companyId, whatsappId: id, ticketIds })
  const bearers = await scope.db
    .selectFrom('users')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', id)
    .forUpdate()
    .execute()
  await scope.db.deleteFrom('whatsapps').where('companyId', '=', scope.companyId).where('id', '=', id).execute()
  scope.publish(connectionsApi.topic, { action: 'delete', id })
  // A user row that still refers to a deleted line breaks the dialogs of older clients.
  for (const row of bearers) await publishUser(scope, 'update', { ...row, whatsappId: null })
  const heir = before.isDefault && (await selectOwnLines(scope).orderBy('id').limit(1).executeTakeFirst())
  if (heir) await publishConnection(scope, await saveConnection(scope, heir.id, { isDefault: true }))
  await scope.signal('lines')
}

/** Restarts the line in the process that runs it. */
export const restartValues = (row: ConnectionRow) => ({
  wantedRound: row.wantedRound + 1,
  qrcode: '',
  pairingCode: '',
  pairingNumber: '',
  reason: '',
  retries: 0,
  ...(row.wanted && { status: 'OPENING' as const }),
})

/** Unlinks the phone. The process that runs a linked line also unlinks it at WhatsApp. */
export async function unlinkPhone(scope: Scope, row: ConnectionRow): Promise<void> {
  const { test, leaves } = lineTraits[row.provider]
  if (test) await setPhoneLinked(scope, row.id, false)
  if (!leaves) return
  await requestUnlink(scope, row.id)
  // The next linked phone has another message history.
  await stopPastRequest(scope, row.id)
}
