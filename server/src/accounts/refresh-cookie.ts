import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../kernel/errors.ts'
import type { OriginCheck } from '../kernel/http/origins.ts'
import { browserCookieName } from '../kernel/live/sockets.ts'
import { refreshTokenTtlMs } from './sessions.ts'

const cookieName = 'jrt'
type CookieRules = { secure: boolean; crossSite: boolean; isOwnOrigin: OriginCheck }
export type RefreshCookie = ReturnType<typeof makeRefreshCookie>

/** The cookie that renews a session, and the one by which a browser is known again. */
export function makeRefreshCookie({ secure, crossSite, isOwnOrigin }: CookieRules) {
  const flags = {
    httpOnly: true,
    path: '/auth',
    secure: secure || crossSite,
    sameSite: crossSite ? 'none' : 'lax',
  } as const
  const maxAge = refreshTokenTtlMs / 1000
  return {
    read: (request: FastifyRequest): string | undefined => request.cookies[cookieName],
    set: (reply: FastifyReply, value: string) => reply.setCookie(cookieName, value, { ...flags, maxAge }),
    /** With the flags it was set with: between sites, browsers ignore any other. */
    clear: (reply: FastifyReply) => reply.clearCookie(cookieName, flags),
    /** Sockets come by another path than logins. */
    setBrowser: (reply: FastifyReply, value: string) =>
      reply.setCookie(browserCookieName, value, { ...flags, path: '/', maxAge }),

    /** Refuses a call that a page of another site made: its browser may have added our cookie to it. */
    refuseForeignOrigin({ headers, host }: FastifyRequest): void {
      if (!isOwnOrigin(headers.origin, host)) throw new AppError('ERR_FOREIGN_ORIGIN')
    },
  }
}
