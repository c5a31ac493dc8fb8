import { z } from 'zod'
import { type BotReply, limitPieces, ReplyActions, type ReplyPiece, toBotReply } from './bot-reply.ts'

const Button = z.object({ text: z.string().optional(), postback: z.string().optional() })
const ResponseMessage = z.object({
  platform: z.string().optional(),
  text: z.object({ text: z.array(z.string()).optional() }).optional(),
  quickReplies: z.object({ title: z.string().optional(), quickReplies: z.array(z.string()).optional() }).optional(),
  card: z
    .object({
      title: z.string().optional(),
      subtitle: z.string().optional(),
      imageUri: z.string().optional(),
      buttons: z.array(Button).optional(),
    })
    .optional(),
  image: z.object({ imageUri: z.string().optional(), accessibilityText: z.string().optional() }).optional(),
  payload: z.record(z.string(), z.unknown()).optional(),
})
type ResponseMessage = z.infer<typeof ResponseMessage>

/** The fields of DialogFlow's answer that are used. */
export const DetectedIntent = z.object({
  queryResult: z.object({
    queryText: z.string().optional(),
    fulfillmentText: z.string().optional(),
    fulfillmentMessages: z.array(ResponseMessage).max(500).optional(),
    intent: z
      .object({
        displayName: z.string().optional(),
        isFallback: z.boolean().optional(),
        endInteraction: z.boolean().optional(),
        liveAgentHandoff: z.boolean().optional(),
      })
      .optional(),
    diagnosticInfo: z.record(z.string(), z.unknown()).optional(),
  }),
})
export type DetectedIntent = z.infer<typeof DetectedIntent>

export type DialogflowTurn = BotReply & {
  /** Whether the DialogFlow agent did not understand the customer. */
  notUnderstood: boolean
  /** Whether the conversation with the DialogFlow agent is over and human agents take over. */
  isOver: boolean
  intent: string
}

/** The messages of the default platform; if it has none, the messages of the first platform that has any. */
function pickPlatform(all: ResponseMessage[]): ResponseMessage[] {
  const plain = all.filter(({ platform }) => !platform || platform === 'PLATFORM_UNSPECIFIED')
  return plain.length ? plain : all.filter(({ platform }) => platform === all[0]?.platform)
}

const isWebUrl = (url: string | undefined): url is string => /^https?:\/\//i.test(url ?? '')

function toPieces({ text, quickReplies, card, image }: ResponseMessage): ReplyPiece[] {
  if (text) return (text.text ?? []).map((one) => ({ kind: 'text', text: one }))
  if (quickReplies) {
    const { title = '', quickReplies: choices = [] } = quickReplies
    return [{ kind: 'text', text: title, choices }]
  }
  if (image)
    return isWebUrl(image.imageUri) ? [{ kind: 'file', url: image.imageUri, text: image.accessibilityText ?? '' }] : []
  if (!card) return []
  const links = (card.buttons ?? []).filter(({ postback }) => isWebUrl(postback))
  const choices = (card.buttons ?? []).filter(({ postback }) => !isWebUrl(postback)).flatMap((one) => one.text ?? [])
  const lines = links.map((one) => (one.text ? `${one.text}: ${one.postback}` : `${one.postback}`))
  const words = [card.title ? `*${card.title}*` : '', card.subtitle ?? '', ...lines].filter(Boolean).join('\n')
  const picture: ReplyPiece[] = isWebUrl(card.imageUri)
    ? [{ kind: 'file', url: card.imageUri, text: choices.length ? '' : words }]
    : []
  if (picture.length && !choices.length) return picture
  return [...picture, { kind: 'text', text: words, ...(choices.length && { choices }) }]
}

/** The actions in a payload of our format; other payloads are ignored. */
function findActions(messages: ResponseMessage[]): BotReply | null {
  for (const { payload } of messages) {
    const read = payload && ReplyActions.safeParse(payload)
    if (read?.success && Object.keys(read.data).length) return toBotReply(read.data)
  }
  return null
}

/** Parses an answer of DialogFlow. A pure function. */
export function parseDialogflowTurn({ queryResult }: DetectedIntent): DialogflowTurn {
  const { intent, diagnosticInfo = {}, fulfillmentText = '' } = queryResult
  const messages = pickPlatform(queryResult.fulfillmentMessages ?? [])
  const said = messages.flatMap(toPieces)
  const request = findActions(messages)
  const shown = limitPieces(said.length || !fulfillmentText ? said : [{ kind: 'text', text: fulfillmentText }])
  const pieces = limitPieces([...shown, ...(request?.pieces ?? [])])
  const over = intent?.endInteraction || intent?.liveAgentHandoff || diagnosticInfo.end_conversation === true
  return {
    pieces,
    ...(request?.transfer && { transfer: request.transfer }),
    tagIds: request?.tagIds ?? [],
    closesTicket: request?.closesTicket ?? false,
    notUnderstood: intent?.isFallback === true || (!pieces.length && !request && !over),
    isOver: Boolean(over),
    intent: intent?.displayName ?? '',
  }
}
