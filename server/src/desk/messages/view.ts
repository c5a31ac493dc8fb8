import type { Message } from '@recado/contract/messages'
import { type RawBuilder, sql } from 'kysely'
import { mediaUrl } from '../../kernel/media.ts'
import type { Scope } from '../../kernel/scope.ts'

/** A message with its author and what it quotes, in one statement. `m` is the message. */
export const messageColumns = sql.raw(`
  m.id::text as id, m."companyId", m."ticketId", m."clientId", m.body, m."fromMe", m.read, m.ack, m."mediaType", m."mediaPath", m."mediaName",
  m."mediaState", m.error, m."isDeleted", m."isEdited", m.bot, m.reactions, m."createdAt",
  case when a.id is not null then json_build_object('id', a.id, 'name', a.name) end as "user",
  case when not m."fromMe" then json_build_object('name', s.name) end as contact,
  case when o.id is not null then json_build_object('id', o.id::text, 'companyId', o."companyId", 'fromMe', o."fromMe", 'body', o.body,
    'mediaType', o."mediaType", 'mediaPath', o."mediaPath", 'mediaName', o."mediaName", 'isDeleted', o."isDeleted",
    'contact', case when not o."fromMe" then json_build_object('name', os.name) end) end as "quotedMsg"`)

/** Only what was said in the same chat is shown as quoted: who sees this ticket need not see another. */
export const messageJoins = sql.raw(`
  left join users a on a."companyId" = m."companyId" and a.id = m."userId"
  left join contacts s on s."companyId" = m."companyId" and s.id = coalesce(m."senderId", m."contactId")
  left join messages o on o."whatsappId" = m."whatsappId" and o.wid = m."quotedWid" and o."companyId" = m."companyId"
    and o."contactId" = m."contactId"
  left join contacts os on os."companyId" = o."companyId" and os.id = coalesce(o."senderId", o."contactId")`)

type File = { companyId: number; mediaPath: string | null; mediaName: string | null }
type Row = Omit<Message, 'mediaUrl' | 'quotedMsg'> &
  File & { quotedMsg: (Omit<NonNullable<Message['quotedMsg']>, 'mediaUrl'> & File) | null }

/** What was taken back keeps its place, not its words. */
export function presentMessage(scope: Scope, row: Row): Message {
  const hide = row.isDeleted ? { body: '', mediaUrl: null } : { mediaUrl: mediaUrl(scope, row) }
  const quoted = row.quotedMsg && {
    ...row.quotedMsg,
    mediaUrl: row.quotedMsg.isDeleted ? null : mediaUrl(scope, row.quotedMsg),
    ...(row.quotedMsg.isDeleted && { body: '' }),
  }
  return { ...row, ...hide, quotedMsg: quoted }
}

export async function findMessages(
  scope: Scope,
  where: RawBuilder<unknown>,
  tail: RawBuilder<unknown> = sql``,
): Promise<Message[]> {
  const { rows } =
    await sql<Row>`select ${messageColumns} from messages m ${messageJoins} where m."companyId" = ${scope.companyId} and ${where} ${tail}`.execute(
      scope.db,
    )
  return rows.map((row) => presentMessage(scope, row))
}
