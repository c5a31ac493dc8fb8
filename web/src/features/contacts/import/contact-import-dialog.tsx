import { Modal } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useTexts } from '../../../lib/texts.ts'
import classes from '../../../parts/spreadsheet/spreadsheet.module.css'
import { importTexts } from '../../../parts/spreadsheet/texts.ts'
import { recordTexts } from '../../../records/texts.ts'
import { openConfirm } from '../../../ui/confirm.tsx'
import { useDelayedOpen } from '../../../ui/use-delayed-open.ts'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import { ChooseFileStep } from './choose-file-step.tsx'
import { ContactImportPreviewStep } from './contact-import-preview-step.tsx'
import { ContactImportResultStep } from './contact-import-result-step.tsx'
import { ContactImportSendingStep } from './contact-import-sending-step.tsx'
import { useContactImport } from './use-contact-import.ts'

type Props = { opened: boolean; onClose: () => void }

/** Imports contacts from a spreadsheet in four steps: choose, check, send, result. */
export function ContactImportDialog({ opened, onClose }: Props) {
  const words = useTexts(importTexts)
  const common = useTexts(recordTexts)
  const sheet = useIsPhone()
  const isShown = useDelayedOpen(opened)
  const { state, setState, ...run } = useContactImport()
  const sending = state.step === 'sending'
  useBlocker({
    shouldBlockFn: async () =>
      sending && !(await openConfirm({ title: words.leaveAsk, consequence: words.leaveLine, verb: words.leaveVerb })),
    enableBeforeUnload: () => sending,
  })
  const close = () => {
    if (!sending) onClose()
  }
  return (
    <Modal
      opened={isShown}
      onClose={close}
      closeOnClickOutside={state.step === 'choose' || state.step === 'done'}
      closeOnEscape={!sending}
      fullScreen={sheet}
      size={state.step === 'preview' || state.step === 'done' ? 860 : 560}
      title={words.title}
      withCloseButton={!sending}
      closeButtonProps={{ 'aria-label': common.close }}
      classNames={{ content: classes.content ?? '', body: classes.body ?? '', header: classes.header ?? '' }}
    >
      {(state.step === 'choose' || state.step === 'reading') && (
        <ChooseFileStep state={state} onFileChosen={(file) => void run.readFile(file)} />
      )}
      {state.step === 'preview' && (
        <ContactImportPreviewStep
          preview={state}
          onChange={setState}
          onRestart={run.restart}
          onImport={() => void run.start(state)}
        />
      )}
      {state.step === 'sending' && <ContactImportSendingStep state={state} onStop={run.stop} />}
      {state.step === 'done' && (
        <ContactImportResultStep
          state={state}
          onResume={() => void run.resume(state.rest, state)}
          onRestart={run.restart}
          onClose={close}
        />
      )}
    </Modal>
  )
}
