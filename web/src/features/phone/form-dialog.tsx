import { Button, Modal } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { useTexts } from '../../lib/texts.ts'
import classes from './form-dialog.module.css'
import { texts } from './texts.ts'

type Props = {
  opened: boolean
  onClose: () => void
  title: string
  submitLabel: string
  onSubmit: () => void
  isBusy?: boolean
  children: ReactNode
}

/** A small form in a dialog over the phone page. */
export function FormDialog({ opened, onClose, title, submitLabel, onSubmit, isBusy = false, children }: Props) {
  const words = useTexts(texts)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <Modal opened={opened} onClose={onClose} size={440} title={title} closeButtonProps={{ 'aria-label': words.close }}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <div className={classes.fields}>{children}</div>
        <footer className={classes.foot}>
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={isBusy}>
            {submitLabel}
          </Button>
        </footer>
      </form>
    </Modal>
  )
}
