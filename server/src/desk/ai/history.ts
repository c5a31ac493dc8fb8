import { messagePreviewText } from '@recado/contract/text/location-and-card'
import { parseSignature } from '@recado/contract/text/signature'
import type { Ticket } from '@recado/contract/tickets'
import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'

/** One message as the model receives it. */
export type HistoryLine = { role: 'customer' | 'agent' | 'bot'; name: string; text: string }

type HistoryRow = {
  fromMe: boolean
  bot: string | null
  body: string
  mediaType: string
  mediaName: string | null
  transcript: string | null
  userName: string | null
}

/** Limits per message and in total: more text does not improve the answer. */
const historyLimits = { chars: 1500, totalChars: 16_000 }

/** The newest messages of a ticket as text, oldest first. */
export async function loadRecentMessages(
  scope: Scope,
  ticket: Pick<Ticket, 'id'>,
  count: number,
): Promise<HistoryLine[]> {
  const { rows } = await sql<HistoryRow>`
    select m."fromMe", m.bot, m.body, m."mediaType", m."mediaName", m.transcript, u.name as "userName"
    from messages m left join users u on u."companyId" = m."companyId" and u.id = m."userId"
    where m."companyId" = ${scope.companyId} and m."ticketId" = ${ticket.id} and not m."isDeleted"
    order by m.id desc limit ${count}`.execute(scope.db)
  const lines: HistoryLine[] = []
  let left = historyLimits.totalChars
  for (const row of rows) {
    const line = toHistoryLine(row)
    if (!line.text) continue
    left -= line.text.length
    if (left < 0) break
    lines.push(line)
  }
  return lines.reverse()
}

function toHistoryLine({ fromMe, bot, body, mediaType, mediaName, transcript, userName }: HistoryRow): HistoryLine {
  const who = fromMe ? (bot ? 'bot' : 'agent') : 'customer'
  const { name, text } = fromMe ? parseSignature(body) : { name: '', text: body }
  const kind = mediaType === 'conversation' ? '' : `[${labelByMediaType[mediaType] ?? 'attachment'}]`
  const said = [kind, transcript ?? messagePreviewText(mediaType, text)].filter(Boolean).join(' ')
  // A file without a caption is represented by its name.
  const whole = said === kind && mediaName ? `${kind} ${mediaName}` : said
  return { role: who, name: name || (userName ?? ''), text: whole.slice(0, historyLimits.chars).toWellFormed() }
}

const labelByMediaType: Record<string, string> = {
  image: 'picture',
  audio: 'voice note',
  video: 'video',
  application: 'document',
  locationMessage: 'place',
  contactMessage: 'contact card',
}
