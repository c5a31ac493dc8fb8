import { Menu } from '@mantine/core'
import { type Language, languageNames, languages, useLanguage } from '../lib/texts.ts'
import classes from './language-choices.module.css'

/** The three languages, each in its own name. Used within a Menu.Dropdown. */
export function LanguageChoices() {
  const [language, choose] = useLanguage()
  return (
    <Menu.RadioGroup value={language} onChange={(value) => choose(value as Language)}>
      {languages.map((one) => (
        <Menu.RadioItem
          key={one}
          value={one}
          lang={one}
          closeMenuOnClick
          // The stylesheet draws the radio ring, filled or empty.
          checkIcon={<span />}
          classNames={{ itemIndicator: classes.radio ?? '' }}
        >
          {languageNames[one]}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  )
}
