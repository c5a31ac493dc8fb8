import { IconMicrophone, IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { readStoredJson, writeStoredJson } from '../../../lib/storage.ts'
import { useTexts } from '../../../lib/texts.ts'
import { texts } from '../texts.ts'
import { formatSeconds, loadWaveform, nextPlaybackSpeed, waveformBarCount } from './audio-waveform.ts'
import { useNearViewport } from './use-near-viewport.ts'
import classes from './voice-player.module.css'

const speedKey = 'audioSpeed'
/** The audio that is playing, of which there is only one at a time. */
let playing: HTMLAudioElement | null = null

type Props = {
  /** The message id, by which the waveform is cached. */
  id: string
  src: string
  /** Called when the URL has expired or is invalid. */
  onUrlExpired?: () => void
  /** A voice note with its length and bars from 0 to 100, so that it can be drawn without decoding. */
  note?: { seconds: number; waveform: number[] } | null
  /** Shown at the end of the player, beside the length. */
  children: ReactNode
}

/** An audio player: play, position, speed, length. */
export function VoicePlayer({ id, src, onUrlExpired, note = null, children }: Props) {
  const words = useTexts(texts)
  const [viewportRef, isNear] = useNearViewport<HTMLDivElement>()
  const isDrawn = note !== null && note.waveform.length > 0
  const read = useWaveform(id, src, isNear && !isDrawn)
  const shape = isDrawn ? { peaks: note.waveform.map((level) => level / 100), seconds: note.seconds } : read
  const { sound, state, updateProgress: look, toggle } = useAudioPlayer()
  const [speed, setSpeed] = useState(() => readStoredJson(speedKey, 1))
  const seconds = state.length || shape?.seconds || 0
  const faster = () => {
    const next = nextPlaybackSpeed(speed)
    setSpeed(next)
    writeStoredJson(speedKey, next)
    if (sound.current) sound.current.playbackRate = next
  }
  const start = () => {
    // The speed may have been changed on another message.
    const chosen = readStoredJson(speedKey, 1)
    setSpeed(chosen)
    toggle(chosen)
  }
  const Icon = state.playing ? IconPlayerPauseFilled : IconPlayerPlayFilled
  const label = `${formatNumber(speed)}×`
  return (
    <div ref={viewportRef}>
      <div className={classes.voice}>
        <button
          type="button"
          className={classes.playButton}
          aria-label={state.playing ? words.pause : words.play}
          onClick={start}
        >
          <Icon size={16} aria-hidden="true" />
        </button>
        <WaveformBars peaks={shape?.peaks ?? flatWaveform} playedShare={seconds ? state.at / seconds : 0}>
          <input
            type="range"
            aria-label={words.position}
            aria-valuetext={formatSeconds(state.at)}
            min={0}
            max={seconds || 1}
            step={0.1}
            value={state.at}
            onChange={(event) => {
              if (sound.current) sound.current.currentTime = Number(event.currentTarget.value)
            }}
          />
        </WaveformBars>
        <button type="button" className={classes.speed} aria-label={words.speed(label)} onClick={faster}>
          {label}
        </button>
      </div>
      <div className={classes.foot}>
        <span className={classes.length}>
          {note && <IconMicrophone size={13} stroke={1.75} role="img" aria-label={words.voiceNote} />}
          {seconds > 0 &&
            (state.at > 0 ? `${formatSeconds(state.at)} / ${formatSeconds(seconds)}` : formatSeconds(seconds))}
        </span>
        {children}
      </div>
      {/* biome-ignore lint/a11y/useMediaCaption: a voice message has no captions */}
      <audio
        ref={sound}
        src={isNear ? src : undefined}
        preload="none"
        onError={onUrlExpired}
        onLoadedMetadata={look}
        onTimeUpdate={look}
        onPlay={look}
        onPause={look}
        onEnded={look}
      />
    </div>
  )
}

function useAudioPlayer() {
  const sound = useRef<HTMLAudioElement>(null)
  const [state, setState] = useState({ playing: false, at: 0, length: 0 })
  const look = () => {
    const { current } = sound
    if (!current) return
    const length = Number.isFinite(current.duration) ? current.duration : 0
    setState({ playing: !current.paused && !current.ended, at: current.ended ? 0 : current.currentTime, length })
  }
  const toggle = (speed: number) => {
    const { current } = sound
    if (!current) return
    if (!current.paused) return current.pause()
    if (playing !== current) playing?.pause()
    playing = current
    current.playbackRate = speed
    void current.play().catch(() => undefined)
  }
  // Leaving the conversation stops the audio.
  useEffect(() => () => sound.current?.pause(), [])
  return { sound, state, updateProgress: look, toggle }
}

const flatWaveform = Array.from({ length: waveformBarCount }, () => 0)

function useWaveform(id: string, src: string, isNear: boolean) {
  const [shape, setShape] = useState<Awaited<ReturnType<typeof loadWaveform>>>(null)
  useEffect(() => {
    // A pending recording is not decoded: the content policy allows fetching only from the server.
    if (!isNear || !src || src.startsWith('blob:')) return
    let gone = false
    void loadWaveform(id, src).then((found) => !gone && setShape(found))
    return () => {
      gone = true
    }
  }, [id, src, isNear])
  return shape
}

type WaveProps = { peaks: number[]; playedShare: number; children: ReactNode }
function WaveformBars({ peaks, playedShare, children }: WaveProps) {
  return (
    <div className={classes.wave}>
      <svg viewBox={`0 0 ${peaks.length * 4} 24`} preserveAspectRatio="none" aria-hidden="true">
        {peaks.map((peak, i) => {
          const height = 4 + peak * 18
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: the bars of a sound never change places
              key={i}
              x={i * 4}
              y={12 - height / 2}
              width={2.4}
              height={height}
              rx={1.2}
              data-played={i / peaks.length < playedShare || undefined}
            />
          )
        })}
      </svg>
      {children}
    </div>
  )
}
