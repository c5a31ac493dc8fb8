import { z } from 'zod'
import { storedFileNamePattern } from '../src/kernel/files/files.ts'
import { BackupError } from './backup-error.ts'
import { type ByteReader, encodeLength, makeByteReader } from './byte-reader.ts'

/** The content of a backup, in this order: header, tables, sequences, waiting jobs, files, end. */
export const backupVersion = 1
/** The format of our table, column and sequence names. */
const identifierShape = z.string().regex(/^[A-Za-z_]\w{0,62}$/)
const sequenceValueShape = z.string().regex(/^\d{0,19}$/)
const integerTypeShape = z.enum(['smallint', 'integer', 'bigint'])
/** The encryption proves that the author knew the passphrase, not that the content is valid: every name is checked. */
const EntryHead = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('house'),
    version: z.number().int().min(1),
    /** The time of the snapshot. */
    madeAt: z.iso.datetime(),
    /** The migrations that the tables had run. */
    migrations: z.array(z.string().regex(/^\d{4}-[\w-]{1,150}$/)).max(10_000),
    appSecret: z.string().min(1).max(1000),
    sequences: z.array(
      z.discriminatedUnion('schema', [
        z.object({
          schema: z.literal('public'),
          name: identifierShape,
          type: integerTypeShape,
          last: sequenceValueShape,
        }),
        // The ticket counter of each company.
        z.object({
          schema: z.literal('numbers'),
          name: z.string().regex(/^tickets_\d{1,10}$/),
          type: integerTypeShape,
          last: sequenceValueShape,
        }),
      ]),
    ),
  }),
  z.object({ kind: z.literal('table'), name: identifierShape, columns: z.array(identifierShape).min(1).max(1000) }),
  z.object({ kind: z.literal('jobs') }),
  z.object({
    kind: z.literal('file'),
    companyId: z.number().int().min(1).max(2_147_483_647),
    name: z.string().regex(storedFileNamePattern),
  }),
  z.object({ kind: z.literal('end') }),
])
export type EntryHead = z.infer<typeof EntryHead>
/** Data of an entry that is known after it was read. `sum`: the SHA-256 of a file, or of a table's rows. */
const EntryTail = z.object({ count: z.number().int().min(0).optional(), sum: z.string().max(100).optional() })
export type EntryTail = z.infer<typeof EntryTail>

export type BackupEntry = { head: EntryHead; body?: AsyncIterable<Buffer>; tail?: () => Promise<EntryTail> | EntryTail }
export type ReadEntry = { head: EntryHead; body: AsyncIterable<Buffer>; tail(): Promise<EntryTail> }

/**
 * Larger than any entry's head, and far smaller than memory: the sequences of a hundred thousand companies take a tenth
 * of it.
 */
const maxTextBytes = 64 * 1024 * 1024
const maxBlockBytes = 64 * 1024 * 1024

const toLengthPrefixed = (value: EntryHead | EntryTail): Buffer => {
  const text = Buffer.from(JSON.stringify(value))
  return Buffer.concat([encodeLength(text.length), text])
}

/** Writes each entry as its head, body blocks each with its length, an empty block, and the tail. */
export async function* writeEntries(entries: AsyncIterable<BackupEntry>): AsyncGenerator<Buffer> {
  for await (const { head, body, tail } of entries) {
    yield toLengthPrefixed(head)
    if (body)
      for await (const block of body) {
        if (!block.length) continue
        yield encodeLength(block.length)
        yield block
      }
    yield encodeLength(0)
    yield toLengthPrefixed((await tail?.()) ?? {})
  }
}

/** Reads the entries as a stream. Unread parts of a body are skipped. */
export async function* readEntries(source: AsyncIterable<Buffer>): AsyncGenerator<ReadEntry> {
  const byteReader = makeByteReader(source)
  const assertOrder = makeOrderCheck()
  for (;;) {
    const rawHead = await readText(byteReader)
    assertNotNewer(rawHead)
    const head = parseOrFail(EntryHead, rawHead)
    assertOrder(head)
    let isBodyRead = false
    async function* body() {
      for (;;) {
        const length = (await byteReader.readBytes(4)).readUInt32BE()
        if (length > maxBlockBytes) throw new BackupError('It is damaged.')
        if (!length) break
        yield await byteReader.readBytes(length)
      }
      isBodyRead = true
    }
    const blocks = body()
    let cachedTail: EntryTail | undefined
    const tail = async () => {
      if (!isBodyRead) for await (const _ of blocks);
      cachedTail ??= parseOrFail(EntryTail, await readText(byteReader))
      return cachedTail
    }
    yield { head, body: blocks, tail }
    await tail()
    if (head.kind !== 'end') continue
    if (!(await byteReader.isAtEnd())) throw new BackupError('It is damaged.')
    return
  }
}

const assertNotNewer = (rawHead: unknown): void => {
  const { kind, version } = Object(rawHead) as { kind?: unknown; version?: unknown }
  if (kind === 'house' && typeof version === 'number' && version > backupVersion)
    throw new BackupError('It was made by a newer Recado: update this one first.')
}

function parseOrFail<T>(shape: z.ZodType<T>, rawHead: unknown): T {
  const read = shape.safeParse(rawHead)
  if (read.success) return read.data
  throw new BackupError('It is damaged: something in it is none of ours.')
}

/** Checks that the header comes first and once, and that each table and the jobs occur once. */
function makeOrderCheck(): (head: EntryHead) => void {
  const seen = new Set<string>()
  return (head) => {
    if (head.kind === 'file') return
    const key = head.kind === 'table' ? `table ${head.name}` : head.kind
    if (seen.has(key) || (head.kind === 'house') !== (seen.size === 0))
      throw new BackupError('It is damaged: its parts are not in order.')
    seen.add(key)
  }
}

async function readText(byteReader: ByteReader): Promise<unknown> {
  const length = (await byteReader.readBytes(4)).readUInt32BE()
  if (length > maxTextBytes) throw new BackupError('It is damaged.')
  try {
    return JSON.parse((await byteReader.readBytes(length)).toString())
  } catch (error) {
    throw error instanceof SyntaxError ? new BackupError('It is damaged.') : error
  }
}
