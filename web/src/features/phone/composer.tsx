import type { Connection } from '@recado/contract/connections'
import type { Customer, PhoneMessage } from '@recado/contract/sandbox'
import { IconMicrophone, IconSend2, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { AttachMenu } from './attach-menu.tsx'
import type { About } from './chat.tsx'
import classes from './composer.module.css'
import { EmojiPicker } from './emoji-picker.tsx'
import { texts } from './texts.ts'
import { Tray } from './tray.tsx'
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
  const [text, setText] = useState('')
  const [files, setFiles] = useState<File[]>([])
  const [asCompany, setAsCompany] = useState(false)
  const [recording, setRecording] = useState(false)
  const typing = useTyping(line.id, writer)
  useEffect(() => {
    if (about?.what === 'edit') setText(about.message.body)
    if (about) input.current?.focus()
  }, [about])

  const done = () => {
    setText('')
    setFiles([])
    setAsCompany(false)
    onAboutDone()
    typing(false)
  }
  const send = () => {
    const body = text.trim()
    if (body === '' && files.length === 0) return
    if (about?.what === 'edit') write({ kind: 'edit', body, targetId: about.message.id })
    else {
      const common = { ...(asCompany && { fromMe: true }), ...(about && { quotedId: about.message.id }) }
      if (files.length === 0) write({ body, ...common })
      // WhatsApp sends each file by itself; the words go with the first.
      for (const [i, file] of files.entries()) write(i === 0 ? { body, ...common } : common, [file])
    }
    done()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  const insert = (emoji: string) => {
    const { selectionStart: at = text.length, selectionEnd: to = text.length } = input.current ?? {}
    setText(text.slice(0, at) + emoji + text.slice(to))
    input.current?.focus()
  }
  if (recording) {
    return (
      <Suspense fallback={<div className={classes.recording} />}>
        <Recorder
          onDone={(file) => {
            setRecording(false)
            if (file) write({ ...(asCompany && { fromMe: true }) }, [file])
          }}
        />
      </Suspense>
    )
  }
  const full = text.trim() !== '' || files.length > 0
  return (
    <div className={classes.root}>
      {person.isGroup && <Writer {...{ person, writer, onWriter, nameOf }} />}
      {about && <AboutLine about={about} nameOf={nameOf} onClose={done} />}
      {asCompany && (
        <Banner onClose={() => setAsCompany(false)} label={words.cancel}>
          {words.asCompanyNow}
        </Banner>
      )}
      {files.length > 0 && <Tray files={files} onChange={setFiles} />}
      <div className={classes.line}>
        <div className={classes.box}>
          <EmojiPicker onPick={insert} />
          <textarea
            ref={input}
            className={classes.input}
            rows={1}
            aria-label={words.message}
            placeholder={words.message}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value)
              typing(event.currentTarget.value !== '')
            }}
            onKeyDown={onKeyDown}
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

type WriterProps = Pick<Props, 'person' | 'writer' | 'onWriter' | 'nameOf'>
/** The phone belongs to one of the group; choosing another hands it over. */
function Writer({ person, writer, onWriter, nameOf }: WriterProps) {
  const words = useTexts(texts)
  return (
    <select
      className={classes.writer}
      aria-label={words.writesAsLabel}
      value={writer}
      onChange={(event) => onWriter(event.currentTarget.value)}
    >
      {person.members.map((number) => (
        <option key={number} value={number}>
          {words.writesAs(nameOf(number))}
        </option>
      ))}
    </select>
  )
}

type AboutProps = { about: NonNullable<About>; nameOf: Props['nameOf']; onClose: () => void }
function AboutLine({ about, nameOf, onClose }: AboutProps) {
  const words = useTexts(texts)
  const { what, message } = about
  const title = what === 'edit' ? words.editing : words.replyingTo(nameIn(message, words.you, nameOf))
  return (
    <Banner onClose={onClose} label={words.cancel}>
      <b>{title}</b>
      {message.body || words.kinds[message.kind]}
    </Banner>
  )
}
const nameIn = ({ fromCustomer, author }: PhoneMessage, you: string, nameOf: Props['nameOf']) =>
  fromCustomer ? (author ? nameOf(author) : you) : '…'

function Banner({ children, label, onClose }: { children: ReactNode; label: string; onClose: () => void }) {
  return (
    <div className={classes.banner}>
      <span>{children}</span>
      <button type="button" aria-label={label} onClick={onClose}>
        <IconX size={16} stroke={1.75} />
      </button>
    </div>
  )
}
