import type { OutgoingReply } from '../../kernel/outgoing/outgoing-client.ts'
import {
  BadAnswerError,
  type CallExternal,
  describeMisfit,
  parseStorableJson,
  SessionGoneError,
  toExcerpt,
} from './external-call.ts'
import { TypebotChatAnswer } from './typebot-reply.ts'

export type TypebotFlow = { url: string; slug: string }
/** `files`: URLs of attached files. */
export type TypebotMessage = { text: string; files: string[] }

/** The URL as admins type it, with or without a slash and a path. */
const apiUrl = (url: string, path: string) => `${url.trim().replace(/\/{1,20}$/, '')}/api/v1/${path}`

const toChatMessage = ({ text, files }: TypebotMessage) => ({
  type: 'text',
  text: text || files.join(', '),
  ...(files.length && { attachedFileUrls: files }),
})

/** Starts a flow; the customer's message is sent along for flows that read it. */
export async function startTypebotChat(
  call: CallExternal,
  { url, slug }: TypebotFlow,
  message: TypebotMessage,
  prefilledVariables: Record<string, string>,
): Promise<TypebotChatAnswer & { sessionId: string }> {
  const body = { message: toChatMessage(message), prefilledVariables, isStreamEnabled: false }
  const answer = await postToTypebot(call, apiUrl(url, `typebots/${encodeURIComponent(slug)}/startChat`), body)
  const { sessionId } = answer
  if (!sessionId) throw new BadAnswerError('the flow began without a session id')
  return { ...answer, sessionId }
}

export async function continueTypebotChat(
  call: CallExternal,
  { url }: TypebotFlow,
  sessionId: string,
  message: TypebotMessage,
): Promise<TypebotChatAnswer> {
  const path = `sessions/${encodeURIComponent(sessionId)}/continueChat`
  return postToTypebot(call, apiUrl(url, path), { message: toChatMessage(message) }, true)
}

async function postToTypebot(
  call: CallExternal,
  address: string,
  body: object,
  isGoingOn = false,
): Promise<TypebotChatAnswer> {
  const sent = await call(address, {
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
    mostBytes: 1024 * 1024,
    isBad: ({ status }) => status >= 500,
  })
  const { status } = sent
  const words = toExcerpt(sent.body)
  if (isGoingOn && (status === 404 || /session (not found|expired)/i.test(words)))
    throw new SessionGoneError('the session is over')
  if (status === 429 || status >= 500) throw new BadAnswerError(`${status} ${words}`, true)
  if (status < 200 || status >= 300) throw new BadAnswerError(`${status} ${words}`)
  return parseAnswer(sent)
}

function parseAnswer({ body, isTruncated: isCut }: OutgoingReply): TypebotChatAnswer {
  if (isCut) throw new BadAnswerError('the answer is too long')
  let parsed: unknown
  try {
    parsed = parseStorableJson(body)
  } catch {
    throw new BadAnswerError(`no JSON: ${toExcerpt(body)}`)
  }
  const answer = TypebotChatAnswer.safeParse(parsed)
  if (!answer.success) throw new BadAnswerError(`not what Typebot answers: ${describeMisfit(answer.error)}`)
  return answer.data
}
