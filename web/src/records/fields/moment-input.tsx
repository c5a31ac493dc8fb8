import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { defineTexts, useTexts } from '../../lib/texts.ts'
import classes from './moment-input.module.css'
import { formatMomentValue, type MomentKind, parseMomentText } from './parse-moment.ts'

// These texts are not among the texts of records, because the dashboard has dates and no list.
const texts = defineTexts({
  es: { day: 'dd/mm/aaaa', moment: 'dd/mm/aaaa hh:mm', openCalendar: 'Abrir el calendario' },
  pt: { day: 'dd/mm/aaaa', moment: 'dd/mm/aaaa hh:mm', openCalendar: 'Abrir o calendário' },
  en: { day: 'dd/mm/yyyy', moment: 'dd/mm/yyyy hh:mm', openCalendar: 'Open calendar' },
})

type Props = Omit<TextInputProps, 'type' | 'value' | 'onChange' | 'rightSection'> & {
  kind: MomentKind
  /** The value as `yyyy-MM-dd` or `yyyy-MM-ddTHH:mm`; empty: no value. */
  value: string
  onChange: (value: string) => void
}

/**
 * A day, or a day with a time, as dd/MM/yyyy HH:mm in every browser: a native date field follows the browser's
 * language, not the reader's. The browser's calendar is one click away.
 */
export function MomentInput({ kind, value, onChange, min, max, readOnly, ...rest }: Props) {
  const words = useTexts(texts)
  const picker = useRef<HTMLInputElement>(null)
  /** The typed text, until it is a valid moment or the field loses the focus. */
  const [typed, setTyped] = useState<string | null>(null)
  const change = (text: string) => {
    setTyped(text)
    const moment = text.trim() === '' ? '' : parseMomentText(text, kind)
    if (moment !== null) onChange(moment)
  }
  return (
    <TextInput
      {...rest}
      readOnly={readOnly === true}
      inputMode="numeric"
      autoComplete="off"
      placeholder={kind === 'day' ? words.day : words.moment}
      value={typed ?? formatMomentValue(value, kind)}
      onChange={(event) => change(event.currentTarget.value)}
      onBlur={(event) => {
        setTyped(null)
        rest.onBlur?.(event)
      }}
      rightSection={
        !readOnly && (
          <span className={classes.pick}>
            <ActionIcon
              variant="subtle"
              size="sm"
              tabIndex={-1}
              aria-label={words.openCalendar}
              onClick={() => picker.current?.showPicker()}
            >
              <IconCalendar size={16} stroke={1.75} />
            </ActionIcon>
            <input
              ref={picker}
              className={classes.native}
              type={kind === 'day' ? 'date' : 'datetime-local'}
              tabIndex={-1}
              aria-hidden="true"
              min={min}
              max={max}
              value={value}
              onChange={(event) => {
                setTyped(null)
                onChange(event.currentTarget.value)
              }}
            />
          </span>
        )
      }
    />
  )
}
