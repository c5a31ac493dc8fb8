import type { Message } from '@recado/contract/messages'
import { type CSSProperties, useEffect, useState } from 'react'
import { formatKeyCaps } from '../../../lib/shortcut-keys.ts'
import { useTexts } from '../../../lib/texts.ts'
import { recallSent } from '../outgoing/sent-recently.ts'
import classes from './undo-send-bar.module.css'
import { undoSendTexts } from './undo-send-texts.ts'
import type { UndoSend } from './use-undo-send.ts'

/** The time left to take a message back, with the ways to do so or not to wait. */
export function UndoSendBar({ message, undo }: { message: Message; undo: UndoSend }) {
  const words = useTexts(undoSendTexts)
  const deadline = undo.deadline(message) ?? 0
  const left = useSecondsLeft(deadline)
  if (left <= 0) return null
  const stepCount = recallSent(message.clientId)?.macro?.steps.length ?? 0
  const total = Math.max(1, Math.round((Date.parse(message.heldUntil ?? '') - Date.parse(message.createdAt)) / 1000))
  return (
    <div className={classes.bar} data-undo-send>
      <span
        className={classes.ring}
        style={{ '--share': Math.min(1, left / total) } as CSSProperties}
        aria-hidden="true"
      >
        {left}
      </span>
      <span aria-hidden="true">
        {words.leavesIn(left)}
        {stepCount > 0 && ` ${words.alsoSteps(stepCount)}`}
      </span>
      <span className="rc-sr" role="status">
        {words.canUndo}
      </span>
      <button type="button" onClick={() => undo.undo(message)}>
        {words.undo}
      </button>
      <kbd>{formatKeyCaps('mod+z').join(' ')}</kbd>
      <span aria-hidden="true">·</span>
      <button type="button" onClick={() => undo.sendNow(message)}>
        {words.sendNow}
      </button>
    </div>
  )
}

/** The whole seconds until then; zero afterwards. */
function useSecondsLeft(deadline: number): number {
  const [now, setNow] = useState(() => Date.now())
  const left = Math.max(0, Math.ceil((deadline - now) / 1000))
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setNow(Date.now()), deadline - (left - 1) * 1000 - Date.now() + 5)
    return () => clearTimeout(timer)
  }, [deadline, left])
  return left
}
