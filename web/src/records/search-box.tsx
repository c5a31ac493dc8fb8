import { ActionIcon, TextInput } from '@mantine/core'
import { IconSearch, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import { useShortcut } from '../lib/shortcuts.ts'
import { useTexts } from '../lib/texts.ts'
import classes from './records.module.css'
import { recordTexts } from './texts.ts'

type Props = { label: string; value: string; onChange: (text: string) => void; onClear: () => void }

/** A search field that `/` focuses and Escape clears. */
export function SearchBox({ label, value, onChange, onClear }: Props) {
  const words = useTexts(recordTexts)
  const input = useRef<HTMLInputElement>(null)
  useShortcut('/', () => input.current?.focus(), { label, group: 'list' })
  return (
    <TextInput
      ref={input}
      type="text"
      role="searchbox"
      className={classes.search ?? ''}
      aria-label={label}
      placeholder={label}
      value={value}
      maxLength={200}
      autoComplete="off"
      leftSection={<IconSearch size={16} stroke={1.75} />}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && value) onClear()
      }}
      rightSection={
        value && (
          <ActionIcon size={24} aria-label={words.clearSearch} onClick={onClear}>
            <IconX size={15} stroke={2} />
          </ActionIcon>
        )
      }
    />
  )
}
