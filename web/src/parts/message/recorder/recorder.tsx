import { IconSend, IconTrash } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import box from '../box/box.module.css'
import classes from './recorder.module.css'
import { startTape, type Tape } from './tape.ts'
import { texts } from './texts.ts'

/** Spec 5: under this it was a slip of the finger. */
const least = 10_000

type Props = {
  onSend: (file: File) => void
  /** Where it goes when the agent turns to another ticket in the middle of it. */
  onLeft: (file: File) => void
  onEnd: () => void
}

/** Records from the first moment; the bin throws it away, Enviar sends it. */
export function Recorder({ onSend, onLeft, onEnd }: Props) {
  const words = useTexts(texts)
  const line = useRef<HTMLSpanElement>(null)
  const { seconds, finish, cancel } = useTape(line, onLeft, onEnd)
  const pressed = useRef(false)
  const send = async () => {
    if (pressed.current) return
    pressed.current = true
    // Null: the microphone had not even begun.
    const file = await finish()
    if (file && file.size >= least) onSend(file)
    else toast.info(words.tooShort)
    onEnd()
  }
  return (
    <section
      className={`${box.box} ${classes.root}`}
      aria-label={words.recording}
      onKeyDown={(event) => event.key === 'Escape' && cancel()}
    >
      <button type="button" className={`${box.tool} ${classes.bin}`} aria-label={words.discard} onClick={cancel}>
        <IconTrash size={18} stroke={1.75} />
      </button>
      <span className={classes.time} role="timer" aria-label={words.recording}>
        <i className={classes.dot} aria-hidden="true" />
        {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
      </span>
      <span className={classes.line} ref={line} aria-hidden="true" />
      {/* biome-ignore lint/a11y/noAutofocus: what was under the pointer is gone; this is what comes next */}
      <button type="button" autoFocus className={`${box.send} ${box.whole}`} onClick={() => void send()}>
        <IconSend size={16} stroke={1.75} aria-hidden="true" />
        {words.send}
      </button>
    </section>
  )
}

function useTape(line: { current: HTMLElement | null }, onLeft: (file: File) => void, onEnd: () => void) {
  const words = useTexts(texts)
  const tape = useRef<Tape | null>(null)
  const [seconds, setSeconds] = useState(0)
  const refused = useEffectEvent((error: unknown) => {
    const name = error instanceof DOMException ? error.name : ''
    const [title, help] = name === 'NotFoundError' ? [words.noDevice, ''] : [words.notAllowed, words.howToAllow]
    toast.warn(title, help, { lasts: 8000 })
    onEnd()
  })
  const left = useEffectEvent(async () => {
    const file = await tape.current?.finish()
    if (file && file.size >= least) onLeft(file)
  })
  useEffect(() => {
    let gone = false
    let clock: ReturnType<typeof setInterval> | undefined
    const show = (level: number) => line.current?.style.setProperty('--level', level.toFixed(2))
    startTape(show).then(
      (started) => {
        if (gone) return started.cancel()
        tape.current = started
        clock = setInterval(() => setSeconds((before) => before + 1), 1000)
      },
      (error) => gone || refused(error),
    )
    return () => {
      gone = true
      clearInterval(clock)
      void left()
    }
  }, [line])
  return {
    seconds,
    finish: async () => {
      const recorded = tape.current
      tape.current = null
      return recorded ? recorded.finish() : null
    },
    cancel: () => {
      tape.current?.cancel()
      tape.current = null
      onEnd()
    },
  }
}
