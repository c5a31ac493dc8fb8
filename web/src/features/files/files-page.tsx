import { type FileList, filesApi } from '@recado/contract/files'
import { IconFiles } from '@tabler/icons-react'
import { lazy } from 'react'
import { callApi } from '../../lib/api.ts'
import { useCan } from '../../lib/can.tsx'
import { useTexts } from '../../lib/texts.ts'
import { ClippedText, NameWithMark } from '../../records/cells.tsx'
import { RecordsPage } from '../../records/records-page.tsx'
import type { TableColumn } from '../../records/table-column.ts'
import { recordSourceOf } from '../../records/use-records.ts'
import { texts } from './texts.ts'

const loadForm = () => import('./file-list-form.tsx').then((module) => ({ default: module.FileListForm }))
const FileListForm = lazy(loadForm)

const source = recordSourceOf(filesApi)

export function FilesPage() {
  const words = useTexts(texts)
  const mayEdit = useCan()('files-page:edit')
  const columns: TableColumn<FileList>[] = [
    { key: 'name', head: words.name, card: 'title', cell: (list) => <NameWithMark>{list.name}</NameWithMark> },
    {
      key: 'message',
      head: words.message,
      isLowPriority: true,
      cell: (list) => <ClippedText>{list.message}</ClippedText>,
    },
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
      remove={(list) => callApi(filesApi.remove, { params: { id: list.id } })}
      consequence={(list) => words.consequence(list.options.filter((option) => option.path).length)}
      permissions={{ create: mayEdit, edit: () => mayEdit, remove: () => mayEdit }}
    />
  )
}
