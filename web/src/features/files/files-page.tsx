import { type FileList, filesApi } from '@recado/contract/files'
import { IconFiles } from '@tabler/icons-react'
import { lazy } from 'react'
import { call } from '../../lib/api.ts'
import { useCan } from '../../lib/can.tsx'
import { useTexts } from '../../lib/texts.ts'
import { Clip, Named } from '../../records/cells.tsx'
import type { Column } from '../../records/column.ts'
import { RecordsPage } from '../../records/records-page.tsx'
import { sourceOf } from '../../records/use-records.ts'
import { texts } from './texts.ts'

const loadForm = () => import('./file-list-form.tsx').then((module) => ({ default: module.FileListForm }))
const FileListForm = lazy(loadForm)

const source = sourceOf(filesApi)

export function FilesPage() {
  const words = useTexts(texts)
  const mayEdit = useCan()('files-page:edit')
  const columns: Column<FileList>[] = [
    { key: 'name', head: words.name, card: 'title', cell: (list) => <Named>{list.name}</Named> },
    { key: 'message', head: words.message, low: true, cell: (list) => <Clip>{list.message}</Clip> },
    {
      key: 'files',
      head: words.files,
      width: 150,
      card: 'line',
      cell: (list) => words.filesCounted(list.options.filter((option) => option.path).length),
    },
  ]
  return (
    <RecordsPage
      source={source}
      words={words.words}
      columns={columns}
      nameOf={(list) => list.name}
      icon={<IconFiles size={26} stroke={1.6} />}
      form={(slot) => <FileListForm {...slot} />}
      loadForm={loadForm}
      remove={(list) => call(filesApi.remove, { params: { id: list.id } })}
      consequence={(list) => words.consequence(list.options.filter((option) => option.path).length)}
      may={{ create: mayEdit, edit: () => mayEdit, remove: () => mayEdit }}
    />
  )
}
