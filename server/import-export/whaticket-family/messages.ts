import type { MessageKind } from '@recado/contract/messages'
import { sql } from 'kysely'
import type { DumpRow } from '../dump/read-dump.ts'
import { type InsertValues, insertRows } from '../insert.ts'
import { boolCell, intCell, parseMomentMs, textCell } from './cells.ts'
import { type ImportRun, isConstraintError, type TargetCompany } from './import-run.ts'
import { type MediaFolder, openMediaFolder, originalFileName, type StoredMediaFile, storeMediaFile } from './media.ts'
import type { ImportedTicket, ImportedTickets } from './tickets.ts'

const reportName = 'messages'
/** Files copied at the same time. */
const maxParallelCopies = 8

const kindByMediaType: Record<string, MessageKind> = {
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
const fileKinds: MessageKind[] = ['image', 'video', 'audio', 'application', 'sticker']

type DumpMessage = { wid: string; slot: ImportedTicket; row: DumpRow }
type DumpReaction = { whatsappId: number; wid: string; emoji: string; fromMe: boolean; name: string; from: string }

/** Imports all messages, in their original order. */
export async function importMessages(run: ImportRun, importedTickets: ImportedTickets): Promise<void> {
  const { report, options: order } = run
  const media = order.mediaDir === null ? null : await openMediaFolder(order.mediaDir, order.limits)
  if (!media)
    report.addNote('Without --media the files of messages stay behind. Run it again with the folder, and they come.')
  await run.forEachBatch(
    'messages',
    reportName,
    (row) => {
      const ticket = importedTickets.get(intCell(row, 'ticketId'))
      const wid = textCell(row, 'id', 200).trim()
      if (!ticket) run.skipOrphan(reportName, 'its ticket did not come', row.id)
      else if (!wid) report.countSkipped(reportName, 'without an id', row.ticketId)
      else if (parseMomentMs(row.createdAt, run.offset) === null) report.countSkipped(reportName, 'without a time', wid)
      else if (row.mediaType === 'protocolMessage')
        report.countSkipped(reportName, 'no message, but word between telephones', wid)
      else return { home: ticket.home, entry: { wid, slot: ticket, row } }
      return null
    },
    (home, sourceMessages) => writeBatch(run, media, home, sourceMessages),
  )
}

const messageKey = (whatsappId: number, wid: string) => `${whatsappId} ${wid}`

async function writeBatch(
  run: ImportRun,
  media: MediaFolder | null,
  home: TargetCompany,
  all: DumpMessage[],
): Promise<void> {
  const { report } = run
  const reactions = all.filter(({ row }) => row.mediaType === 'reactionMessage')
  const knownMessages = await findKnownMessages(home, all)
  const newMessages = new Map<string, DumpMessage>()
  const withoutFile: DumpMessage[] = []
  for (const one of all) {
    if (one.row.mediaType === 'reactionMessage') continue
    const key = messageKey(one.slot.whatsappId, one.wid)
    if (knownMessages.has(key)) {
      report.tallyOf(reportName).there++
      if (knownMessages.get(key)) withoutFile.push(one)
    } else if (newMessages.has(key)) report.countSkipped(reportName, 'the same message twice', one.wid)
    else newMessages.set(key, one)
  }
  const sourceMessages = [...newMessages.values()]
  const storedFiles = await copyMessageFiles(run, media, home, sourceMessages)
  const rows = sourceMessages.map((one) => ({ one, row: toMessageRow(run, one, storedFiles.get(one)) }))
  if (run.dryRun) report.tallyOf(reportName).written += rows.length
  else await insertMessages(run, home, rows)
  await addReactions(run, home, reactions)
  if (media && withoutFile.length) await addMissingFiles(run, media, home, withoutFile)
}

/** Finds the messages that are already imported, each with whether its file is still missing. */
async function findKnownMessages(home: TargetCompany, all: DumpMessage[]): Promise<Map<string, boolean>> {
  if (home.id < 0) return new Map()
  const { rows } = await sql<{ whatsappId: number; wid: string; lacks: boolean }>`
    select m."whatsappId", m.wid, m."mediaState" = 'failed' and m.error = 'file-missing' as lacks
    from unnest(${all.map(({ slot: ticket }) => ticket.whatsappId)}::int[], ${all.map(({ wid }) => wid)}::text[]) k ("whatsappId", wid)
    join messages m on m."whatsappId" = k."whatsappId" and m.wid = k.wid and m."companyId" = ${home.id}`.execute(
    home.scope.db,
  )
  return new Map(rows.map((row) => [messageKey(row.whatsappId, row.wid), row.lacks]))
}

/** Copies the files of these messages, a few at a time. If a file is missing, its message has no file. */
async function copyMessageFiles(
  run: ImportRun,
  media: MediaFolder | null,
  home: TargetCompany,
  all: DumpMessage[],
): Promise<Map<DumpMessage, StoredMediaFile | null>> {
  const storedFiles = new Map<DumpMessage, StoredMediaFile | null>()
  const pendingCopies = all.filter(({ row }) => row.mediaUrl)
  const next = async (): Promise<void> => {
    for (let one = pendingCopies.shift(); one; one = pendingCopies.shift())
      storedFiles.set(one, await copyMessageFile(run, media, home, one))
  }
  await Promise.all(Array.from({ length: maxParallelCopies }, next))
  return storedFiles
}

async function copyMessageFile(
  run: ImportRun,
  media: MediaFolder | null,
  home: TargetCompany,
  { row, wid }: DumpMessage,
): Promise<StoredMediaFile | null> {
  const path = media && (await media.find(textCell(row, 'mediaUrl', 2000), home.oldId))
  const tally = run.report.tallyOf('files')
  tally.found++
  if (path === 'too large') {
    run.report.countSkipped('files', 'too large (--limit fileBytes, files, mediaBytes)', wid)
    return null
  }
  if (!path) {
    run.report.countSkipped('files', media ? 'not in the folder' : 'no folder was given', wid)
    return null
  }
  tally.written++
  return run.dryRun ? null : storeMediaFile(run.deps, home.id, path)
}

/** Converts ack codes: in single-company Whaticket they start at another number. */
const convertAck = (run: ImportRun, row: DumpRow): number => {
  const ack = intCell(row, 'ack') ?? 0
  return run.hasCompanies || ack < 0 ? ack : ack + 1
}

function toMessageRow(
  run: ImportRun,
  { wid, slot: ticket, row }: DumpMessage,
  storedFiles: StoredMediaFile | null | undefined,
) {
  const fromMe = boolCell(row, 'fromMe')
  const messageKind = kindByMediaType[row.mediaType ?? ''] ?? 'conversation'
  const hasFile = Boolean(row.mediaUrl)
  const isFile = fileKinds.includes(messageKind)
  const kind = storedFiles
    ? messageKind === 'sticker' && storedFiles.kind === 'image'
      ? 'sticker'
      : storedFiles.kind
    : hasFile || !isFile
      ? messageKind
      : 'conversation'
  const body = textCell(row, 'body')
  const fileName = hasFile ? originalFileName(textCell(row, 'mediaUrl', 2000)) : ''
  // For a file without a caption, Whaticket-compatible systems store the file name as the body.
  const bodyText = hasFile && body !== '' && (body === fileName || (row.mediaUrl ?? '').endsWith(body)) ? '' : body
  const ack = convertAck(run, row)
  const failed = fromMe && ack < 0
  const sender = ticket.isGroup && !fromMe ? run.newIdOf(ticket.home, 'contact', intCell(row, 'contactId')) : null
  const createdAt = run.timestampCell(row, 'createdAt') as string
  const state: 'received' | 'failed' | 'sent' = !fromMe ? 'received' : failed ? 'failed' : 'sent'
  return {
    ...{ ticketId: ticket.id, contactId: ticket.contactId, whatsappId: ticket.whatsappId, wid, fromMe, body: bodyText },
    senderId: sender === ticket.contactId ? null : sender,
    userId: fromMe ? run.newIdOf(ticket.home, 'user', intCell(row, 'userId')) : null,
    mediaType: hasFile && !isFile && !storedFiles ? 'application' : kind,
    ...{ mediaPath: storedFiles?.mediaPath ?? null, mediaName: hasFile ? (storedFiles?.mediaName ?? fileName) : null },
    ...{ mediaSize: storedFiles?.size ?? null, mediaPages: storedFiles?.pages ?? null },
    mediaState: !hasFile ? 'none' : storedFiles ? 'ready' : 'failed',
    error: hasFile && !storedFiles ? 'file-missing' : failed ? 'rejected' : null,
    quotedWid: textCell(row, 'quotedMsgId', 200).trim() || null,
    // Messages that were waiting to be sent in the source are never sent by Recado.
    ack: !fromMe ? 0 : failed ? 0 : Math.min(5, Math.max(2, ack)),
    state,
    read: fromMe || ticket.isAllRead || boolCell(row, 'read'),
    ...{ isDeleted: boolCell(row, 'isDeleted'), isEdited: boolCell(row, 'isEdited') },
    ...{ createdAt, storedAt: createdAt },
  }
}

type MessageToWrite = { one: DumpMessage; row: ReturnType<typeof toMessageRow> }

async function insertMessages(run: ImportRun, home: TargetCompany, all: MessageToWrite[]): Promise<void> {
  if (!all.length) return
  const store = (batch: MessageToWrite[]) =>
    home.scope.transaction((tx) =>
      insertRows(
        tx.db,
        'messages',
        batch.map(({ row }): InsertValues<'messages'> => ({ ...row, companyId: home.id })),
        null,
      ),
    )
  try {
    await store(all)
    run.report.tallyOf(reportName).written += all.length
    return
  } catch (error) {
    if (!isConstraintError(error)) throw error
  }
  for (const one of all)
    try {
      await store([one])
      run.report.tallyOf(reportName).written++
    } catch (error) {
      if (!isConstraintError(error)) throw error
      run.report.countSkipped(reportName, (error as Error).message, one.one.wid)
      if (one.row.mediaPath) await run.deps.files.remove(home.id, [one.row.mediaPath])
    }
}

/** Attaches a reaction to its message; Whaticket-compatible systems store it as a separate message. */
async function addReactions(run: ImportRun, home: TargetCompany, all: DumpMessage[]): Promise<void> {
  const { report } = run
  const reactions = all.flatMap(({ slot: ticket, row, wid }): DumpReaction[] => {
    const quotedWid = textCell(row, 'quotedMsgId', 200).trim()
    const emoji = textCell(row, 'body', 20).trim()
    const fromMe = boolCell(row, 'fromMe')
    if (quotedWid && emoji)
      return [
        {
          whatsappId: ticket.whatsappId,
          wid: quotedWid,
          emoji,
          fromMe,
          name: '',
          from: fromMe ? 'desk' : `contact ${row.contactId}`,
        },
      ]
    report.countSkipped(reportName, 'a reaction to nothing', wid)
    return []
  })
  if (!reactions.length) return
  for (const { wid } of reactions) report.countChanged(reportName, 'a reaction, put to its message', wid)
  if (run.dryRun) return
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

/** Adds files that an earlier run did not find, because the folder or the file was missing. */
async function addMissingFiles(
  run: ImportRun,
  media: MediaFolder,
  home: TargetCompany,
  withoutFile: DumpMessage[],
): Promise<void> {
  const storedFiles = await copyMessageFiles(run, media, home, withoutFile)
  for (const [{ wid, slot: ticket, row }, file] of storedFiles) {
    if (!file) continue
    const kind = row.mediaType === 'sticker' && file.kind === 'image' ? ('sticker' as const) : file.kind
    await home.scope.db
      .updateTable('messages')
      .set({ mediaPath: file.mediaPath, mediaName: file.mediaName, mediaSize: file.size, mediaPages: file.pages })
      .set({ mediaState: 'ready', mediaType: kind, error: null })
      .where('companyId', '=', home.id)
      .where('whatsappId', '=', ticket.whatsappId)
      .where('wid', '=', wid)
      .execute()
  }
}
