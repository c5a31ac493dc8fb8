import { type KeyboardEvent, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { menuTexts } from './menu-texts.ts'
import { findNode, getOptionNumber, getPath, type MenuTree, type MoveStep, moveOptionOneStep } from './menu-tree.ts'

const stepByKey: Record<string, MoveStep> = { ArrowUp: 'up', ArrowDown: 'down', ArrowRight: 'in', ArrowLeft: 'out' }

/** By keyboard: Space picks up a row, arrows move it, Space drops it, Escape cancels. Each step is announced. */
export function useCarryOption(tree: MenuTree, onChange: (tree: MenuTree) => void) {
  const words = useTexts(menuTexts)
  const [held, setHeld] = useState<{ key: string; before: MenuTree } | null>(null)
  const [said, setSaid] = useState('')
  const nameOf = (key: string) => findNode(tree, key)?.title.trim() || words.noTitle

  const take = (key: string) => {
    setHeld({ key, before: tree })
    setSaid(words.taken(nameOf(key)))
  }
  const drop = (key: string, back: boolean) => {
    if (back && held) onChange(held.before)
    setHeld(null)
    setSaid(back ? words.takenBack(nameOf(key)) : words.dropped(nameOf(key)))
  }
  const step = (key: string, way: MoveStep) => {
    const next = moveOptionOneStep(tree, key, way)
    if (next === tree) return
    onChange(next)
    const place = getPath(next, key).map((node) => getOptionNumber(next, node))
    setSaid(words.movedTo(nameOf(key), place.join('.')))
  }
  return {
    heldKey: held?.key ?? null,
    announcement: said,
    step,
    onKeyDown: (key: string) => (event: KeyboardEvent) => {
      const way = stepByKey[event.key]
      const mine = held?.key === key
      if (event.key === ' ' || event.key === 'Enter') mine ? drop(key, false) : take(key)
      else if (mine && way) step(key, way)
      else if (mine && event.key === 'Escape') drop(key, true)
      else return
      event.preventDefault()
      // Escape is for the row, not for the surrounding dialog.
      event.stopPropagation()
    },
    onBlur: (key: string) => () => {
      if (held?.key === key) drop(key, false)
    },
  }
}
export type CarryOption = ReturnType<typeof useCarryOption>
