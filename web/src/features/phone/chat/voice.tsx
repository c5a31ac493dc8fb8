import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { texts } from '../texts.ts'
import classes from './bubble.module.css'

/** A voice message: play, where one is, how long it is. */
export function Voice({ src }: { src: string }) {
  const words = useTexts(texts)
  const sound = useRef<HTMLAudioElement>(null)
  const [state, setState] = useState({ playing: false, at: 0, length: 0 })
  const look = () => {
    const { current } = sound
    if (!current) return
    const length = Number.isFinite(current.duration) ? current.duration : 0
    setState({ playing: !current.paused && !current.ended, at: current.currentTime, length })
  }
  const toggle = () => {
    const { current } = sound
    if (!current) return
    if (current.paused) void current.play().catch(() => undefined)
    else current.pause()
  }
  const Icon = state.playing ? IconPlayerPauseFilled : IconPlayerPlayFilled
  return (
    <span className={classes.voice}>
      <button
        type="button"
        className={classes.play}
        aria-label={state.playing ? words.pause : words.play}
        onClick={toggle}
      >
        <Icon size={15} />
      </button>
      <input
        type="range"
        className={classes.track}
        aria-label={words.position}
        min={0}
        max={state.length || 1}
        step={0.1}
        value={state.at}
        onChange={(event) => {
          if (sound.current) sound.current.currentTime = Number(event.currentTarget.value)
        }}
      />
      <span className={classes.length}>{clock(state.at > 0 ? state.at : state.length)}</span>
      {/* biome-ignore lint/a11y/useMediaCaption: a voice message has no captions */}
      <audio
        ref={sound}
        src={src}
        preload="metadata"
        onLoadedMetadata={look}
        onTimeUpdate={look}
        onPlay={look}
        onPause={look}
        onEnded={look}
      />
    </span>
  )
}

const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
