import type { Ticket } from '@recado/contract/tickets'
import { useLanguage, useTexts } from '../../../lib/texts.ts'
import { texts } from './texts.ts'
import { languageName, useAssistState } from './use-assist-state.ts'

/** In the head, where it is not the reader's own. */
export function WritesIn({ ticket }: { ticket: Ticket }) {
  const words = useTexts(texts)
  const [reader] = useLanguage()
  const { language } = useAssistState(ticket.id, ticket.contactId)
  return language && language !== reader ? ` · ${words.writesIn(languageName(language, reader))}` : null
}
