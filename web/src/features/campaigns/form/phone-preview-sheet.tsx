import type { ReactNode } from 'react'
import { Sheet } from '../../../ui/sheet.tsx'
import classes from './form.module.css'

type Props = { title: string; onClose: () => void; children: ReactNode }

/** Shows the phone preview where there is no room beside the form. */
export function PhonePreviewSheet({ title, onClose, children }: Props) {
  return (
    <Sheet opened onClose={onClose} size={420} title={title}>
      <div className={classes.inSheet}>{children}</div>
    </Sheet>
  )
}
