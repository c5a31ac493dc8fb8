import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { parseTime } from './parse-time.ts'

type Props = { label: string; value: string; onChange: (time: string) => void; invalid?: boolean; describedBy?: string }

/** A field for a time, shown as HH:MM in every language; "8" and "830" are completed when the field loses the focus. */
export function TimeField({ label, value, onChange, invalid, describedBy }: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  const leave = () => {
    if (typed === null) return
    setTyped(null)
    onChange(parseTime(typed) ?? value)
  }
  return (
    <TextInput
      aria-label={label}
      inputMode="numeric"
      placeholder="00:00"
      w={76}
      maxLength={5}
      autoComplete="off"
      value={typed ?? value}
      error={invalid}
      aria-describedby={describedBy}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        if (/^([01]\d|2[0-3]):[0-5]\d$/.test(text)) onChange(text)
      }}
      onBlur={leave}
      onKeyDown={(event) => event.key === 'Enter' && leave()}
    />
  )
}
