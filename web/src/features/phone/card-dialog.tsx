import { Button, Modal, TextInput } from '@mantine/core'
import type { Customer } from '@recado/contract/sandbox'
import { type FormEvent, useState } from 'react'
import { useProblemText } from '../../lib/errors.ts'
import { useTexts } from '../../lib/texts.ts'
import { FieldError } from '../../ui/text-field.tsx'
import classes from './dialog.module.css'
import { texts } from './texts.ts'
import type { Deed } from './use-writing.ts'

type Props = { opened: boolean; onClose: () => void; onSend: (deed: Deed) => void; people: Customer[] }

/** Somebody's card, with one of the others at hand. */
export function CardDialog({ opened, onClose, onSend, people }: Props) {
  const words = useTexts(texts)
  const problemText = useProblemText()
  const someone = people.filter((one) => !one.isGroup).at(-1)
  const [name, setName] = useState(someone?.name ?? '')
  const [number, setNumber] = useState(someone ? `+${someone.number}` : '')
  const [asked, setAsked] = useState(false)
  const missing = (value: string) => asked && value.trim() === '' && <FieldError>{problemText('Required')}</FieldError>
  const send = (event: FormEvent) => {
    event.preventDefault()
    setAsked(true)
    if (name.trim() && number.trim())
      onSend({ kind: 'contact', contactName: name.trim(), contactNumber: number.trim() })
  }
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size={440}
      title={words.contact}
      closeButtonProps={{ 'aria-label': words.close }}
    >
      <form className={classes.form} onSubmit={send} noValidate>
        <div className={classes.fields}>
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
        </div>
        <footer className={classes.foot}>
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit">{words.send}</Button>
        </footer>
      </form>
    </Modal>
  )
}
