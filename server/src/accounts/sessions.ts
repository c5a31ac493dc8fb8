import { randomUUID } from 'node:crypto'
import { type PlanFlag, planFlags } from '@recado/contract/endpoint'
import { jwtVerify, SignJWT } from 'jose'
import { type Actor, type AuthContext, accessTokenTtlMs } from '../kernel/actor.ts'
import { addMs, days } from '../kernel/clock.ts'
import type { Deps, Scope } from '../kernel/data/scope.ts'
import { makeShortCache } from '../kernel/data/short-cache.ts'
import { AppError } from '../kernel/errors.ts'
import type { Signals } from '../kernel/live/signals.ts'
import { isCompanyPaid } from './payment-status.ts'
import { graceDaysExpression, graceDaysSql } from './platform/grace-days.ts'
import type { UserRow } from './user-view.ts'

declare module '../kernel/live/signals.ts' {
  interface SignalPayloads {
    /** Something of who may do what was written: a trigger of the database says it. */
    who: []
  }
}

export const refreshTokenTtlMs = days(7)
/** However often it is used: so long after the login it ends, unless the operator says otherwise. */
export const maxSessionAgeMs = days(90)
/** Browsers of this family refresh two or three times at once: the token before the current one works this long. */
const refreshOverlapMs = 60_000
/** Long enough to connect with. Whoever reads it later, in whatever log, opens nothing with it. */
const socketTicketTtlMs = 30_000
/** Clients of this family come back with the token they first had, also when it ran out a moment ago. */
const socketTokenGraceMs = 60_000

/** What a token, a refresh cookie or a socket ticket says: whose session, under which credential version. */
type SessionClaim = { id: string; version: number }
type TokenOwner = Pick<Actor, 'id' | 'name' | 'profile' | 'companyId' | 'sessionId' | 'credentialVersion'>

/** The cookie is older than the last change of what its person logs in with. */
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

/** Tokens and the one row per person behind them. A token without a living row is worth nothing. */
export function makeSessions({ database, vault, clock }: Deps, signals?: Signals, longest = maxSessionAgeMs) {
  const { platform, platformPool } = database
  const rows = makeShortCache((id: string) =>
    platformPool.query<ActorRow>({ name: 'actor', text: actorQuery, values: [id] }).then((found) => found.rows[0]),
  )
  database.watch({ writes: actorTables, written: rows.forget })
  signals?.on('who', rows.forget)
  const claims = makeShortCache(readToken)

  async function visit(sessionId: string): Promise<AuthContext | null> {
    const row = await rows.of(sessionId)
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
    const paid = isCompanyPaid(row, clock.now())
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
        ...(!paid && { locked: true }),
      },
      plan: Object.fromEntries(planFlags.map((f) => [f, row[f] ?? false])),
      paid,
      companyActive: row.companyActive,
    }
  }

  /** What a token says, if the signature is ours. Its age is asked each time. */
  async function readToken(token: string): Promise<{ id: string; version: number; until: number } | null> {
    const { payload } = await jwtVerify(token, vault.tokenKey, {
      algorithms: ['HS256'],
      currentDate: new Date(0),
      requiredClaims: ['exp', 'sid'],
    }).catch(() => ({ payload: null }))
    return payload && { id: String(payload.sid), version: Number(payload.cv ?? 0), until: Number(payload.exp) * 1000 }
  }

  /** The session a token speaks of, if it is not older than its life and this much more. */
  async function sessionOf(token: string, grace = 0): Promise<SessionClaim> {
    const said = await claims.of(token)
    if (!said || said.until + grace <= clock.now().getTime()) throw new AppError('ERR_TOKEN_EXPIRED')
    return said
  }
  /** The same of a ticket for sockets. */
  function sessionOfTicket(ticket: string): SessionClaim | null {
    const claim = readSigned('socket', ticket)
    return claim && claim.number > clock.now().getTime() ? claim : null
  }

  /**
   * A session, a number (generation or time) and the credential version, signed. Version 0 is left out: that is how
   * the previous release writes and reads them, and it may run beside this one.
   */
  function writeSigned(use: 'refresh' | 'socket', id: string, number: number, version: number): string {
    const text = [id, number, ...(version ? [version] : [])].join('.')
    return `${text}.${vault.sign(use, text)}`
  }
  function readSigned(use: 'refresh' | 'socket', given: string): (SessionClaim & { number: number }) | null {
    const parts = given.split('.')
    const signature = parts.pop() ?? ''
    const [id = '', number = '', version = '0'] = parts
    if (parts.length > 3 || !vault.signed(use, parts.join('.'), signature)) return null
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
    visit,
    accessToken,

    /** May people of this company come in at all? Asked before a login ends the session before it. */
    async isActive(companyId: number): Promise<boolean> {
      const company = platform.selectFrom('companies').select('status').where('id', '=', companyId)
      return (await company.executeTakeFirstOrThrow()).status
    },

    /**
     * Which of these no longer open the door, or would open another one: ended in another process, run out, no longer
     * paid for, or paid for by now.
     */
    async over(open: Pick<Actor, 'sessionId' | 'credentialVersion' | 'locked'>[]): Promise<string[]> {
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
      const living = new Map(rows.filter((row) => row.status).map((row) => [row.id, row]))
      const holds = ({ sessionId, credentialVersion, locked }: (typeof open)[number]) => {
        const row = living.get(sessionId)
        return row?.credentialVersion === credentialVersion && isCompanyPaid(row, clock.now()) === !locked
      }
      return open.filter((one) => !holds(one)).map((one) => one.sessionId)
    },

    /** For calls: a missing header is 401, a token that no longer opens the door is 403 and the client refreshes. */
    async fromHeader(header: string | undefined): Promise<AuthContext> {
      const token = /^Bearer (.+)$/i.exec(header ?? '')?.[1]
      if (!token) throw new AppError('ERR_SESSION_EXPIRED')
      const { id, version } = await sessionOf(token)
      const found = await visit(id)
      if (!found) throw new AppError('ERR_SESSION_EXPIRED')
      // Made before the person changed what they log in with: their own browser has a newer cookie and refreshes.
      if (found.actor.credentialVersion !== version) throw new AppError('ERR_TOKEN_EXPIRED')
      return found
    },

    /** What opens a socket, and nothing else. */
    socketTicket: ({ sessionId, credentialVersion }: Pick<Actor, 'sessionId' | 'credentialVersion'>): string =>
      writeSigned('socket', sessionId, clock.now().getTime() + socketTicketTtlMs, credentialVersion),

    /** For sockets: a ticket, or the token of an older client. Who is locked comes in, too, to hear of the payment. */
    async fromSocket({ ticket, token }: { ticket: string; token: string }): Promise<Actor | null> {
      const claim = ticket ? sessionOfTicket(ticket) : await sessionOf(token, socketTokenGraceMs).catch(() => null)
      const found = claim && (await visit(claim.id))
      return found?.companyActive && found.actor.credentialVersion === claim?.version ? found.actor : null
    },

    /**
     * Opens a session in place of the one before it. Returns the ended one, for its sockets to be told. Null when the
     * password or the credential version is no longer what the login was checked against: a change ends all sessions,
     * and a login that was being checked meanwhile must not open one behind it.
     */
    async open(
      user: Pick<UserRow, 'id' | 'companyId' | 'passwordHash' | 'credentialVersion'>,
    ): Promise<{ id: string; refresh: string; ended: string | null } | null> {
      const { id: userId, companyId, credentialVersion } = user
      const id = randomUUID()
      const now = clock.now()
      return platform.transaction().execute(async (trx) => {
        const held = await trx
          .selectFrom('users')
          .select(['passwordHash', 'credentialVersion'])
          .where('id', '=', userId)
          .forShare()
          .executeTakeFirst()
        if (held?.passwordHash !== user.passwordHash || held.credentialVersion !== credentialVersion) return null
        const old = await trx
          .selectFrom('sessions')
          .select('id')
          .where('userId', '=', userId)
          .forUpdate()
          .executeTakeFirst()
        const fresh = { id, generation: 0, rotatedAt: now, expiresAt: addMs(now, Math.min(refreshTokenTtlMs, longest)) }
        await trx
          .insertInto('sessions')
          .values({ userId, companyId, ...fresh })
          .onConflict((c) => c.column('userId').doUpdateSet(fresh))
          .execute()
        return { id, refresh: refreshToken(id, 0, credentialVersion), ended: old?.id ?? null }
      })
    },

    /** Exchanges a refresh token. One used long after it was replaced has been stolen: the session ends, and `stolen` hears of it. */
    async refresh(
      cookie: string | undefined,
      stolen: (session: { id: string; userId: number; companyId: number }) => void,
    ): Promise<{ visit: AuthContext; refresh: string }> {
      const given = readRefresh(cookie)
      const now = clock.now()
      const { generation, ended, renewed } = await platform.transaction().execute(async (trx) => {
        const row = await trx
          .selectFrom('sessions')
          .selectAll()
          .where('id', '=', given.id)
          .forUpdate()
          .executeTakeFirst()
        if (!row || Date.parse(row.expiresAt) <= now.getTime()) return { generation: null }
        const owner = trx.selectFrom('users').select('credentialVersion').where('id', '=', row.userId)
        // A copy from before the person changed what they log in with. The session goes on under its newer cookie.
        if ((await owner.executeTakeFirst())?.credentialVersion !== given.version)
          return { generation: null, renewed: true }
        // Asked again and not only kept in `expiresAt`: the operator may have shortened it since.
        const left = Date.parse(row.openedAt ?? row.rotatedAt) + longest - now.getTime()
        if (left <= 0) return { generation: null }
        const fresh = now.getTime() - Date.parse(row.rotatedAt) < refreshOverlapMs && row.generation > 0
        if (given.generation === row.generation && !fresh) {
          await trx
            .updateTable('sessions')
            .set({
              generation: row.generation + 1,
              rotatedAt: now,
              expiresAt: addMs(now, Math.min(refreshTokenTtlMs, left)),
            })
            .where('id', '=', given.id)
            .execute()
          return { generation: row.generation + 1 }
        }
        if (given.generation === row.generation || (given.generation === row.generation - 1 && fresh))
          return { generation: row.generation }
        await trx.deleteFrom('sessions').where('id', '=', given.id).execute()
        return { generation: null, ended: row }
      })
      if (ended) stolen(ended)
      if (renewed) throw new SessionRenewedError()
      const found = generation === null ? null : await visit(given.id)
      if (generation === null || !found) throw new AppError('ERR_SESSION_EXPIRED')
      const actor = { ...found.actor, credentialVersion: given.version }
      return { visit: { ...found, actor }, refresh: refreshToken(given.id, generation, given.version) }
    },

    /**
     * The cookie for a session that goes on after its person changed what they log in with, in the transaction that
     * counted the version up. Null where that session is gone. Not locked (people's role may not change sessions): a
     * refresh at the same moment makes this the token before the current one, which holds for a minute (`overlap`).
     */
    async renewed({ db }: Scope, sessionId: string, version: number): Promise<string | null> {
      const row = await db.selectFrom('sessions').select('generation').where('id', '=', sessionId).executeTakeFirst()
      return row ? refreshToken(sessionId, row.generation, version) : null
    },

    /** The session a cookie belongs to, for a logout without a usable token. */
    ofCookie: (cookie: string | undefined): string | null => {
      try {
        return readRefresh(cookie).id
      } catch {
        return null
      }
    },
  }
}
