import { Tooltip } from '@mantine/core'
import { type Chat, type ChatMessage, chatsApi } from '@recado/contract/chats'
import { fold } from '@recado/contract/text/fold'
import { type Icon, IconAt, IconHash, IconMoodSmile, IconPaperclip, IconSend } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, lazy, type Ref, Suspense, useEffect, useId, useRef, useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { putChatMessage } from '../../parts/chats/use-chats.ts'
import { useAgentTyping } from '../../parts/conversation/composer/use-agent-typing.ts'
import { AttachedFiles } from '../../parts/message/composer/attached-files.tsx'
import {
  clearAttachedFiles,
  removeAttachedFile,
  useAttachedFiles,
} from '../../parts/message/composer/attached-files-store.ts'
import box from '../../parts/message/composer/composer.module.css'
import { ComposerContextBar } from '../../parts/message/composer/composer-context-bar.tsx'
import { useDraft } from '../../parts/message/composer/drafts.ts'
import { MessageInput, type MessageInputHandle } from '../../parts/message/composer/message-input.tsx'
import { texts as boxTexts } from '../../parts/message/composer/texts.ts'
import { useAttachFiles } from '../../parts/message/composer/use-attach-files.ts'
import { useDroppedFiles } from '../../parts/message/composer/use-dropped-files.ts'
import { useTypeIntoComposer } from '../../parts/message/composer/use-type-into-composer.ts'
import { PersonAvatar } from '../../ui/person-avatar.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import classes from './chats.module.css'
import { texts } from './texts.ts'

const EmojiPicker = lazy(() =>
  import('../../parts/message/emoji/emoji-picker.tsx').then((module) => ({ default: module.EmojiPicker })),
)

type Props = {
  chat: Chat
  ownId: number
  replyTo: ChatMessage | null
  editedMessage: ChatMessage | null
  onStopEditing: () => void
  onSend: (text: string, files: File[]) => void
}

const maxMessageLength = 10_000

/**
 * The composer of a chat. A draft stays with its chat. While a sent message is edited, the composer shows only that
 * message.
 */
export function ChatComposer(props: Props) {
  const { chat, ownId, replyTo, editedMessage, onStopEditing, onSend } = props
  const words = useTexts(texts)
  const boxWords = useTexts(boxTexts)
  const client = useQueryClient()
  const draftKey = `chat-${chat.id}`
  const [draft, setDraft] = useDraft(draftKey)
  const [edited, setEdited] = useState<{ id: number; text: string } | null>(null)
  const files = useAttachedFiles(draftKey)
  const attach = useAttachFiles(draftKey)
  const area = useRef<MessageInputHandle>(null)
  const [emoji, setEmoji] = useState(false)
  const typing = useAgentTyping(chat.id, 'chatTyping')
  useTypeIntoComposer(area)
  const isDraggedOver = useDroppedFiles(!editedMessage, attach)
  const text = editedMessage ? (edited?.id === editedMessage.id ? edited.text : editedMessage.message) : draft
  const write = (next: string) => {
    if (editedMessage) return setEdited({ id: editedMessage.id, text: next })
    setDraft(next)
    typing(next.trim() !== '')
  }
  const names = useMentionSuggestions(chat, ownId, text, (said) => {
    write(said)
    area.current?.focus()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another chat or another deed takes the keys
  useEffect(() => {
    if (editedMessage || replyTo || !matchMedia('(pointer: coarse)').matches) area.current?.focus()
  }, [chat.id, editedMessage?.id, replyTo?.id])
  const isReady = text.trim() !== '' || (!editedMessage && files.some((one) => one.file))
  const submit = () => {
    if (!isReady) return
    if (editedMessage) {
      const params = { id: chat.id, messageId: editedMessage.id }
      callApi(chatsApi.edit, { params, body: { message: text.trim() } }).then(
        (message) => {
          putChatMessage(client, message)
          onStopEditing()
        },
        (error: unknown) => toast.error(error),
      )
      return
    }
    const along = files.flatMap((one) => one.file ?? [])
    onSend(text.trim(), along)
    setDraft('')
    clearAttachedFiles(draftKey)
    typing(false)
  }
  const onKey = (event: KeyboardEvent): boolean => {
    if (names.onKey(event)) return true
    if (event.key !== 'Escape' || !(editedMessage || replyTo)) return false
    onStopEditing()
    return true
  }
  return (
    <div className={box.root}>
      <section className={box.box} aria-label={words.message}>
        {isDraggedOver && <div className={box.drop}>{words.drop}</div>}
        {names.panel}
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
        {editedMessage && (
          <ComposerContextBar title={words.editMessage} close={{ label: words.stopEditing, onClose: onStopEditing }} />
        )}
        {replyTo && !editedMessage && (
          <ComposerContextBar
            title={boxWords.replyingTo(replyTo.senderId === ownId ? boxWords.yourself : replyTo.sender.name)}
            text={replyTo.message || (replyTo.mediaName ?? '')}
            close={{ label: boxWords.stopReplying, onClose: onStopEditing }}
          />
        )}
        {!editedMessage && files.length > 0 && (
          <AttachedFiles files={files} onRemove={(id) => removeAttachedFile(draftKey, id)} />
        )}
        <MessageInput
          ref={area}
          label={words.message}
          hint={words.message}
          value={text}
          maxLength={maxMessageLength}
          suggestionList={names.list}
          onChange={write}
          onEnter={submit}
          handleKeyFirst={onKey}
          onPasteFiles={editedMessage ? undefined : attach}
          onBlur={() => typing(false)}
        />
        <div className={box.foot}>
          {!editedMessage && <AttachButton label={words.attach} onFiles={attach} />}
          <ToolButton label={words.emoji} icon={IconMoodSmile} onClick={() => setEmoji(!emoji)} />
          <ToolButton label={words.mention} icon={IconAt} onClick={() => area.current?.insert('@')} />
          <ToolButton label={words.ticket} icon={IconHash} onClick={() => area.current?.insert('#')} />
          <span className={box.grow} />
          <SendButton isReady={isReady} label={editedMessage ? words.save : words.send} onSend={submit} />
        </div>
      </section>
    </div>
  )
}

function SendButton({ isReady, label, onSend }: { isReady: boolean; label: string; onSend: () => void }) {
  const phone = useIsPhone()
  return (
    <button
      type="button"
      className={`${box.send} ${box.whole}`}
      aria-label={label}
      aria-disabled={!isReady}
      onClick={onSend}
    >
      <IconSend size={16} stroke={1.75} aria-hidden="true" />
      {!phone && label}
    </button>
  )
}

function ToolButton({ label, icon: Sign, onClick }: { label: string; icon: Icon; onClick: () => void }) {
  return (
    <Tooltip label={label}>
      <button type="button" className={box.tool} aria-label={label} onClick={onClick}>
        <Sign size={18} stroke={1.75} />
      </button>
    </Tooltip>
  )
}

function AttachButton({ label, onFiles }: { label: string; onFiles: (files: File[]) => void }) {
  const input: Ref<HTMLInputElement> = useRef(null)
  return (
    <>
      <ToolButton label={label} icon={IconPaperclip} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        data-files
        aria-label={label}
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}

/** An @ at the end of the text, with the first letters after it. */
const mentionPattern = /(?:^|[^\p{L}\p{N}])@([\p{L}\p{N}]{0,40})$/u

/** Suggestions for a mention being typed. Arrows select, Enter or Tab accepts, Escape keeps the typed letters. */
function useMentionSuggestions(chat: Chat, ownId: number, text: string, onWrite: (text: string) => void) {
  const words = useTexts(texts)
  const id = useId()
  const [at, setAt] = useState(0)
  const [shut, setShut] = useState('')
  const mentionQuery = mentionPattern.exec(text)?.[1]
  const people =
    mentionQuery === undefined || shut === text
      ? []
      : chat.users
          .map((one) => one.user)
          .filter(
            (one) =>
              one.id !== ownId &&
              fold(one.name)
                .split(' ')
                .some((word) => word.startsWith(fold(mentionQuery))),
          )
          .slice(0, 8)
  const activeIndex = Math.min(at, people.length - 1)
  const insertMention = (name: string) => {
    setAt(0)
    onWrite(`${text.slice(0, text.length - (mentionQuery?.length ?? 0))}${name} `)
  }
  const optionId = (n: number) => `${id}-${n}`
  return {
    list: people.length > 0 ? { id, active: optionId(activeIndex) } : null,
    onKey: (event: KeyboardEvent): boolean => {
      const one = people[activeIndex]
      if (!one) return false
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
        setAt((activeIndex + (event.key === 'ArrowDown' ? 1 : people.length - 1)) % people.length)
      else if ((event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab') insertMention(one.name)
      else if (event.key === 'Escape') setShut(text)
      else return false
      event.preventDefault()
      return true
    },
    panel: people.length > 0 && (
      <div className={`${box.panel} ${classes.options}`} role="listbox" id={id} aria-label={words.mention}>
        {people.map((one, n) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard in the words
          // biome-ignore lint/a11y/useFocusableInteractive: the same
          <div
            key={one.id}
            id={optionId(n)}
            role="option"
            aria-selected={n === activeIndex}
            className={classes.option}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => insertMention(one.name)}
          >
            <PersonAvatar id={one.id} name={one.name} size={24} online={one.online} />
            {one.name}
          </div>
        ))}
      </div>
    ),
  }
}
