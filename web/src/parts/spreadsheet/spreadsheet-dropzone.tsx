import { Button, FileButton, Progress } from '@mantine/core'
import { IconDownload, IconTableImport, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { isAcceptedFile } from '../../records/fields/file-kind.ts'
import { InlineNotice } from '../../ui/inline-notice.tsx'
import { useFileDrop } from '../../ui/use-file-drop.ts'
import classes from './spreadsheet.module.css'
import { importTexts } from './texts.ts'

const acceptedExtensions = '.xlsx,.xls,.csv'

type Props = {
  /** Upload progress in percent; null without an upload. */
  percent: number | null
  /** The error of the last file; empty without an error. */
  problem: string
  maxBytes: number
  /** The limits of the file as text, and the error text for a file that is too large. */
  limits: string
  tooLargeText: string
  onFileChosen: (file: File) => void
  onDownloadExample: () => void
}

/** A drop zone for a spreadsheet. */
export function SpreadsheetDropzone({
  percent,
  problem,
  maxBytes,
  limits,
  tooLargeText,
  onFileChosen,
  onDownloadExample,
}: Props) {
  const words = useTexts(importTexts)
  const [refusedText, setRefusedText] = useState('')
  const checkFile = (file: File | null | undefined) => {
    if (!file) return
    const no = !isAcceptedFile(acceptedExtensions, file) ? words.wrongKind : file.size > maxBytes ? tooLargeText : ''
    setRefusedText(no)
    if (!no) onFileChosen(file)
  }
  const drop = useFileDrop(checkFile)
  if (percent !== null) {
    return (
      <div className={classes.waiting}>
        <Progress value={percent} aria-label={words.reading(percent)} />
        <p role="status">{words.reading(percent)}</p>
      </div>
    )
  }
  return (
    <div className={classes.choose}>
      {(refusedText || problem) && <InlineNotice kind="danger">{refusedText || problem}</InlineNotice>}
      <div className={classes.drop} data-over={drop.isOver || undefined} {...drop.handlers}>
        <IconTableImport size={28} stroke={1.5} aria-hidden="true" />
        <strong>{words.drop}</strong>
        <span className={classes.or}>{words.or}</span>
        <FileButton onChange={checkFile} accept={acceptedExtensions}>
          {(props) => (
            <Button {...props} data-autofocus leftSection={<IconUpload size={17} stroke={1.75} />}>
              {words.choose}
            </Button>
          )}
        </FileButton>
        <small>{limits}</small>
      </div>
      <Button
        variant="subtle"
        color="gray"
        className={classes.example ?? ''}
        leftSection={<IconDownload size={17} stroke={1.75} />}
        onClick={onDownloadExample}
      >
        {words.example}
      </Button>
    </div>
  )
}
