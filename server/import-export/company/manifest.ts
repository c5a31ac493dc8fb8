import { z } from 'zod'
import { storedFileNamePattern } from '../../src/kernel/files/files.ts'

/** The version of the folder format. It is increased when an older importer would misread the new format. */
export const archiveVersion = 1
export const manifestName = 'manifest.json'
export const mediaFolderName = 'media'
export const mediaListName = 'media.jsonl'

/** The format of table and column names: letters and digits, and never a path. */
const identifierShape = z.string().regex(/^[A-Za-z][A-Za-z0-9]{0,62}$/)
const countShape = z.number().int().min(0)
const SummedFile = z.object({
  file: z.string().regex(/^[A-Za-z][A-Za-z0-9]{0,62}\.jsonl$/),
  sha256: z.string().regex(/^[\da-f]{64}$/),
  bytes: countShape,
})
const TableEntry = SummedFile.extend({
  name: identifierShape,
  rows: countShape,
  columns: z.array(identifierShape).min(1).max(200),
  /** The lowest and highest id of the table's rows and of references to them. Read only by older importers. */
  ids: z.object({ low: z.number(), high: z.number() }).nullable(),
}).refine(({ name, file }) => file === `${name}.jsonl`)

const isSet = (all: string[]): boolean => new Set(all).size === all.length

/** Written last: its presence means that the export is complete. */
export const Manifest = z.object({
  form: z.literal('recado-company'),
  version: z.number().int().min(1),
  /** The id of this export: importing it twice creates one company. */
  id: z.uuid().toLowerCase(),
  madeAt: z.string().max(40),
  company: z.object({ id: z.number().int().min(1).max(2_147_483_647), name: z.string().min(1).max(200) }),
  /** The company's plan. The importing operator decides whether it applies. */
  plan: z.record(z.string().max(60), z.unknown()).nullable(),
  tables: z
    .array(TableEntry)
    .min(1)
    .max(500)
    .refine((tables) => isSet(tables.map(({ name }) => name)) && tables.every(({ columns }) => isSet(columns))),
  media: SummedFile.extend({ file: z.literal(mediaListName), files: countShape, bytesOfFiles: countShape }),
  /** Table, or table.column -> why it is not exported. */
  left: z.record(z.string().max(150), z.string().max(500)),
})
export type Manifest = z.infer<typeof Manifest>

/** Names are in our store's format (`kernel/files/files.ts`). */
export const MediaFile = z.object({
  name: z.string().regex(storedFileNamePattern),
  size: countShape,
  sha256: z.string().regex(/^[\da-f]{64}$/),
})
export type MediaFile = z.infer<typeof MediaFile>
