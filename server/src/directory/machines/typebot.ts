import type { Sent } from '../../kernel/outgoing/outgoing.ts'
import { BadAnswer, type CallOut, excerpt, jsonIn, misfit, SessionGone } from './call-out.ts'
import { ChatAnswer } from './typebot-words.ts'

export type Flow = { url: string; slug: string }
/** `files`: addresses of what they sent along. */
export type Told = { text: string; files: string[] }

/** The address as admins type it, with or without a slash and a path of its own. */
const at = (url: string, path: string) => `${url.trim().replace(/\/{1,20}$/, '')}/api/v1/${path}`

const message = ({ text, files }: Told) => ({
  type: 'text',
  text: text || files.join(', '),
  ...(files.length && { attachedFileUrls: files }),
})

/** Begins a flow; what the customer wrote goes along for flows that read it. */
export async function startChat(
  call: CallOut,
  { url, slug }: Flow,
  told: Told,
  prefilledVariables: Record<string, string>,
): Promise<ChatAnswer & { sessionId: string }> {
  const body = { message: message(told), prefilledVariables, isStreamEnabled: false }
  const answer = await post(call, at(url, `typebots/${encodeURIComponent(slug)}/startChat`), body)
  const { sessionId } = answer
  if (!sessionId) throw new BadAnswer('the flow began without a session id')
  return { ...answer, sessionId }
}

export async function continueChat(call: CallOut, { url }: Flow, sessionId: string, told: Told): Promise<ChatAnswer> {
  const path = `sessions/${encodeURIComponent(sessionId)}/continueChat`
  return post(call, at(url, path), { message: message(told) }, true)
}

async function post(call: CallOut, address: string, body: object, isGoingOn = false): Promise<ChatAnswer> {
  const sent = await call(address, {
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
    mostBytes: 1024 * 1024,
    isBad: ({ status }) => status >= 500,
  })
  const { status } = sent
  const words = excerpt(sent.body)
  if (isGoingOn && (status === 404 || /session (not found|expired)/i.test(words)))
    throw new SessionGone('the session is over')
  if (status === 429 || status >= 500) throw new BadAnswer(`${status} ${words}`, true)
  if (status < 200 || status >= 300) throw new BadAnswer(`${status} ${words}`)
  return read(sent)
}

function read({ body, isCut }: Sent): ChatAnswer {
  if (isCut) throw new BadAnswer('the answer is too long')
  let parsed: unknown
  try {
    parsed = jsonIn(body)
  } catch {
    throw new BadAnswer(`no JSON: ${excerpt(body)}`)
  }
  const answer = ChatAnswer.safeParse(parsed)
  if (!answer.success) throw new BadAnswer(`not what Typebot answers: ${misfit(answer.error)}`)
  return answer.data
}
