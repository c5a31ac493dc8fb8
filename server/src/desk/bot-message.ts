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
import { isReplyWindowOpen } from './reply-window.ts'

/** A hash to recognise a repeated text. */
export const textFingerprint = (text: string): string => createHash('md5').update(text).digest('base64')

/** No automatic messages in groups, nor to contacts with bots disabled. */
export async function canReceiveBotMessages(scope: Scope, ticket: Ticket): Promise<boolean> {
  if (ticket.isGroup || ticket.whatsappId === null) return false
  return scope.load(haveBots, ticket.contactId)
}

async function haveBots(scope: Scope, contactIds: number[]): Promise<boolean[]> {
  const rows = await scope.db
    .selectFrom('contacts')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('id', '=', sql<number>`any(${contactIds}::int[])`)
    .where('disableBot', '=', false)
    .execute()
  const found = new Set(rows.map(({ id }) => id))
  return contactIds.map((id) => found.has(id))
}

/** Why an automatic message cannot be sent now; null: it can. */
export async function findBotMessageObstacle(
  scope: Scope,
  ticket: Ticket,
): Promise<'is-group' | 'window-closed' | 'no-bots' | null> {
  if (ticket.isGroup) return 'is-group'
  if (!isReplyWindowOpen(scope, ticket)) return 'window-closed'
  return (await canReceiveBotMessages(scope, ticket)) ? null : 'no-bots'
}

type BotMessageOptions = {
  choices?: MenuChoices | null
  allowRepeat?: boolean | undefined
  /** A file, sent with the text as its caption. */
  file?: Upload
  /** How long the typing indicator is shown before the message is sent. */
  typingMs?: number
  /** The message is not sent before this time (see undo-window.ts). */
  notBefore?: Date | undefined
  /** It answers nothing that the customer did. */
  unprompted?: boolean
}

/**
 * Sends an automatic message with this customer's values filled in; `bot` names the automation. Returns null and sends
 * nothing if there is no text, or if it equals the last message and `again` is not set.
 */
export async function sendBotMessage(
  scope: Scope,
  ticket: Ticket,
  bot: string,
  text: string,
  { choices = null, allowRepeat: again = false, file, typingMs: typeMs, notBefore, unprompted }: BotMessageOptions = {},
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
  if (!again && (await scope.load(loadLastFingerprints, ticket.id)) === mark) return null
  const shown = choices && { choices: { ...choices, text: renderVariables(choices.text, words, moment).trim() } }
  const sendAs = shown || typeMs ? { ...shown, ...(typeMs && { typeMs }) } : undefined
  const [message] = await storeOutgoing(scope, ticket, [
    { body, bot, mark, sendAs, notBefore, unprompted, ...(file && (await storeBotFile(scope, file))) },
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
