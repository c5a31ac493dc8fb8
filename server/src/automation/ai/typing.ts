import type { Scope } from '../../kernel/data/scope.ts'
import type { BotRequest } from '../bot-requests/backend.ts'

/** A phone forgets that somebody types after some ten seconds. */
const typingRepeatMs = 8000

/** The customer sees somebody type while the answer is on its way, where their line can show it. */
export async function showTypingWhile<T>(
  { scope, ticket }: Pick<BotRequest<unknown>, 'scope' | 'ticket'>,
  work: () => Promise<T>,
): Promise<T> {
  const show = (on: boolean) => signalTyping(scope, ticket, on)
  await show(true)
  // A courtesy: it is no fault of the answer where it cannot be shown.
  const renews = setInterval(() => void show(true).catch(() => {}), typingRepeatMs).unref()
  try {
    return await work()
  } finally {
    clearInterval(renews)
    await show(false).catch(() => {})
  }
}

const signalTyping = (
  scope: Scope,
  { whatsappId, contactId }: BotRequest<unknown>['ticket'],
  on: boolean,
): Promise<void> =>
  whatsappId === null
    ? Promise.resolve()
    : scope.signal('typing', `${scope.companyId} ${whatsappId} ${contactId} ${on ? 'on' : 'off'}`)
