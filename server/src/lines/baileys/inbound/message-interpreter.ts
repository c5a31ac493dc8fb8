import { type BinaryNode, jidDecode, proto, type WAMessage, type WAMessageKey } from 'baileys'
import type { Deps } from '../../../kernel/data/scope.ts'
import type { Log } from '../../../kernel/log.ts'
import type { InboundEvent, InboundMessage, LineRow } from '../../line.ts'
import { type InboundContext, parseWhatsAppMessage } from './parse-message.ts'
import type { Polls } from './polls.ts'

type InterpreterDeps = {
  deps: Deps
  row: LineRow
  log: Log
  me(): InboundContext['me']
  /** A group's name, if it is available quickly. */
  groupName(jid: string): Promise<string>
  phoneOf(lid: string): Promise<string | undefined>
  /** Called with the address from which a person writes. */
  onSender(key: WAMessageKey): void
  /** Called when the phone's owner wrote into a group on the phone itself. */
  onOwnGroupMessage(chat: string, id: string): void
  polls: Polls
}

const isKnownSql = `
  select 1 from journal where "companyId" = $1 and "whatsappId" = $2 and "eventId" = any($3::text[])
  union all select 1 from "linkedKeys" where "companyId" = $1 and "whatsappId" = $2 and type = 'handled' and id = $4 limit 1`

const storedKinds: InboundEvent['kind'][] = ['message', 'fill', 'edit', 'revoke', 'reaction']
/** With these types our phone reports that the message will never be available. */
const unavailableTypes = ['bot_unavailable_fanout', 'hosted_unavailable_fanout']

/** Turns messages into events, including undecryptable messages and messages that are decrypted later. */
export function makeMessageInterpreter({
  deps,
  row,
  log,
  me,
  groupName,
  phoneOf,
  onSender,
  onOwnGroupMessage,
  polls,
}: InterpreterDeps) {
  const { companyId, id: whatsappId } = row
  /** Placeholders created by this process; older ones are found when their message is sent again. */
  const pendingIds = new Set<string>()

  async function isJournalled(eventIds: string[], id: string): Promise<boolean> {
    const values = [companyId, whatsappId, eventIds, id]
    return (await deps.database.queryPrepared(companyId, 'linked_known', isKnownSql, values)).length > 0
  }
  const isPending = async (id: string) => {
    const eventIds = [`pending:${id}`]
    return pendingIds.has(id) || isJournalled(eventIds, '')
  }

  async function parseEvents(message: WAMessage): Promise<InboundEvent[]> {
    const { key } = message
    const group = key.remoteJid?.endsWith('@g.us') ? key.remoteJid : null
    if (!group && !key.remoteJidAlt && key.remoteJid?.endsWith('@lid')) {
      const phone = await phoneOf(key.remoteJid)
      if (phone) key.remoteJidAlt = phone
    }
    onSender(key)
    try {
      const events = parseWhatsAppMessage(message, { me: me(), groupName: group ? await groupName(group) : '' })
      return await polls.applyPolls(message, events, me())
    } catch (err) {
      log.error({ err, line: whatsappId }, 'a message was not understood')
      return parseWhatsAppMessage({ ...message, message: { conversation: '' } }, { me: me(), groupName: '' }).map(
        asUnknown,
      )
    }
  }

  /** The envelope of a message: chat, author and time, without its content. */
  async function envelopeOf(message: WAMessage): Promise<InboundMessage | undefined> {
    const events = await parseEvents({ ...message, message: { conversation: '…' } })
    return events.find((event): event is InboundMessage => event.kind === 'message')
  }

  async function fillPending(message: WAMessage, events: InboundEvent[]): Promise<InboundEvent[]> {
    const id = message.key.id ?? ''
    pendingIds.delete(id)
    if (events.some((event) => event.kind === 'message'))
      return events.map((event) => (event.kind === 'message' ? { ...event, kind: 'fill' } : event))
    const envelope = await envelopeOf(message)
    return envelope ? [...events, { ...envelope, kind: 'fill', content: null }] : events
  }

  async function interpret(message: WAMessage): Promise<InboundEvent[]> {
    const resentMessages = readResentMessages(message)
    if (resentMessages.length) return (await Promise.all(resentMessages.map(interpretResent))).flat()
    const events = await parseEvents(message)
    for (const event of events)
      if (event.kind === 'message' && event.fromMe && event.group) onOwnGroupMessage(event.chat, event.id)
    const id = message.key.id ?? ''
    if (!message.message && message.key.isViewOnce)
      return (await envelopeOf(message).then((p) => p && [asViewOnce(p)])) ?? []
    const wasAskedFor = pendingIds.has(id) || Boolean(message.retryCount)
    return wasAskedFor && (await isPending(id)) ? fillPending(message, events) : events
  }
  async function interpretResent(message: WAMessage): Promise<InboundEvent[]> {
    const events = await parseEvents(message)
    return (await isPending(message.key.id ?? '')) ? fillPending(message, events) : events
  }

  return {
    interpret: interpret,
    /** The content of an old message, if it belongs to a conversation. */
    async interpretPast(message: WAMessage): Promise<InboundMessage | undefined> {
      const { key } = message
      // Messages in the history lack the other address of a group author.
      const author =
        key.participant?.endsWith('@lid') && !key.participantAlt ? await phoneOf(key.participant) : undefined
      if (author) key.participantAlt = author
      const events = await parseEvents(message)
      return events.find((event): event is InboundMessage => event.kind === 'message')
    },
    async interpretUnreadable(message: WAMessage, stanza: BinaryNode): Promise<InboundEvent[]> {
      const why = readUnavailableType(stanza)
      const envelope = await envelopeOf(message)
      if (!envelope || unavailableTypes.includes(why)) return []
      if (why.startsWith('view_once')) return [asViewOnce(envelope)]
      pendingIds.add(envelope.id)
      const { content: _content, quotedId: _quoted, ...rest } = envelope
      return [{ ...rest, kind: 'pending' }]
    },
    /** Whether the message is already journalled. */
    isKnown: (id: string): Promise<boolean> =>
      isJournalled(
        storedKinds.map((kind) => `${kind}:${id}`),
        id,
      ),
  }
}
export type MessageInterpreter = ReturnType<typeof makeMessageInterpreter>

/** A view-once message, which can only be viewed on the phone. */
const asViewOnce = (envelope: InboundMessage): InboundMessage => ({
  ...envelope,
  content: { kind: 'unknown', what: 'view-once' },
})

const asUnknown = (event: InboundEvent): InboundEvent =>
  event.kind === 'message' ? { ...event, content: { kind: 'unknown', what: 'message' } } : event

function readUnavailableType({ content }: BinaryNode): string {
  const node = Array.isArray(content) ? content.find(({ tag }) => tag === 'unavailable') : undefined
  return node ? (node.attrs.type ?? '') : ''
}

/** Messages that our own phone decrypted for us, because we could not. */
function readResentMessages({ message, key }: WAMessage): WAMessage[] {
  if (!key.fromMe) return []
  const results = message?.protocolMessage?.peerDataOperationRequestResponseMessage?.peerDataOperationResult ?? []
  return results.flatMap(({ placeholderMessageResendResponse }) => {
    const bytes = placeholderMessageResendResponse?.webMessageInfoBytes
    return bytes ? [proto.WebMessageInfo.decode(bytes) as WAMessage] : []
  })
}

export const jidUser = (jid: string | null | undefined): string => jidDecode(jid ?? '')?.user ?? ''
