import { makeEncoder } from './mp3.ts'

export type Order = { rate: number } | { samples: Float32Array } | { soFar: true } | { finish: true }

let encoder: ReturnType<typeof makeEncoder> | undefined

/** Beside the page, so that encoding never holds up a key. */
addEventListener('message', ({ data }: MessageEvent<Order>) => {
  if ('rate' in data) encoder = makeEncoder(data.rate)
  else if ('samples' in data) encoder?.push(data.samples)
  else if ('soFar' in data) postMessage(encoder?.soFar() ?? [])
  else postMessage(encoder?.finish() ?? [])
})
