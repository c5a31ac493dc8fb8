import { addErrorTexts, type DeskErrorTexts } from './errors.ts'
import { currentLanguage, type Language, onLanguageChange } from './texts.ts'

const errorTextLoaders: Record<Language, () => Promise<{ words: DeskErrorTexts }>> = {
  es: () => import('./failures/es.ts'),
  pt: () => import('./failures/pt.ts'),
  en: () => import('./failures/en.ts'),
}

/** The words that only people who are in can meet, in their language alone: they come with the shell. */
async function loadDeskErrorTexts(): Promise<void> {
  const language = currentLanguage()
  addErrorTexts({ [language]: (await errorTextLoaders[language]()).words })
}

// Where they do not come, because the server is away, codes are shown until they do.
const loadInBackground = () => void loadDeskErrorTexts().catch(() => undefined)
onLanguageChange(loadInBackground)
loadInBackground()
