import type { Message } from '@recado/contract/messages'
import type { QuickMessage } from '@recado/contract/quick-messages'
import type { Ticket } from '@recado/contract/tickets'
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import classes from './composer.module.css'
import { type Mode, onPutBack, useDraft } from './drafts.ts'
import { ModeRow } from './mode-row.tsx'
import { optionId, QuickReplies } from './quick-replies.tsx'
import { ReplyBar } from './reply-bar.tsx'
import { SendButton } from './send-button.tsx'
import { texts } from './texts.ts'
import { Tools } from './tools.tsx'
import { Tray } from './tray.tsx'
import { addComing, addFiles, useTray } from './tray-files.ts'
import { useAgentTyping } from './use-agent-typing.ts'
import { useAttach } from './use-attach.ts'
import { useDroppedFiles } from './use-dropped-files.ts'
import { fileOfReply, useQuickReplies } from './use-quick-replies.ts'
import { isReady, useSending } from './use-sending.ts'
import { useSigns } from './use-signs.ts'
import { Words, type WordsHandle } from './words.tsx'

const EmojiPicker = lazy(() => import('./emoji/emoji-picker.tsx').then((module) => ({ default: module.EmojiPicker })))
const Recorder = lazy(() => import('./recorder/recorder.tsx').then((module) => ({ default: module.Recorder })))

/** Room for the signature below what the server takes. */
const most = { reply: 65_000, note: 4000 }

type Props = {
  ticket: Ticket
  mode: Mode
  onMode: (mode: Mode) => void
  replyTo: Message | null
  onReplyTo: (message: Message | null) => void
}

export function WritingBox({ ticket, mode, onMode, replyTo, onReplyTo }: Props) {
  const words = useTexts(texts)
  const listId = useId()
  const area = useRef<WordsHandle>(null)
  const [text, write] = useDraft(ticket.id, mode)
  const files = useTray(ticket.id)
  const [signs, setSigns] = useSigns()
  const [recording, setRecording] = useState(false)
  const [emoji, setEmoji] = useState(false)
  const typing = useAgentTyping(ticket.id)
  const attach = useAttach(ticket.id)
  const reply = mode === 'reply'
  const replies = useQuickReplies(text, reply)
  const over = useDroppedFiles(reply && !recording, attach)
  const onSent = () => {
    onReplyTo(null)
    typing(false)
  }
  const { saving, submit, submitAndResolve, sendVoice } = useSending({ ticket, mode, signs, replyTo, onSent })
  const ready = isReady(mode, text, reply ? files : [], saving)
  useEffect(() => onPutBack((id) => id === ticket.id && area.current?.focus()), [ticket.id])
  useEffect(() => {
    if (replyTo) area.current?.focus()
  }, [replyTo])

  const pick = (chosen: QuickMessage) => {
    replies.close()
    // A slash and what follows it stood for this; chosen from the button it joins what is there.
    if (text.startsWith('/') || text === '') write(chosen.message)
    else area.current?.insert(chosen.message)
    area.current?.focus()
    if (chosen.mediaPath)
      addComing(ticket.id, chosen.mediaName ?? '', fileOfReply(chosen)).catch(() => toast.warn(words.noFile))
  }
  if (recording)
    return (
      <Suspense fallback={<div className={classes.box} />}>
        <Recorder onSend={sendVoice} onLeft={(file) => addFiles(ticket.id, [file])} onEnd={() => setRecording(false)} />
      </Suspense>
    )
  return (
    <section className={classes.box} data-note={reply ? undefined : true} aria-label={words.composer}>
      {over && <div className={classes.drop}>{words.dropHere}</div>}
      {replies.open && <QuickReplies id={listId} list={replies} onPick={pick} />}
      {emoji && (
        <Suspense fallback={null}>
          <EmojiPicker
            onPick={(sign) => area.current?.insert(sign)}
            onClose={() => {
              setEmoji(false)
              area.current?.focus()
            }}
          />
        </Suspense>
      )}
      {reply && replyTo && (
        <ReplyBar message={replyTo} contactName={ticket.contact.name} onClose={() => onReplyTo(null)} />
      )}
      <ModeRow ticketId={ticket.id} {...{ mode, onMode, signs }} onSigns={setSigns} />
      {reply && files.length > 0 && <Tray ticketId={ticket.id} files={files} />}
      <Words
        ref={area}
        label={reply ? words.message : words.note}
        hint={reply ? (files.length > 0 ? words.captionHint : words.messageHint) : words.noteHint}
        value={text}
        most={most[mode]}
        list={replies.open ? { id: listId, active: optionId(listId, replies.shown[replies.at]) } : null}
        onChange={(next) => {
          write(next)
          if (reply) typing(next.trim() !== '')
        }}
        onEnter={submit}
        onKey={(event) => replies.onKey(event, pick)}
        onFiles={reply ? attach : () => undefined}
        onBlur={() => typing(false)}
      />
      <div className={classes.foot}>
        <Tools
          mode={mode}
          panel={emoji ? 'emoji' : replies.open ? 'replies' : null}
          onFiles={attach}
          onEmoji={() => setEmoji(!emoji)}
          onReplies={() => {
            replies.toggle()
            area.current?.focus()
          }}
          onRecord={() => setRecording(true)}
        />
        <span className={classes.grow} />
        <SendButton mode={mode} ready={ready} onSend={submit} onSendAndResolve={submitAndResolve} />
      </div>
    </section>
  )
}
