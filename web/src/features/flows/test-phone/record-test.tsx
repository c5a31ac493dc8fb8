import { Button, Popover, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { keepEscape } from '../../../parts/token/choice-list.tsx'
import classes from './test-phone.module.css'
import { testPhoneTexts } from './texts.ts'

type Props = { disabled: boolean; onSave: (name: string) => Promise<void> }

/** Names the conversation and saves it as a test of the flow. */
export function RecordTest({ disabled, onSave }: Props) {
  const words = useTexts(testPhoneTexts)
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const [isBusy, setBusy] = useState(false)
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || name.trim() === '') return
    setBusy(true)
    try {
      await onSave(name.trim())
      toast.ok(words.recorded)
      setOpen(false)
      setName('')
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="top-end" width={280} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button size="compact-sm" variant="subtle" disabled={disabled} onClick={() => setOpen(!isOpen)}>
          {words.record}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={words.record}>
        <form className={classes.save} {...keepEscape} onSubmit={(event) => void save(event)}>
          <TextInput
            data-autofocus
            label={words.recordName}
            description={words.recordHelp}
            maxLength={80}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" size="xs" loading={isBusy} disabled={name.trim() === ''}>
            {words.save}
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
