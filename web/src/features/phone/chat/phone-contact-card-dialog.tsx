import { TextInput } from '@mantine/core'
import type { SandboxCustomer } from '@recado/contract/sandbox'
import { useState } from 'react'
import { useFieldProblemText } from '../../../lib/errors.ts'
import { useTexts } from '../../../lib/texts.ts'
import { FieldError } from '../../../ui/text-field.tsx'
import { FormDialog } from '../form-dialog.tsx'
import { texts } from '../texts.ts'
import type { PhoneAction } from './use-send-as-customer.ts'

type Props = {
  opened: boolean
  onClose: () => void
  onSend: (action: PhoneAction) => void
  customers: SandboxCustomer[]
}

/** A contact card, prefilled with one of the other customers. */
export function PhoneContactCardDialog({ opened, onClose, onSend, customers }: Props) {
  const words = useTexts(texts)
  const problemText = useFieldProblemText()
  const someone = customers.filter((one) => !one.isGroup).at(-1)
  const [name, setName] = useState(someone?.name ?? '')
  const [number, setNumber] = useState(someone ? `+${someone.number}` : '')
  const [asked, setAsked] = useState(false)
  const missing = (value: string) => asked && value.trim() === '' && <FieldError>{problemText('Required')}</FieldError>
  const send = () => {
    setAsked(true)
    if (name.trim() && number.trim())
      onSend({ kind: 'contact', contactName: name.trim(), contactNumber: number.trim() })
  }
  return (
    <FormDialog opened={opened} onClose={onClose} title={words.contact} submitLabel={words.send} onSubmit={send}>
      <TextInput
        label={words.name}
        maxLength={100}
        data-autofocus
        value={name}
        error={missing(name)}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label={words.number}
        type="tel"
        maxLength={30}
        value={number}
        error={missing(number)}
        onChange={(event) => setNumber(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
