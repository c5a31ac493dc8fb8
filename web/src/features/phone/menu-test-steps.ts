import type { MenuStep } from '@recado/contract/queues'
import type { SandboxPhoneMessage } from '@recado/contract/sandbox'

/** A phone conversation as a menu test: each message of the customer, with all answers before the next message. */
export function toMenuTestSteps(messages: SandboxPhoneMessage[]): MenuStep[] {
  const steps: MenuStep[] = []
  for (const { fromCustomer, kind, body, isDeleted } of messages) {
    if (isDeleted || kind !== 'text') continue
    if (fromCustomer) steps.push({ customer: body, bot: [] })
    else steps.at(-1)?.bot.push(body)
  }
  return steps
}
