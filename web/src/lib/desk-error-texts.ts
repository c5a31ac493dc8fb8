import { addErrorTexts, type DeskErrorTexts } from './errors.ts'
import { currentLanguage, type Language, onLanguageChange } from './texts.ts'

const errorTextLoaders: Record<Language, () => Promise<{ deskErrorTexts: DeskErrorTexts }>> = {
  es: () => import('./error-texts/es.ts'),
  pt: () => import('./error-texts/pt.ts'),
  en: () => import('./error-texts/en.ts'),
}

/** The words that only people who are in can meet, in their language alone: they come with the shell. */
async function loadDeskErrorTexts(): Promise<void> {
  const language = currentLanguage()
  addErrorTexts({ [language]: (await errorTextLoaders[language]()).deskErrorTexts })
}

// Where they do not come, because the server is away, codes are shown until they do.
const loadInBackground = () => void loadDeskErrorTexts().catch(() => undefined)
onLanguageChange(loadInBackground)
loadInBackground()
