import { randomBytes } from 'node:crypto'
import { type ApiKey, apiKeysApi } from '@recado/contract/api-access/api-keys'
import { type Endpoint, keyScopes, type PlanFlag, planFlags } from '@recado/contract/endpoint'
import type { Selectable } from 'kysely'
import type { Actor, AuthContext } from '../../kernel/actor.ts'
import { minutes } from '../../kernel/clock.ts'
import { keepPreparedMark } from '../../kernel/data/keep-prepared.ts'
import { makeRecords } from '../../kernel/data/records.ts'
import type { Deps, Scope } from '../../kernel/data/scope.ts'
import { makeShortCache } from '../../kernel/data/short-cache.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { makeAttemptLimiter } from '../../kernel/http/rate-limits.ts'
import { route } from '../../kernel/http/routes.ts'
import type { Signals } from '../../kernel/live/signals.ts'
import { graceDaysSql } from '../grace-days.ts'
import { isCompanyPaid } from '../payment-status.ts'
import { writeAudit } from './audit.ts'

/** Distinguishes a key from session and connection tokens. */
const apiKeyPrefix = 'rk_'
/**
 * Maximum unknown keys and tokens per minute from one address: more than mistakes cause, fewer than guessing would
 * need.
 */
const maxGuessesPerMinute = 60
/** Maximum cached keys: more than one process receives in a minute. */
const maxCachedKeys = 10_000
const apiKeyHmacs = ({ vault }: Pick<Deps, 'vault'>, key: string): string[] => vault.candidateSignatures('api-key', key)
/** The hash by which the line of a token is found: the same token always has the same hash. */
export const lineTokenHmac = ({ vault }: Pick<Deps, 'vault'>, token: string): string => vault.sign('line-token', token)

/**
 * A key acts in the name of its creator while the creator exists and is an admin, and otherwise in the name of the
 * first admin: an integration must not stop because its creator left the company.
 */
const keyOwnerQuery = `${keepPreparedMark}
  select k.id as "keyId", k.name as "keyName", k.scopes, k."whatsappIds", k."expiresAt", k."revokedAt", k."lastUsedAt",
         u.id, u."companyId", u.name, u.email, u.profile, u.language, u."allTicket" = 'enabled' as "allTicket",
         c.status as "companyActive", c."dueDate", ${graceDaysSql} as "graceDays", z.value as zone, ${planFlags.map((f) => `p."${f}"`).join(', ')}
  from "apiKeys" k
  join companies c on c.id = k."companyId"
  left join plans p on p.id = c."planId"
  left join settings z on z."companyId" = c.id and z.key = 'timezone'
  join lateral (
    select * from users a where a."companyId" = k."companyId" and a.active and a.profile = 'admin'
    order by a.id = k."userId" desc nulls last, a.id limit 1
  ) u on true`
const keyOwnerTables = /\b(insert into|update|delete from)\s+"?(apiKeys|users|companies|plans|settings|whatsapps)\b/i

type KeyOwnerRow = Omit<Actor, 'key' | 'sessionId' | 'queueIds' | 'super'> & {
  keyId: number
  keyName: string
  scopes: NonNullable<Actor['key']>['scopes']
  whatsappIds: number[]
  expiresAt: string | null
  revokedAt: string | null
  lastUsedAt: string | null
  companyActive: boolean
  dueDate: string | null
  graceDays: number
  zone: string | null
} & Record<PlanFlag, boolean | null>

export type ApiKeyAccess = ReturnType<typeof makeApiKeys>

/** Authentication for API clients. */
export function makeApiKeys(deps: Deps, signals?: Signals) {
  const { platform, platformPool } = deps.database
  const ownerByKey = makeShortCache(async (hmacs: string) => {
    const text = `${keyOwnerQuery} where k.mark = any($1)`
    return (await platformPool.query<KeyOwnerRow>(text, [hmacs.split(' ')])).rows[0]
  })
  const ownerByToken = makeShortCache(async (hmac: string) => {
    const text = `${keyOwnerQuery} join whatsapps w on w."companyId" = k."companyId" and w.id = k."whatsappId" and k.kind = 'line' where w."tokenHash" = $1`
    const findOwner = async () => (await platformPool.query<KeyOwnerRow>(text, [hmac])).rows[0]
    return (await findOwner()) ?? ((await createLineKey(hmac)) ? findOwner() : undefined)
  })
  const clearCaches = () => {
    ownerByKey.clear()
    ownerByToken.clear()
  }
  deps.database.watch({ pattern: keyOwnerTables, onWrite: clearCaches })
  signals?.on('who', clearCaches)

  /** Creates the key row when a line's token is used for the first time. */
  async function createLineKey(hmac: string): Promise<boolean> {
    const line = await platform
      .selectFrom('whatsapps')
      .select(['id', 'companyId', 'name'])
      .where('tokenHash', '=', hmac)
      .executeTakeFirst()
    if (!line) return false
    await platform
      .insertInto('apiKeys')
      .values({
        ...{ companyId: line.companyId, whatsappId: line.id, whatsappIds: [line.id], name: line.name },
        kind: 'line',
        scopes: [...keyScopes],
      })
      .onConflict((c) => c.columns(['companyId', 'whatsappId']).where('kind', '=', 'line').doNothing())
      .execute()
    return true
  }

  async function recordUse({ keyId, lastUsedAt }: KeyOwnerRow): Promise<void> {
    const now = deps.clock.now()
    if (lastUsedAt && now.getTime() - Date.parse(lastUsedAt) < minutes(1)) return
    await platform.updateTable('apiKeys').set({ lastUsedAt: now }).where('id', '=', keyId).execute()
  }

  async function toAuthContext(row: KeyOwnerRow): Promise<AuthContext> {
    const now = deps.clock.now()
    if (row.revokedAt || (row.expiresAt && Date.parse(row.expiresAt) <= now.getTime()))
      throw new AppError('ERR_API_KEY')
    await recordUse(row)
    const { id, companyId, name, email, profile, language, allTicket } = row
    const key = { id: row.keyId, name: row.keyName, scopes: row.scopes, whatsappIds: row.whatsappIds }
    return {
      actor: {
        ...{ id, companyId, name, email, profile, language, allTicket },
        // A key is limited to its company, even if the super user created it.
        super: false,
        queueIds: [],
        sessionId: '',
        credentialVersion: 0,
        key,
      },
      plan: Object.fromEntries(planFlags.map((f) => [f, row[f] ?? false])),
      isPaid: isCompanyPaid(row, now),
      companyActive: row.companyActive,
    }
  }

  /** Limits guessing, because companies choose the tokens of their lines, and some are short. */
  const attempts = makeAttemptLimiter(deps.clock, { maxAttempts: maxGuessesPerMinute, windowMs: minutes(1) })
  /**
   * Keys that were valid in this process: they are accepted although their address has guessed too often. Clients of
   * many companies may call from one address, and a caller who guesses there must not lock the others out. (A key
   * cannot be guessed; for a line's token this would confirm a guess.)
   */
  const validKeys = new Set<string>()
  function withGuessLimit<R>(caller: string, load: () => Promise<R>, hmac = ''): Promise<R> {
    if (attempts.isLimitReached(caller) && !validKeys.has(hmac))
      throw new AppError('ERR_RATE_LIMIT', undefined, { retryAfter: 60 })
    return load()
  }
  function requireOwner(row: KeyOwnerRow | undefined, caller: string): KeyOwnerRow {
    if (row) return row
    attempts.count(caller)
    throw new AppError('ERR_API_KEY')
  }

  return {
    async fromKey(header: string | undefined, e: Endpoint, caller: string): Promise<AuthContext | null> {
      const bearer = /^Bearer (\S+)$/i.exec(header ?? '')?.[1] ?? ''
      if (bearer.startsWith(apiKeyPrefix)) {
        const hmacs = apiKeyHmacs(deps, bearer).join(' ')
        const row = requireOwner(await withGuessLimit(caller, () => ownerByKey.get(hmacs), hmacs), caller)
        const authContext = await toAuthContext(row)
        if (validKeys.size >= maxCachedKeys) validKeys.clear()
        validKeys.add(hmacs)
        const isClosed = !e.key || !row.scopes.includes(e.key) || (row.whatsappIds.length > 0 && !e.lines)
        if (isClosed) throw new AppError('ERR_API_KEY_SCOPE')
        return authContext
      }
      // A bearer that is not a session's JWT is treated as a line's token.
      if (!e.token || !bearer || /^eyJ[\w-]*\.[\w-]*\.[\w-]*$/.test(bearer)) return null
      const owner = await withGuessLimit(caller, () => ownerByToken.get(lineTokenHmac(deps, bearer)))
      return { ...(await toAuthContext(requireOwner(owner, caller))), isLineToken: true }
    },
  }
}

export type ApiKeyRow = Selectable<DB['apiKeys']>

async function presentApiKeys(scope: Scope, rows: ApiKeyRow[]): Promise<ApiKey[]> {
  const lines = await scope.db
    .selectFrom('whatsapps')
    .select(['id', 'name'])
    .where('companyId', '=', scope.companyId)
    .where('id', 'in', [0, ...rows.flatMap((row) => row.whatsappIds)])
    .execute()
  const people = await scope.db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('companyId', '=', scope.companyId)
    .where('id', 'in', [0, ...rows.map((row) => row.userId ?? 0)])
    .execute()
  return rows.map(({ id, name, hint, scopes, whatsappIds, expiresAt, lastUsedAt, revokedAt, userId, createdAt }) => ({
    ...{ id, name, hint, scopes, expiresAt, lastUsedAt, revokedAt, createdAt },
    lines: lines.filter((line) => whatsappIds.includes(line.id)),
    linesGone: whatsappIds.filter((one) => !lines.some((line) => line.id === one)).length,
    user: people.find((person) => person.id === userId) ?? null,
  }))
}

const apiKeys = makeRecords('apiKeys', apiKeysApi, {
  present: presentApiKeys,
  visible: (_, query) => query.where('kind', '=', 'key'),
  audience: (scope) => ({ admins: scope.companyId }),
})
/** A new API key, long enough to be unguessable. */
const generateApiKey = () => `${apiKeyPrefix}${randomBytes(24).toString('base64url')}`

export const apiKeyRoutes = [
  route(apiKeysApi.list, async (scope, { query }) => {
    const { rows, ...rest } = await apiKeys.page(scope, query)
    return { apiKeys: rows, ...rest }
  }),
  route(apiKeysApi.create, async (scope, { body: { whatsappIds, ...body } }) => {
    const requireOwner = await scope.db
      .selectFrom('whatsapps')
      .select('id')
      .where('companyId', '=', scope.companyId)
      .where('id', 'in', [0, ...whatsappIds])
      .execute()
    if (requireOwner.length < new Set(whatsappIds).size) throw new AppError('ERR_NO_WAPP_FOUND')
    if (body.expiresAt && Date.parse(body.expiresAt) <= scope.now().getTime())
      throw new AppError('ERR_VALIDATION', { expiresAt: 'In the past' })
    const key = generateApiKey()
    const created = await apiKeys.create(scope, {
      ...body,
      whatsappIds: requireOwner.map((line) => line.id),
      mark: apiKeyHmacs(scope.deps, key)[0],
      hint: `${key.slice(0, 7)}…${key.slice(-4)}`,
      userId: scope.actor.id,
      createdAt: scope.now(),
    })
    await writeAudit(scope, 'key.created', created.id, created.name)
    return { ...created, key }
  }),
  route(apiKeysApi.revoke, async (scope, { params }) => {
    const before = await apiKeys.lockRow(scope, params.id)
    if (before.revokedAt) return apiKeys.presentRow(scope, before)
    await writeAudit(scope, 'key.revoked', before.id, before.name)
    return apiKeys.update(scope, params.id, { revokedAt: scope.now() })
  }),
]
