import { ActionIcon, Button, Input, TextInput, Tooltip } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTexts } from '../../lib/texts.ts'
import type { FileValue } from '../../records/fields/field.ts'
import { FileChooser } from '../../records/fields/file-field.tsx'
import { FileTile } from '../../records/fields/file-tile.tsx'
import { recordTexts } from '../../records/texts.ts'
import classes from './files.module.css'
import { texts } from './texts.ts'

/** One entry of a file list. `key` stays the same when the entry moves; `id` comes with the first save. */
export type FileOptionValue = { key: string; id?: number; name: string; media: FileValue }

let newOptionCount = 0
export const createFileOption = (): FileOptionValue => ({
  key: `new-${++newOptionCount}`,
  name: '',
  media: { file: null, stored: null },
})

type Props = {
  options: FileOptionValue[]
  onChange: (options: FileOptionValue[]) => void
  errorOf: (index: number) => React.ReactNode
  progress: Record<string, number>
}

/** Edits any number of pairs of name and file. */
export function FileOptionsField({ options, onChange, errorOf, progress }: Props) {
  const words = useTexts(texts)
  const change = (index: number, part: Partial<FileOptionValue>) =>
    onChange(options.map((option, i) => (i === index ? { ...option, ...part } : option)))
  return (
    <div>
      <div className={classes.head}>
        <Input.Label labelElement="div">{words.files}</Input.Label>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={15} stroke={2} />}
          onClick={() => onChange([...options, createFileOption()])}
        >
          {words.addOption}
        </Button>
      </div>
      {options.length === 0 && <p className={classes.none}>{words.noOptions}</p>}
      <ul className={classes.options}>
        {options.map((option, i) => (
          <li key={option.key} className={classes.option}>
            <div className={classes.line}>
              <TextInput
                className={classes.name ?? ''}
                aria-label={`${words.option} ${i + 1}`}
                placeholder={words.optionHint}
                maxLength={200}
                value={option.name}
                error={errorOf(i)}
                onChange={(event) => change(i, { name: event.currentTarget.value })}
              />
              <RemoveOption
                name={option.name || words.anOption(i + 1)}
                onClick={() => onChange(options.toSpliced(i, 1))}
              />
            </div>
            <OptionFile
              option={option}
              uploadedShare={progress[option.key]}
              onChange={(media) => change(i, { media })}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

function RemoveOption({ name, onClick }: { name: string; onClick: () => void }) {
  const words = useTexts(texts)
  return (
    <Tooltip label={words.removeOption(name)}>
      <ActionIcon size={34} aria-label={words.removeOption(name)} onClick={onClick}>
        <IconTrash size={17} stroke={1.75} />
      </ActionIcon>
    </Tooltip>
  )
}

type FileProps = { option: FileOptionValue; uploadedShare: number | undefined; onChange: (media: FileValue) => void }
function OptionFile({ option, uploadedShare, onChange }: FileProps) {
  const words = useTexts(recordTexts)
  const { media } = option
  const take = (file: File | null) => file && onChange({ ...media, file })
  if (!media.file && !media.stored) return <FileChooser accept="" onFileChosen={take} label={words.chooseFile} />
  return (
    <FileTile
      value={media}
      uploadedShare={uploadedShare}
      onRemove={media.file ? () => onChange({ ...media, file: null }) : undefined}
    >
      <FileChooser accept="" onFileChosen={take} label={words.changeFile} isQuiet />
    </FileTile>
  )
}
