import type { Ticket } from '@recado/contract/tickets'
import { languageName } from '../../../lib/language-name.ts'
import { useLanguage, useTexts } from '../../../lib/texts.ts'
import { texts } from './texts.ts'
import { useAssistState } from './use-assist-state.ts'

/** In the head, where it is not the reader's own. */
export function WritesIn({ ticket }: { ticket: Ticket }) {
  const words = useTexts(texts)
  const [reader] = useLanguage()
  const { language } = useAssistState(ticket.id, ticket.contactId)
  return language && language !== reader ? ` · ${words.writesIn(languageName(language, reader))}` : null
}
