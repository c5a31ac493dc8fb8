import { Readable } from 'node:stream'
import { findMentions } from '@recado/contract/chats'
import { minutes } from '../src/kernel/clock.ts'
import type { Scope } from '../src/kernel/data/scope.ts'
import { keepUpload } from '../src/kernel/files/media.ts'
import { demoCompany } from './demo-company.ts'
import type { DemoFixtures } from './fixtures.ts'
import { makeDemoPdf } from './media/pdf.ts'
import { type TeamChat, type TeamMessage, teamChats } from './texts/team-chats.ts'
import type { DemoTicket } from './write-tickets.ts'

/** Team chats of the last days, read by most members. */
export async function writeChats(scope: Scope, { staff }: DemoFixtures, tickets: DemoTicket[]): Promise<void> {
  const open = tickets.findLast(({ story }) => story.status === 'open')
  for (const chat of teamChats) await writeChat(scope, chat, staff, open?.number ?? 1)
}

async function writeChat(scope: Scope, chat: TeamChat, staff: Map<string, number>, ticket: number): Promise<void> {
  const { db, companyId } = scope
  const idOf = (name: string) => staff.get(name) ?? 0
  const ids = chat.members.map(idOf)
  const at = (word: TeamMessage | undefined) => new Date(scope.now().getTime() - minutes(word?.minutesAgo ?? 0))
  const last = chat.messages.at(-1)
  const isPair = chat.title === null
  const { id: chatId } = await db
    .insertInto('chats')
    .values({
      ...{ companyId, title: chat.title ?? (chat.members[0] as string), ownerId: isPair ? null : (ids[0] ?? null) },
      pair: isPair ? [...ids].sort((a, b) => a - b).join(':') : null,
      ...{
        lastMessage: last ? `${last.by}: ${fillTicketNumber(last, ticket)}` : '',
        lastSenderId: last ? idOf(last.by) : null,
      },
      ...{ createdAt: at(chat.messages[0]), updatedAt: at(last) },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const people = chat.members.map((name) => ({ id: idOf(name), name }))
  const written: { id: number; mentions: number[] }[] = []
  for (const word of chat.messages) {
    const message = fillTicketNumber(word, ticket)
    const mentions = [...new Set(findMentions(message, people).map(({ userId }) => userId))]
    const { id } = await db
      .insertInto('chatMessages')
      .values({
        ...{ companyId, chatId, senderId: idOf(word.by), senderName: word.by, message, clientId: null, mentions },
        quotedId: word.repliedOffset ? (written.at(-word.repliedOffset)?.id ?? null) : null,
        ...(await storeChatFile(scope, word)),
        reactions: JSON.stringify((word.reactions ?? []).map(({ by, emoji }) => ({ userId: idOf(by), emoji }))),
        createdAt: at(word),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    written.push({ id, mentions })
  }
  const newest = written.at(-1)?.id ?? 0
  await db
    .updateTable('chats')
    .set({ lastId: newest })
    .where('companyId', '=', companyId)
    .where('id', '=', chatId)
    .execute()
  const places = people.map(({ id: userId, name }) => {
    const unreads = chat.unread[name] ?? 0
    const missed = written.slice(written.length - unreads)
    const readId = written.at(-1 - unreads)?.id ?? 0
    const mentions = missed.filter((one) => one.mentions.includes(userId)).length
    return { companyId, chatId, userId, unreads, mentions, readId }
  })
  await db.insertInto('chatUsers').values(places).execute()
}

const fillTicketNumber = ({ text }: TeamMessage, ticket: number): string => text.replace('{ticket}', String(ticket))

const noFile = { mediaType: null, mediaPath: null, mediaName: null, mediaSize: null, mediaPages: null }

async function storeChatFile(scope: Scope, { document: name }: TeamMessage) {
  if (!name) return noFile
  const bytes = makeDemoPdf(name.replace('.pdf', '').replaceAll('_', ' '), [demoCompany.name])
  const upload = await scope.deps.files.receive(Readable.from([bytes]), name)
  const { mediaPath, mediaName } = await keepUpload(scope, upload)
  return { mediaType: 'application' as const, mediaPath, mediaName, mediaSize: upload.size, mediaPages: upload.pages }
}
