import { useState } from 'react'
import { readStoredText, writeStoredText } from './storage.ts'

const key = 'volume'

export function readVolume(): number {
  const value = Number(readStoredText(key) ?? 1)
  return value >= 0 && value <= 1 ? value : 1
}

/** Volume of notification sounds in this browser, 0 to 1. */
export function useVolume(): [number, (volume: number) => void] {
  const [volume, setVolume] = useState(readVolume)
  const choose = (next: number) => {
    setVolume(next)
    writeStoredText(key, String(next))
  }
  return [volume, choose]
}

let bellAudio: HTMLAudioElement | undefined

/** How much softer a reminder is than what it reminds of. */
export const reminderLoudness = 0.35

/** Plays two short notes. They are synthesized: a sound file would be one more download for a quarter of a second. */
export function playNotificationSound(volume = readVolume()): void {
  if (volume === 0) return
  // Web Audio is not used: opening its context can block the page for a quarter of a second, while the user types.
  bellAudio ??= new Audio(URL.createObjectURL(new Blob([buildWave()], { type: 'audio/wav' })))
  bellAudio.volume = volume
  bellAudio.currentTime = 0
  // Browsers block sound until the user has interacted with the page.
  bellAudio.play().catch(() => undefined)
}

const rate = 22_050
const seconds = 0.42

/** Builds a WAV file with 16 bits and one channel. */
function buildWave(): ArrayBuffer {
  const samples = Math.ceil(rate * seconds)
  const bytes = new DataView(new ArrayBuffer(44 + samples * 2))
  const word = (at: number, text: string) => {
    for (const [i, c] of [...text].entries()) bytes.setUint8(at + i, c.charCodeAt(0))
  }
  word(0, 'RIFF')
  bytes.setUint32(4, 36 + samples * 2, true)
  word(8, 'WAVEfmt ')
  bytes.setUint32(16, 16, true)
  bytes.setUint16(20, 1, true)
  bytes.setUint16(22, 1, true)
  bytes.setUint32(24, rate, true)
  bytes.setUint32(28, rate * 2, true)
  bytes.setUint16(32, 2, true)
  bytes.setUint16(34, 16, true)
  word(36, 'data')
  bytes.setUint32(40, samples * 2, true)
  for (let i = 0; i < samples; i++) {
    const at = i / rate
    bytes.setInt16(44 + i * 2, 0.25 * 32_767 * (note(660, at) + note(880, at - 0.12)), true)
  }
  return bytes.buffer
}

/** A note with an immediate attack, then a decay. */
function note(frequency: number, at: number): number {
  if (at < 0 || at > 0.28) return 0
  const loud = at < 0.015 ? at / 0.015 : Math.exp(-30 * (at - 0.015))
  return loud * Math.sin(2 * Math.PI * frequency * at)
}
