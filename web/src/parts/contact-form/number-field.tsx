import { Button, TextInput } from '@mantine/core'
import type { Contact } from '@recado/contract/contacts'
import type { ReactNode } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { ContactAvatar } from '../contact-avatar.tsx'
import classes from './contact-form.module.css'
import { contactFormTexts } from './texts.ts'

type Props = {
  value: string
  onChange: (value: string) => void
  error: ReactNode
  help: string
  required: boolean
  disabled: boolean
  existing: Contact | null
  action: string
  onUseExisting: (contact: Contact) => void
}

/** A phone number field that also shows the contact that already has the number. */
export function NumberField({ value, onChange, error, help, existing, action, onUseExisting, ...rest }: Props) {
  const words = useTexts(contactFormTexts)
  return (
    <>
      <TextInput
        label={words.number}
        type="tel"
        inputMode="tel"
        autoComplete="off"
        maxLength={50}
        value={value}
        error={error}
        description={help}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        withAsterisk={rest.required}
        disabled={rest.disabled}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {existing && (
        <div className={classes.existing} role="status">
          <ContactAvatar contact={existing} size={28} isGroup={existing.isGroup} />
          <span>{words.existing(existing.name)}</span>
          <Button size="xs" variant="light" onClick={() => onUseExisting(existing)}>
            {action}
          </Button>
        </div>
      )}
    </>
  )
}
