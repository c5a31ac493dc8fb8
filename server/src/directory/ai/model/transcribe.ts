import { z } from 'zod'
import { callModel, type ModelCallLimits, type ModelEndpoint, parseModelJson } from './model-endpoint.ts'
import { ModelFailure, redactKey } from './model-failure.ts'

const TranscriptReply = z.object({ text: z.string() })

type VoiceRecording = { bytes: Buffer; name: string; type: string; model: string }

/** Transcribes a recording. The text is empty if nobody speaks. */
export async function transcribeVoice(
  endpoint: ModelEndpoint,
  { bytes, name, type, model }: VoiceRecording,
  waiting: ModelCallLimits,
): Promise<string> {
  const form = new FormData()
  form.set('model', model)
  form.set('response_format', 'json')
  form.set('file', new Blob([new Uint8Array(bytes)], { type }), name)
  const packed = new Response(form)
  const body = Buffer.from(await packed.arrayBuffer())
  const kind = packed.headers.get('content-type') ?? ''
  const sent = await callModel(endpoint, '/audio/transcriptions', { type: kind, body }, waiting)
  const heard = TranscriptReply.safeParse(parseModelJson(sent))
  if (!heard.success) throw new ModelFailure('nonsense', redactKey(sent.body, endpoint.key))
  return heard.data.text.trim()
}
