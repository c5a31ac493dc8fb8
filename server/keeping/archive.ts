import { z } from 'zod'
import { NotKept } from './not-kept.ts'
import { lengthAsBytes, type Pieces, piecesOf } from './pieces.ts'

/** What is in a backup, in this order: the house, its tables, what counts, jobs that wait, files, the end. */
export const formVersion = 1
const Head = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('house'),
    version: z.number(),
    /** The moment everything in it is of. */
    madeAt: z.iso.datetime(),
    /** Which steps the tables had been through. */
    migrations: z.array(z.string()),
    appSecret: z.string(),
    sequences: z.array(
      z.object({
        schema: z.string(),
        name: z.string(),
        type: z.enum(['smallint', 'integer', 'bigint']),
        last: z.string(),
      }),
    ),
  }),
  z.object({ kind: z.literal('table'), name: z.string(), columns: z.array(z.string()) }),
  z.object({ kind: z.literal('jobs') }),
  z.object({ kind: z.literal('file'), companyId: z.number(), name: z.string().regex(/^[\w-]+\.[a-z0-9]{1,10}$/) }),
  z.object({ kind: z.literal('end') }),
])
export type Head = z.infer<typeof Head>
/** What is known of an entry once it has gone by. `sum`: of a file its SHA-256, of a table that of its rows. */
const Tail = z.object({ count: z.number().optional(), sum: z.string().optional() })
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
  for (;;) {
    const head = Head.parse(await textIn(pieces))
    if (head.kind === 'house' && head.version > formVersion)
      throw new NotKept('It was made by a newer Recado: update this one first.')
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
      known ??= Tail.parse(await textIn(pieces))
      return known
    }
    yield { head, body: blocks, tail }
    await tail()
    if (head.kind !== 'end') continue
    if (!(await pieces.isOver())) throw new NotKept('It is damaged.')
    return
  }
}

async function textIn(pieces: Pieces): Promise<unknown> {
  const length = (await pieces.take(4)).readUInt32BE()
  if (length > longestText) throw new NotKept('It is damaged.')
  return JSON.parse((await pieces.take(length)).toString())
}
