import { providersWithTrait } from '@recado/contract/line-traits'
import type { Ticket } from '@recado/contract/tickets'
import type { Scope } from '../kernel/data/scope.ts'
import { AppError } from '../kernel/errors.ts'

const windowProviders = providersWithTrait('window').map((provider) => `'${provider}'`)
/** Whether a line (`of`) is of a kind that has such hours. */
export const hasReplyWindowSql = (of: string): string => `${of}.provider in (${windowProviders.join(', ')})`

/**
 * Until when Meta lets a customer be written to freely: 24 hours after they last wrote or called on that line. `of` is
 * a ticket or a message. Who never wrote has no such hours. An index finds their newest at once.
 */
export const replyWindowEndSql = (of: string): string => `coalesce((
    select l."createdAt" + interval '24 hours' from messages l
    where l."companyId" = ${of}."companyId" and l."contactId" = ${of}."contactId" and l."whatsappId" = ${of}."whatsappId"
      and not l."fromMe" order by l."createdAt" desc, l.id desc limit 1
  ), 'epoch')`

/** Outside these hours only a template may be sent. */
export function assertReplyWindowOpen(scope: Scope, ticket: Pick<Ticket, 'windowEndsAt'>): void {
  if (!isReplyWindowOpen(scope, ticket)) throw new AppError('ERR_WINDOW_CLOSED')
}
export const isReplyWindowOpen = (scope: Scope, { windowEndsAt }: Pick<Ticket, 'windowEndsAt'>): boolean =>
  windowEndsAt === null || Date.parse(windowEndsAt) > scope.now().getTime()

/** The same after a message of theirs that was written at this moment. */
export function extendReplyWindow(windowEndsAt: string | null, at: string): string | null {
  if (windowEndsAt === null) return null
  const ends = Math.max(Date.parse(windowEndsAt), Date.parse(at) + 24 * 60 * 60 * 1000)
  return new Date(ends).toISOString()
}
