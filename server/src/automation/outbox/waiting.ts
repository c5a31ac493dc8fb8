import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { SendAs } from '../../desk/tables.ts'
import { windowText } from '../../desk/window.ts'
import type { Means } from '../../kernel/data/scope.ts'
import { LineRefusal, type LineRow, type OutboundMessage } from '../../lines/line.ts'
import { chatOf } from './chat.ts'

/** A message that waits to leave, with all that the line needs to know of it. */
export type Waiting = {
  id: number
  wid: string
  body: string
  mediaType: string
  mediaPath: string | null
  mediaName: string | null
  isDeleted: boolean
  isEdited: boolean
  contactId: number
  number: string
  isGroup: boolean
  identities: { kind: string; value: string }[]
  quoted: { id: string; fromMe: boolean; body: string } | null
  sendAs: SendAs | null
  windowEndsAt: string | null
  /** To somebody who did not write lately, on a line that must not hurry. */
  isCold: boolean
}

// From here on it is on its way: deleting it means taking it back. One that was on its way when a process died is taken
// up again under the same id, and the vendor knows that id.
const takeNext = `
  with next as (
    update messages set state = 'sending' where id = (
      select id from messages m where "companyId" = $1 and "whatsappId" = $2 and state in ('queued', 'sending')
        and "contactId" <> all($3::int[]) and (not $6 or ${windowText('m')} > $7)
      order by id limit 1 for update
    ) and state in ('queued', 'sending') returning *
  )
  select m.id, m.wid, m.body, m."mediaType", m."mediaPath", m."mediaName", m."isDeleted", m."isEdited", m."contactId", c.number, c."isGroup",
    m."sendAs", case when $4 then ${windowText('m')} end as "windowEndsAt",
    $5 and ${windowText('m')} <= $7 as "isCold",
    coalesce((select json_agg(json_build_object('kind', i.kind, 'value', i.value)) from "contactIdentities" i
      where i."companyId" = c."companyId" and i."contactId" = c.id), '[]') as identities,
    case when o.id is not null then json_build_object('id', o.wid, 'fromMe', o."fromMe", 'body', o.body) end as quoted
  from next m join contacts c on c."companyId" = m."companyId" and c.id = m."contactId"
  left join messages o on o."whatsappId" = m."whatsappId" and o.wid = m."quotedWid" and o."companyId" = m."companyId"`

/** `coldWait`: those to people who did not write lately must wait now. */
type Asked = { others: number[]; isPaced: boolean; coldWait: boolean; now: Date }

/** The oldest that waits, of whom none of the others is: from here on it is under way. */
export async function takeWaiting(means: Means, row: LineRow, asked: Asked): Promise<Waiting | undefined> {
  const { others, isPaced, coldWait, now } = asked
  const given = [row.companyId, row.id, others, row.provider === 'cloud', isPaced, coldWait, now]
  return (await means.database.named<Waiting>(row.companyId, 'outbox_next', takeNext, given))[0]
}

const mediaKinds = ['image', 'audio', 'video', 'application', 'sticker'] as const
type MediaKind = (typeof mediaKinds)[number]

/** As the line takes it. */
export function outbound(means: Means, row: LineRow, m: Waiting): OutboundMessage {
  const kind = mediaKinds.find((k) => k === m.mediaType)
  return {
    id: m.wid,
    chat: chatOf(m, row.provider),
    body: m.body,
    ...(m.quoted && { quoted: m.quoted }),
    ...m.sendAs,
    ...(kind && m.mediaPath && { media: media(means, row, m, kind) }),
  }
}

function media(means: Means, row: LineRow, m: Waiting, type: MediaKind): OutboundMessage['media'] {
  const name = m.mediaName ?? 'file'
  return {
    type,
    name,
    mime: means.files.typeOf(m.mediaPath as string),
    voice: type === 'audio' && name.includes('audio-record-site'),
    open: () => opened(means.files.read(row.companyId, m.mediaPath as string)),
  }
}

/** A file that is not there any more will not be there later. */
async function opened(file: Readable): Promise<Readable> {
  await once(file, 'open').catch(() => {
    throw new LineRefusal('file-missing')
  })
  return file
}
