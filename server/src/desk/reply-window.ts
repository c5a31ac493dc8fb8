import { providersWithTrait } from '@recado/contract/line-traits'
import type { Ticket } from '@recado/contract/tickets'
import type { Scope } from '../kernel/data/scope.ts'
import { AppError } from '../kernel/errors.ts'

const windowProviders = providersWithTrait('window').map((provider) => `'${provider}'`)
/** Whether a line (`of`) has a 24-hour reply window. */
export const hasReplyWindowSql = (of: string): string => `${of}.provider in (${windowProviders.join(', ')})`

/**
 * The end of Meta's free messaging window: 24 hours after the customer last wrote or called on that line. `of` is a ticket
 * or a message. A customer who never wrote has no window. An index finds the customer's newest message.
 */
export const replyWindowEndSql = (of: string): string => `coalesce((
    select l."createdAt" + interval '24 hours' from messages l
    where l."companyId" = ${of}."companyId" and l."contactId" = ${of}."contactId" and l."whatsappId" = ${of}."whatsappId"
      and not l."fromMe" order by l."createdAt" desc, l.id desc limit 1
  ), 'epoch')`

/** Throws outside the reply window, in which only a template may be sent. */
export function assertReplyWindowOpen(scope: Scope, ticket: Pick<Ticket, 'windowEndsAt'>): void {
  if (!isReplyWindowOpen(scope, ticket)) throw new AppError('ERR_WINDOW_CLOSED')
}
export const isReplyWindowOpen = (scope: Scope, { windowEndsAt }: Pick<Ticket, 'windowEndsAt'>): boolean =>
  windowEndsAt === null || Date.parse(windowEndsAt) > scope.now().getTime()

/** The end of the window after a customer's message at this moment. */
export function extendReplyWindow(windowEndsAt: string | null, at: string): string | null {
  if (windowEndsAt === null) return null
  const ends = Math.max(Date.parse(windowEndsAt), Date.parse(at) + 24 * 60 * 60 * 1000)
  return new Date(ends).toISOString()
}
