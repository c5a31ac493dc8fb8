import { useSyncExternalStore } from 'react'
import { callApi } from '../lib/api.ts'
import { chosenLanguage, currentLanguage, type LanguageChoice, setLanguage, subscribeToLanguage } from '../lib/texts.ts'

/** What a menu of languages marks and changes. */
export const useLanguageChoice = (): [LanguageChoice, (language: LanguageChoice) => void] => [
  useSyncExternalStore(subscribeToLanguage, chosenLanguage),
  chooseLanguage,
]

function chooseLanguage(language: LanguageChoice): void {
  setLanguage(language)
  // The choice is already active in this browser; the server only stores it for the next browser.
  import('@recado/contract/users')
    .then(({ usersApi }) => callApi(usersApi.setLanguage, { params: { lang: currentLanguage() } }))
    .catch(() => undefined)
}
