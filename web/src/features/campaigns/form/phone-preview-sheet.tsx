import type { ReactNode } from 'react'
import { Sheet } from '../../../ui/sheet.tsx'
import classes from './form.module.css'

type Props = { title: string; onClose: () => void; children: ReactNode }

/** The customer's phone where there is no room for it beside the form. */
export function PhonePreviewSheet({ title, onClose, children }: Props) {
  return (
    <Sheet opened onClose={onClose} size={420} title={title}>
      <div className={classes.inSheet}>{children}</div>
    </Sheet>
  )
}
