import { createHash } from 'node:crypto'
import { decryptPollVote, jidNormalizedUser, type proto, type WAMessage } from 'baileys'
import type { Log } from '../../../kernel/log.ts'
import type { InboundEvent, InboundMessage } from '../../line.ts'
import type { KeyRows } from '../keys/key-rows.ts'
import { unwrapMessage } from './message-content.ts'

const keyType = 'poll'

/** A poll as it is stored, encrypted: the key of its votes, and each person's last vote. */
type Poll = {
  secret: string
  /** Every address of the poll's creator: votes are encrypted for one of them. */
  creator: string[]
  name: string
  options: string[]
  votes: Record<string, { name: string; options: string[] }>
}
type Me = { phone: string; lid?: string }

/**
 * Votes are encrypted with a secret that came with the poll: without the poll they cannot be read. Polls are stored, so
 * that a vote shows its choice and the poll shows its results.
 */
export function makePolls(rows: KeyRows, log: Log) {
  const read = async (id: string): Promise<Poll | undefined> => {
    const [row] = await rows.read(keyType, [id])
    return row?.value ? JSON.parse(row.value) : undefined
  }
  const write = (id: string, poll: Poll) => rows.write([{ type: keyType, id, value: JSON.stringify(poll) }])

  async function storePoll(message: WAMessage, { name, options }: proto.Message.IPollCreationMessage, me: Me) {
    const secret = readPollSecret(message.message)
    const id = message.key.id ?? ''
    // The poll may arrive again after votes were counted, which must be kept.
    if (!secret?.length || !id || (await read(id))) return
    const names = (options ?? []).map(({ optionName }) => optionName ?? '')
    const creator = listAuthorJids(message, me)
    await write(id, { secret: toText(secret), creator, name: name ?? '', options: names, votes: {} })
  }

  async function countVote(
    message: WAMessage,
    update: proto.Message.IPollUpdateMessage,
    me: Me,
    envelope: InboundMessage,
  ) {
    const id = update.pollCreationMessageKey?.id ?? ''
    const poll = await read(id)
    const voters = listAuthorJids(message, me)
    const chosen = poll && update.vote && decryptVote(update.vote, poll, id, voters)
    if (!poll || !chosen) return [envelope]
    const from = voters[0] ?? ''
    const votes = { ...poll.votes, [from]: { name: envelope.pushName, options: chosen } }
    await write(id, { ...poll, votes })
    const { chat, at } = envelope
    const tally: InboundEvent = {
      kind: 'edit',
      id: `${envelope.id}:tally`,
      chat,
      at,
      targetId: id,
      body: '',
      tally: true,
    }
    return [toVoteMessage(envelope, chosen), { ...tally, body: describePollResults({ ...poll, votes }) }]
  }

  return {
    /** Adds poll data to the events of a message. It never fails: on an error the events stay as they are. */
    async applyPolls(message: WAMessage, events: InboundEvent[], me: Me): Promise<InboundEvent[]> {
      const content = message.message ? unwrapMessage(message.message) : {}
      const pollCreation = readPollCreation(content)
      const envelope = events.find((event): event is InboundMessage => event.kind === 'message')
      try {
        if (pollCreation) await storePoll(message, pollCreation, me)
        return content.pollUpdateMessage && envelope
          ? await countVote(message, content.pollUpdateMessage, me, envelope)
          : events
      } catch (err) {
        log.warn({ err }, 'could not count a poll')
        return events
      }
    },
  }
}
export type Polls = ReturnType<typeof makePolls>

const readPollCreation = (content: proto.IMessage): proto.Message.IPollCreationMessage | null | undefined =>
  content.pollCreationMessage ??
  content.pollCreationMessageV2 ??
  content.pollCreationMessageV3 ??
  content.pollCreationMessageV5

const readPollSecret = (message: proto.IMessage | null | undefined) =>
  message?.messageContextInfo?.messageSecret ?? (message && unwrapMessage(message).messageContextInfo?.messageSecret)

const toText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** Every address of the message's author: the version of a phone decides for which of them it encrypts. */
function listAuthorJids({ key }: WAMessage, me: Me): string[] {
  const own = [me.lid && `${me.lid}@lid`, `${me.phone}@s.whatsapp.net`]
  const theirs = key.participant ? [key.participant, key.participantAlt] : [key.remoteJid, key.remoteJidAlt]
  const names = (key.fromMe ? own : theirs).filter((jid): jid is string => Boolean(jid))
  return [...new Set(names.map((jid) => jidNormalizedUser(jid)))].sort()
}

/** The chosen options; undefined if no key fits. Options are identified by their hashes. */
function decryptVote(
  vote: proto.Message.IPollEncValue,
  poll: Poll,
  pollMsgId: string,
  voters: string[],
): string[] | undefined {
  const pollEncKey = Buffer.from(poll.secret, 'base64')
  for (const pollCreatorJid of poll.creator)
    for (const voterJid of voters) {
      try {
        const { selectedOptions } = decryptPollVote(vote, { pollCreatorJid, pollMsgId, pollEncKey, voterJid })
        const marks = new Set((selectedOptions ?? []).map((mark) => Buffer.from(mark).toString('hex')))
        return poll.options.filter((option) => marks.has(createHash('sha256').update(option).digest('hex')))
      } catch {
        // The vote was encrypted for another address of the creator or voter, which is tried next.
      }
    }
  return undefined
}

const toVoteMessage = (envelope: InboundMessage, chosen: string[]): InboundMessage => ({
  ...envelope,
  content: { kind: 'unknown', what: ['poll-vote', ...chosen].join('\n') },
})

/** The results: each option with its votes, and the voters' names if known. */
function describePollResults({ name, options, votes }: Poll): string {
  const lines = options.map((option) => {
    const by = Object.values(votes).filter((vote) => vote.options.includes(option))
    const names = by.map((vote) => vote.name).filter(Boolean)
    return `${option}: ${by.length}${names.length ? ` (${names.join(', ')})` : ''}`
  })
  return ['poll', name, ...lines].join('\n')
}
