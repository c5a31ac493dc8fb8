import { Modal } from '@mantine/core'
import { type ContactList, contactListsApi, type ListImport } from '@recado/contract/campaigns/contact-lists'
import { useState } from 'react'
import { call, upload } from '../../../../lib/api.ts'
import { useErrorText } from '../../../../lib/errors.ts'
import { useTexts } from '../../../../lib/texts.ts'
import { toast } from '../../../../lib/toast.ts'
import { ChooseSheet } from '../../../../parts/sheet/choose-sheet.tsx'
import classes from '../../../../parts/sheet/sheet.module.css'
import { recordTexts } from '../../../../records/texts.ts'
import { useOpening } from '../../../../ui/use-opening.ts'
import { usePhone } from '../../../../ui/use-phone.ts'
import { giveExample } from '../../lists/example.ts'
import { texts } from '../texts.ts'
import { PreviewStep } from './preview-step.tsx'
import { ResultStep } from './result-step.tsx'
import { RunningStep } from './running-step.tsx'
import type { Imports } from './use-imports.ts'

/** The same as the server's: who sends more is told before sending it. */
const mostBytes = 40 * 1024 * 1024

type Props = { list: ContactList; imports: Imports; opened: boolean; onClose: () => void }

/** A spreadsheet becomes the contacts of a list. Once it runs it goes on without this dialog. */
export function ImportDialog({ list, imports, opened, onClose }: Props) {
  const words = useTexts(texts)
  const common = useTexts(recordTexts)
  const errorText = useErrorText()
  const shown = useOpening(opened)
  const [id, setId] = useState(imports.running?.id)
  const [percent, setPercent] = useState<number | null>(null)
  const [problem, setProblem] = useState<unknown>(null)
  const current = imports.all.find((one) => one.id === id)

  const take = (one: ListImport) => {
    imports.put(one)
    setId(one.id)
  }
  const read = async (file: File) => {
    setPercent(0)
    setProblem(null)
    try {
      const onProgress = (share: number) => setPercent(Math.round(share * 100))
      take(await upload(contactListsApi.preview, { params: { id: list.id }, files: [file], onProgress }))
    } catch (error) {
      setProblem(error)
    } finally {
      setPercent(null)
    }
  }
  const settle = async (asked: Promise<ListImport>) => {
    try {
      take(await asked)
    } catch (error) {
      toast.error(error)
    }
  }
  const again = () => setId(undefined)
  return (
    <Modal
      opened={shown}
      onClose={onClose}
      fullScreen={usePhone()}
      size={current && current.state !== 'running' ? 860 : 560}
      title={words.importTo(list.name)}
      closeButtonProps={{ 'aria-label': common.close }}
      classNames={{ content: classes.content ?? '', body: classes.body ?? '', header: classes.header ?? '' }}
    >
      {!current && (
        <ChooseSheet
          percent={percent}
          problem={problem ? errorText(problem) : ''}
          mostBytes={mostBytes}
          limits={words.limits}
          tooLarge={words.tooLarge}
          onFile={(file) => void read(file)}
          onExample={() => void giveExample()}
        />
      )}
      {current?.state === 'preview' && (
        <PreviewStep
          found={current}
          onAgain={again}
          onRun={(columns) => settle(call(contactListsApi.start, { params: { id: current.id }, body: columns }))}
        />
      )}
      {current?.state === 'running' && (
        <RunningStep
          running={current}
          onStop={() => settle(call(contactListsApi.stop, { params: { id: current.id } }))}
          onClose={onClose}
        />
      )}
      {current && current.state !== 'preview' && current.state !== 'running' && (
        <ResultStep ended={current} onAgain={again} onClose={onClose} />
      )}
    </Modal>
  )
}
