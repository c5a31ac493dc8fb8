import { Popover } from '@mantine/core'
import { fold } from '@recado/contract/text/fold'
import { IconChevronDown } from '@tabler/icons-react'
import { type CSSProperties, useId, useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import list from './choice-list.module.css'
import { choiceTexts } from './texts.ts'
import classes from './token.module.css'

export type TokenChoice = { value: string; name: string; color?: string | null | undefined }
type Props = {
  label: string
  choices: TokenChoice[]
  selected: string[]
  /** A token without it has exactly one value. */
  isMultiple?: boolean
  isValue?: boolean
  onChange: (selected: string[]) => void
}
const minChoicesForSearch = 9
/** Escape in this element closes the list of choices, and not the dialog around it. */
const keepEscape = { 'data-mantine-stop-propagation': true }

/** A word of a sentence that can be changed: a button with a list of choices. */
export function Token({ label, choices, selected, isMultiple, isValue, onChange }: Props) {
  const { choose: chooseText, findHere, nothingHere, nothingYet } = useTexts(choiceTexts)
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const group = useId()
  const shown = choices.filter(({ name }) => fold(name).includes(fold(typed.trim())))
  const names = choices.filter(({ value }) => selected.includes(value)).map(({ name }) => name)
  const text = names.length > 0 ? names.join(', ') : chooseText
  const choose = (value: string) => {
    if (!isMultiple) {
      onChange([value])
      return setOpen(false)
    }
    onChange(selected.includes(value) ? selected.filter((one) => one !== value) : [...selected, value])
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" width={240} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <button
          type="button"
          className={`${classes.token} ${isValue ? classes.value : ''}`}
          aria-label={`${label}: ${text}`}
          {...(isOpen && keepEscape)}
          onClick={() => setOpen(!isOpen)}
        >
          <span className={classes.text}>{text}</span>
          <IconChevronDown size={14} stroke={2} aria-hidden="true" />
        </button>
      </Popover.Target>
      <Popover.Dropdown p={6} aria-label={label}>
        {choices.length >= minChoicesForSearch && (
          <input
            type="text"
            className={list.search}
            {...keepEscape}
            aria-label={findHere}
            placeholder={findHere}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <div className={list.choices}>
          {shown.map((choice) => (
            <label key={choice.value} className={list.choice}>
              <input
                type={isMultiple ? 'checkbox' : 'radio'}
                name={group}
                {...keepEscape}
                checked={selected.includes(choice.value)}
                // A radio button that is chosen already causes no change.
                onClick={() => !isMultiple && setOpen(false)}
                onChange={() => choose(choice.value)}
              />
              {choice.color && (
                <span className={`${list.dot} rc-dot`} style={{ '--c': choice.color } as CSSProperties} />
              )}
              <span className={list.name}>{choice.name}</span>
            </label>
          ))}
          {shown.length === 0 && <p className={list.none}>{typed ? nothingHere : nothingYet}</p>}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}

type InputProps = { label: string; value: string; maxLength: number; onChange: (value: string) => void }
export const TokenInput = ({ label, value, maxLength, onChange }: InputProps) => (
  <input
    type="text"
    className={classes.input}
    aria-label={label}
    placeholder={label}
    maxLength={maxLength}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
)
