import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './composer.module.css'

type Props = {
  title: ReactNode
  text?: string
  picture?: string | null
  /** The close button with its label; if absent, the bar cannot be closed. */
  close?: { label: string; onClose: () => void }
}

/** The bar above the text that shows the message to which the text refers. */
export function ComposerContextBar({ title, text, picture, close }: Props) {
  return (
    <div className={classes.quoting}>
      <div>
        <b>{title}</b>
        {text !== undefined && <span>{text}</span>}
      </div>
      {picture && <img src={picture} alt="" />}
      {close && (
        <button type="button" className={classes.tool} aria-label={close.label} onClick={close.onClose}>
          <IconX size={16} stroke={1.75} />
        </button>
      )}
    </div>
  )
}
