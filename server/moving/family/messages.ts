import type { MessageKind } from '@recado/contract/messages'
import { sql } from 'kysely'
import type { Row } from '../dump/read.ts'
import { insertRows, type Values } from '../insert.ts'
import { momentMs, text, whole, yes } from './cells.ts'
import { givenName, type KeptFile, keep, type Media, openMedia } from './media.ts'
import { type Home, isRefusal, type Move } from './move.ts'
import type { Slot, Slots } from './tickets.ts'

const name = 'messages'
/** So many files are copied at the same time. */
const copies = 8

const kinds: Record<string, MessageKind> = {
  image: 'image',
  video: 'video',
  audio: 'audio',
  ptt: 'audio',
  application: 'application',
  document: 'application',
  text: 'application',
  sticker: 'sticker',
  location: 'locationMessage',
  locationMessage: 'locationMessage',
  liveLocationMessage: 'locationMessage',
  vcard: 'contactMessage',
  multi_vcard: 'contactMessage',
  contactMessage: 'contactMessage',
  contactsArrayMessage: 'contactMessage',
  call_log: 'call_log',
}
const files: MessageKind[] = ['image', 'video', 'audio', 'application', 'sticker']

type Said = { wid: string; slot: Slot; row: Row }
type Reaction = { whatsappId: number; wid: string; emoji: string; fromMe: boolean; name: string; from: string }

/** Everything that was said, in the order it was said. */
export async function moveMessages(move: Move, slots: Slots): Promise<void> {
  const { report, order } = move
  const media = order.media === null ? null : await openMedia(order.media, order.limits)
  if (!media)
    report.note('Without --media the files of messages stay behind. Run it again with the folder, and they come.')
  await move.each(
    'messages',
    name,
    (row) => {
      const slot = slots.get(whole(row, 'ticketId'))
      const wid = text(row, 'id', 200).trim()
      if (!slot) move.orphan(name, 'its ticket did not come', row.id)
      else if (!wid) report.skip(name, 'without an id', row.ticketId)
      else if (momentMs(row.createdAt, move.offset) === null) report.skip(name, 'without a time', wid)
      else if (row.mediaType === 'protocolMessage') report.skip(name, 'no message, but word between telephones', wid)
      else return { home: slot.home, entry: { wid, slot, row } }
      return null
    },
    (home, said) => writePortion(move, media, home, said),
  )
}

const markOf = (whatsappId: number, wid: string) => `${whatsappId} ${wid}`

async function writePortion(move: Move, media: Media | null, home: Home, all: Said[]): Promise<void> {
  const { report } = move
  const reactions = all.filter(({ row }) => row.mediaType === 'reactionMessage')
  const there = await known(home, all)
  const fresh = new Map<string, Said>()
  const again: Said[] = []
  for (const one of all) {
    if (one.row.mediaType === 'reactionMessage') continue
    const mark = markOf(one.slot.whatsappId, one.wid)
    if (there.has(mark)) {
      report.of(name).there++
      if (there.get(mark)) again.push(one)
    } else if (fresh.has(mark)) report.skip(name, 'the same message twice', one.wid)
    else fresh.set(mark, one)
  }
  const said = [...fresh.values()]
  const kept = await copyFiles(move, media, home, said)
  const rows = said.map((one) => ({ one, row: messageRow(move, one, kept.get(one)) }))
  if (move.dryRun) report.of(name).written += rows.length
  else await write(move, home, rows)
  await react(move, home, reactions)
  if (media && again.length) await bringFiles(move, media, home, again)
}

/** Which of them are here; true where the file did not come with it. */
async function known(home: Home, all: Said[]): Promise<Map<string, boolean>> {
  if (home.id < 0) return new Map()
  const { rows } = await sql<{ whatsappId: number; wid: string; lacks: boolean }>`
    select m."whatsappId", m.wid, m."mediaState" = 'failed' and m.error = 'file-missing' as lacks
    from unnest(${all.map(({ slot }) => slot.whatsappId)}::int[], ${all.map(({ wid }) => wid)}::text[]) k ("whatsappId", wid)
    join messages m on m."whatsappId" = k."whatsappId" and m.wid = k.wid and m."companyId" = ${home.id}`.execute(
    home.scope.db,
  )
  return new Map(rows.map((row) => [markOf(row.whatsappId, row.wid), row.lacks]))
}

/** The files of these messages, a few at a time. One that is not there leaves its message without. */
async function copyFiles(
  move: Move,
  media: Media | null,
  home: Home,
  all: Said[],
): Promise<Map<Said, KeptFile | null>> {
  const kept = new Map<Said, KeptFile | null>()
  const waiting = all.filter(({ row }) => row.mediaUrl)
  const next = async (): Promise<void> => {
    for (let one = waiting.shift(); one; one = waiting.shift()) kept.set(one, await fileOf(move, media, home, one))
  }
  await Promise.all(Array.from({ length: copies }, next))
  return kept
}

async function fileOf(move: Move, media: Media | null, home: Home, { row, wid }: Said): Promise<KeptFile | null> {
  const path = media && (await media.find(text(row, 'mediaUrl', 2000), home.oldId))
  const tally = move.report.of('files')
  tally.found++
  if (path === 'too large') {
    move.report.skip('files', 'too large (--limit fileBytes, files, mediaBytes)', wid)
    return null
  }
  if (!path) {
    move.report.skip('files', media ? 'not in the folder' : 'no folder was given', wid)
    return null
  }
  tally.written++
  return move.dryRun ? null : keep(move.means, home.id, path)
}

/** The codes of the single-company version count from another number. */
const ackOf = (move: Move, row: Row): number => {
  const said = whole(row, 'ack') ?? 0
  return move.many || said < 0 ? said : said + 1
}

function messageRow(move: Move, { wid, slot, row }: Said, kept: KeptFile | null | undefined) {
  const fromMe = yes(row, 'fromMe')
  const said = kinds[row.mediaType ?? ''] ?? 'conversation'
  const hasFile = Boolean(row.mediaUrl)
  const isFile = files.includes(said)
  const kind = kept
    ? said === 'sticker' && kept.kind === 'image'
      ? 'sticker'
      : kept.kind
    : hasFile || !isFile
      ? said
      : 'conversation'
  const body = text(row, 'body')
  const fileName = hasFile ? givenName(text(row, 'mediaUrl', 2000)) : ''
  // Where nothing was written to a file, the family writes its name.
  const bare = hasFile && body !== '' && (body === fileName || (row.mediaUrl ?? '').endsWith(body)) ? '' : body
  const ack = ackOf(move, row)
  const failed = fromMe && ack < 0
  const sender = slot.isGroup && !fromMe ? move.ours(slot.home, 'contact', whole(row, 'contactId')) : null
  const createdAt = move.at(row, 'createdAt') as string
  const state: 'received' | 'failed' | 'sent' = !fromMe ? 'received' : failed ? 'failed' : 'sent'
  return {
    ...{ ticketId: slot.id, contactId: slot.contactId, whatsappId: slot.whatsappId, wid, fromMe, body: bare },
    senderId: sender === slot.contactId ? null : sender,
    userId: fromMe ? move.ours(slot.home, 'user', whole(row, 'userId')) : null,
    mediaType: hasFile && !isFile && !kept ? 'application' : kind,
    ...{ mediaPath: kept?.mediaPath ?? null, mediaName: hasFile ? (kept?.mediaName ?? fileName) : null },
    ...{ mediaSize: kept?.size ?? null, mediaPages: kept?.pages ?? null },
    mediaState: !hasFile ? 'none' : kept ? 'ready' : 'failed',
    error: hasFile && !kept ? 'file-missing' : failed ? 'rejected' : null,
    quotedWid: text(row, 'quotedMsgId', 200).trim() || null,
    // What waited to be sent over there is never sent from here.
    ack: !fromMe ? 0 : failed ? 0 : Math.min(5, Math.max(2, ack)),
    state,
    read: fromMe || slot.allRead || yes(row, 'read'),
    ...{ isDeleted: yes(row, 'isDeleted'), isEdited: yes(row, 'isEdited') },
    ...{ createdAt, storedAt: createdAt },
  }
}

type Written = { one: Said; row: ReturnType<typeof messageRow> }

async function write(move: Move, home: Home, all: Written[]): Promise<void> {
  if (!all.length) return
  const store = (some: Written[]) =>
    home.scope.transaction((tx) =>
      insertRows(
        tx.db,
        'messages',
        some.map(({ row }): Values<'messages'> => ({ ...row, companyId: home.id })),
        null,
      ),
    )
  try {
    await store(all)
    move.report.of(name).written += all.length
    return
  } catch (error) {
    if (!isRefusal(error)) throw error
  }
  for (const one of all)
    try {
      await store([one])
      move.report.of(name).written++
    } catch (error) {
      if (!isRefusal(error)) throw error
      move.report.skip(name, (error as Error).message, one.one.wid)
      if (one.row.mediaPath) await move.means.files.remove(home.id, [one.row.mediaPath])
    }
}

/** A reaction stands with the message it is about; the family keeps it as a message of its own. */
async function react(move: Move, home: Home, all: Said[]): Promise<void> {
  const { report } = move
  const reactions = all.flatMap(({ slot, row, wid }): Reaction[] => {
    const about = text(row, 'quotedMsgId', 200).trim()
    const emoji = text(row, 'body', 20).trim()
    const fromMe = yes(row, 'fromMe')
    if (about && emoji)
      return [
        {
          whatsappId: slot.whatsappId,
          wid: about,
          emoji,
          fromMe,
          name: '',
          from: fromMe ? 'desk' : `contact ${row.contactId}`,
        },
      ]
    report.skip(name, 'a reaction to nothing', wid)
    return []
  })
  if (!reactions.length) return
  for (const { wid } of reactions) report.change(name, 'a reaction, put to its message', wid)
  if (move.dryRun) return
  await sql`
    update messages m set reactions = m.reactions || r.one
    from (
      select x."whatsappId", x.wid, jsonb_agg(jsonb_build_object('emoji', x.emoji, 'fromMe', x."fromMe", 'name', x.name, 'from', x."from")) as one
      from json_to_recordset(${JSON.stringify(reactions)}::json) x ("whatsappId" int, wid text, emoji text, "fromMe" boolean, name text, "from" text)
      group by x."whatsappId", x.wid
    ) r
    where m."companyId" = ${home.id} and m."whatsappId" = r."whatsappId" and m.wid = r.wid and not m.reactions @> r.one`.execute(
    home.scope.db,
  )
}

/** An earlier run had no folder, or the file was not in it. Now it is. */
async function bringFiles(move: Move, media: Media, home: Home, again: Said[]): Promise<void> {
  const kept = await copyFiles(move, media, home, again)
  for (const [{ wid, slot, row }, file] of kept) {
    if (!file) continue
    const kind = row.mediaType === 'sticker' && file.kind === 'image' ? ('sticker' as const) : file.kind
    await home.scope.db
      .updateTable('messages')
      .set({ mediaPath: file.mediaPath, mediaName: file.mediaName, mediaSize: file.size, mediaPages: file.pages })
      .set({ mediaState: 'ready', mediaType: kind, error: null })
      .where('companyId', '=', home.id)
      .where('whatsappId', '=', slot.whatsappId)
      .where('wid', '=', wid)
      .execute()
  }
}
