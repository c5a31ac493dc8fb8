import { Menu } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { callApi } from '../lib/api.ts'
import {
  chosenLanguage,
  currentLanguage,
  type LanguageChoice,
  languageNames,
  setLanguage,
  subscribeToLanguage,
  voseo,
} from '../lib/texts.ts'
import classes from './language-choices.module.css'

/** Every choice in its own name: users of this menu may not read the current language. */
export const languageChoices = Object.entries({
  es: languageNames.es,
  [voseo]: 'Español (Argentina, Uruguay)',
  pt: languageNames.pt,
  en: languageNames.en,
}) as [LanguageChoice, string][]

/** The languages. Used within a Menu.Dropdown. */
export function LanguageChoices() {
  const [language, choose] = useLanguageChoice()
  return (
    <Menu.RadioGroup value={language} onChange={(value) => choose(value as LanguageChoice)}>
      {languageChoices.map(([one, name]) => (
        <Menu.RadioItem
          key={one}
          value={one}
          lang={one}
          closeMenuOnClick
          // The stylesheet draws the radio ring, filled or empty.
          checkIcon={<span />}
          classNames={{ itemIndicator: classes.radio ?? '' }}
        >
          {name}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  )
}

/** The language that a menu marks as chosen, and a function that changes it. */
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
