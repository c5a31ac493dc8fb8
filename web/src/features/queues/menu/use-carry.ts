import { type KeyboardEvent, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { menuTexts } from './menu-texts.ts'
import { find, type Nudge, nudge, numberOf, pathOf, type Tree } from './menu-tree.ts'

const ways: Record<string, Nudge> = { ArrowUp: 'up', ArrowDown: 'down', ArrowRight: 'in', ArrowLeft: 'out' }

/** With the keyboard: Space takes a row, arrows move it, Space drops it, Escape brings it back. Each step is told. */
export function useCarry(tree: Tree, onChange: (tree: Tree) => void) {
  const words = useTexts(menuTexts)
  const [held, setHeld] = useState<{ key: string; before: Tree } | null>(null)
  const [said, setSaid] = useState('')
  const nameOf = (key: string) => find(tree, key)?.title.trim() || words.noTitle

  const take = (key: string) => {
    setHeld({ key, before: tree })
    setSaid(words.taken(nameOf(key)))
  }
  const drop = (key: string, back: boolean) => {
    if (back && held) onChange(held.before)
    setHeld(null)
    setSaid(back ? words.takenBack(nameOf(key)) : words.dropped(nameOf(key)))
  }
  const step = (key: string, way: Nudge) => {
    const next = nudge(tree, key, way)
    if (next === tree) return
    onChange(next)
    const place = pathOf(next, key).map((node) => numberOf(next, node))
    setSaid(words.movedTo(nameOf(key), place.join('.')))
  }
  return {
    heldKey: held?.key ?? null,
    said,
    step,
    onKeyDown: (key: string) => (event: KeyboardEvent) => {
      const way = ways[event.key]
      const mine = held?.key === key
      if (event.key === ' ' || event.key === 'Enter') mine ? drop(key, false) : take(key)
      else if (mine && way) step(key, way)
      else if (mine && event.key === 'Escape') drop(key, true)
      else return
      event.preventDefault()
      // Escape is for the row, not for the dialog around it.
      event.stopPropagation()
    },
    onBlur: (key: string) => () => {
      if (held?.key === key) drop(key, false)
    },
  }
}
export type Carry = ReturnType<typeof useCarry>
