import type { Macro } from '@recado/contract/macros/macros'
import { lazy, Suspense, useId, useRef, useState } from 'react'
import { useSession } from '../../../lib/session.tsx'
import { useTexts } from '../../../lib/texts.ts'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import { macroTexts } from '../../macros/texts.ts'
import { MentionList, mentionOptionId } from '../../mentions/mention-list.tsx'
import type { MentionListState as Mentions } from '../../mentions/use-mentions.ts'
import { AttachedFiles } from '../../message/composer/attached-files.tsx'
import { addAttachedFiles, removeAttachedFile, setCaption } from '../../message/composer/attached-files-store.ts'
import classes from '../../message/composer/composer.module.css'
import { MessageInput, type MessageInputHandle } from '../../message/composer/message-input.tsx'
import { ReplyingToBar } from '../../message/composer/replying-to-bar.tsx'
import { useDroppedFiles } from '../../message/composer/use-dropped-files.ts'
import { openScheduleDialog, openTemplateDialog } from '../../ticket/ticket-dialog-state.ts'
import { trayKey } from '../outgoing/composer-keys.ts'
import { ComposerModeRow } from './composer-mode-row.tsx'
import { ComposerTools } from './composer-tools.tsx'
import { QuickReplyList, slashOptionId } from './quick-reply-list.tsx'
import { SendButton } from './send-button.tsx'
import { texts } from './texts.ts'
import { type ComposerBoxProps, useComposer, useVoiceRecording } from './use-composer.ts'
import type { QuickReplyListState, SlashOption } from './use-quick-replies.ts'

const EmojiPicker = lazy(() =>
  import('../../message/emoji/emoji-picker.tsx').then((module) => ({ default: module.EmojiPicker })),
)
const MacroTray = lazy(() => import('../../macros/macro-tray.tsx'))
const SlashSheet = lazy(() => import('./slash-sheet.tsx'))
const MacroKeys = lazy(() => import('../../macros/macro-keys.tsx'))
const VoiceRecorder = lazy(() =>
  import('../../message/recorder/voice-recorder.tsx').then((module) => ({ default: module.VoiceRecorder })),
)

/** Below the server's limit, with room for the signature. */
const maxTextLength = { reply: 65_000, note: 4000 }

/** The active option of the list above the text, which receives the keys of the text field. */
function activeOption(id: string, replies: QuickReplyListState, mentions: Mentions) {
  if (replies.isOpen) return { id, active: slashOptionId(id, replies.options[replies.activeIndex]) }
  return mentions.isOpen ? { id, active: mentionOptionId(id, mentions.people[mentions.activeIndex]) } : null
}

/** In rows: mode, attachments, text, and tools. */
export function ComposerBox(props: ComposerBoxProps) {
  const { ticket, mode, onModeChange, replyTo, onReplyTo, timeLeftMs } = props
  const words = useTexts(texts)
  const macroWords = useTexts(macroTexts)
  const { plan } = useSession()
  const listId = useId()
  const tray = trayKey(ticket.id)
  const area = useRef<MessageInputHandle>(null)
  const [emoji, setEmoji] = useState(false)
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  const box = useComposer(props, area)
  const { recording, start, end } = useVoiceRecording(area)
  const isDraggedOver = useDroppedFiles(box.reply && !recording, box.attach)
  const { replies, mentions, reply, files } = box
  const isPhone = useIsPhone()
  const [previewed, setPreviewed] = useState<Macro | null>(null)
  const isSheet = isPhone && (previewed !== null || replies.isComplete)
  const closeSheet = () => {
    setPreviewed(null)
    replies.close()
  }
  const pickOption = (option: SlashOption) => {
    setPreviewed(null)
    box.pick(option)
  }
  const stepCount = box.macroTray?.steps.length ?? 0
  const sendLabel = stepCount > 0 ? macroWords[box.hasMessage ? 'sendWith' : 'runOnly'](stepCount) : words.send
  if (recording)
    return (
      <Suspense fallback={<div className={classes.box} />}>
        <VoiceRecorder onSend={box.sendVoice} onKeepAsDraft={(file) => addAttachedFiles(tray, [file])} onEnd={end} />
      </Suspense>
    )
  return (
    <section className={classes.box} data-note={reply ? undefined : true} aria-label={words.composer} data-composer>
      {isDraggedOver && <div className={classes.drop}>{words.dropHere}</div>}
      {isSheet && (
        <Suspense fallback={null}>
          <SlashSheet
            ticket={ticket}
            options={replies.options}
            previewed={previewed}
            fillVariables={box.filled}
            onPreview={setPreviewed}
            onPick={pickOption}
            onClose={closeSheet}
          />
        </Suspense>
      )}
      {replies.isOpen && !isSheet && (
        <QuickReplyList
          ticket={ticket}
          fillVariables={box.filled}
          id={listId}
          list={replies}
          onPick={(option) => (isPhone && option.kind === 'macro' ? setPreviewed(option.macro) : pickOption(option))}
        />
      )}
      {mentions.list.isOpen && (
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
      <ComposerModeRow
        ticketId={ticket.id}
        {...{ mode, onModeChange: onModeChange, timeLeftMs: timeLeftMs }}
        isSigned={box.signs}
        onSignedChange={box.setSigned}
      />
      <div ref={setSlot} />
      <Suspense fallback={null}>
        {reply && <MacroKeys ticket={ticket} onPress={box.pressMacro} />}
        {box.macroTray && (
          <MacroTray
            ticketId={ticket.id}
            tray={box.macroTray}
            hasMessage={box.hasMessage}
            onEmptied={() => area.current?.focus()}
          />
        )}
      </Suspense>
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
        maxLength={maxTextLength[mode]}
        suggestionList={isSheet ? null : activeOption(listId, replies, mentions.list)}
        onChange={box.type}
        onEnter={box.submit}
        handleKeyFirst={box.onKey}
        onPasteFiles={reply ? box.attach : undefined}
        onBlur={box.stopTyping}
      />
      <div className={classes.foot}>
        <ComposerTools
          ticket={ticket}
          mode={mode}
          slotElement={slot}
          onFocus={() => area.current?.focus()}
          onSendLocationOrCard={box.sendLocationOrCard}
          panel={emoji ? 'emoji' : replies.isOpen ? 'replies' : null}
          onFilesChosen={box.attach}
          onOpenEmojis={() => setEmoji(!emoji)}
          onOpenQuickReplies={() => {
            replies.toggle()
            if (!isPhone) area.current?.focus()
          }}
          onRecord={start}
          onOpenTemplates={timeLeftMs === null ? undefined : () => openTemplateDialog(ticket)}
        />
        <span className={classes.grow} />
        <SendButton
          mode={mode}
          isReady={box.hasMessage || (stepCount > 0 && box.text.trim() === '' && files.length === 0)}
          label={sendLabel}
          onSend={box.submit}
          onSendAndResolve={box.submitAndResolve}
          onSchedule={plan?.useSchedules ? () => openScheduleDialog(ticket, true) : undefined}
        />
      </div>
    </section>
  )
}
