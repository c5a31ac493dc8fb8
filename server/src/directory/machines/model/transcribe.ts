import { z } from 'zod'
import { callModel, type Endpoint, jsonIn, type Waiting } from './endpoint.ts'
import { ModelFailure, withoutKey } from './failure.ts'

const Heard = z.object({ text: z.string() })

type Voice = { bytes: Buffer; name: string; type: string; model: string }

/** What somebody says in a recording. Empty where nobody says anything. */
export async function transcribe(
  endpoint: Endpoint,
  { bytes, name, type, model }: Voice,
  waiting: Waiting,
): Promise<string> {
  const form = new FormData()
  form.set('model', model)
  form.set('response_format', 'json')
  form.set('file', new Blob([new Uint8Array(bytes)], { type }), name)
  const packed = new Response(form)
  const body = Buffer.from(await packed.arrayBuffer())
  const kind = packed.headers.get('content-type') ?? ''
  const sent = await callModel(endpoint, '/audio/transcriptions', { type: kind, body }, waiting)
  const heard = Heard.safeParse(jsonIn(sent))
  if (!heard.success) throw new ModelFailure('nonsense', withoutKey(sent.body, endpoint.key))
  return heard.data.text.trim()
}
