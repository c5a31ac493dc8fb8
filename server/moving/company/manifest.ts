import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'

/** The form of the folder. A change that an older importer would misread counts it up. */
export const formVersion = 1
export const manifestName = 'manifest.json'
export const mediaFolder = 'media'
export const mediaList = 'media.jsonl'

const Summed = z.object({ file: z.string().regex(/^[\w-]+\.jsonl$/), sha256: z.string(), bytes: z.number() })

/** Written last, under the name that says the export is whole. */
export const Manifest = z.object({
  form: z.literal('recado-company'),
  version: z.number(),
  /** Of this export: brought in twice it is one company. */
  id: z.uuid(),
  madeAt: z.string(),
  company: z.object({ id: z.number(), name: z.string() }),
  /** What the company may have; the other side looks for a plan of that name. */
  plan: z.record(z.string(), z.unknown()).nullable(),
  tables: z.array(
    Summed.extend({
      name: z.string(),
      rows: z.number(),
      columns: z.array(z.string()),
      /** The lowest and the highest id that its rows have or that others refer to. */
      ids: z.object({ low: z.number(), high: z.number() }).nullable(),
    }),
  ),
  media: Summed.extend({ files: z.number(), bytesOfFiles: z.number() }),
  /** Table, or table.column -> why it is not here. */
  left: z.record(z.string(), z.string()),
})
export type Manifest = z.infer<typeof Manifest>

export const MediaFile = z.object({ name: z.string(), size: z.number(), sha256: z.string() })
export type MediaFile = z.infer<typeof MediaFile>

export async function sumOf(file: string): Promise<string> {
  const sum = createHash('sha256')
  await pipeline(createReadStream(file), sum)
  return sum.digest('hex')
}
