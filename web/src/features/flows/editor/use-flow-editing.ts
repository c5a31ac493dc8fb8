import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { maxFlowSteps } from '@recado/contract/flows/flow-document'
import { type FlowStep, unusedStepId } from '@recado/contract/flows/flow-steps'
import type { Flow } from '@recado/contract/flows/flows'
import { useEffect, useRef, useState } from 'react'
import { toast } from '../../../lib/toast.ts'
import { useRuleDraft } from '../rules/editor/use-rule-draft.ts'
import { pasteSteps } from './copied-steps.ts'
import { nameOfStep, type StepWords } from './describe-node.ts'
import {
  addStepAfter,
  arrangeSteps,
  connect,
  duplicateStep,
  findStep,
  insertStep,
  moveInLine,
  moveSteps,
  removeSteps,
  replaceStep,
  type Spot,
} from './edit-graph.ts'
import { type PaletteItem, stepKindOf, stepOfItem } from './palette-items.ts'
import { emptyHistory, recordChange, redoChange, type UndoHistory, undoChange } from './undo-history.ts'
import { type Place, walk } from './walk-keys.ts'

type Change = {
  document: FlowDocument
  /** Changes with the same key soon after each other are undone together. */
  key?: string
  /** What screen readers are told. */
  told?: string
  /** What is selected and gets the focus afterwards. */
  select?: Place
}
/** Asks the view to focus a place; a new object asks again. */
export type FocusRequest = { place: Place }
export type FlowEditing = ReturnType<typeof useFlowEditing>

const isSameDocument = (a: FlowDocument, b: FlowDocument) => JSON.stringify(a) === JSON.stringify(b)

/** The nearest step before a disappearing one that another state of the draft still has; null: the start. */
function nearestBefore(document: FlowDocument, next: FlowDocument, place: Place): Place {
  const visited = new Set<Place>()
  let before = place
  while (before !== null && !findStep(next, before)) {
    if (visited.has(before)) return null
    visited.add(before)
    before = walk(document, before, 'ArrowUp') ?? null
  }
  return before
}

/** The draft of a flow with what is selected in it and what can be undone. */
export function useFlowEditing(loaded: Flow) {
  const rule = useRuleDraft(loaded)
  const { document } = rule.draft
  const [history, setHistory] = useState<UndoHistory<FlowDocument>>(emptyHistory)
  const [selection, setSelection] = useState<readonly Place[]>([null])
  const [focusRequest, requestFocus] = useState<FocusRequest | null>(null)
  const [told, setTold] = useState('')
  const last = useRef(document)

  // Somebody else's draft, or an earlier version, replaced this one: its changes cannot be undone here.
  useEffect(() => {
    if (last.current === document) return
    const isSame = isSameDocument(last.current, document)
    last.current = document
    if (!isSame) setHistory(emptyHistory)
  }, [document])

  const put = (next: FlowDocument) => {
    last.current = next
    rule.change({ document: next })
  }
  const select = (place: Place, { focus = false } = {}) => {
    setSelection([place])
    if (focus) requestFocus({ place })
  }
  const change = ({ document: next, key, told: text, select: place }: Change) => {
    setHistory((old) => recordChange(old, document, key ?? null, Date.now()))
    put(next)
    if (text) setTold(text)
    if (place !== undefined) select(place, { focus: true })
  }
  const travel = (step: typeof undoChange<FlowDocument>, text: string, focus: boolean) => {
    const done = step(history, document)
    if (!done) return
    const isGone = selected.every((place) => place !== null && !findStep(done.present, place))
    if (isGone) select(nearestBefore(document, done.present, selected[0] ?? null), { focus })
    setHistory(done.history)
    put(done.present)
    setTold(text)
  }
  // Steps that an undone change had added are not selected any more.
  const selected = selection.filter((place) => place === null || findStep(document, place) !== undefined)

  return {
    rule,
    document,
    selected,
    /** The one that the panel shows; undefined: several are selected, or none. */
    place: selected.length === 1 ? selected[0] : undefined,
    focusRequest,
    told,
    announce: setTold,
    select,
    setSelection,
    change,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    /** `focus`: a step that had the focus may disappear, and another one gets it. */
    undo: (words: StepWords['words'], { focus = false } = {}) => travel(undoChange, words.told.undone, focus),
    redo: (words: StepWords['words'], { focus = false } = {}) => travel(redoChange, words.told.redone, focus),
    changeStep: (step: FlowStep) => change({ document: replaceStep(document, step), key: `step ${step.id}` }),
    changeDocument: (next: FlowDocument) => change({ document: next, key: 'start' }),
    connect: (spot: Spot, to: string | null, { words }: StepWords) =>
      change({ document: connect(document, spot, to), told: words.told.connected }),
    /** Adds a step at a way, after another one, or unconnected at a place of the canvas. */
    add(item: PaletteItem, where: { spot: Spot } | { after: Place } | { at: { x: number; y: number } }, of: StepWords) {
      if (document.steps.length >= maxFlowSteps) return toast.warn(of.words.told.full)
      const step = stepOfItem(item, unusedStepId(document.steps, stepKindOf(item)), of)
      const next =
        'spot' in where
          ? insertStep(document, step, where.spot)
          : 'at' in where
            ? { ...document, steps: [...document.steps, { ...step, at: where.at }] }
            : addStepAfter(document, step, where.after)
      change({ document: next, told: of.words.told.added(nameOfStep(step, of)), select: step.id })
    },
    remove(ids: readonly Place[], { words }: StepWords) {
      const steps = ids.filter((id) => id !== null)
      if (steps.length === 0) return
      const before = walk(document, steps[0] ?? null, 'ArrowUp') ?? null
      change({
        document: removeSteps(document, steps),
        told: words.told.removed(steps.length),
        select: steps.includes(before ?? '') ? null : before,
      })
    },
    duplicate(id: Place, { words }: StepWords) {
      if (document.steps.length >= maxFlowSteps) return toast.warn(words.told.full)
      const copy = id === null ? null : duplicateStep(document, id)
      if (copy) change({ document: copy.document, told: words.told.duplicated, select: copy.id })
    },
    moveInLine(id: Place, by: 1 | -1, { words }: StepWords) {
      const moved = id === null ? null : moveInLine(document, id, by)
      if (moved) change({ document: moved, told: words.told.moved, select: id })
    },
    moveTo: (places: ReadonlyMap<string, { x: number; y: number }>) =>
      change({ document: moveSteps(document, places) }),
    arrange: ({ words }: StepWords) => change({ document: arrangeSteps(document), told: words.told.arranged }),
    paste(steps: readonly FlowStep[], { words }: StepWords) {
      const pasted = pasteSteps(document, steps, selected[0] ?? null)
      if (!pasted) return toast.warn(words.told.full)
      change({ document: pasted.document, told: words.told.pasted(steps.length) })
      setSelection(pasted.ids)
      requestFocus({ place: pasted.ids[0] ?? null })
    },
  }
}
