import { Button, FileButton, Progress } from '@mantine/core'
import { IconDownload, IconTableImport, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useErrorText } from '../../../lib/errors.ts'
import { useTexts } from '../../../lib/texts.ts'
import { accepts } from '../../../records/fields/file-kind.ts'
import { Notice } from '../../../ui/notice.tsx'
import { useDrop } from '../../../ui/use-drop.ts'
import { download } from '../download.ts'
import classes from './import.module.css'
import { importTexts } from './texts.ts'
import { accepted, EmptySheet, mostBytes, type State } from './use-import.ts'

type Props = { state: Extract<State, { step: 'choose' | 'reading' }>; onFile: (file: File) => void }

export function ChooseStep({ state, onFile }: Props) {
  const words = useTexts(importTexts)
  const [refused, setRefused] = useState('')
  const take = (file: File | null | undefined) => {
    if (!file) return
    const no = !accepts(accepted, file) ? words.wrongKind : file.size > mostBytes ? words.tooLarge : ''
    setRefused(no)
    if (!no) onFile(file)
  }
  const drop = useDrop(take)
  const problem = useProblem(state)
  if (state.step === 'reading') {
    return (
      <div className={classes.waiting}>
        <Progress value={state.percent} aria-label={words.reading(state.percent)} />
        <p role="status">{words.reading(state.percent)}</p>
      </div>
    )
  }
  return (
    <div className={classes.choose}>
      {(refused || problem) && <Notice kind="danger">{refused || problem}</Notice>}
      <div className={classes.drop} data-over={drop.over || undefined} {...drop.on}>
        <IconTableImport size={28} stroke={1.5} aria-hidden="true" />
        <strong>{words.drop}</strong>
        <span className={classes.or}>{words.or}</span>
        <FileButton onChange={take} accept={accepted}>
          {(props) => (
            <Button {...props} data-autofocus leftSection={<IconUpload size={17} stroke={1.75} />}>
              {words.choose}
            </Button>
          )}
        </FileButton>
        <small>{words.limits}</small>
      </div>
      <Button
        variant="subtle"
        color="gray"
        className={classes.example ?? ''}
        leftSection={<IconDownload size={17} stroke={1.75} />}
        onClick={() => void giveExample(words.exampleFile, words.exampleHead)}
      >
        {words.example}
      </Button>
    </div>
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
