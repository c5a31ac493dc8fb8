import { sql } from 'kysely'
import { announceChange } from '../../desk/messages/store.ts'
import { type Means, Scope } from '../../kernel/scope.ts'
import { type Line, LineRefusal, type LineRow, type OutboundMessage } from '../../lines/line.ts'
import { chatOf } from './chat.ts'

type Row = {
  id: number
  wid: string
  body: string
  mediaType: string
  mediaPath: string | null
  mediaName: string | null
  number: string
  isGroup: boolean
  identities: { kind: string; value: string }[]
  quoted: { id: string; fromMe: boolean; body: string } | null
}

const queued = (scope: Scope, whatsappId: number) =>
  sql<Row>`
  select m.id, m.wid, m.body, m."mediaType", m."mediaPath", m."mediaName", c.number, c."isGroup",
    coalesce((select json_agg(json_build_object('kind', i.kind, 'value', i.value)) from "contactIdentities" i where i."companyId" = c."companyId" and i."contactId" = c.id), '[]') as identities,
    case when o.id is not null then json_build_object('id', o.wid, 'fromMe', o."fromMe", 'body', o.body) end as quoted
  from messages m join contacts c on c."companyId" = m."companyId" and c.id = m."contactId"
  left join messages o on o."whatsappId" = m."whatsappId" and o.wid = m."quotedWid" and o."companyId" = m."companyId"
  where m."companyId" = ${scope.companyId} and m."whatsappId" = ${whatsappId} and m.state = 'queued' order by m.id limit 20`.execute(
    scope.db,
  )

/** Sends everything that waits. A refusal marks that message and goes on; a broken line stops here and keeps the rest. */
export async function sendQueued(means: Means, row: LineRow, line: Line, stopped: () => boolean): Promise<void> {
  const scope = new Scope(means, { companyId: row.companyId })
  for (;;) {
    const { rows } = await queued(scope, row.id)
    if (!rows.length) return
    for (const message of rows) {
      if (stopped()) return
      const error = await attempt(() => line.send(outbound(means, row, message)))
      await settle(scope, message.id, error)
    }
  }
}

/** The reason of a refusal, or null when it went well. */
async function attempt(send: () => Promise<void>): Promise<string | null> {
  try {
    await send()
    return null
  } catch (error) {
    if (error instanceof LineRefusal) return error.reason
    throw error
  }
}

async function settle(scope: Scope, id: number, error: string | null): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    update messages set state = ${error ? 'failed' : 'sent'}, error = ${error}, ack = ${error ? sql`0` : sql`greatest(ack, 2)`}
    where "companyId" = ${scope.companyId} and id = ${id} and state = 'queued' returning id`.execute(scope.db)
  await announceChange(
    scope,
    rows.map((r) => r.id),
  )
}

const mediaKinds = ['image', 'audio', 'video', 'application', 'sticker'] as const
type MediaKind = (typeof mediaKinds)[number]

function outbound(means: Means, row: LineRow, m: Row): OutboundMessage {
  const kind = mediaKinds.find((k) => k === m.mediaType)
  return {
    id: m.wid,
    chat: chatOf(m),
    body: m.body,
    ...(m.quoted && { quoted: m.quoted }),
    ...(kind && m.mediaPath && { media: media(means, row, m, kind) }),
  }
}

function media(means: Means, row: LineRow, m: Row, type: MediaKind): OutboundMessage['media'] {
  const name = m.mediaName ?? 'file'
  return {
    type,
    name,
    mime: means.files.typeOf(m.mediaPath as string),
    voice: type === 'audio' && name.includes('audio-record-site'),
    open: async () => means.files.read(row.companyId, m.mediaPath as string),
  }
}
