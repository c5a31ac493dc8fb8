import { renderVariables } from '@recado/contract/text/variables'
import type { Ticket } from '@recado/contract/tickets'
import type { Language } from '@recado/contract/users'
import { useSession } from '../../../lib/session.tsx'
import { useSettings } from '../../use-settings.ts'

/** A text as this ticket's customer would read it, sent now. Until the company's clock is known it stays as it is. */
export function useRenderVariables(ticket: Ticket, enabled: boolean): (text: string) => string {
  const { user } = useSession()
  const { data, chosen } = useSettings({ enabled })
  if (!data) return (text) => text
  const words = {
    ...ticket.contact,
    user: user?.name ?? null,
    queue: ticket.queue?.name ?? null,
    ticket: ticket.number,
  }
  return (text) =>
    renderVariables(text, words, {
      now: new Date(),
      zone: chosen('timezone'),
      language: chosen('language') as Language,
    })
}
