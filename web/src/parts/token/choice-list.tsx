import { fold } from '@recado/contract/text/fold'
import { type CSSProperties, useId, useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import classes from './choice-list.module.css'
import { choiceTexts } from './texts.ts'

export type Choice = { value: string; name: string; color?: string | null | undefined }
type Props = {
  choices: Choice[]
  selected: string[]
  /** Otherwise exactly one is chosen. */
  isMultiple?: boolean | undefined
  onChange: (selected: string[]) => void
  /** Called when the one choice is made, also if it was chosen already. */
  onChosen?: () => void
}
const minChoicesForSearch = 9
/** Escape in this element closes the list of choices, and not the dialog around it. */
export const keepEscape = { 'data-mantine-stop-propagation': true }

/** The content of a popover: a list of check boxes or radio buttons, with a search box if it is long. */
export function ChoiceList({ choices, selected, isMultiple, onChange, onChosen }: Props) {
  const { findHere, nothingHere, nothingYet } = useTexts(choiceTexts)
  const [typed, setTyped] = useState('')
  const group = useId()
  const shown = choices.filter(({ name }) => fold(name).includes(fold(typed.trim())))
  const toggle = (value: string) =>
    onChange(selected.includes(value) ? selected.filter((one) => one !== value) : [...selected, value])
  return (
    <>
      {choices.length >= minChoicesForSearch && (
        <input
          type="text"
          className={classes.search}
          {...keepEscape}
          aria-label={findHere}
          placeholder={findHere}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <div className={classes.choices}>
        {shown.map(({ value, name, color }) => (
          <label key={value} className={classes.choice}>
            <input
              type={isMultiple ? 'checkbox' : 'radio'}
              name={group}
              {...keepEscape}
              checked={selected.includes(value)}
              // A radio button that is chosen already causes no change.
              onClick={() => !isMultiple && onChosen?.()}
              onChange={() => (isMultiple ? toggle(value) : onChange([value]))}
            />
            {color && <span className={`${classes.dot} rc-dot`} style={{ '--c': color } as CSSProperties} />}
            <span className={classes.name}>{name}</span>
          </label>
        ))}
        {shown.length === 0 && <p className={classes.none}>{typed ? nothingHere : nothingYet}</p>}
      </div>
    </>
  )
}
