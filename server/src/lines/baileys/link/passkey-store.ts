import { createHash, randomBytes } from 'node:crypto'
import type {
  LinePasskey,
  LinePasskeyAssertion,
  LinePasskeyOptions,
  LinePasskeyStage,
} from '@recado/contract/health/line-passkeys'
import type { Selectable } from 'kysely'
import { addMs, minutes } from '../../../kernel/clock.ts'
import type { Scope } from '../../../kernel/data/scope.ts'
import type { DB } from '../../../kernel/data/tables.ts'
import type { LineRow } from '../../line.ts'

declare module '../../../kernel/live/signals.ts' {
  interface SignalPayloads {
    /** The signature or the decision of a person has arrived for this line. */
    passkey: [whatsappId: number]
  }
}

export type PasskeyRow = Selectable<DB['linePasskeys']>

/** WhatsApp's own limit for the signature. */
const ceremonyMs = minutes(10)
const tokenBytes = 32

const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Whether the super user allows linking with a passkey; no one has tried it with a real number. */
export async function isPasskeyLinkingEnabled(scope: Scope): Promise<boolean> {
  const row = await scope.deps.database.platform
    .selectFrom('platformSettings')
    .select('value')
    .where('key', '=', 'passkeyLinking')
    .executeTakeFirst()
  return row?.value === 'enabled'
}

const rowOf = (scope: Scope, whatsappId: number) =>
  scope.db
    .updateTable('linePasskeys')
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .where('expiresAt', '>', scope.now().toISOString())

/** WhatsApp asks for a passkey. An earlier request of the line, with its one-time address, is replaced. */
export async function beginPasskey(scope: Scope, line: LineRow, options: LinePasskeyOptions): Promise<void> {
  const fresh = {
    ...{ fence: line.fence, stage: 'sign' as const, options: JSON.stringify(options), code: '' },
    ...{ tokenHash: null, assertionSealed: null, expiresAt: addMs(scope.now(), ceremonyMs).toISOString() },
  }
  await scope.db
    .insertInto('linePasskeys')
    .values({ companyId: line.companyId, whatsappId: line.id, ...fresh })
    .onConflict((conflict) => conflict.columns(['companyId', 'whatsappId']).doUpdateSet(fresh))
    .execute()
}

/** The row of the line, also if it has expired. */
export const findPasskey = (scope: Scope, whatsappId: number): Promise<PasskeyRow | undefined> =>
  scope.db
    .selectFrom('linePasskeys')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .executeTakeFirst()

export const isPasskeyExpired = (scope: Scope, row: PasskeyRow): boolean => new Date(row.expiresAt) <= scope.now()

export async function presentPasskey(scope: Scope, whatsappId: number): Promise<LinePasskey> {
  const row = await findPasskey(scope, whatsappId)
  if (!row || isPasskeyExpired(scope, row)) return { stage: 'none', code: '', expiresAt: null }
  return { stage: row.stage, code: row.stage === 'compare' ? row.code : '', expiresAt: row.expiresAt }
}

/** A new one-time token, of which only a hash is stored; null: the line does not wait for a signature. */
export async function createPasskeyToken(
  scope: Scope,
  whatsappId: number,
): Promise<{ token: string; expiresAt: string } | null> {
  const token = randomBytes(tokenBytes).toString('base64url')
  const row = await rowOf(scope, whatsappId)
    .set({ tokenHash: hashToken(token) })
    .where('stage', '=', 'sign')
    .returning('expiresAt')
    .executeTakeFirst()
  return row ? { token, expiresAt: row.expiresAt } : null
}

/** The request behind a one-time token; the scope sees all companies. */
export const findPasskeyByToken = (scope: Scope, token: string): Promise<PasskeyRow | undefined> =>
  scope.db
    .selectFrom('linePasskeys')
    .selectAll()
    .where('tokenHash', '=', hashToken(token))
    .where('stage', '=', 'sign')
    .where('expiresAt', '>', scope.now().toISOString())
    .executeTakeFirst()

/** Stores the signature and uses up the token. False: another call was first. */
export async function storePasskeyAssertion(
  scope: Scope,
  { companyId, whatsappId }: PasskeyRow,
  token: string,
  assertion: LinePasskeyAssertion,
): Promise<boolean> {
  const assertionSealed = scope.deps.vault.seal(JSON.stringify(assertion))
  const stored = await scope.db
    .updateTable('linePasskeys')
    .set({ stage: 'signed', tokenHash: null, assertionSealed })
    .where('companyId', '=', companyId)
    .where('whatsappId', '=', whatsappId)
    .where('tokenHash', '=', hashToken(token))
    .where('stage', '=', 'sign')
    .returning('whatsappId')
    .executeTakeFirst()
  if (stored) await scope.signal('passkey', whatsappId)
  return stored !== undefined
}

/** The stored signature, which is deleted: it is sent to WhatsApp once. */
export async function takePasskeyAssertion(scope: Scope, row: PasskeyRow): Promise<LinePasskeyAssertion | null> {
  if (!row.assertionSealed) return null
  await rowOf(scope, row.whatsappId).set({ assertionSealed: null }).where('stage', '=', 'signed').execute()
  return JSON.parse(scope.deps.vault.unseal(row.assertionSealed))
}

export async function showPasskeyCode(scope: Scope, whatsappId: number, code: string): Promise<void> {
  await rowOf(scope, whatsappId).set({ stage: 'compare', code }).where('stage', '=', 'signed').execute()
}

/** Only a shown code can be confirmed; everything can be cancelled until then. False: neither is possible any more. */
export async function decidePasskey(scope: Scope, whatsappId: number, isConfirmed: boolean): Promise<boolean> {
  const stages: LinePasskeyStage[] = isConfirmed ? ['compare'] : ['sign', 'signed', 'compare']
  const decided = await rowOf(scope, whatsappId)
    .set({ stage: isConfirmed ? 'confirmed' : 'cancelled', tokenHash: null, assertionSealed: null })
    .where('stage', 'in', stages as PasskeyRow['stage'][])
    .returning('whatsappId')
    .executeTakeFirst()
  if (decided) await scope.signal('passkey', whatsappId)
  return decided !== undefined
}

/** The connection has ended, with or without a link. */
export const deletePasskey = (scope: Scope, line: LineRow): Promise<unknown> =>
  scope.db
    .deleteFrom('linePasskeys')
    .where('companyId', '=', line.companyId)
    .where('whatsappId', '=', line.id)
    .where('fence', '<=', line.fence)
    .execute()
