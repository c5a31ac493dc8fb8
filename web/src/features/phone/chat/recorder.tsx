import { IconSend2, IconTrash } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import handset from '../handset.module.css'
import { texts } from '../texts.ts'
import classes from './composer.module.css'
import { toWave } from './wave.ts'

/** Records from the microphone at once; the bin throws it away, the plane sends it. */
export function Recorder({ onDone }: { onDone: (file: File | null) => void }) {
  const words = useTexts(texts)
  const tape = useRef<Tape | null>(null)
  const [seconds, setSeconds] = useState(0)
  const fail = useEffectEvent(() => {
    toast.warn(words.noMicrophone)
    onDone(null)
  })
  useEffect(() => {
    let left = false
    startTape().then(
      (started) => {
        if (left) started.cancel()
        else tape.current = started
      },
      () => left || fail(),
    )
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000)
    return () => {
      left = true
      clearInterval(timer)
      tape.current?.cancel()
    }
  }, [])
  const send = async () => {
    const recorded = await tape.current?.finish()
    tape.current = null
    onDone(recorded ?? null)
  }
  return (
    <div className={classes.recording}>
      <button type="button" className={handset.icon} aria-label={words.discard} onClick={() => onDone(null)}>
        <IconTrash size={18} stroke={1.75} />
      </button>
      <span className={classes.meter} role="status">
        <i className={classes.dot} aria-hidden="true" />
        {words.recording} {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
      </span>
      <button type="button" className={classes.send} aria-label={words.send} onClick={() => void send()}>
        <IconSend2 size={18} stroke={1.75} />
      </button>
    </div>
  )
}

type Tape = { finish: () => Promise<File>; cancel: () => void }

async function startTape(): Promise<Tape> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
  const recorder = new MediaRecorder(stream)
  const parts: Blob[] = []
  recorder.ondataavailable = (event) => parts.push(event.data)
  recorder.start()
  const stop = () =>
    new Promise<void>((resolve) => {
      recorder.onstop = () => resolve()
      if (recorder.state === 'inactive') resolve()
      else recorder.stop()
      for (const track of stream.getTracks()) track.stop()
    })
  return {
    cancel: () => void stop(),
    finish: async () => {
      await stop()
      return toWave(new Blob(parts, { type: recorder.mimeType }))
    },
  }
}
