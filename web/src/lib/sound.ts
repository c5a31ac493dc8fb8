import { useState } from 'react'
import { readText, writeText } from './storage.ts'

const key = 'volume'

export function readVolume(): number {
  const value = Number(readText(key) ?? 1)
  return value >= 0 && value <= 1 ? value : 1
}

/** How loud notices are on this browser, 0 to 1. */
export function useVolume(): [number, (volume: number) => void] {
  const [volume, setVolume] = useState(readVolume)
  const choose = (next: number) => {
    setVolume(next)
    writeText(key, String(next))
  }
  return [volume, choose]
}

let context: AudioContext | undefined

/** Two short notes. Made here: a sound file would be one more download for a quarter of a second. */
export function playNotice(volume = readVolume()): void {
  if (volume === 0) return
  context ??= new AudioContext()
  // Browsers keep sound asleep until the person has touched the page.
  void context.resume()
  note(context, 660, 0, volume)
  note(context, 880, 0.12, volume)
}

function note(audio: AudioContext, frequency: number, delay: number, volume: number): void {
  const start = audio.currentTime + delay
  const oscillator = audio.createOscillator()
  const gain = audio.createGain()
  oscillator.frequency.value = frequency
  gain.gain.setValueAtTime(0, start)
  gain.gain.linearRampToValueAtTime(volume * 0.25, start + 0.015)
  gain.gain.exponentialRampToValueAtTime(0.0001, start + 0.28)
  oscillator.connect(gain).connect(audio.destination)
  oscillator.start(start)
  oscillator.stop(start + 0.3)
}
