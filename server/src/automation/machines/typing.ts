import type { Scope } from '../../kernel/data/scope.ts'
import type { Question } from '../asking/asker.ts'

/** A phone forgets that somebody types after some ten seconds. */
const againMs = 8000

/** The customer sees somebody type while the answer is on its way, where their line can show it. */
export async function typingWhile<T>(
  { scope, ticket }: Pick<Question<unknown>, 'scope' | 'ticket'>,
  work: () => Promise<T>,
): Promise<T> {
  const show = (on: boolean) => tell(scope, ticket, on)
  await show(true)
  // A courtesy: it is no fault of the answer where it cannot be shown.
  const renews = setInterval(() => void show(true).catch(() => {}), againMs).unref()
  try {
    return await work()
  } finally {
    clearInterval(renews)
    await show(false).catch(() => {})
  }
}

const tell = (scope: Scope, { whatsappId, contactId }: Question<unknown>['ticket'], on: boolean): Promise<void> =>
  whatsappId === null
    ? Promise.resolve()
    : scope.signal('typing', `${scope.companyId} ${whatsappId} ${contactId} ${on ? 'on' : 'off'}`)
