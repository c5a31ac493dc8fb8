import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../kernel/errors.ts'
import type { OriginCheck } from '../kernel/http/origins.ts'
import { browserCookieName } from '../kernel/live/sockets.ts'
import { refreshTokenTtlMs } from './sessions.ts'

const cookieName = 'jrt'
type CookieRules = { isSecure: boolean; isCrossSite: boolean; isOwnOrigin: OriginCheck }
export type RefreshCookie = ReturnType<typeof makeRefreshCookie>

/** The cookie that renews a session, and the cookie that identifies a browser. */
export function makeRefreshCookie({ isSecure, isCrossSite, isOwnOrigin }: CookieRules) {
  const flags = {
    httpOnly: true,
    path: '/auth',
    secure: isSecure || isCrossSite,
    sameSite: isCrossSite ? 'none' : 'lax',
  } as const
  const maxAge = refreshTokenTtlMs / 1000
  return {
    read: (request: FastifyRequest): string | undefined => request.cookies[cookieName],
    set: (reply: FastifyReply, value: string) => reply.setCookie(cookieName, value, { ...flags, maxAge }),
    /** Clears the cookie with the flags it was set with: in cross-site use, browsers ignore other flags. */
    clear: (reply: FastifyReply) => reply.clearCookie(cookieName, flags),
    /** The path is `/`, because sockets use another path than logins. */
    setBrowser: (reply: FastifyReply, value: string) =>
      reply.setCookie(browserCookieName, value, { ...flags, path: '/', maxAge }),

    /** Refuses a request made by a page of another site: the browser may have added our cookie. */
    refuseForeignOrigin({ headers, host }: FastifyRequest): void {
      if (!isOwnOrigin(headers.origin, host)) throw new AppError('ERR_FOREIGN_ORIGIN')
    },
  }
}
