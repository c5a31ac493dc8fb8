import type { Connection } from '@recado/contract/connections'
import type { Customer } from '@recado/contract/sandbox'
import { IconMicrophone, IconMoodSmile, IconSend2 } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { QuotingBar } from '../../../parts/message/box/quoting-bar.tsx'
import { Tray } from '../../../parts/message/box/tray.tsx'
import { Words, type WordsHandle } from '../../../parts/message/box/words.tsx'
import { texts } from '../texts.ts'
import type { About } from './about.ts'
import { AttachMenu } from './attach-menu.tsx'
import classes from './composer.module.css'
import { AboutLine, Writer } from './composer-lines.tsx'
import { useDraft } from './use-draft.ts'
import { useTyping } from './use-typing.ts'
import type { Deed } from './use-writing.ts'

const EmojiPicker = lazy(() =>
  import('../../../parts/message/emoji/emoji-picker.tsx').then((module) => ({ default: module.EmojiPicker })),
)
const Recorder = lazy(() =>
  import('../../../parts/message/recorder/recorder.tsx').then((module) => ({ default: module.Recorder })),
)

/** What the server takes of a text. */
const most = 65_536

type Props = {
  line: Connection
  person: Customer
  people: Customer[]
  /** In a group: who of them writes. */
  writer: string
  onWriter: (number: string) => void
  nameOf: (number: string) => string
  write: (deed: Deed, files?: File[]) => void
  about: About
  onAboutDone: () => void
}

export function Composer({ line, person, people, writer, onWriter, nameOf, write, about, onAboutDone }: Props) {
  const words = useTexts(texts)
  const area = useRef<WordsHandle>(null)
  const [recording, setRecording] = useState(false)
  const [emoji, setEmoji] = useState(false)
  const typing = useTyping(line.id, writer)
  const done = () => {
    onAboutDone()
    typing(false)
  }
  const { text, setText, files, attach, remove, asCompany, setAsCompany, full, send, clear } = useDraft({
    write,
    about,
    onDone: done,
  })
  useEffect(() => {
    if (about) area.current?.focus()
  }, [about])

  if (recording) {
    return (
      <div className={classes.root}>
        <Suspense fallback={<div className={classes.line} />}>
          <Recorder
            onSend={(file) => write({ ...(asCompany && { fromMe: true }) }, [file])}
            onLeft={() => undefined}
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
      {person.isGroup && <Writer {...{ person, writer, onWriter, nameOf }} />}
      {about && <AboutLine about={about} nameOf={nameOf} onClose={clear} />}
      {asCompany && (
        <QuotingBar title={words.asCompanyNow} close={{ label: words.cancel, onClose: () => setAsCompany(false) }} />
      )}
      {files.length > 0 && <Tray files={files} onRemove={remove} />}
      <div className={classes.line}>
        <div className={classes.box}>
          <button
            type="button"
            className={classes.tool}
            aria-label={words.emoji}
            aria-expanded={emoji}
            // The press that closes the picker must not first close it as a press outside, and open it again.
            onMouseDown={(event) => emoji && event.stopPropagation()}
            onClick={() => setEmoji(!emoji)}
          >
            <IconMoodSmile size={18} stroke={1.75} />
          </button>
          <Words
            ref={area}
            className={classes.input}
            label={words.message}
            hint={words.message}
            value={text}
            most={most}
            onChange={(next) => {
              setText(next)
              typing(next !== '')
            }}
            onEnter={send}
            onFiles={attach}
            onBlur={() => typing(false)}
          />
          <AttachMenu people={people} write={write} onFiles={attach} onCompany={() => setAsCompany(true)} />
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
