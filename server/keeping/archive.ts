import { z } from 'zod'
import { fileName } from '../src/kernel/files/files.ts'
import { NotKept } from './not-kept.ts'
import { lengthAsBytes, type Pieces, piecesOf } from './pieces.ts'

/** What is in a backup, in this order: the house, its tables, what counts, jobs that wait, files, the end. */
export const formVersion = 1
/** Names as our tables, columns and sequences have them. */
const word = z.string().regex(/^[A-Za-z_]\w{0,62}$/)
const last = z.string().regex(/^\d{0,19}$/)
const type = z.enum(['smallint', 'integer', 'bigint'])
/** The seal says that somebody who knew the passphrase wrote it, and not what: every name in it is checked. */
const Head = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('house'),
    version: z.number().int().min(1),
    /** The moment everything in it is of. */
    madeAt: z.iso.datetime(),
    /** Which steps the tables had been through. */
    migrations: z.array(z.string().regex(/^\d{4}-[\w-]{1,150}$/)).max(10_000),
    appSecret: z.string().min(1).max(1000),
    sequences: z.array(
      z.discriminatedUnion('schema', [
        z.object({ schema: z.literal('public'), name: word, type, last }),
        // Each company counts its own tickets.
        z.object({ schema: z.literal('numbers'), name: z.string().regex(/^tickets_\d{1,10}$/), type, last }),
      ]),
    ),
  }),
  z.object({ kind: z.literal('table'), name: word, columns: z.array(word).min(1).max(1000) }),
  z.object({ kind: z.literal('jobs') }),
  z.object({
    kind: z.literal('file'),
    companyId: z.number().int().min(1).max(2_147_483_647),
    name: z.string().regex(fileName),
  }),
  z.object({ kind: z.literal('end') }),
])
export type Head = z.infer<typeof Head>
/** What is known of an entry once it has gone by. `sum`: of a file its SHA-256, of a table that of its rows. */
const Tail = z.object({ count: z.number().int().min(0).optional(), sum: z.string().max(100).optional() })
export type Tail = z.infer<typeof Tail>

export type Entry = { head: Head; body?: AsyncIterable<Buffer>; tail?: () => Promise<Tail> | Tail }
export type FoundEntry = { head: Head; body: AsyncIterable<Buffer>; tail(): Promise<Tail> }

/** Longer than any head, far shorter than memory: sequences of a hundred thousand companies take a tenth of it. */
const longestText = 64 * 1024 * 1024
const longestBlock = 64 * 1024 * 1024

const asText = (value: Head | Tail): Buffer => {
  const text = Buffer.from(JSON.stringify(value))
  return Buffer.concat([lengthAsBytes(text.length), text])
}

/** Head, blocks of the body each with its length, a block of none, tail. */
export async function* written(entries: AsyncIterable<Entry>): AsyncGenerator<Buffer> {
  for await (const { head, body, tail } of entries) {
    yield asText(head)
    if (body)
      for await (const block of body) {
        if (!block.length) continue
        yield lengthAsBytes(block.length)
        yield block
      }
    yield lengthAsBytes(0)
    yield asText((await tail?.()) ?? {})
  }
}

/** The entries as they come. What their reader leaves of a body is passed over. */
export async function* entriesOf(source: AsyncIterable<Buffer>): AsyncGenerator<FoundEntry> {
  const pieces = piecesOf(source)
  const inOrder = orderOf()
  for (;;) {
    const said = await textIn(pieces)
    mustNotBeNewer(said)
    const head = understood(Head, said)
    inOrder(head)
    let isRead = false
    async function* body() {
      for (;;) {
        const length = (await pieces.take(4)).readUInt32BE()
        if (length > longestBlock) throw new NotKept('It is damaged.')
        if (!length) break
        yield await pieces.take(length)
      }
      isRead = true
    }
    const blocks = body()
    let known: Tail | undefined
    const tail = async () => {
      if (!isRead) for await (const _ of blocks);
      known ??= understood(Tail, await textIn(pieces))
      return known
    }
    yield { head, body: blocks, tail }
    await tail()
    if (head.kind !== 'end') continue
    if (!(await pieces.isOver())) throw new NotKept('It is damaged.')
    return
  }
}

const mustNotBeNewer = (said: unknown): void => {
  const { kind, version } = Object(said) as { kind?: unknown; version?: unknown }
  if (kind === 'house' && typeof version === 'number' && version > formVersion)
    throw new NotKept('It was made by a newer Recado: update this one first.')
}

function understood<T>(shape: z.ZodType<T>, said: unknown): T {
  const read = shape.safeParse(said)
  if (read.success) return read.data
  throw new NotKept('It is damaged: something in it is none of ours.')
}

/** The house comes first and once, each table once, jobs once. */
function orderOf(): (head: Head) => void {
  const seen = new Set<string>()
  return (head) => {
    if (head.kind === 'file') return
    const key = head.kind === 'table' ? `table ${head.name}` : head.kind
    if (seen.has(key) || (head.kind === 'house') !== (seen.size === 0))
      throw new NotKept('It is damaged: its parts are not in order.')
    seen.add(key)
  }
}

async function textIn(pieces: Pieces): Promise<unknown> {
  const length = (await pieces.take(4)).readUInt32BE()
  if (length > longestText) throw new NotKept('It is damaged.')
  try {
    return JSON.parse((await pieces.take(length)).toString())
  } catch (error) {
    throw error instanceof SyntaxError ? new NotKept('It is damaged.') : error
  }
}
