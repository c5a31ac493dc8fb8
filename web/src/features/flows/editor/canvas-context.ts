import type { StepNumbers } from '@recado/contract/flows/flows'
import { createContext, type KeyboardEvent, use } from 'react'
import type { StepWords } from './describe-node.ts'
import type { Spot } from './edit-graph.ts'
import type { EditorFinding } from './flow-findings.ts'
import type { PaletteItem } from './palette-items.ts'
import type { FlowEditing } from './use-flow-editing.ts'
import type { Place } from './walk-keys.ts'

/** The published version's numbers of a step; null: the draft has another step there. */
export type NumbersOf = (stepId: string) => StepNumbers | null | undefined

export type CanvasView = {
  editing: FlowEditing
  of: StepWords
  findings: ReadonlyMap<Place, EditorFinding[]>
  numbersOf: NumbersOf
  version: number | null
  /** The step at which the conversation on the test phone stands. */
  reached: string | null
  onKey: (event: KeyboardEvent, place: Place) => void
  /** The way at which a step is being added. */
  adding: Spot | null
  setAdding: (spot: Spot | null) => void
  addAt: (item: PaletteItem, spot: Spot) => void
}

export const CanvasContext = createContext<CanvasView | null>(null)
export function useCanvas(): CanvasView {
  const view = use(CanvasContext)
  if (!view) throw new Error('not on a canvas')
  return view
}
