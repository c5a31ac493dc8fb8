import type { Scope } from '../../kernel/data/scope.ts'
import type { BotRequest } from '../bot-requests/backend.ts'

/** WhatsApp hides the typing indicator after about ten seconds. */
const typingRepeatMs = 8000

/** Shows the customer a typing indicator while the answer is made, where the line supports it. */
export async function showTypingWhile<T>(
  { scope, ticket }: Pick<BotRequest<unknown>, 'scope' | 'ticket'>,
  work: () => Promise<T>,
): Promise<T> {
  const show = (on: boolean) => signalTyping(scope, ticket, on)
  await show(true)
  // A failed typing indicator does not affect the answer.
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
