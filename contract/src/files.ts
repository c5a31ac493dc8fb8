import { z } from 'zod'
import {
  bodyLimitBytes,
  crud,
  get,
  listQuery,
  optionalText,
  pageReply,
  post,
  ref,
  requiredName,
  requiredText,
} from './endpoint.ts'

export const FileOption = z.object({
  id: z.number(),
  name: z.string(),
  /** The name of the uploaded file. */
  path: z.string().nullable(),
  mediaType: z.string().nullable(),
  /** A signed, short-lived URL; null while nothing is uploaded. */
  url: z.string().nullable(),
})

export const FileList = z.object({
  id: z.number(),
  name: z.string(),
  message: z.string(),
  userId: z.number().nullable(),
  options: z.array(FileOption),
})
export type FileList = z.infer<typeof FileList>

export const FileListWrite = z.object({
  name: requiredName(3, 100),
  message: requiredText(1, 4096),
  options: z
    .array(z.object({ id: z.preprocess((v) => v || undefined, ref('fileOption').optional()), name: optionalText(200) }))
    .max(100)
    .default([]),
})

export const filesApi = {
  ...crud({
    bytes: bodyLimitBytes.longForm,
    path: '/files',
    entity: 'file',
    plural: 'files',
    row: FileList,
    search: ['name'],
    topic: { name: (c) => `company-${c}-fileList`, alias: { name: (c) => `company-${c}-file`, one: 'files' } },
    write: FileListWrite,
    example: { name: 'Catálogo', message: 'Los precios de este mes', options: [{ name: 'Lista de precios' }] },
    read: 'session',
    edit: 'files-page:edit',
  }),
  /** Without `pageNumber` the reply is the whole list, for selects of older clients. */
  list: get('/files', {
    about: 'A page of file lists; all of them without pageNumber',
    access: 'session',
    query: listQuery.extend({ pageNumber: listQuery.shape.pageNumber.unwrap().optional() }),
    reply: pageReply('files', FileList),
  }),
  /** The n-th `id` names the option of the n-th file. */
  upload: post('/files/uploadList/:id', {
    about: 'Upload files to the options of a list',
    access: 'files-page:edit',
    params: z.object({ id: ref('file') }),
    upload: 'files',
    body: z.object({
      id: z.preprocess((v) => (v === undefined ? [] : [v].flat()), z.array(ref('fileOption')).max(100)),
    }),
    reply: FileList,
  }),
}
