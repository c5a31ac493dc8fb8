import { lazy, Suspense, useId, useRef, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { MentionList, mentionOptionId } from '../../mentions/mention-list.tsx'
import type { MentionListState as Mentions } from '../../mentions/use-mentions.ts'
import { AttachedFiles } from '../../message/composer/attached-files.tsx'
import { addAttachedFiles, removeAttachedFile, setCaption } from '../../message/composer/attached-files-store.ts'
import classes from '../../message/composer/composer.module.css'
import { MessageInput, type MessageInputHandle } from '../../message/composer/message-input.tsx'
import { ReplyingToBar } from '../../message/composer/replying-to-bar.tsx'
import { useDroppedFiles } from '../../message/composer/use-dropped-files.ts'
import { openTemplateDialog } from '../../ticket/ticket-dialog-state.ts'
import { trayKey } from '../outgoing/composer-keys.ts'
import { ComposerModeRow } from './composer-mode-row.tsx'
import { ComposerTools } from './composer-tools.tsx'
import { QuickReplyList, quickReplyOptionId } from './quick-reply-list.tsx'
import { SendButton } from './send-button.tsx'
import { texts } from './texts.ts'
import { type ComposerBoxProps, useComposer, useVoiceRecording } from './use-composer.ts'
import type { QuickReplyListState } from './use-quick-replies.ts'

const EmojiPicker = lazy(() =>
  import('../../message/emoji/emoji-picker.tsx').then((module) => ({ default: module.EmojiPicker })),
)
const VoiceRecorder = lazy(() =>
  import('../../message/recorder/voice-recorder.tsx').then((module) => ({ default: module.VoiceRecorder })),
)

/** Below the server's limit, with room for the signature. */
const maxTextLength = { reply: 65_000, note: 4000 }

/** The list above the text that receives its keys. */
function activeOption(id: string, replies: QuickReplyListState, mentions: Mentions) {
  if (replies.open) return { id, active: quickReplyOptionId(id, replies.shown[replies.at]) }
  return mentions.open ? { id, active: mentionOptionId(id, mentions.shown[mentions.at]) } : null
}

/** In rows: mode, attachments, text, and tools. */
export function ComposerBox(props: ComposerBoxProps) {
  const { ticket, mode, onMode, replyTo, onReplyTo, left } = props
  const words = useTexts(texts)
  const listId = useId()
  const tray = trayKey(ticket.id)
  const area = useRef<MessageInputHandle>(null)
  const [emoji, setEmoji] = useState(false)
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  const box = useComposer(props, area)
  const { recording, start, end } = useVoiceRecording(area)
  const over = useDroppedFiles(box.reply && !recording, box.attach)
  const { replies, mentions, reply, files } = box
  if (recording)
    return (
      <Suspense fallback={<div className={classes.box} />}>
        <VoiceRecorder onSend={box.sendVoice} onLeft={(file) => addAttachedFiles(tray, [file])} onEnd={end} />
      </Suspense>
    )
  return (
    <section className={classes.box} data-note={reply ? undefined : true} aria-label={words.composer}>
      {over && <div className={classes.drop}>{words.dropHere}</div>}
      {replies.open && <QuickReplyList filled={box.filled} id={listId} list={replies} onPick={box.pick} />}
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
        <ReplyingToBar message={replyTo} contactName={ticket.contact.name} onClose={() => onReplyTo(null)} />
      )}
      <ComposerModeRow ticketId={ticket.id} {...{ mode, onMode, left }} signs={box.signs} onSigns={box.setSigns} />
      <div ref={setSlot} />
      {files.length > 0 && (
        <AttachedFiles
          files={files}
          onRemove={(id) => removeAttachedFile(tray, id)}
          onCaption={(id, caption) => setCaption(tray, id, caption)}
        />
      )}
      <MessageInput
        ref={area}
        label={reply ? words.message : words.note}
        hint={reply ? (files.length > 0 ? words.captionHint : words.messageHint) : words.noteHint}
        value={box.text}
        most={maxTextLength[mode]}
        list={activeOption(listId, replies, mentions.list)}
        onChange={box.type}
        onEnter={box.submit}
        onKey={box.onKey}
        onFiles={reply ? box.attach : undefined}
        onBlur={box.rest}
      />
      <div className={classes.foot}>
        <ComposerTools
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
          onTemplates={left === null ? undefined : () => openTemplateDialog(ticket)}
        />
        <span className={classes.grow} />
        <SendButton mode={mode} ready={box.ready} onSend={box.submit} onSendAndResolve={box.submitAndResolve} />
      </div>
    </section>
  )
}
