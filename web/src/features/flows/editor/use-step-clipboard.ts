import type { ClipboardEvent } from 'react'
import { isInOverlay, isTextField } from '../../../lib/shortcut-keys.ts'
import { toast } from '../../../lib/toast.ts'
import { stepsToText } from './copied-steps.ts'
import type { StepWords } from './describe-node.ts'
import type { FlowEditing } from './use-flow-editing.ts'

/** Copies and pastes the selected steps, also into another flow. Texts are copied by the browser. */
export function useStepClipboard(editing: FlowEditing, of: StepWords) {
  const ids = editing.selected.filter((one) => one !== null)
  const isText = (event: ClipboardEvent) =>
    isTextField(event.target) || isInOverlay(event.target) || (globalThis.getSelection()?.toString() ?? '') !== ''
  const copy = (event: ClipboardEvent): boolean => {
    if (ids.length === 0 || isText(event)) return false
    event.clipboardData.setData('text/plain', stepsToText(editing.document, ids))
    event.preventDefault()
    return true
  }
  return {
    onCopy: (event: ClipboardEvent) => {
      if (copy(event)) editing.announce(of.words.told.copied(ids.length))
    },
    onCut: (event: ClipboardEvent) => {
      if (copy(event)) editing.remove(ids, of)
    },
    onPaste: (event: ClipboardEvent) => {
      if (isText(event)) return
      const text = event.clipboardData.getData('text/plain')
      event.preventDefault()
      // The schemas are loaded when something is pasted for the first time.
      void import('./read-copied-steps.ts').then(({ stepsFromText }) => {
        const steps = stepsFromText(text)
        if (steps) editing.paste(steps, of)
      })
    },
    copySelected: () =>
      void navigator.clipboard
        .writeText(stepsToText(editing.document, ids))
        .then(() => toast.ok(of.words.told.copied(ids.length)), toast.error),
  }
}
