import { Button, FileButton, Input } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { type ComponentProps, useState } from 'react'
import { defineTexts, useTexts } from '../../lib/texts.ts'
import { openConfirm } from '../../ui/confirm.tsx'
import { FieldError } from '../../ui/text-field.tsx'
import { useFileDrop } from '../../ui/use-file-drop.ts'
import { recordTexts } from '../texts.ts'
import type { FileValue } from './field.ts'
import classes from './fields.module.css'
import { formatFileSize, isAcceptedFile } from './file-kind.ts'
import { FileTile } from './file-tile.tsx'

const removeTexts = defineTexts({
  es: {
    ask: (name: string) => `¿Quitar ${name}?`,
    line: 'El archivo se borra cuando guardas.',
    verb: 'Quitar archivo',
  },
  pt: { ask: (name) => `Remover ${name}?`, line: 'O arquivo é apagado quando você salva.', verb: 'Remover arquivo' },
  en: { ask: (name) => `Remove ${name}?`, line: 'The file is deleted when you save.', verb: 'Remove file' },
})

type Props = Pick<
  ComponentProps<typeof Input.Wrapper>,
  'label' | 'description' | 'error' | 'withAsterisk' | 'inputWrapperOrder'
> & {
  value: FileValue
  onChange: (value: FileValue) => void
  /** The accepted types as in HTML; an empty value accepts everything. */
  accept: string
  /** The accepted types as text, such as "PNG o JPG". */
  accepted: string
  /** The size limit in bytes. */
  limit?: number | undefined
  uploadedShare?: number | undefined
}

/** A field for one file: drop or choose, preview, remove. */
export function FileField({ value, onChange, accept, accepted, limit, uploadedShare, ...wrapper }: Props) {
  const words = useTexts(recordTexts)
  const removeWords = useTexts(removeTexts)
  const [refusedText, setRefusedText] = useState('')
  const checkFile = (file: File | null | undefined) => {
    if (!file) return
    const no = refusal(file)
    setRefusedText(no)
    if (!no) onChange({ ...value, file })
  }
  const refusal = (file: File) => {
    if (!isAcceptedFile(accept, file)) return words.fileType(accepted)
    return limit && file.size > limit ? words.fileTooLarge(formatFileSize(limit)) : ''
  }
  /** A stored file exists only here, so its removal is confirmed. A file that was only chosen can be chosen again. */
  const removeFile = async () => {
    const { stored } = value
    const { ask, line, verb } = removeWords
    if (stored && !(await openConfirm({ title: ask(stored.name), consequence: line, verb }))) return
    onChange({ file: null, stored: null })
  }
  const drop = useFileDrop(checkFile)
  const present = value.file !== null || value.stored !== null
  const error = refusedText ? <FieldError>{refusedText}</FieldError> : wrapper.error
  return (
    <Input.Wrapper {...wrapper} error={error} labelElement="div">
      <div
        className={classes.drop}
        data-over={drop.isOver || undefined}
        data-full={present || undefined}
        {...drop.handlers}
      >
        {present ? (
          <FileTile value={value} uploadedShare={uploadedShare} preview onRemove={() => void removeFile()}>
            <FileChooser accept={accept} onFileChosen={checkFile} label={words.changeFile} isQuiet />
          </FileTile>
        ) : (
          <div className={classes.choose}>
            <FileChooser accept={accept} onFileChosen={checkFile} label={words.chooseFile} />
            <span className={classes.orDrop}>{words.dropFile}</span>
            {accepted && <span className={classes.accepted}>{accepted}</span>}
          </div>
        )}
      </div>
    </Input.Wrapper>
  )
}

type ChooserProps = { accept: string; onFileChosen: (file: File | null) => void; label: string; isQuiet?: boolean }
export function FileChooser({ accept, onFileChosen, label, isQuiet }: ChooserProps) {
  return (
    <FileButton onChange={onFileChosen} {...(accept && { accept })}>
      {(props) => (
        <Button
          {...props}
          size="xs"
          variant={isQuiet ? 'subtle' : 'default'}
          {...(isQuiet ? { color: 'gray' } : { leftSection: <IconUpload size={15} stroke={2} /> })}
        >
          {label}
        </Button>
      )}
    </FileButton>
  )
}
