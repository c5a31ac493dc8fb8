import { downloadFile } from '../../../lib/download.ts'
import { useErrorText } from '../../../lib/errors.ts'
import { useTexts } from '../../../lib/texts.ts'
import { SpreadsheetDropzone } from '../../../parts/spreadsheet/spreadsheet-dropzone.tsx'
import { importTexts } from '../../../parts/spreadsheet/texts.ts'
import { EmptySpreadsheetError, type ImportState, maxSpreadsheetBytes } from './use-contact-import.ts'

type Props = { state: Extract<ImportState, { step: 'choose' | 'reading' }>; onFileChosen: (file: File) => void }

export function ChooseFileStep({ state, onFileChosen }: Props) {
  const words = useTexts(importTexts)
  return (
    <SpreadsheetDropzone
      percent={state.step === 'reading' ? state.percent : null}
      problem={useProblemText(state)}
      maxBytes={maxSpreadsheetBytes}
      limits={words.limits}
      tooLargeText={words.tooLarge}
      onFileChosen={onFileChosen}
      onDownloadExample={() => void downloadExample(words.exampleFile, words.exampleHead)}
    />
  )
}

async function downloadExample(file: string, head: readonly string[]): Promise<void> {
  const { createExampleSpreadsheet, xlsxMimeType } = await import('./example-spreadsheet.ts')
  downloadFile(file, createExampleSpreadsheet(head), xlsxMimeType)
}

function useProblemText(state: Props['state']): string {
  const words = useTexts(importTexts)
  const errorText = useErrorText()
  if (state.step !== 'choose' || !state.problem) return ''
  if (state.problem instanceof DOMException && state.problem.name === 'AbortError') return ''
  return state.problem instanceof EmptySpreadsheetError ? words.emptySheet : errorText(state.problem)
}
