import { listWaysOut } from '@recado/contract/flows/flow-steps'
import type { KeyboardEvent } from 'react'
import { areShortcutsEnabled } from '../../../lib/shortcuts.ts'
import type { StepWords } from './describe-node.ts'
import { findStep, mainWayOf, waysFrom } from './edit-graph.ts'
import type { FlowEditing } from './use-flow-editing.ts'
import type { Place } from './walk-keys.ts'

type Options = {
  editing: FlowEditing
  of: StepWords
  onAddAfter: () => void
  /** Brings the panel of the selected step to the user. */
  onOpen: () => void
}

/** The step that a conversation normally reaches next. */
export function placeAfter(editing: FlowEditing, place: Place): string | undefined {
  const step = findStep(editing.document, place)
  const main = step && mainWayOf(step)
  const ways = step ? listWaysOut(step) : waysFrom(editing.document, place)
  return (
    ways.find(({ way, to }) => way === main && to !== null)?.to ?? ways.find(({ to }) => to !== null)?.to ?? undefined
  )
}

/** The keys that a step has on the canvas and in the list. Returns whether the key was one of them. */
export function usePlaceKeys({ editing, of, onAddAfter, onOpen }: Options) {
  return (event: KeyboardEvent, place: Place): boolean => {
    const action = actionOf(event)
    if (!action) return false
    const selection = editing.selected.includes(place) ? editing.selected : [place]
    switch (action) {
      case 'open':
        editing.select(place)
        onOpen()
        break
      case 'add':
        editing.select(place)
        onAddAfter()
        break
      case 'remove':
        editing.remove(selection, of)
        break
      case 'duplicate':
        editing.duplicate(place, of)
        break
      case 'next': {
        const next = placeAfter(editing, place)
        if (next !== undefined) editing.select(next, { focus: true })
        break
      }
      default:
        editing.moveInLine(place, action === 'down' ? 1 : -1, of)
    }
    event.preventDefault()
    event.stopPropagation()
    return true
  }
}

type Action = 'open' | 'add' | 'remove' | 'duplicate' | 'next' | 'up' | 'down'
function actionOf({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): Action | null {
  if (altKey) return key === 'ArrowUp' ? 'up' : key === 'ArrowDown' ? 'down' : null
  if (ctrlKey || metaKey) return key.toLowerCase() === 'd' ? 'duplicate' : null
  if (shiftKey) return null
  if (key === 'Enter') return 'open'
  if (key === 'Insert') return 'add'
  if (key === 'Delete' || key === 'Backspace') return 'remove'
  return key.toLowerCase() === 'g' && areShortcutsEnabled() ? 'next' : null
}

/** How many frames a view may need until it shows a new step. */
const maxFrames = 20

/** Focuses a step as soon as the view shows it. */
export function focusPlace(
  root: HTMLElement | null,
  place: Place,
  onFocused?: (element: HTMLElement) => void,
): () => void {
  let frame = 0
  let request = 0
  const attempt = () => {
    const element = root?.querySelector<HTMLElement>(`[data-place="${CSS.escape(place ?? '')}"]`)
    if (element) {
      element.focus({ preventScroll: true })
      onFocused?.(element)
    } else if (frame++ < maxFrames) request = requestAnimationFrame(attempt)
  }
  request = requestAnimationFrame(attempt)
  return () => cancelAnimationFrame(request)
}
