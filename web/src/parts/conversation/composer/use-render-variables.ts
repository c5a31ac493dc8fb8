import { renderVariables } from '@recado/contract/text/variables'
import type { Ticket } from '@recado/contract/tickets'
import type { Language } from '@recado/contract/users'
import { useSession } from '../../../lib/session.tsx'
import { useSettings } from '../../use-settings.ts'

/** Renders the text as this customer would read it now. Until the company's time zone is known the text stays unchanged. */
export function useRenderVariables(ticket: Ticket, enabled: boolean): (text: string) => string {
  const { user } = useSession()
  const { data, getValue: getSetting } = useSettings({ enabled })
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
      zone: getSetting('timezone'),
      language: getSetting('language') as Language,
    })
}
