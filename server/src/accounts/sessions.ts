import { randomUUID } from 'node:crypto'
import { type PlanFlag, planFlags } from '@recado/contract/kit'
import { jwtVerify, SignJWT } from 'jose'
import { type Actor, accessLife, type Visit } from '../kernel/actor.ts'
import { days, later } from '../kernel/clock.ts'
import { remembered } from '../kernel/data/remembered.ts'
import type { Means } from '../kernel/data/scope.ts'
import { AppError } from '../kernel/errors.ts'
import type { Signals } from '../kernel/live/signals.ts'
import { isPaid } from './paid.ts'
import { graceDays, graceText } from './platform/grace.ts'

declare module '../kernel/live/signals.ts' {
  interface SignalWords {
    /** Something of who may do what was written: a trigger of the database says it. */
    who: []
  }
}

export const refreshLife = days(7)
/** However often it is used: so long after the login it ends, unless the operator says otherwise. */
export const longestLife = days(90)
/** Browsers of this family refresh two or three times at once: the token before the current one works this long. */
const overlap = 60_000
/** Long enough to connect with. Whoever reads it later, in whatever log, opens nothing with it. */
const ticketLife = 30_000
/** Clients of this family come back with the token they first had, also when it ran out a moment ago. */
const socketGrace = 60_000

export type Sessions = ReturnType<typeof makeSessions>

const actorQuery = `
  select u.id, u."companyId", u.name, u.email, u.profile, u.super, u.language, s.id as "sessionId", u.active,
         u."allTicket" = 'enabled' as "allTicket",
         array(select q."queueId" from "userQueues" q where q."companyId" = u."companyId" and q."userId" = u.id) as "queueIds",
         c.status as "companyActive", c."dueDate", ${graceText} as "graceDays", z.value as zone, s."expiresAt", ${planFlags.map((f) => `p."${f}"`).join(', ')}
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
export function makeSessions({ database, vault, clock }: Means, signals?: Signals, longest = longestLife) {
  const { platform, platformPool } = database
  const rows = remembered((id: string) =>
    platformPool.query<ActorRow>({ name: 'actor', text: actorQuery, values: [id] }).then((found) => found.rows[0]),
  )
  database.watch({ writes: actorTables, written: rows.forget })
  signals?.on('who', rows.forget)
  const claims = remembered(readToken)

  async function visit(sessionId: string): Promise<Visit | null> {
    const row = await rows.of(sessionId)
    if (!row?.active || Date.parse(row.expiresAt) <= clock.now().getTime()) return null
    const { id, companyId, name, email, profile, super: isSuper, language, allTicket, queueIds } = row
    const paid = isPaid(row, clock.now())
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
  async function readToken(token: string): Promise<{ id: string; until: number } | null> {
    const { payload } = await jwtVerify(token, vault.tokenKey, {
      algorithms: ['HS256'],
      currentDate: new Date(0),
      requiredClaims: ['exp', 'sid'],
    }).catch(() => ({ payload: null }))
    return payload && { id: String(payload.sid), until: Number(payload.exp) * 1000 }
  }

  /** The session a token speaks of, if it is not older than its life and this much more. */
  async function sessionOf(token: string, grace = 0): Promise<string> {
    const said = await claims.of(token)
    if (!said || said.until + grace <= clock.now().getTime()) throw new AppError('ERR_TOKEN_EXPIRED')
    return said.id
  }
  /** The same of a ticket for sockets. */
  function sessionOfTicket(ticket: string): string | null {
    const [id = '', until = '', signature = ''] = ticket.split('.')
    const holds = vault.signed('socket', `${id}.${until}`, signature) && Number(until) > clock.now().getTime()
    return holds ? id : null
  }

  const accessToken = (actor: Pick<Actor, 'id' | 'name' | 'profile' | 'companyId' | 'sessionId'>): Promise<string> =>
    new SignJWT({
      id: actor.id,
      username: actor.name,
      profile: actor.profile,
      companyId: actor.companyId,
      sid: actor.sessionId,
    })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuedAt(clock.now())
      .setExpirationTime(later(clock.now(), accessLife))
      .sign(vault.tokenKey)

  const refreshToken = (id: string, generation: number) =>
    `${id}.${generation}.${vault.sign('refresh', `${id}.${generation}`)}`

  function readRefresh(cookie: string | undefined): { id: string; generation: number } {
    const [id = '', generation = '', signature = ''] = (cookie ?? '').split('.')
    if (!vault.signed('refresh', `${id}.${generation}`, signature)) throw new AppError('ERR_SESSION_EXPIRED')
    return { id, generation: Number(generation) }
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
    async over(open: Pick<Actor, 'sessionId' | 'locked'>[]): Promise<string[]> {
      const ids = open.map((one) => one.sessionId)
      if (!ids.length) return []
      const rows = await platform
        .selectFrom('sessions as s')
        .innerJoin('companies as c', 'c.id', 's.companyId')
        .leftJoin('settings as z', (join) => join.onRef('z.companyId', '=', 'c.id').on('z.key', '=', 'timezone'))
        .select(['s.id', 'c.status', 'c.dueDate', 'z.value as zone', graceDays.as('graceDays')])
        .where('s.id', 'in', ids)
        .where('s.expiresAt', '>', clock.now().toISOString())
        .execute()
      const paid = new Map(rows.filter((row) => row.status).map((row) => [row.id, isPaid(row, clock.now())]))
      return open.filter((one) => paid.get(one.sessionId) !== !one.locked).map((one) => one.sessionId)
    },

    /** For calls: a missing header is 401, a token that no longer opens the door is 403 and the client refreshes. */
    async fromHeader(header: string | undefined): Promise<Visit> {
      const token = /^Bearer (.+)$/i.exec(header ?? '')?.[1]
      if (!token) throw new AppError('ERR_SESSION_EXPIRED')
      const found = await visit(await sessionOf(token))
      if (!found) throw new AppError('ERR_SESSION_EXPIRED')
      return found
    },

    /** What opens a socket, and nothing else. */
    socketTicket(sessionId: string): string {
      const said = `${sessionId}.${clock.now().getTime() + ticketLife}`
      return `${said}.${vault.sign('socket', said)}`
    },

    /** For sockets: a ticket, or the token of an older client. Who is locked comes in, too, to hear of the payment. */
    async fromSocket({ ticket, token }: { ticket: string; token: string }): Promise<Actor | null> {
      const id = ticket ? sessionOfTicket(ticket) : await sessionOf(token, socketGrace).catch(() => null)
      const found = id === null ? null : await visit(id)
      return found?.companyActive ? found.actor : null
    },

    /**
     * Opens a session in place of the one before it. Returns the ended one, for its sockets to be told. `knew`: the hash
     * of the password they came with. Who gets another one ends what is open, and whoever is at the door in that moment
     * with the old one must not come in behind it: then null.
     */
    async open(
      companyId: number,
      userId: number,
      knew?: string,
    ): Promise<{ id: string; refresh: string; ended: string | null } | null> {
      const id = randomUUID()
      const now = clock.now()
      return platform.transaction().execute(async (trx) => {
        const held = trx.selectFrom('users').select('passwordHash').where('id', '=', userId).forShare()
        if (knew !== undefined && (await held.executeTakeFirst())?.passwordHash !== knew) return null
        const old = await trx
          .selectFrom('sessions')
          .select('id')
          .where('userId', '=', userId)
          .forUpdate()
          .executeTakeFirst()
        const fresh = { id, generation: 0, rotatedAt: now, expiresAt: later(now, Math.min(refreshLife, longest)) }
        await trx
          .insertInto('sessions')
          .values({ userId, companyId, ...fresh })
          .onConflict((c) => c.column('userId').doUpdateSet(fresh))
          .execute()
        return { id, refresh: refreshToken(id, 0), ended: old?.id ?? null }
      })
    },

    /** Exchanges a refresh token. One used long after it was replaced has been stolen: the session ends, and `stolen` hears of it. */
    async refresh(
      cookie: string | undefined,
      stolen: (session: { id: string; userId: number; companyId: number }) => void,
    ): Promise<{ visit: Visit; refresh: string }> {
      const given = readRefresh(cookie)
      const now = clock.now()
      const { generation, ended } = await platform.transaction().execute(async (trx) => {
        const row = await trx
          .selectFrom('sessions')
          .selectAll()
          .where('id', '=', given.id)
          .forUpdate()
          .executeTakeFirst()
        if (!row || Date.parse(row.expiresAt) <= now.getTime()) return { generation: null }
        // Asked again and not only kept in `expiresAt`: the operator may have shortened it since.
        const left = Date.parse(row.openedAt ?? row.rotatedAt) + longest - now.getTime()
        if (left <= 0) return { generation: null }
        const fresh = now.getTime() - Date.parse(row.rotatedAt) < overlap && row.generation > 0
        if (given.generation === row.generation && !fresh) {
          await trx
            .updateTable('sessions')
            .set({ generation: row.generation + 1, rotatedAt: now, expiresAt: later(now, Math.min(refreshLife, left)) })
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
      const found = generation === null ? null : await visit(given.id)
      if (generation === null || !found) throw new AppError('ERR_SESSION_EXPIRED')
      return { visit: found, refresh: refreshToken(given.id, generation) }
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
