import { lazy, Suspense, useId, useRef, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { MentionList, personId } from '../../mentions/mention-list.tsx'
import type { MentionList as Mentions } from '../../mentions/use-mentions.ts'
import classes from '../../message/box/box.module.css'
import { ReplyBar } from '../../message/box/reply-bar.tsx'
import { Tray } from '../../message/box/tray.tsx'
import { addFiles, removeFile, setCaption } from '../../message/box/tray-files.ts'
import { useDroppedFiles } from '../../message/box/use-dropped-files.ts'
import { Words, type WordsHandle } from '../../message/box/words.tsx'
import { openTemplates } from '../../ticket/wanted.ts'
import { trayAt } from '../outgoing/places.ts'
import { ModeRow } from './mode-row.tsx'
import { optionId, QuickReplies } from './quick-replies.tsx'
import { SendButton } from './send-button.tsx'
import { texts } from './texts.ts'
import { Tools } from './tools.tsx'
import { type BoxProps, useBox, useRecording } from './use-box.ts'
import type { RepliesList } from './use-quick-replies.ts'

const EmojiPicker = lazy(() =>
  import('../../message/emoji/emoji-picker.tsx').then((module) => ({ default: module.EmojiPicker })),
)
const Recorder = lazy(() =>
  import('../../message/recorder/recorder.tsx').then((module) => ({ default: module.Recorder })),
)

/** Room for the signature below what the server takes. */
const most = { reply: 65_000, note: 4000 }

/** The list above the text that its keys go to. */
function activeOf(id: string, replies: RepliesList, mentions: Mentions) {
  if (replies.open) return { id, active: optionId(id, replies.shown[replies.at]) }
  return mentions.open ? { id, active: personId(id, mentions.shown[mentions.at]) } : null
}

/** Row by row: whom for, what along, the words, and what can be done with them. */
export function WritingBox(props: BoxProps) {
  const { ticket, mode, onMode, replyTo, onReplyTo, left } = props
  const words = useTexts(texts)
  const listId = useId()
  const tray = trayAt(ticket.id)
  const area = useRef<WordsHandle>(null)
  const [emoji, setEmoji] = useState(false)
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  const box = useBox(props, area)
  const { recording, start, end } = useRecording(area)
  const over = useDroppedFiles(box.reply && !recording, box.attach)
  const { replies, mentions, reply, files } = box
  if (recording)
    return (
      <Suspense fallback={<div className={classes.box} />}>
        <Recorder onSend={box.sendVoice} onLeft={(file) => addFiles(tray, [file])} onEnd={end} />
      </Suspense>
    )
  return (
    <section className={classes.box} data-note={reply ? undefined : true} aria-label={words.composer}>
      {over && <div className={classes.drop}>{words.dropHere}</div>}
      {replies.open && <QuickReplies filled={box.filled} id={listId} list={replies} onPick={box.pick} />}
      {mentions.list.open && (
        <div className={classes.panel}>
          <MentionList id={listId} list={mentions.list} onPick={mentions.pick} />
        </div>
      )}
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
      <ModeRow ticketId={ticket.id} {...{ mode, onMode, left }} signs={box.signs} onSigns={box.setSigns} />
      <div ref={setSlot} />
      {files.length > 0 && (
        <Tray
          files={files}
          onRemove={(id) => removeFile(tray, id)}
          onCaption={(id, caption) => setCaption(tray, id, caption)}
        />
      )}
      <Words
        ref={area}
        label={reply ? words.message : words.note}
        hint={reply ? (files.length > 0 ? words.captionHint : words.messageHint) : words.noteHint}
        value={box.text}
        most={most[mode]}
        list={activeOf(listId, replies, mentions.list)}
        onChange={box.type}
        onEnter={box.submit}
        onKey={box.onKey}
        onFiles={reply ? box.attach : undefined}
        onBlur={box.rest}
      />
      <div className={classes.foot}>
        <Tools
          ticket={ticket}
          mode={mode}
          slot={slot}
          onFocus={() => area.current?.focus()}
          onThing={box.sendThing}
          panel={emoji ? 'emoji' : replies.open ? 'replies' : null}
          onFiles={box.attach}
          onEmoji={() => setEmoji(!emoji)}
          onReplies={() => {
            replies.toggle()
            area.current?.focus()
          }}
          onRecord={start}
          onTemplates={left === null ? undefined : () => openTemplates(ticket)}
        />
        <span className={classes.grow} />
        <SendButton mode={mode} ready={box.ready} onSend={box.submit} onSendAndResolve={box.submitAndResolve} />
      </div>
    </section>
  )
}
