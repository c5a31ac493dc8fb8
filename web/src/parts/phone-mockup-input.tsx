import { IconSend2 } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { defineTexts, useTexts } from '../lib/texts.ts'
import classes from './phone-mockup-input.module.css'

const texts = defineTexts({
  es: { write: 'Mensaje', send: 'Enviar' },
  pt: { write: 'Mensagem', send: 'Enviar' },
  en: { write: 'Message', send: 'Send' },
})

type Props = {
  onSend: (text: string) => void
  disabled?: boolean
  /** Buttons before the input. */
  children?: ReactNode
}

/** The input for the customer's next message. Enter must not submit the surrounding form. */
export function PhoneMockupInput({ onSend, disabled, children }: Props) {
  const words = useTexts(texts)
  const [text, setText] = useState('')
  const send = () => {
    if (!text.trim()) return
    onSend(text.trim())
    setText('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    send()
  }
  return (
    <div className={classes.root}>
      {children}
      <input
        aria-label={words.write}
        placeholder={words.write}
        autoComplete="off"
        maxLength={1000}
        disabled={disabled}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <button type="button" className={classes.send} aria-label={words.send} disabled={disabled} onClick={send}>
        <IconSend2 size={18} stroke={1.75} />
      </button>
    </div>
  )
}
