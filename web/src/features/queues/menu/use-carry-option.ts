import { type KeyboardEvent, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { menuTexts } from './menu-texts.ts'
import { findNode, getOptionNumber, getPath, type MenuTree, type MoveStep, moveOptionOneStep } from './menu-tree.ts'

const stepByKey: Record<string, MoveStep> = { ArrowUp: 'up', ArrowDown: 'down', ArrowRight: 'in', ArrowLeft: 'out' }

/** Moves a row by keyboard: Space picks it up, arrows move it, Space drops it, Escape cancels. Each step is announced. */
export function useCarryOption(tree: MenuTree, onChange: (tree: MenuTree) => void) {
  const words = useTexts(menuTexts)
  const [heldOption, setHeldOption] = useState<{ key: string; before: MenuTree } | null>(null)
  const [said, setSaid] = useState('')
  const nameOf = (key: string) => findNode(tree, key)?.title.trim() || words.noTitle

  const pickUp = (key: string) => {
    setHeldOption({ key, before: tree })
    setSaid(words.taken(nameOf(key)))
  }
  const drop = (key: string, back: boolean) => {
    if (back && heldOption) onChange(heldOption.before)
    setHeldOption(null)
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
    heldKey: heldOption?.key ?? null,
    announcement: said,
    step,
    onKeyDown: (key: string) => (event: KeyboardEvent) => {
      const way = stepByKey[event.key]
      const mine = heldOption?.key === key
      if (event.key === ' ' || event.key === 'Enter') mine ? drop(key, false) : pickUp(key)
      else if (mine && way) step(key, way)
      else if (mine && event.key === 'Escape') drop(key, true)
      else return
      event.preventDefault()
      // Escape cancels the move of the row and must not close the surrounding dialog.
      event.stopPropagation()
    },
    onBlur: (key: string) => () => {
      if (heldOption?.key === key) drop(key, false)
    },
  }
}
export type CarryOption = ReturnType<typeof useCarryOption>
