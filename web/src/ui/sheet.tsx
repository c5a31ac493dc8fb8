import { Button, Modal } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { defineTexts, useTexts } from '../lib/texts.ts'
import classes from './sheet.module.css'
import { useIsPhone } from './use-is-phone.ts'

const texts = defineTexts({
  es: { close: 'Cerrar', cancel: 'Cancelar' },
  pt: { close: 'Fechar', cancel: 'Cancelar' },
  en: { close: 'Close', cancel: 'Cancel' },
})

type SheetProps = {
  opened: boolean
  onClose: () => void
  title: ReactNode
  size: number
  /** Whether a confirmation is open above: Escape then closes the confirmation. */
  isConfirming?: boolean
  children: ReactNode
}

/** A dialog that fills the screen on a phone. */
export function Sheet({ opened, onClose, title, size, isConfirming = false, children }: SheetProps) {
  const words = useTexts(texts)
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      closeOnEscape={!isConfirming}
      closeOnClickOutside={!isConfirming}
      size={size}
      fullScreen={useIsPhone()}
      title={title}
      classNames={{ content: classes.content ?? '', body: classes.sheet ?? '' }}
      closeButtonProps={{ 'aria-label': words.close }}
    >
      {children}
    </Modal>
  )
}

export const SheetFooter = ({ children }: { children: ReactNode }) => (
  <footer className={classes.foot}>{children}</footer>
)

type FormProps = Omit<SheetProps, 'isConfirming'> & {
  submitLabel: ReactNode
  isBusy: boolean
  disabled?: boolean
  onSubmit: () => void
  /** Called before the form is closed without saving, because its text may be long. */
  confirmClose?: () => Promise<boolean>
}

/** A small form with a submit and a cancel button. */
export function SheetForm({
  submitLabel,
  isBusy,
  disabled,
  onSubmit,
  confirmClose,
  onClose,
  children,
  ...sheet
}: FormProps) {
  const words = useTexts(texts)
  const [isConfirming, setAsking] = useState(false)
  const leave = async () => {
    if (isConfirming) return
    setAsking(true)
    const yes = !confirmClose || (await confirmClose())
    setAsking(false)
    if (yes) onClose()
  }
  return (
    <Sheet {...sheet} isConfirming={isConfirming} onClose={() => void leave()}>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        <div className={classes.fields}>{children}</div>
        <SheetFooter>
          <Button variant="default" onClick={() => void leave()}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={isBusy} disabled={disabled ?? false}>
            {submitLabel}
          </Button>
        </SheetFooter>
      </form>
    </Sheet>
  )
}
