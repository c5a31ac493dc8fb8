import { randomUUID } from 'node:crypto'
import { type PlanFlag, planFlags } from '@recado/contract/endpoint'
import { jwtVerify, SignJWT } from 'jose'
import { type Actor, type AuthContext, accessTokenTtlMs } from '../kernel/actor.ts'
import { addMs, days } from '../kernel/clock.ts'
import type { Deps, Scope } from '../kernel/data/scope.ts'
import { makeShortCache } from '../kernel/data/short-cache.ts'
import { AppError } from '../kernel/errors.ts'
import type { Signals } from '../kernel/live/signals.ts'
import { graceDaysExpression, graceDaysSql } from './grace-days.ts'
import { isCompanyPaid } from './payment-status.ts'
import { type Device, findSessionsOverLimit, parseSessionLimit } from './session-limit.ts'
import type { UserRow } from './user-view.ts'

declare module '../kernel/live/signals.ts' {
  interface SignalPayloads {
    /** A database trigger sends this signal when permissions were changed. */
    who: []
  }
}

export const refreshTokenTtlMs = days(7)
/** Maximum session age after the login, however often the session is used, unless the operator sets another. */
export const maxSessionAgeMs = days(90)
/** Whaticket-compatible clients refresh two or three times in parallel: the previous token stays valid for this time. */
const refreshOverlapMs = 60_000
/** Short-lived on purpose: socket URLs end up in proxy logs. */
const socketTicketTtlMs = 30_000
/** Whaticket-compatible clients reconnect with their first token, even if it has just expired. */
const socketTokenGraceMs = 60_000

/** The content of an access token, a refresh cookie or a socket token: a session and its credential version. */
type SessionClaim = { id: string; version: number }
type TokenOwner = Pick<Actor, 'id' | 'name' | 'profile' | 'companyId' | 'sessionId' | 'credentialVersion'>

/** The cookie is older than the last change of its user's credentials. */
export class SessionRenewedError extends AppError {
  constructor() {
    super('ERR_SESSION_EXPIRED')
  }
}

export type Sessions = ReturnType<typeof makeSessions>

const actorQuery = `
  select u.id, u."companyId", u.name, u.email, u.profile, u.super, u.language, s.id as "sessionId", u."credentialVersion", u.active,
         u."allTicket" = 'enabled' as "allTicket",
         array(select q."queueId" from "userQueues" q where q."companyId" = u."companyId" and q."userId" = u.id) as "queueIds",
         c.status as "companyActive", c."dueDate", ${graceDaysSql} as "graceDays", z.value as zone, s."expiresAt", ${planFlags.map((f) => `p."${f}"`).join(', ')}
  from sessions s
  join users u on u.id = s."userId"
  join companies c on c.id = u."companyId"
  left join plans p on p.id = c."planId"
  left join settings z on z."companyId" = c.id and z.key = 'timezone'
  where s.id = $1`
const actorTables =
  /\b(insert into|update|delete from)\s+"?(sessions|users|userQueues|companies|plans|settings|platformSettings)\b/i

type ActorRow = Actor & {
  active: boolean
  companyActive: boolean
  dueDate: string | null
  graceDays: number
  zone: string | null
  expiresAt: string
} & Record<PlanFlag, boolean | null>

/** Tokens, and the session rows that they refer to. A token without an active row is invalid. */
export function makeSessions({ database, vault, clock }: Deps, signals?: Signals, maxAgeMs = maxSessionAgeMs) {
  const { platform, platformPool } = database
  const rows = makeShortCache((id: string) =>
    platformPool
      .query<ActorRow>({ name: 'actor', text: actorQuery, values: [id] })
      .then((authContext) => authContext.rows[0]),
  )
  database.watch({ pattern: actorTables, onWrite: rows.clear })
  signals?.on('who', rows.clear)
  const claims = makeShortCache(readToken)

  async function loadAuthContext(sessionId: string): Promise<AuthContext | null> {
    const row = await rows.get(sessionId)
    if (!row?.active || Date.parse(row.expiresAt) <= clock.now().getTime()) return null
    const {
      id,
      companyId,
      name,
      email,
      profile,
      super: isSuper,
      language,
      allTicket,
      queueIds,
      credentialVersion,
    } = row
    const isPaid = isCompanyPaid(row, clock.now())
    return {
      actor: {
        id,
        companyId,
        name,
        email,
        profile,
        super: isSuper,
        language,
        sessionId: row.sessionId,
        credentialVersion,
        allTicket,
        queueIds,
        ...(!isPaid && { locked: true }),
      },
      plan: Object.fromEntries(planFlags.map((f) => [f, row[f] ?? false])),
      isPaid: isPaid,
      companyActive: row.companyActive,
    }
  }

  /** The claims of a token with a valid signature. Its expiry is checked at each use. */
  async function readToken(token: string): Promise<{ id: string; version: number; until: number } | null> {
    const { payload } = await jwtVerify(token, vault.tokenKey, {
      algorithms: ['HS256'],
      currentDate: new Date(0),
      requiredClaims: ['exp', 'sid'],
    }).catch(() => ({ payload: null }))
    return payload && { id: String(payload.sid), version: Number(payload.cv ?? 0), until: Number(payload.exp) * 1000 }
  }

  /** The session of a token, if it did not expire more than `grace` ago. */
  async function sessionOf(token: string, grace = 0): Promise<SessionClaim> {
    const claim = await claims.get(token)
    if (!claim || claim.until + grace <= clock.now().getTime()) throw new AppError('ERR_TOKEN_EXPIRED')
    return claim
  }
  /** Reads a socket token, and returns its session if the token has not expired. */
  function sessionOfTicket(ticket: string): SessionClaim | null {
    const claim = readSigned('socket', ticket)
    return claim && claim.number > clock.now().getTime() ? claim : null
  }

  /**
   * Signs a session id, a number (generation or time) and the credential version. Version 0 is left out: the previous
   * release, which may run beside this one, writes and reads no version.
   */
  function writeSigned(use: 'refresh' | 'socket', id: string, number: number, version: number): string {
    const text = [id, number, ...(version ? [version] : [])].join('.')
    return `${text}.${vault.sign(use, text)}`
  }
  function readSigned(use: 'refresh' | 'socket', signedText: string): (SessionClaim & { number: number }) | null {
    const parts = signedText.split('.')
    const signature = parts.pop() ?? ''
    const [id = '', number = '', version = '0'] = parts
    if (parts.length > 3 || !vault.verify(use, parts.join('.'), signature)) return null
    return { id, number: Number(number), version: Number(version) }
  }

  const accessToken = (actor: TokenOwner): Promise<string> =>
    new SignJWT({
      id: actor.id,
      username: actor.name,
      profile: actor.profile,
      companyId: actor.companyId,
      sid: actor.sessionId,
      cv: actor.credentialVersion,
    })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuedAt(clock.now())
      .setExpirationTime(addMs(clock.now(), accessTokenTtlMs))
      .sign(vault.tokenKey)

  const refreshToken = (id: string, generation: number, version: number) =>
    writeSigned('refresh', id, generation, version)

  function readRefresh(cookie: string | undefined): SessionClaim & { generation: number } {
    const claim = readSigned('refresh', cookie ?? '')
    if (!claim) throw new AppError('ERR_SESSION_EXPIRED')
    return { ...claim, generation: claim.number }
  }

  return {
    loadAuthContext: loadAuthContext,
    accessToken,

    /** Whether users of this company may log in. Checked before a login ends the previous session. */
    async isCompanyActive(companyId: number): Promise<boolean> {
      const company = platform.selectFrom('companies').select('status').where('id', '=', companyId)
      return (await company.executeTakeFirstOrThrow()).status
    },

    /**
     * Finds sessions whose access changed: ended in another process, expired, no longer paid for, or paid for again.
     */
    async findEnded(open: Pick<Actor, 'sessionId' | 'credentialVersion' | 'locked'>[]): Promise<string[]> {
      const ids = open.map((one) => one.sessionId)
      if (!ids.length) return []
      const rows = await platform
        .selectFrom('sessions as s')
        .innerJoin('companies as c', 'c.id', 's.companyId')
        .innerJoin('users as u', 'u.id', 's.userId')
        .leftJoin('settings as z', (join) => join.onRef('z.companyId', '=', 'c.id').on('z.key', '=', 'timezone'))
        .select([
          's.id',
          'u.credentialVersion',
          'c.status',
          'c.dueDate',
          'z.value as zone',
          graceDaysExpression.as('graceDays'),
        ])
        .where('s.id', 'in', ids)
        .where('s.expiresAt', '>', clock.now().toISOString())
        .execute()
      const activeSessions = new Map(rows.filter((row) => row.status).map((row) => [row.id, row]))
      const isStillValid = ({ sessionId, credentialVersion, locked }: (typeof open)[number]) => {
        const row = activeSessions.get(sessionId)
        return row?.credentialVersion === credentialVersion && isCompanyPaid(row, clock.now()) === !locked
      }
      return open.filter((one) => !isStillValid(one)).map((one) => one.sessionId)
    },

    /** For HTTP requests: a missing header is answered with 401, an invalid token with 403, and the client refreshes. */
    async fromHeader(header: string | undefined): Promise<AuthContext> {
      const token = /^Bearer (.+)$/i.exec(header ?? '')?.[1]
      if (!token) throw new AppError('ERR_SESSION_EXPIRED')
      const { id, version } = await sessionOf(token)
      const authContext = await loadAuthContext(id)
      if (!authContext) throw new AppError('ERR_SESSION_EXPIRED')
      // The token was issued before the user changed credentials: the user's browser has a newer cookie and
      // refreshes.
      if (authContext.actor.credentialVersion !== version) throw new AppError('ERR_TOKEN_EXPIRED')
      return authContext
    },

    /** A short-lived token that can only open a socket. */
    socketTicket: ({ sessionId, credentialVersion }: Pick<Actor, 'sessionId' | 'credentialVersion'>): string =>
      writeSigned('socket', sessionId, clock.now().getTime() + socketTicketTtlMs, credentialVersion),

    /** For sockets: a socket token, or an older client's access token. Locked users may connect for the payment event. */
    async fromSocket({ ticket, token }: { ticket: string; token: string }): Promise<Actor | null> {
      const claim = ticket ? sessionOfTicket(ticket) : await sessionOf(token, socketTokenGraceMs).catch(() => null)
      const authContext = claim && (await loadAuthContext(claim.id))
      return authContext?.companyActive && authContext.actor.credentialVersion === claim?.version
        ? authContext.actor
        : null
    },

    /**
     * Opens a session and ends those that the company's setting does not allow beside it. Returns the ended sessions,
     * so that their sockets can be notified. Returns null when the password or the credential version has changed since
     * the login was checked: a change ends all sessions, and a login that is being checked meanwhile must not open a
     * session after it.
     */
    async open(
      user: Pick<UserRow, 'id' | 'companyId' | 'passwordHash' | 'credentialVersion'>,
      device: Device,
    ): Promise<{ id: string; refresh: string; endedSessionIds: string[] } | null> {
      const { id: userId, companyId, credentialVersion } = user
      const id = randomUUID()
      const now = clock.now()
      return platform.transaction().execute(async (trx) => {
        // Parallel logins of one user wait for each other here, so that each sees the sessions of the other.
        const lockedUser = await trx
          .selectFrom('users')
          .select(['passwordHash', 'credentialVersion'])
          .where('id', '=', userId)
          .forNoKeyUpdate()
          .executeTakeFirst()
        if (lockedUser?.passwordHash !== user.passwordHash || lockedUser.credentialVersion !== credentialVersion)
          return null
        const setting = await trx
          .selectFrom('settings')
          .select('value')
          .where('companyId', '=', companyId)
          .where('key', '=', 'sessionsPerUser')
          .executeTakeFirst()
        const current = await trx
          .selectFrom('sessions')
          .select(['id', 'device', 'openedAt'])
          .where('userId', '=', userId)
          .forUpdate()
          .execute()
        const newSession = { id, device, openedAt: now.toISOString() }
        const endedSessionIds = findSessionsOverLimit([newSession, ...current], parseSessionLimit(setting?.value))
        if (endedSessionIds.length) await trx.deleteFrom('sessions').where('id', 'in', endedSessionIds).execute()
        const values = {
          ...{ userId, companyId, id, device, generation: 0, rotatedAt: now },
          expiresAt: addMs(now, Math.min(refreshTokenTtlMs, maxAgeMs)),
        }
        const main = await trx
          .insertInto('sessions')
          .values(values)
          .onConflict((c) => c.column('userId').doNothing())
          .returning('id')
          .executeTakeFirst()
        if (!main) await trx.insertInto('furtherSessions').values(values).execute()
        return { id, refresh: refreshToken(id, 0, credentialVersion), endedSessionIds }
      })
    },

    /** Exchanges a refresh token. If it was replaced long ago, it was stolen: the session ends, and `stolen` is called. */
    async refresh(
      cookie: string | undefined,
      onStolenToken: (session: { id: string; userId: number; companyId: number }) => void,
    ): Promise<{ visit: AuthContext; refresh: string }> {
      const cookieClaim = readRefresh(cookie)
      const now = clock.now()
      const { generation, ended, renewed } = await platform.transaction().execute(async (trx) => {
        const row = await trx
          .selectFrom('sessions')
          .selectAll()
          .where('id', '=', cookieClaim.id)
          .forUpdate()
          .executeTakeFirst()
        if (!row || Date.parse(row.expiresAt) <= now.getTime()) return { generation: null }
        const owner = trx.selectFrom('users').select('credentialVersion').where('id', '=', row.userId)
        // The cookie is a copy from before a credential change. The session continues under its newer cookie.
        if ((await owner.executeTakeFirst())?.credentialVersion !== cookieClaim.version)
          return { generation: null, renewed: true }
        // The maximum age is checked again, not only stored in `expiresAt`: the operator may have shortened it since.
        const remainingMs = Date.parse(row.openedAt ?? row.rotatedAt) + maxAgeMs - now.getTime()
        if (remainingMs <= 0) return { generation: null }
        const isInOverlap = now.getTime() - Date.parse(row.rotatedAt) < refreshOverlapMs && row.generation > 0
        if (cookieClaim.generation === row.generation && !isInOverlap) {
          await trx
            .updateTable('sessions')
            .set({
              generation: row.generation + 1,
              rotatedAt: now,
              expiresAt: addMs(now, Math.min(refreshTokenTtlMs, remainingMs)),
            })
            .where('id', '=', cookieClaim.id)
            .execute()
          return { generation: row.generation + 1 }
        }
        if (cookieClaim.generation === row.generation || (cookieClaim.generation === row.generation - 1 && isInOverlap))
          return { generation: row.generation }
        await trx.deleteFrom('sessions').where('id', '=', cookieClaim.id).execute()
        return { generation: null, ended: row }
      })
      if (ended) onStolenToken(ended)
      if (renewed) throw new SessionRenewedError()
      const authContext = generation === null ? null : await loadAuthContext(cookieClaim.id)
      if (generation === null || !authContext) throw new AppError('ERR_SESSION_EXPIRED')
      const actor = { ...authContext.actor, credentialVersion: cookieClaim.version }
      return {
        visit: { ...authContext, actor },
        refresh: refreshToken(cookieClaim.id, generation, cookieClaim.version),
      }
    },

    /**
     * The cookie for a session that continues after a credential change, in the transaction that increased the version.
     * Null if that session no longer exists. The row is not locked, because the users' role may not change sessions: a
     * parallel refresh makes this the previous token, which stays valid for a minute (`overlap`).
     */
    async renewed({ db }: Scope, sessionId: string, version: number): Promise<string | null> {
      const row = await db.selectFrom('sessions').select('generation').where('id', '=', sessionId).executeTakeFirst()
      return row ? refreshToken(sessionId, row.generation, version) : null
    },

    /** The session of a cookie, for a logout without a valid access token. */
    sessionIdOfCookie: (cookie: string | undefined): string | null => {
      try {
        return readRefresh(cookie).id
      } catch {
        return null
      }
    },
  }
}
