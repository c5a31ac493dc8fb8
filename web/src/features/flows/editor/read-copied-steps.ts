import { FlowDocument } from '@recado/contract/flows/flow-document'
import type { FlowStep } from '@recado/contract/flows/flow-steps'
import { buildSchema } from '../../../lib/lazy-schemas.ts'
import { zodSubset } from '../../../lib/zod-subset.ts'
import { clipboardFormat } from './copied-steps.ts'

/** A clipboard may hold anything: longer texts are not parsed. */
const maxClipboardCharacters = 300_000

/** The steps of a text from the clipboard; null: it is something else. */
export function stepsFromText(text: string): FlowStep[] | null {
  if (text.length > maxClipboardCharacters || !text.startsWith('{')) return null
  try {
    const { format, steps } = JSON.parse(text) as { format?: unknown; steps?: unknown }
    if (format !== clipboardFormat) return null
    const parsed = buildSchema(FlowDocument, zodSubset).safeParse({ kind: 'flow', triggers: [], first: null, steps })
    return parsed.success && parsed.data.steps.length > 0 ? parsed.data.steps : null
  } catch {
    return null
  }
}
