import type { Ticket } from '@recado/contract/tickets'
import { displayLanguageName } from '../../../lib/language-name.ts'
import { useLanguage, useTexts } from '../../../lib/texts.ts'
import { texts } from './texts.ts'
import { useAssistState } from './use-assist-state.ts'

/** The customer's language, shown in the header when it is not the reader's own language. */
export function CustomerLanguage({ ticket, isShort }: { ticket: Ticket; isShort: boolean }) {
  const words = useTexts(texts)
  const [reader] = useLanguage()
  const { language } = useAssistState(ticket.id, ticket.contactId)
  if (!language || language === reader) return null
  const name = displayLanguageName(language, reader)
  return ` · ${isShort ? name : words.writesIn(name)}`
}
