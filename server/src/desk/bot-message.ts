import { createHash } from 'node:crypto'
import type { MenuChoices } from '@recado/contract/menu/menu'
import type { Message } from '@recado/contract/messages'
import { renderVariables } from '@recado/contract/text/variables'
import type { Ticket } from '@recado/contract/tickets'
import { sql } from 'kysely'
import type { Scope } from '../kernel/data/scope.ts'
import type { Upload } from '../kernel/files/files.ts'
import { keepUpload } from '../kernel/files/media.ts'
import { loadCompanyContext } from './company-context.ts'
import { messageKindOf } from './messages/kinds.ts'
import { storeOutgoing } from './messages/store.ts'

/** Enough to know the same words again. */
export const textFingerprint = (text: string): string => createHash('md5').update(text).digest('base64')

/** Groups are for people, and so is whoever asked for no bots. */
export async function canReceiveBotMessages(scope: Scope, ticket: Ticket): Promise<boolean> {
  if (ticket.isGroup || ticket.whatsappId === null) return false
  const contact = await scope.db
    .selectFrom('contacts')
    .select('disableBot')
    .where('companyId', '=', scope.companyId)
    .where('id', '=', ticket.contactId)
    .executeTakeFirst()
  return contact?.disableBot === false
}

type BotMessageOptions = {
  choices?: MenuChoices | null
  again?: boolean | undefined
  /** The words stand under it. */
  file?: Upload
  /** It is typed for so long before it leaves. */
  typeMs?: number
}

/**
 * Something the house says by itself, filled in for this customer. What it said last it does not say again unless that
 * is what is wanted (`again`): null then, and where there is nothing to say. `bot` names the part of the house that speaks.
 */
export async function sendBotMessage(
  scope: Scope,
  ticket: Ticket,
  bot: string,
  text: string,
  { choices = null, again = false, file, typeMs }: BotMessageOptions = {},
): Promise<Message | null> {
  const words = {
    ...ticket.contact,
    user: ticket.user?.name ?? null,
    queue: ticket.queue?.name ?? null,
    ticket: ticket.number,
  }
  const moment = await loadCompanyContext(scope)
  const body = renderVariables(text, words, moment).trim()
  if (!body && !file) return null
  const mark = textFingerprint(body)
  if (!again && (await scope.ask(loadLastFingerprints, ticket.id)) === mark) return null
  const shown = choices && { choices: { ...choices, text: renderVariables(choices.text, words, moment).trim() } }
  const sendAs = shown || typeMs ? { ...shown, ...(typeMs && { typeMs }) } : undefined
  const [message] = await storeOutgoing(scope, ticket, [
    { body, bot, mark, sendAs, ...(file && (await storeBotFile(scope, file))) },
  ])
  return message ?? null
}

async function storeBotFile(scope: Scope, upload: Upload) {
  const { size, pages } = upload
  return { file: { ...(await keepUpload(scope, upload)), kind: messageKindOf(upload), size, pages } }
}

async function loadLastFingerprints(scope: Scope, ticketIds: number[]): Promise<(string | null)[]> {
  const rows = await scope.db
    .selectFrom('tickets')
    .select(['id', 'saidMark'])
    .where('companyId', '=', scope.companyId)
    .where('id', '=', sql<number>`any(${ticketIds}::int[])`)
    .execute()
  const marks = new Map(rows.map(({ id, saidMark }) => [id, saidMark]))
  return ticketIds.map((id) => marks.get(id) ?? null)
}
