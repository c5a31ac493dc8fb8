import { Popover } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { type Choice, ChoiceList, keepEscape } from './choice-list.tsx'
import { choiceTexts } from './texts.ts'
import classes from './token.module.css'

type Props = {
  label: string
  choices: Choice[]
  selected: string[]
  /** A token without it has exactly one value. */
  isMultiple?: boolean
  isValue?: boolean
  /** Something that it names does not exist any more. */
  isInvalid?: boolean | undefined
  onChange: (selected: string[]) => void
}

/** A word of a sentence that can be changed: a button with a list of choices. */
export function Token({ label, choices, selected, isMultiple, isValue, isInvalid, onChange }: Props) {
  const { choose } = useTexts(choiceTexts)
  const names = choices.filter(({ value }) => selected.includes(value)).map(({ name }) => name)
  return (
    <TokenPopover
      label={label}
      text={names.length > 0 ? names.join(', ') : choose}
      isValue={isValue}
      isInvalid={isInvalid}
    >
      {(close) => (
        <ChoiceList
          choices={choices}
          selected={selected}
          isMultiple={isMultiple}
          onChange={onChange}
          onChosen={close}
        />
      )}
    </TokenPopover>
  )
}

type PopoverProps = {
  label: string
  text: string
  isValue?: boolean | undefined
  isInvalid?: boolean | undefined
  width?: number
  /** -1 where the arrow keys lead to it instead of Tab. */
  tabIndex?: number
  children: (close: () => void) => ReactNode
}

/** A word of a sentence that opens something else than a list of choices. */
export function TokenPopover({ label, text, isValue, isInvalid, width = 240, tabIndex = 0, children }: PopoverProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" width={width} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <button
          type="button"
          className={`${classes.token} ${isValue ? classes.value : ''}`}
          data-token
          tabIndex={tabIndex}
          data-invalid={isInvalid || undefined}
          aria-label={`${label}: ${text}`}
          {...(isOpen && keepEscape)}
          onClick={() => setOpen(!isOpen)}
        >
          <span className={classes.text}>{text}</span>
          <IconChevronDown size={14} stroke={2} aria-hidden="true" />
        </button>
      </Popover.Target>
      <Popover.Dropdown p={6} aria-label={label}>
        {children(() => setOpen(false))}
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
