import { randomBytes } from 'node:crypto'
import { ConnectionWrite } from '@recado/contract/connections'
import { lineSignupApi, type SignupResult } from '@recado/contract/health/line-signup'
import { removeHiddenCharacters } from '@recado/contract/hidden-characters'
import { lineTraits } from '@recado/contract/line-traits'
import { can } from '@recado/contract/rules'
import type { Selectable } from 'kysely'
import { writeAudit } from '../../accounts/api-access/audit.ts'
import { requirePlanCapacity } from '../../accounts/plan-limits.ts'
import { addMs, minutes } from '../../kernel/clock.ts'
import { lockInCompany } from '../../kernel/data/advisory-locks.ts'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { type Route, route } from '../../kernel/http/routes.ts'
import type { JobHandlers } from '../../kernel/jobs.ts'
import { findLineOfNumber, isUsedByOtherCompany, saveSignupAccount } from '../../lines/cloud/account.ts'
import type { EmbeddedSignup, GrantedNumber } from '../../lines/cloud/embedded-signup.ts'
import { findLine, lockLine, selectOwnLines } from './find-line.ts'
import { requestPastMessages } from './line-history.ts'
import {
  type ConnectionRow,
  connectionVisibilityFor,
  presentConnections,
  publishConnection,
  publishLineSession,
} from './view.ts'
import { createConnection, restartValues, saveConnection, unlinkPhone } from './write-connection.ts'

declare module '../../kernel/jobs.ts' {
  interface Jobs {
    /** Deletes the signups of a company that nobody finished, with their tokens. */
    'line-signup:purge': { companyId: number }
  }
}

/** How long a signup may take until its code comes back, and once more until a number is chosen. */
const signupTtlMs = minutes(10)

type SignupRow = Selectable<DB['lineSignups']>
const hashState = (scope: Scope, state: string) => scope.deps.vault.sign('line-signup', state)

/** The caller's own signup with this state, while it is valid. */
const selectSignup = (scope: Scope, state: string) =>
  scope.db
    .selectFrom('lineSignups')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('userId', '=', scope.actor.id)
    .where('stateHash', '=', hashState(scope, state))
    .where('expiresAt', '>', scope.now().toISOString())

type SignupOptions = { history: boolean; name: string; whatsappId: number | null }

/** A newer signup of the same person replaces the earlier one. */
async function beginSignup(scope: Scope, signup: EmbeddedSignup, { history, name, whatsappId }: SignupOptions) {
  if (whatsappId === null) await requirePlanCapacity(scope, 'connections')
  const state = randomBytes(32).toString('base64url')
  const expiresAt = addMs(scope.now(), signupTtlMs)
  const values = {
    stateHash: hashState(scope, state),
    name,
    whatsappId,
    wantsHistory: history,
    expiresAt,
    usedAt: null,
    accessTokenSealed: '',
  }
  await scope.db
    .insertInto('lineSignups')
    .values({ companyId: scope.companyId, userId: scope.actor.id, ...values })
    .onConflict((c) => c.columns(['companyId', 'userId']).doUpdateSet(values))
    .execute()
  await scope.enqueueJob(
    'line-signup:purge',
    { companyId: scope.companyId },
    { runAt: addMs(scope.now(), 3 * signupTtlMs), key: `line-signup:${scope.companyId}` },
  )
  return { url: signup.dialogAddress(state), state, expiresAt: expiresAt.toISOString() }
}

/** Exchanges the code. The state is used up before the call, so that nothing can try the code a second time. */
async function exchangeCode(scope: Scope, signup: EmbeddedSignup, state: string, code: string): Promise<void> {
  const own = scope.db
    .updateTable('lineSignups')
    .where('companyId', '=', scope.companyId)
    .where('userId', '=', scope.actor.id)
    .where('stateHash', '=', hashState(scope, state))
  const used = await own
    .set({ usedAt: scope.now() })
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', scope.now().toISOString())
    .returning('userId')
    .executeTakeFirst()
  if (!used) throw new AppError('ERR_SIGNUP_STATE')
  const token = await signup.exchangeCode(code)
  await own
    .set({ accessTokenSealed: scope.deps.vault.seal(token), expiresAt: addMs(scope.now(), signupTtlMs) })
    .execute()
}

/** Stores the line of the chosen number. Until it is stored, a failure can be repaired and this called again. */
async function completeSignup(
  scope: Scope,
  signup: EmbeddedSignup,
  state: string,
  phoneNumberId: string,
): Promise<SignupResult> {
  const row = await selectSignup(scope, state).where('accessTokenSealed', '!=', '').executeTakeFirst()
  if (!row) throw new AppError('ERR_SIGNUP_STATE')
  const accessToken = scope.deps.vault.unseal(row.accessTokenSealed)
  const numbers = await signup.listNumbers(accessToken)
  if (!phoneNumberId && numbers.length > 1) return { connection: null, numbers }
  const chosen = phoneNumberId ? numbers.find((one) => one.phoneNumberId === phoneNumberId) : numbers[0]
  if (!chosen) throw new AppError('ERR_SIGNUP_NO_NUMBER')
  const platformScope = new Scope(scope.deps, { companyId: 0, wide: true })
  if (await isUsedByOtherCompany(platformScope, scope.companyId, chosen)) throw new AppError('ERR_SIGNUP_NUMBER_TAKEN')
  const line = await scope.transaction(async (tx) => {
    await takeSignup(tx, row)
    return storeLine(tx, row, { ...chosen, accessToken })
  })
  const [connection] = await presentConnections(scope, [line], connectionVisibilityFor(scope.actor))
  return { connection: connection ?? null, numbers: [] }
}

/** Only one of two parallel calls stores the line. */
async function takeSignup(scope: Scope, { userId, stateHash }: SignupRow): Promise<void> {
  const taken = await scope.db
    .deleteFrom('lineSignups')
    .where('companyId', '=', scope.companyId)
    .where('userId', '=', userId)
    .where('stateHash', '=', stateHash)
    .returning('userId')
    .executeTakeFirst()
  if (!taken) throw new AppError('ERR_SIGNUP_STATE')
}

async function storeLine(
  scope: Scope,
  { name, whatsappId, wantsHistory }: SignupRow,
  account: GrantedNumber & { accessToken: string },
): Promise<ConnectionRow> {
  await lockInCompany(scope, 'connections')
  const known = (await findLineOfNumber(scope, account.phoneNumberId)) ?? whatsappId
  const line = known === null ? await createLine(scope, name, account) : await reconnectWith(scope, known, account)
  // Only the app on a phone has a history.
  const asksHistory = wantsHistory && account.onPhone !== false
  if (asksHistory && (await requestPastMessages(scope, line.id))) await publishConnection(scope, line)
  return line
}

async function createLine(
  scope: Scope,
  name: string,
  account: GrantedNumber & { accessToken: string },
): Promise<ConnectionRow> {
  const body = { name: await chooseName(scope, [name, account.name, account.number]), provider: 'cloud' }
  const line = await createConnection(scope, ConnectionWrite.parse({ transferQueueId: null, promptId: null, ...body }))
  await saveSignupAccount(scope, line.id, account)
  await publishConnection(scope, line)
  await writeAudit(scope, 'line.created', line.id, line.name)
  return line
}

/** The line keeps its name, queues and texts, and gets the account. */
async function reconnectWith(
  scope: Scope,
  whatsappId: number,
  account: GrantedNumber & { accessToken: string },
): Promise<ConnectionRow> {
  const before = await lockLine(scope, whatsappId)
  const isMoved = !lineTraits[before.provider].account
  if (isMoved) await unlinkPhone(scope, before)
  await saveSignupAccount(scope, whatsappId, account)
  const line = await saveConnection(scope, whatsappId, {
    ...restartValues({ ...before, wanted: true }),
    wanted: true,
    ...(isMoved && { provider: 'cloud', number: '' }),
  })
  await publishLineSession(scope, line, before.status)
  await writeAudit(scope, 'line.changed', line.id, line.name)
  await scope.signal('lines')
  return line
}

const maxNameLength = 50

/** The first valid name, with a number behind it if another line of the company has it. */
async function chooseName(scope: Scope, candidates: string[]): Promise<string> {
  const cleaned = candidates.map((name) => removeHiddenCharacters(name).trim())
  const base = cleaned.find((name) => name.length >= 2) ?? 'WhatsApp'
  const names = new Set((await selectOwnLines(scope).execute()).map((line) => line.name))
  for (let n = 1; ; n++) {
    const suffix = n === 1 ? '' : ` ${n}`
    const name = `${base.slice(0, maxNameLength - suffix.length).trim()}${suffix}`
    if (!names.has(name)) return name
  }
}

export function lineSignupRoutes(signup: EmbeddedSignup | null): Route[] {
  const requireSignup = (): EmbeddedSignup => {
    if (!signup) throw new AppError('ERR_SIGNUP_OFF')
    return signup
  }
  // Calls to Meta take seconds, so they must not be inside a transaction.
  const noTransaction = { transaction: false }
  return [
    route(lineSignupApi.available, () => ({ available: signup !== null })),
    route(lineSignupApi.begin, async (scope, { body }) => {
      if (body.whatsappId !== null) {
        if (!can(scope.actor, 'connections-page:editOrDeleteConnection')) throw new AppError('ERR_NO_PERMISSION')
        await findLine(scope, body.whatsappId)
      }
      return beginSignup(scope, requireSignup(), body)
    }),
    route(
      lineSignupApi.exchange,
      async (scope, { body: { state, code } }) => {
        await exchangeCode(scope, requireSignup(), state, code)
        return completeSignup(scope, requireSignup(), state, '')
      },
      noTransaction,
    ),
    route(
      lineSignupApi.complete,
      (scope, { body: { state, phoneNumberId } }) => completeSignup(scope, requireSignup(), state, phoneNumberId),
      noTransaction,
    ),
  ]
}

export const lineSignupJobs = (deps: Deps): Pick<JobHandlers, 'line-signup:purge'> => ({
  'line-signup:purge': async ({ companyId }) => {
    const scope = new Scope(deps, { companyId })
    await scope.db
      .deleteFrom('lineSignups')
      .where('companyId', '=', companyId)
      .where('expiresAt', '<=', scope.now().toISOString())
      .execute()
  },
})
