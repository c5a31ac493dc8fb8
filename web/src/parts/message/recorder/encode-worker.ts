import { createMp3Encoder } from './mp3-encoder.ts'

export type EncoderCommand = { rate: number } | { samples: Float32Array } | { soFar: true } | { finish: true }

let encoder: ReturnType<typeof createMp3Encoder> | undefined

/** Encoding runs in a worker, so that it never delays typing. */
addEventListener('message', ({ data }: MessageEvent<EncoderCommand>) => {
  if ('rate' in data) encoder = createMp3Encoder(data.rate)
  else if ('samples' in data) encoder?.push(data.samples)
  else if ('soFar' in data) postMessage(encoder?.soFar() ?? [])
  else postMessage(encoder?.finish() ?? [])
})
