import { Modal } from '@mantine/core'
import { type ContactList, contactListsApi, type ListImport } from '@recado/contract/campaigns/contact-lists'
import { useState } from 'react'
import { callApi, uploadFiles } from '../../../../lib/api.ts'
import { useErrorText } from '../../../../lib/errors.ts'
import { useTexts } from '../../../../lib/texts.ts'
import { toast } from '../../../../lib/toast.ts'
import classes from '../../../../parts/spreadsheet/spreadsheet.module.css'
import { SpreadsheetDropzone } from '../../../../parts/spreadsheet/spreadsheet-dropzone.tsx'
import { recordTexts } from '../../../../records/texts.ts'
import { useDelayedOpen } from '../../../../ui/use-delayed-open.ts'
import { useIsPhone } from '../../../../ui/use-is-phone.ts'
import { downloadExampleSpreadsheet } from '../../lists/download-example-spreadsheet.ts'
import { texts } from '../texts.ts'
import { ListImportPreviewStep } from './list-import-preview-step.tsx'
import { ListImportResultStep } from './list-import-result-step.tsx'
import { ListImportRunningStep } from './list-import-running-step.tsx'
import type { ListImports } from './use-list-imports.ts'

/** The same limit as the server's: larger files are refused before the upload. */
const maxSpreadsheetBytes = 40 * 1024 * 1024

type Props = { list: ContactList; imports: ListImports; opened: boolean; onClose: () => void }

/** Imports a spreadsheet into a list. A running import continues without this dialog. */
export function ListImportDialog({ list, imports, opened, onClose }: Props) {
  const words = useTexts(texts)
  const common = useTexts(recordTexts)
  const errorText = useErrorText()
  const isShown = useDelayedOpen(opened)
  const [id, setId] = useState(imports.running?.id)
  const [percent, setPercent] = useState<number | null>(null)
  const [problem, setProblem] = useState<unknown>(null)
  const current = imports.all.find((one) => one.id === id)

  const showImport = (one: ListImport) => {
    imports.updateCache(one)
    setId(one.id)
  }
  const read = async (file: File) => {
    setPercent(0)
    setProblem(null)
    try {
      const onProgress = (share: number) => setPercent(Math.round(share * 100))
      showImport(await uploadFiles(contactListsApi.preview, { params: { id: list.id }, files: [file], onProgress }))
    } catch (error) {
      setProblem(error)
    } finally {
      setPercent(null)
    }
  }
  const applyReply = async (asked: Promise<ListImport>) => {
    try {
      showImport(await asked)
    } catch (error) {
      toast.error(error)
    }
  }
  const restart = () => setId(undefined)
  return (
    <Modal
      opened={isShown}
      onClose={onClose}
      fullScreen={useIsPhone()}
      size={current && current.state !== 'running' ? 860 : 560}
      title={words.importTo(list.name)}
      closeButtonProps={{ 'aria-label': common.close }}
      classNames={{ content: classes.content ?? '', body: classes.body ?? '', header: classes.header ?? '' }}
    >
      {!current && (
        <SpreadsheetDropzone
          percent={percent}
          problem={problem ? errorText(problem) : ''}
          maxBytes={maxSpreadsheetBytes}
          limits={words.limits}
          tooLargeText={words.tooLarge}
          onFileChosen={(file) => void read(file)}
          onDownloadExample={() => void downloadExampleSpreadsheet()}
        />
      )}
      {current?.state === 'preview' && (
        <ListImportPreviewStep
          listImport={current}
          onRestart={restart}
          onImport={(columns) =>
            applyReply(callApi(contactListsApi.start, { params: { id: current.id }, body: columns }))
          }
        />
      )}
      {current?.state === 'running' && (
        <ListImportRunningStep
          listImport={current}
          onStop={() => applyReply(callApi(contactListsApi.stop, { params: { id: current.id } }))}
          onClose={onClose}
        />
      )}
      {current && current.state !== 'preview' && current.state !== 'running' && (
        <ListImportResultStep listImport={current} onRestart={restart} onClose={onClose} />
      )}
    </Modal>
  )
}
