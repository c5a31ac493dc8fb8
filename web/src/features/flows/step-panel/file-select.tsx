import { Select } from '@mantine/core'
import { filesApi } from '@recado/contract/files'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../../lib/api.ts'
import { useTexts } from '../../../lib/texts.ts'
import { refetchOnOpen } from '../../../parts/select-option-queries.ts'
import { filterSelectOptions } from '../../../ui/select-options.ts'
import { stepPanelTexts } from './texts.ts'

type Props = { fileId: number | null; onChange: (fileId: number | null) => void }

/** An uploaded file of the company's lists of files. */
export function FileSelect({ fileId, onChange }: Props) {
  const words = useTexts(stepPanelTexts)
  const { data: lists, isError } = useQuery({
    queryKey: ['files', 'with-options'],
    queryFn: async ({ signal }) => (await callApi(filesApi.list, { query: {} }, { signal })).files,
    ...refetchOnOpen,
  })
  const groups = (lists ?? [])
    .map(({ name, options }) => ({
      group: name,
      items: options
        .filter(({ path }) => path !== null)
        .map(({ id, name, path }) => ({ value: String(id), label: name || (path ?? '') })),
    }))
    .filter(({ items }) => items.length > 0)
  const isKnown = fileId === null || groups.some(({ items }) => items.some(({ value }) => value === String(fileId)))
  return (
    <Select
      label={words.file}
      placeholder={words.noFile}
      description={isError ? words.loadFailed : lists && groups.length === 0 ? words.noFiles : undefined}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      error={lists && !isKnown ? words.gone : undefined}
      data={groups}
      filter={filterSelectOptions}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': words.noFile }}
      comboboxProps={{ shadow: 'lg' }}
      value={fileId === null ? null : String(fileId)}
      onChange={(value) => onChange(value === null ? null : Number(value))}
    />
  )
}
