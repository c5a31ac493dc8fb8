import type { Message } from '@recado/contract/messages'
import { parseSignature } from '@recado/contract/text/signature'
import type { Ticket } from '@recado/contract/tickets'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { stripFormatting } from '../../message/body/rich-text.ts'
import classes from '../../message/composer/composer.module.css'
import { ComposerContextBar } from '../../message/composer/composer-context-bar.tsx'
import { MessageInput, type MessageInputHandle } from '../../message/composer/message-input.tsx'
import { useTypeIntoComposer } from '../../message/composer/use-type-into-composer.ts'
import { useMessageActions } from '../messages/use-message-actions.ts'
import { texts } from './texts.ts'

type Props = { ticket: Ticket; message: Message; onClose: (saved: boolean) => void }

/** Edits that failed to save: restored for the next try. */
const unsavedEdits = new Map<string, string>()

/** Edits a sent message in place of the composer, whose draft is kept. */
export function EditMessageBox({ ticket, message, onClose }: Props) {
  const words = useTexts(texts)
  const { edit } = useMessageActions(ticket)
  const area = useRef<MessageInputHandle>(null)
  const before = parseSignature(message.body).text
  const [text, setText] = useState(unsavedEdits.get(message.id) ?? before)
  const ready = text.trim() !== ''
  useEffect(() => area.current?.focus(), [])
  useTypeIntoComposer(area)
  const save = () => {
    if (!ready) return
    const isNew = text.trim() !== before.trim()
    if (isNew) {
      unsavedEdits.set(message.id, text)
      void edit(message, text).then((done) => done && unsavedEdits.delete(message.id))
    }
    onClose(isNew)
  }
  const cancel = () => {
    unsavedEdits.delete(message.id)
    onClose(false)
  }
  return (
    <section className={classes.box} aria-label={words.composer}>
      <ComposerContextBar title={words.editing} text={stripFormatting(before)} />
      <MessageInput
        ref={area}
        label={words.message}
        hint={words.editHint}
        value={text}
        maxLength={65_000}
        onChange={setText}
        onEnter={save}
        handleKeyFirst={(event) => {
          if (event.key !== 'Escape') return false
          event.stopPropagation()
          cancel()
          return true
        }}
      />
      <div className={classes.foot}>
        <span className={classes.keys}>{words.editKeys}</span>
        <span className={classes.grow} />
        <button type="button" className={classes.way} data-quiet onClick={cancel}>
          <IconX size={16} stroke={1.75} aria-hidden="true" />
          {words.cancelEdit}
        </button>
        <button type="button" className={`${classes.send} ${classes.whole}`} aria-disabled={!ready} onClick={save}>
          <IconCheck size={16} stroke={1.75} aria-hidden="true" />
          {words.saveEdit}
        </button>
      </div>
    </section>
  )
}
