import { IconMicrophone, IconPlayerPause, IconSend, IconTrash } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import box from '../composer/composer.module.css'
import { formatSeconds } from '../media/audio-waveform.ts'
import { VoicePlayer } from '../media/voice-player.tsx'
import { type Recording, type RecordingSoFar, startRecording } from './recording.ts'
import { texts } from './texts.ts'
import classes from './voice-recorder.module.css'

/** Minimum size: smaller recordings are accidental (spec 5). */
const minRecordingBytes = 10_000

type Props = {
  onSend: (file: File) => void
  /** Receives the recording when the agent switches to another ticket. */
  onKeepAsDraft: (file: File) => void
  onEnd: () => void
}

/** Starts recording at once. A recording can be paused, played and resumed; the bin discards it, Enviar sends it. */
export function VoiceRecorder({ onSend, onKeepAsDraft, onEnd }: Props) {
  const words = useTexts(texts)
  const line = useRef<HTMLSpanElement>(null)
  const { seconds, preview, pause, resume: goOn, finish, cancel } = useRecordingSession(line, onKeepAsDraft, onEnd)
  const pressed = useRef(false)
  const send = async () => {
    if (pressed.current) return
    pressed.current = true
    // The file is null when the microphone had not started.
    const file = await finish()
    if (file && file.size >= minRecordingBytes) onSend(file)
    else toast.info(words.tooShort)
    onEnd()
  }
  return (
    <section
      className={`${box.box} ${classes.root}`}
      aria-label={preview ? words.paused : words.recording}
      onKeyDown={(event) => event.key === 'Escape' && cancel()}
    >
      <div className={classes.row}>
        <button type="button" className={`${box.tool} ${classes.bin}`} aria-label={words.discard} onClick={cancel}>
          <IconTrash size={18} stroke={1.75} />
        </button>
        {preview ? (
          <Preview recording={preview} />
        ) : (
          <>
            <span className={classes.time} role="timer" aria-label={words.recording}>
              <i className={classes.dot} aria-hidden="true" />
              {formatSeconds(seconds)}
            </span>
            <span className={classes.line} ref={line} aria-hidden="true" />
          </>
        )}
        {/* Pause and resume are the same button, so that the keyboard uses one button for both. */}
        <button
          type="button"
          className={`${box.tool} ${classes.turn}`}
          aria-label={preview ? words.goOn : words.pause}
          onClick={preview ? goOn : () => void pause()}
        >
          {preview ? <IconMicrophone size={18} stroke={1.75} /> : <IconPlayerPause size={18} stroke={1.75} />}
        </button>
        {/* biome-ignore lint/a11y/noAutofocus: the button under the pointer is gone; this is the next action */}
        <button type="button" autoFocus className={`${box.send} ${box.whole}`} onClick={() => void send()}>
          <IconSend size={16} stroke={1.75} aria-hidden="true" />
          {words.send}
        </button>
      </div>
    </section>
  )
}

/** Plays the recording so far. */
function Preview({ recording: preview }: { recording: RecordingSoFar }) {
  const [src, setSrc] = useState('')
  useEffect(() => {
    const made = URL.createObjectURL(preview.sound)
    setSrc(made)
    return () => URL.revokeObjectURL(made)
  }, [preview])
  return (
    <div className={classes.preview}>
      {src && (
        <VoicePlayer id={src} src={src} note={preview}>
          {null}
        </VoicePlayer>
      )}
    </div>
  )
}

function useRecordingSession(
  line: { current: HTMLElement | null },
  onKeepAsDraft: (file: File) => void,
  onEnd: () => void,
) {
  const words = useTexts(texts)
  const tape = useRef<Recording | null>(null)
  const [running, setRunning] = useState(false)
  const [preview, setPreview] = useState<RecordingSoFar | null>(null)
  const seconds = useElapsedSeconds(running)
  const handleMicrophoneError = useEffectEvent((error: unknown) => {
    const name = error instanceof DOMException ? error.name : ''
    const [title, help] = name === 'NotFoundError' ? [words.noDevice, ''] : [words.notAllowed, words.howToAllow]
    toast.warn(title, help, { lasts: 8000 })
    onEnd()
  })
  const handleUnmount = useEffectEvent(async () => {
    const file = await tape.current?.finish()
    if (file && file.size >= minRecordingBytes) onKeepAsDraft(file)
  })
  useEffect(() => {
    let isUnmounted = false
    const show = (level: number) => line.current?.style.setProperty('--level', level.toFixed(2))
    startRecording(show).then(
      (started) => {
        if (isUnmounted) return started.cancel()
        tape.current = started
        setRunning(true)
      },
      (error) => isUnmounted || handleMicrophoneError(error),
    )
    return () => {
      isUnmounted = true
      void handleUnmount()
    }
  }, [line])
  return {
    seconds,
    preview: preview,
    pause: async () => {
      if (!tape.current) return
      setRunning(false)
      setPreview(await tape.current.pause())
    },
    resume: () => {
      tape.current?.resume()
      setPreview(null)
      setRunning(true)
    },
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

/** The whole seconds of the recording, without its pauses. */
function useElapsedSeconds(running: boolean): number {
  const before = useRef(0)
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    if (!running) return
    const from = performance.now() - before.current
    const look = () => setSeconds(Math.floor((performance.now() - from) / 1000))
    const ticks = setInterval(look, 200)
    return () => {
      clearInterval(ticks)
      before.current = performance.now() - from
    }
  }, [running])
  return seconds
}
