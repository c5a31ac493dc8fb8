import { Button, Popover, TextInput } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { menuPreviewTexts } from './menu-preview-texts.ts'
import classes from './preview.module.css'

/** Names the phone conversation and saves it as a test of the menu. */
export function SaveMenuTest({ disabled, onSave }: { disabled: boolean; onSave: (name: string) => void }) {
  const words = useTexts(menuPreviewTexts)
  const [open, setOpen] = useState(false)
  const [name, setName] = useState('')
  const saveTest = () => {
    onSave(name.trim() || words.keepHint)
    setOpen(false)
    setName('')
  }
  // This form is nested in another form: Enter must submit only this form.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    event.stopPropagation()
    saveTest()
  }
  return (
    <Popover opened={open} onChange={setOpen} position="top" trapFocus returnFocus shadow="lg" width={300}>
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconFlask size={15} stroke={1.75} />}
          disabled={disabled}
          data-mantine-stop-propagation={open || undefined}
          onClick={() => setOpen(!open)}
        >
          {words.keep}
        </Button>
      </Popover.Target>
      <Popover.Dropdown data-mantine-stop-propagation>
        <div className={classes.keep}>
          <TextInput
            label={words.keepName}
            placeholder={words.keepHint}
            maxLength={100}
            autoComplete="off"
            data-mantine-stop-propagation
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
          <Button size="xs" variant="light" onClick={saveTest}>
            {words.add}
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
