import { addErrorTexts, type DeskErrorTexts } from './errors.ts'
import { currentLanguage, type Language, onLanguageChange } from './texts.ts'

const errorTextLoaders: Record<Language, () => Promise<{ deskErrorTexts: DeskErrorTexts }>> = {
  es: () => import('./error-texts/es.ts'),
  pt: () => import('./error-texts/pt.ts'),
  en: () => import('./error-texts/en.ts'),
}

/** Error texts needed only after login, in the current language: loaded with the shell. */
async function loadDeskErrorTexts(): Promise<void> {
  const language = currentLanguage()
  addErrorTexts({ [language]: (await errorTextLoaders[language]()).deskErrorTexts })
}

// If the texts fail to load because the server is down, error codes are shown until they load.
const loadInBackground = () => void loadDeskErrorTexts().catch(() => undefined)
onLanguageChange(loadInBackground)
loadInBackground()
