import { filesApi } from '@recado/contract/files'
import { IconPaperclip } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../../../lib/api.ts'
import { useTexts } from '../../../../lib/texts.ts'
import { refetchOnOpen } from '../../../../parts/select-option-queries.ts'
import { ChoiceList } from '../../../../parts/token/choice-list.tsx'
import { TokenPopover } from '../../../../parts/token/token.tsx'
import classes from './sequence.module.css'
import { sequenceTexts } from './texts.ts'

type Props = { fileId: number | null; onChange: (fileId: number | null) => void }

/** A file of the company that goes with a message. */
export function FileToken({ fileId, onChange }: Props) {
  const words = useTexts(sequenceTexts)
  const files = useUploadedFiles()
  const chosen = files?.find(({ id }) => id === fileId)
  const isGone = fileId !== null && files !== undefined && !chosen
  if (files?.length === 0 && fileId === null) return null
  return (
    <span className={classes.file}>
      <IconPaperclip size={15} stroke={1.75} aria-hidden="true" />
      <TokenPopover
        label={words.file}
        text={fileId === null ? words.attach : (chosen?.name ?? (isGone ? words.fileGone : '…'))}
        isValue={fileId !== null}
        isInvalid={isGone}
      >
        {(close) => (
          <ChoiceList
            choices={[
              { value: '', name: words.noFile },
              ...(files ?? []).map(({ id, name }) => ({ value: String(id), name })),
            ]}
            selected={[fileId === null ? '' : String(fileId)]}
            onChange={([value]) => onChange(Number(value) || null)}
            onChosen={close}
          />
        )}
      </TokenPopover>
    </span>
  )
}

/** The files of all lists; of a list with several, each with the list's name. */
function useUploadedFiles(): { id: number; name: string }[] | undefined {
  const { data } = useQuery({
    queryKey: ['files', 'all'],
    queryFn: ({ signal }) => callApi(filesApi.list, { query: {} }, { signal }),
    ...refetchOnOpen,
  })
  return data?.files.flatMap((list) =>
    list.options
      .filter(({ path }) => path !== null)
      .map(({ id, name }) => ({ id, name: list.options.length > 1 ? `${list.name} · ${name}` : name || list.name })),
  )
}
