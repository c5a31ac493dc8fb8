import { Button } from '@mantine/core'
import type { WordingKey } from '@recado/contract/settings'
import { defaultTexts } from '@recado/contract/text/default-texts'
import { type FocusEvent, useState } from 'react'
import { type Language, languageNames, useTexts } from '../../lib/texts.ts'
import { type ExtraVariable, MessageField } from '../../parts/message-field.tsx'
import type { Settings } from '../../parts/use-settings.ts'
import classes from './settings.module.css'
import { wordingTexts } from './wording-texts.ts'

const wordingGroups = {
  menu: ['menuText', 'wrongAnswerText', 'handOverText'],
  away: ['outOfHoursText', 'callText'],
  desk: ['acceptedText', 'transferQueueText', 'transferUserText', 'transferBothText'],
  rating: ['ratingText', 'ratingAgainText'],
} as const satisfies Record<string, WordingKey[]>
type WordingGroup = keyof typeof wordingGroups

/** Additional variables of some texts. */
const extraVariables: Partial<Record<WordingKey, readonly ExtraVariable[]>> = {
  acceptedText: ['user', 'queue'],
  transferQueueText: ['queue'],
  transferUserText: ['user'],
  transferBothText: ['user', 'queue'],
}

/** All automatic texts, with the company's own wording where set. */
export function WordingTab({ settings }: { settings: Settings }) {
  const words = useTexts(wordingTexts)
  const language = settings.getValue('language') as Language
  return (
    <div className={classes.scroll}>
      <div className={classes.wording}>
        <p className={classes.lead}>{words.lead(languageNames[language])}</p>
        {(Object.keys(wordingGroups) as WordingGroup[]).map((group) => (
          <section key={group}>
            <h2 className={classes.group}>{words.groups[group]}</h2>
            <div className={classes.texts}>
              {wordingGroups[group].map((name) => (
                <WordingField key={name} {...{ name, settings, language }} />
              ))}
            </div>
          </section>
        ))}
      </div>
    </div>
  )
}

const maxTextLength = 4096

type OneProps = { name: WordingKey; settings: Settings; language: Language }
function WordingField({ name, settings, language }: OneProps) {
  const words = useTexts(wordingTexts)
  const storedText = settings.getValue(name)
  // The text that is being typed; null: the stored text is shown, including changes by other users.
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? storedText
  const [label, line] = words[name]
  const changed = text.trim() !== storedText
  const save = async (value: string) => {
    if (!(await settings.save(name, value, words.saved))) return
    // Text typed during the save is kept.
    setTyped((now) => (now === null || now.trim() === value || value === '' ? null : now))
  }
  const onBlur = (event: FocusEvent) => {
    // Moving the focus to a variable of this text does not count as leaving the field.
    if (!event.currentTarget.contains(event.relatedTarget) && changed && text.length <= maxTextLength)
      void save(text.trim())
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears when the focus leaves the field and its variables
    <div className={classes.text} onBlur={onBlur}>
      <MessageField
        label={label ?? ''}
        help={changed ? words.byItself : line}
        limit={maxTextLength}
        rows={2}
        placeholder={defaultTexts[language][name]}
        extraVariables={extraVariables[name] ?? []}
        value={text}
        onChange={setTyped}
      />
      {storedText !== '' && (
        <Button size="xs" variant="default" aria-label={words.oursOf(label ?? '')} onClick={() => void save('')}>
          {words.ours}
        </Button>
      )}
    </div>
  )
}
