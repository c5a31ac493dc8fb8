import type { Connection } from '@recado/contract/connections'
import type { Customer } from '@recado/contract/sandbox'
import { IconMicrophone, IconSend2 } from '@tabler/icons-react'
import { type KeyboardEvent, lazy, type Ref, Suspense, useEffect, useRef, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { texts } from '../texts.ts'
import type { About } from './about.ts'
import { AttachMenu } from './attach-menu.tsx'
import classes from './composer.module.css'
import { AboutLine, Banner, Writer } from './composer-lines.tsx'
import { EmojiPicker } from './emoji-picker.tsx'
import { Tray } from './tray.tsx'
import { useDraft } from './use-draft.ts'
import { useTyping } from './use-typing.ts'
import type { Deed } from './use-writing.ts'

const Recorder = lazy(() => import('./recorder.tsx').then((module) => ({ default: module.Recorder })))

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
  const input = useRef<HTMLTextAreaElement>(null)
  const [recording, setRecording] = useState(false)
  const typing = useTyping(line.id, writer)
  const done = () => {
    onAboutDone()
    typing(false)
  }
  const draft = useDraft({ write, about, onDone: done })
  const { text, setText, files, setFiles, asCompany, setAsCompany, full, send } = draft
  useEffect(() => {
    if (about) input.current?.focus()
  }, [about])

  const insert = (emoji: string) => {
    const { selectionStart: at = text.length, selectionEnd: to = text.length } = input.current ?? {}
    setText(text.slice(0, at) + emoji + text.slice(to))
    input.current?.focus()
  }
  const onRecorded = (file: File | null) => {
    setRecording(false)
    if (file) write({ ...(asCompany && { fromMe: true }) }, [file])
  }
  if (recording) {
    return (
      <Suspense fallback={<div className={classes.recording} />}>
        <Recorder onDone={onRecorded} />
      </Suspense>
    )
  }
  return (
    <div className={classes.root}>
      {person.isGroup && <Writer {...{ person, writer, onWriter, nameOf }} />}
      {about && <AboutLine about={about} nameOf={nameOf} onClose={draft.clear} />}
      {asCompany && (
        <Banner onClose={() => setAsCompany(false)} label={words.cancel}>
          {words.asCompanyNow}
        </Banner>
      )}
      {files.length > 0 && <Tray files={files} onChange={setFiles} />}
      <div className={classes.line}>
        <div className={classes.box}>
          <EmojiPicker onPick={insert} />
          <Words
            ref={input}
            value={text}
            onChange={(next) => {
              setText(next)
              typing(next !== '')
            }}
            onSend={send}
            onBlur={() => typing(false)}
          />
          <AttachMenu
            people={people}
            write={write}
            onFiles={(chosen) => setFiles([...files, ...chosen])}
            onCompany={() => setAsCompany(true)}
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

type WordsProps = {
  ref: Ref<HTMLTextAreaElement>
  value: string
  onChange: (text: string) => void
  onSend: () => void
  onBlur: () => void
}
/** Grows with what is in it. Enter sends, with Shift it is a new line. */
function Words({ ref, value, onChange, onSend, onBlur }: WordsProps) {
  const words = useTexts(texts)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    onSend()
  }
  return (
    <textarea
      ref={ref}
      className={classes.input}
      rows={1}
      aria-label={words.message}
      placeholder={words.message}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    />
  )
}
