import { type FileList, FileListWrite, filesApi } from '@recado/contract/files'
import { useRef } from 'react'
import { uploadFiles } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts.ts'
import type { FormField } from '../../records/fields/field.ts'
import { RecordForm } from '../../records/record-form.tsx'
import type { FormSlot } from '../../records/records-page.tsx'
import type { ReportUploadProgress } from '../../records/use-record-form.ts'
import { writeRecord } from '../../records/write-record.ts'
import { FieldError } from '../../ui/text-field.tsx'
import { createFileOption, FileOptionsField, type FileOptionValue } from './file-options-field.tsx'
import { texts } from './texts.ts'

type Values = { name: string; message: string; options: FileOptionValue[] }

export function FileListForm(slot: FormSlot<FileList>) {
  const { row } = slot
  const words = useTexts(texts)
  const saved = useSavedOptions()
  const fields: FormField<Values>[] = [
    { kind: 'text', name: 'name', label: words.name, required: true, maxLength: 100 },
    { kind: 'textarea', name: 'message', label: words.message, help: words.messageHelp, required: true, limit: 4096 },
    {
      kind: 'custom',
      name: 'options',
      label: words.files,
      render: ({ form, progress }) => (
        <FileOptionsField
          options={form.values.options}
          onChange={(options) => form.setFieldValue('options', options)}
          errorOf={(i) => withErrorIcon(form.errors[`options.${i}.name`])}
          progress={progress}
        />
      ),
    },
  ]
  return (
    <RecordForm<Values, FileList>
      {...slot}
      title={row?.name ?? words.words.create}
      words={words.words}
      schema={FileListWrite}
      initial={{
        name: row?.name ?? '',
        message: row?.message ?? '',
        options: row ? toOptionValues(row) : [createFileOption()],
      }}
      fields={fields}
      fieldByErrorCode={{ ERR_FILE_NAME_ALREADY_EXISTS: 'name' }}
      write={async (values, before) => {
        const options = values.options.map((option) => ({ id: saved.savedIdOf(option), name: optionName(option) }))
        const list = await writeRecord(filesApi, { name: values.name, message: values.message, options }, before)
        saved.rememberIds(values.options, list)
        return list
      }}
      afterSave={(list, values, reportProgress) => saved.uploadNewFiles(list, values.options, reportProgress)}
    />
  )
}

const withErrorIcon = (error: React.ReactNode) => error && <FieldError>{error}</FieldError>

/** The name of an entry: a file without a typed name takes its file name. */
const optionName = ({ name, media }: FileOptionValue) => name.trim() || (media.file?.name.replace(/\.[^.]+$/, '') ?? '')

const toOptionValues = (row: FileList): FileOptionValue[] =>
  row.options.map(({ id, name, path, url }) => ({
    key: String(id),
    id,
    name,
    media: { file: null, stored: path ? { name: path, url: url ?? '' } : null },
  }))

/**
 * The entries of this form that are already on the server. When the third of five files fails, the next try must not
 * create the entries or upload the first two files again.
 */
function useSavedOptions() {
  const ids = useRef(new Map<string, number>())
  const sent = useRef(new Set<File>())
  return {
    savedIdOf: (option: FileOptionValue) => option.id ?? ids.current.get(option.key),
    /** Remembers the ids of a reply, which has the same order as the request. */
    rememberIds(options: FileOptionValue[], list: FileList) {
      options.forEach((option, i) => {
        const id = list.options[i]?.id
        if (id !== undefined) ids.current.set(option.key, id)
      })
    },
    async uploadNewFiles(
      list: FileList,
      options: FileOptionValue[],
      reportProgress: ReportUploadProgress,
    ): Promise<FileList> {
      let latest = list
      for (const { key, media } of options) {
        const id = ids.current.get(key)
        if (!media.file || id === undefined || sent.current.has(media.file)) continue
        reportProgress(key, 0)
        latest = await uploadFiles(filesApi.upload, {
          params: { id: list.id },
          fields: { fileId: String(list.id), typeArch: 'fileList', id: String(id), mediaType: media.file.type },
          files: [media.file],
          onProgress: (share) => reportProgress(key, share),
        })
        sent.current.add(media.file)
      }
      return latest
    },
  }
}
