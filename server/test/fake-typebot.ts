import { type LoopbackRequest, openLoopbackServer } from './loopback-server.ts'

type TypebotBlock = { type: string; content: unknown }
export type TypebotAnswer = { messages: TypebotBlock[]; input?: Record<string, unknown> | null }

export const textBlock = (text: string): TypebotBlock => ({
  type: 'text',
  content: { type: 'richText', richText: text.split('\n').map((line) => ({ type: 'p', children: [{ text: line }] })) },
})
export const choiceInput = (...titles: string[]) => ({
  type: 'choice input',
  items: titles.map((content, n) => ({ id: `item${n}`, content })),
})
export const textInput = { type: 'text input', options: { labels: { placeholder: 'Type…' } } }

/** A fake Typebot: sessions that start and continue. The test defines the flow. */
export async function fakeTypebot() {
  const sessions = new Set<string>()
  let made = 0
  const flow: { start: (body: StartChatBody) => TypebotAnswer; next: (text: string) => TypebotAnswer } = {
    start: () => ({ messages: [textBlock('Hola, soy el bot')], input: textInput }),
    next: (text) => ({ messages: [textBlock(`Dijiste ${text}`)], input: textInput }),
  }
  const machine = await openLoopbackServer(answer)

  function answer({ path, body }: LoopbackRequest) {
    // This server also serves the files that flows show.
    if (path.startsWith('/files/')) return { type: 'image/png', body: onePixelPng }
    const given = JSON.parse(body || '{}')
    if (/^\/api\/v1\/typebots\/[^/]+\/startChat$/.test(path)) {
      const sessionId = `session${++made}`
      sessions.add(sessionId)
      return { body: { sessionId, typebot: { id: 't' }, ...flow.start(given) } }
    }
    const session = /^\/api\/v1\/sessions\/([^/]+)\/continueChat$/.exec(path)?.[1]
    if (!session || !sessions.has(session))
      return { status: 404, body: { message: 'Session not found.', code: 'NOT_FOUND' } }
    return { body: flow.next(given.message.text) }
  }
  return { ...machine, flow, sessions }
}
type StartChatBody = { message?: { text: string }; prefilledVariables: Record<string, string> }

/** One pixel. */
const onePixelPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
