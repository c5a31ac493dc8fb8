import { Menu } from '@mantine/core'
import { type Language, languageNames, languages, useLanguage } from '../lib/texts.ts'
import classes from './language-choices.module.css'

/** Inside a Menu.Dropdown: the three languages, each named in itself. */
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
          // The ring is drawn by the stylesheet, filled or not.
          checkIcon={<span />}
          classNames={{ itemIndicator: classes.radio ?? '' }}
        >
          {languageNames[one]}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  )
}
