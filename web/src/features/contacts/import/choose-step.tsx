import { download } from '../../../lib/download.ts'
import { useErrorText } from '../../../lib/errors.ts'
import { useTexts } from '../../../lib/texts.ts'
import { ChooseSheet } from '../../../parts/sheet/choose-sheet.tsx'
import { importTexts } from '../../../parts/sheet/texts.ts'
import { EmptySheet, mostBytes, type State } from './use-import.ts'

type Props = { state: Extract<State, { step: 'choose' | 'reading' }>; onFile: (file: File) => void }

export function ChooseStep({ state, onFile }: Props) {
  const words = useTexts(importTexts)
  return (
    <ChooseSheet
      percent={state.step === 'reading' ? state.percent : null}
      problem={useProblem(state)}
      mostBytes={mostBytes}
      limits={words.limits}
      tooLarge={words.tooLarge}
      onFile={onFile}
      onExample={() => void giveExample(words.exampleFile, words.exampleHead)}
    />
  )
}

async function giveExample(file: string, head: readonly string[]): Promise<void> {
  const { exampleSheet, sheetType } = await import('./example-sheet.ts')
  download(file, exampleSheet(head), sheetType)
}

function useProblem(state: Props['state']): string {
  const words = useTexts(importTexts)
  const errorText = useErrorText()
  if (state.step !== 'choose' || !state.problem) return ''
  if (state.problem instanceof DOMException && state.problem.name === 'AbortError') return ''
  return state.problem instanceof EmptySheet ? words.emptySheet : errorText(state.problem)
}
