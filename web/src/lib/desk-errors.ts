import { type DeskFailures, learnFailures } from './errors.ts'
import { currentLanguage, type Language, onLanguage } from './texts.ts'

const books: Record<Language, () => Promise<{ words: DeskFailures }>> = {
  es: () => import('./failures/es.ts'),
  pt: () => import('./failures/pt.ts'),
  en: () => import('./failures/en.ts'),
}

/** The words that only people who are in can meet, in their language alone: they come with the shell. */
async function learn(): Promise<void> {
  const language = currentLanguage()
  learnFailures({ [language]: (await books[language]()).words })
}

// Where they do not come, because the server is away, codes are shown until they do.
const later = () => void learn().catch(() => undefined)
onLanguage(later)
later()
