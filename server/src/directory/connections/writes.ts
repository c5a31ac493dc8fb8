import { randomBytes } from 'node:crypto'
import { type ConnectionWrite, connectionsApi } from '@recado/contract/connections'
import { traits, usualProvider } from '@recado/contract/traits'
import type { Updateable } from 'kysely'
import { tokenMark } from '../../accounts/doors/keys.ts'
import { takePlace } from '../../accounts/plan-places.ts'
import { tellUser } from '../../accounts/user-view.ts'
import { inLine } from '../../kernel/data/locks.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError, orConflict } from '../../kernel/errors.ts'
import { dropFiles } from '../../kernel/files/media.ts'
import { leavePhone } from '../../lines/baileys/link/leaving.ts'
import { keepAccount } from '../../lines/cloud/account.ts'
import { filesOfPhone, setLinked } from '../../lines/sandbox/phone.ts'
import { shownTickets } from '../shown-tickets.ts'
import { heldLine, own, queuesOfLine } from './connections.ts'
import { stopPast } from './history.ts'
import { type ConnectionRow, tellConnection, tellSession } from './view.ts'

declare module '../../kernel/events.ts' {
  interface Events {
    /** With its tickets that stand on somebody's screen. */
    'line.deleted': { companyId: number; whatsappId: number; ticketIds: number[] }
  }
}

const conflicts = {
  whatsapps_name_key: 'ERR_WAPP_NAME_ALREADY_EXISTS',
  // Another line's token is nobody's business: here it is simply not a good one.
  whatsapps_token_key: 'ERR_VALIDATION',
  whatsapps_companyId_transferQueueId_fkey: 'ERR_QUEUE_NOT_FOUND',
  whatsappQueues_companyId_queueId_fkey: 'ERR_QUEUE_NOT_FOUND',
  whatsapps_companyId_promptId_fkey: 'ERR_NO_PROMPT_FOUND',
  whatsapps_companyId_integrationId_fkey: 'ERR_NO_INTEGRATION_FOUND',
} as const

const sealed = (scope: Scope, token: string) => ({
  tokenSealed: scope.means.vault.seal(token),
  tokenHash: tokenMark(scope.means, token),
})

/** The form's own fields. */
function fields(body: ConnectionWrite) {
  const { name, greetingMessage, complationMessage, outOfHoursMessage, ratingMessage } = body
  const { expiresTicket, expiresInactiveMessage, timeToTransfer, transferQueueId } = body
  const { timeUseBotQueues, maxUseBotQueues, promptId } = body
  const machine = { promptId, ...(body.integrationId !== undefined && { integrationId: body.integrationId }) }
  const { mode: paceMode, perMinute: pacePerMinute, dailyCap: paceDailyCap } = body.pacing ?? {}
  // Sent back as it was read, it names what is in force and not what was chosen.
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

export async function save(scope: Scope, id: number, values: Updateable<DB['whatsapps']>): Promise<ConnectionRow> {
  return orConflict(conflicts, () =>
    scope.db
      .updateTable('whatsapps')
      .set({ ...values, updatedAt: scope.now() })
      .where('companyId', '=', scope.companyId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow(() => new AppError('ERR_NO_WAPP_FOUND')),
  )
}

/** A customer who must choose a queue has to be asked. */
function mustGreet(queueIds: number[] | undefined, greetingMessage: string): void {
  if (new Set(queueIds).size > 1 && !greetingMessage) throw new AppError('ERR_WAPP_GREETING_REQUIRED')
}

async function setQueues(scope: Scope, whatsappId: number, queueIds: number[]): Promise<void> {
  const { companyId } = scope
  await scope.db
    .deleteFrom('whatsappQueues')
    .where('companyId', '=', companyId)
    .where('whatsappId', '=', whatsappId)
    .execute()
  const rows = [...new Set(queueIds)].map((queueId) => ({ companyId, whatsappId, queueId }))
  if (rows.length) await orConflict(conflicts, () => scope.db.insertInto('whatsappQueues').values(rows).execute())
}

/** There is one default line; who had the flag loses it and says so. */
async function yieldDefault(scope: Scope, to: number): Promise<void> {
  const before = await own(scope).where('isDefault', '=', true).where('id', '!=', to).executeTakeFirst()
  if (before) await tellConnection(scope, await save(scope, before.id, { isDefault: false }))
}

export async function create(scope: Scope, body: ConnectionWrite): Promise<ConnectionRow> {
  mustGreet(body.queueIds, body.greetingMessage)
  await takePlace(scope, 'connections')
  const others = await own(scope).limit(1).execute()
  const isDefault = body.isDefault === true || !others.length
  if (isDefault) await yieldDefault(scope, 0)
  const row = await orConflict(conflicts, () =>
    scope.db
      .insertInto('whatsapps')
      .values({
        ...fields(body),
        ...sealed(scope, body.token || randomBytes(32).toString('base64url')),
        companyId: scope.companyId,
        provider: body.provider ?? usualProvider,
        isDefault,
        wanted: true,
        status: 'OPENING',
        createdAt: scope.now(),
        updatedAt: scope.now(),
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
  if (traits[row.provider].account) await keepAccount(scope, row.id, body.cloud)
  await setQueues(scope, row.id, body.queueIds ?? [])
  await tellConnection(scope, row)
  await scope.signal('lines')
  return row
}

export async function update(scope: Scope, id: number, body: ConnectionWrite): Promise<ConnectionRow> {
  await inLine(scope, 'connections')
  const before = await heldLine(scope, id)
  const queueIds = body.queueIds ?? (await queuesOfLine(scope, id)).map((q) => q.id)
  mustGreet(queueIds, body.greetingMessage)
  const isDefault = body.isDefault ?? before.isDefault
  if (before.isDefault && !isDefault) throw new AppError('ERR_NO_OTHER_WHATSAPP')
  if (isDefault) await yieldDefault(scope, id)
  const moved = body.provider !== undefined && body.provider !== before.provider
  if (moved) await forget(scope, before)
  const { account } = traits[body.provider ?? before.provider]
  const renewed = account && (await keepAccount(scope, id, body.cloud))
  const row = await save(scope, id, {
    ...fields(body),
    isDefault,
    ...(body.token && sealed(scope, body.token)),
    ...((moved || renewed) && fresh(before)),
    ...(moved && { provider: body.provider, number: '' }),
  })
  await setQueues(scope, id, queueIds)
  // Word of a session closes the QR dialogs of older clients: only when there is some.
  if (moved || renewed) await tellSession(scope, row, before.status)
  else await tellConnection(scope, row)
  if (moved || renewed) await scope.signal('lines')
  return row
}

export async function remove(scope: Scope, id: number): Promise<void> {
  await inLine(scope, 'connections')
  const before = await heldLine(scope, id)
  await dropFiles(scope, await filesOfPhone(scope, id))
  const ticketIds = await shownTickets(scope, 'whatsappId', id)
  await scope.emit('line.deleted', { companyId: scope.companyId, whatsappId: id, ticketIds })
  const bearers = await scope.db
    .selectFrom('users')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', id)
    .forUpdate()
    .execute()
  await scope.db.deleteFrom('whatsapps').where('companyId', '=', scope.companyId).where('id', '=', id).execute()
  scope.tell(connectionsApi.topic, { action: 'delete', id })
  // Whoever still carries a line that is gone breaks the dialogs of older clients.
  for (const row of bearers) await tellUser(scope, 'update', { ...row, whatsappId: null })
  const heir = before.isDefault && (await own(scope).orderBy('id').limit(1).executeTakeFirst())
  if (heir) await tellConnection(scope, await save(scope, heir.id, { isDefault: true }))
  await scope.signal('lines')
}

/** Begin again: whoever runs it stops and starts anew. */
export const fresh = (row: ConnectionRow) => ({
  wantedRound: row.wantedRound + 1,
  qrcode: '',
  pairingCode: '',
  pairingNumber: '',
  reason: '',
  retries: 0,
  ...(row.wanted && { status: 'OPENING' as const }),
})

/** The phone no longer knows this desk. A linked one is told so by whoever runs the line. */
export async function forget(scope: Scope, row: ConnectionRow): Promise<void> {
  const { test, leaves } = traits[row.provider]
  if (test) await setLinked(scope, row.id, false)
  if (!leaves) return
  await leavePhone(scope, row.id)
  // The next phone has another past.
  await stopPast(scope, row.id)
}
