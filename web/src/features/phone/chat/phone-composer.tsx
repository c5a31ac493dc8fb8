import type { Connection } from '@recado/contract/connections'
import type { SandboxCustomer } from '@recado/contract/sandbox'
import { IconMicrophone, IconMoodSmile, IconSend2 } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { AttachedFiles } from '../../../parts/message/composer/attached-files.tsx'
import { ComposerContextBar } from '../../../parts/message/composer/composer-context-bar.tsx'
import { MessageInput, type MessageInputHandle } from '../../../parts/message/composer/message-input.tsx'
import { texts } from '../texts.ts'
import { ComposerSubjectBar, GroupMemberSelect } from './composer-header.tsx'
import type { ComposerSubject } from './composer-subject.ts'
import { PhoneAttachMenu } from './phone-attach-menu.tsx'
import classes from './phone-composer.module.css'
import { useCustomerTypingNotifier } from './use-customer-typing-notifier.ts'
import { usePhoneDraft } from './use-phone-draft.ts'
import type { PhoneAction } from './use-send-as-customer.ts'

const EmojiPicker = lazy(() =>
  import('../../../parts/message/emoji/emoji-picker.tsx').then((module) => ({ default: module.EmojiPicker })),
)
const VoiceRecorder = lazy(() =>
  import('../../../parts/message/recorder/voice-recorder.tsx').then((module) => ({ default: module.VoiceRecorder })),
)

/** The server's limit for a text. */
const maxTextLength = 65_536

type Props = {
  line: Connection
  person: SandboxCustomer
  people: SandboxCustomer[]
  /** In a group: the member who writes. */
  senderNumber: string
  onSelectSender: (number: string) => void
  nameOf: (number: string) => string
  write: (action: PhoneAction, files?: File[]) => void
  subject: ComposerSubject
  onSubjectDone: () => void
  /** Whether the field has the focus when it appears. */
  takesFocus: boolean
}

export function PhoneComposer({
  line,
  person,
  people: customers,
  senderNumber,
  onSelectSender,
  nameOf,
  write,
  subject,
  onSubjectDone,
  takesFocus,
}: Props) {
  const words = useTexts(texts)
  const area = useRef<MessageInputHandle>(null)
  const [recording, setRecording] = useState(false)
  const [emoji, setEmoji] = useState(false)
  const typing = useCustomerTypingNotifier(line.id, senderNumber)
  const done = () => {
    onSubjectDone()
    typing(false)
  }
  const {
    text,
    setText,
    files,
    attach,
    remove,
    asCompany,
    setAsCompany,
    hasContent: full,
    send,
    clear,
  } = usePhoneDraft({
    write,
    subject: subject,
    onDone: done,
  })
  useEffect(() => {
    if (subject) area.current?.focus()
  }, [subject])
  useEffect(() => {
    // On a touch screen the focus would open the keyboard over the conversation.
    if (takesFocus && !matchMedia('(pointer: coarse)').matches) area.current?.focus()
  }, [takesFocus])

  if (recording) {
    return (
      <div className={classes.root}>
        <Suspense fallback={<div className={classes.line} />}>
          <VoiceRecorder
            onSend={(file) => write({ ...(asCompany && { fromMe: true }) }, [file])}
            onKeepAsDraft={() => undefined}
            onEnd={() => setRecording(false)}
          />
        </Suspense>
      </div>
    )
  }
  return (
    <div className={classes.root}>
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
      {person.isGroup && (
        <GroupMemberSelect {...{ person, senderNumber: senderNumber, onSelectSender: onSelectSender, nameOf }} />
      )}
      {subject && <ComposerSubjectBar subject={subject} nameOf={nameOf} onClose={clear} />}
      {asCompany && (
        <ComposerContextBar
          title={words.asCompanyNow}
          close={{ label: words.cancel, onClose: () => setAsCompany(false) }}
        />
      )}
      {files.length > 0 && <AttachedFiles files={files} onRemove={remove} />}
      <div className={classes.line}>
        <div className={classes.box}>
          <button
            type="button"
            className={classes.tool}
            aria-label={words.emoji}
            aria-expanded={emoji}
            // The mouse-down that closes the picker must not count as an outside click, which would close and reopen
            // it.
            onMouseDown={(event) => emoji && event.stopPropagation()}
            onClick={() => setEmoji(!emoji)}
          >
            <IconMoodSmile size={18} stroke={1.75} />
          </button>
          <MessageInput
            ref={area}
            className={classes.input}
            label={words.message}
            hint={words.message}
            value={text}
            maxLength={maxTextLength}
            onChange={(next) => {
              setText(next)
              typing(next !== '')
            }}
            onEnter={send}
            onPasteFiles={attach}
            onBlur={() => typing(false)}
          />
          <PhoneAttachMenu
            people={customers}
            write={write}
            onFilesChosen={attach}
            onSendAsCompany={() => setAsCompany(true)}
          />
        </div>
        <button
          type="button"
          className={classes.send}
          aria-label={full ? words.send : words.record}
          onClick={full ? send : () => setRecording(true)}
        >
          {full ? <IconSend2 size={18} stroke={1.75} /> : <IconMicrophone size={18} stroke={1.75} />}
        </button>
      </div>
    </div>
  )
}
