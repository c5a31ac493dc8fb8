import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { useSession } from '../lib/session.tsx'
import { readStoredJson, writeStoredJson } from '../lib/storage.ts'

const keyboardStepPx = 16

type ColumnWidthOptions = {
  /** The storage key in this browser, per user. */
  name: string
  narrowest: number
  widest: number
  /** The default width. */
  usual: number
  /** The side of the column in its container; its draggable edge is on the other side. */
  side: 'left' | 'right'
}

/** The width that a user chose for a column; null until they drag its edge. The edge's parent is the column. */
export function useColumnWidth({ name, narrowest, widest, usual, side }: ColumnWidthOptions) {
  const key = `${name}-${useSession().user?.id ?? 0}`
  const within = (width: number) => Math.max(narrowest, Math.min(widest, Math.round(width)))
  const [width, setWidth] = useState<number | null>(() => {
    const stored = readStoredJson<unknown>(key, null)
    return typeof stored === 'number' ? within(stored) : null
  })
  const storeWidth = (next: number) => {
    setWidth(within(next))
    writeStoredJson(key, within(next))
  }
  const widthAt = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left = 0, right = 0 } = currentTarget.parentElement?.getBoundingClientRect() ?? {}
    return side === 'left' ? clientX - left : right - clientX
  }
  const isHeld = (event: PointerEvent<HTMLElement>) => event.currentTarget.hasPointerCapture(event.pointerId)
  return {
    width,
    edge: {
      'aria-valuemin': narrowest,
      'aria-valuemax': widest,
      'aria-valuenow': width ?? usual,
      tabIndex: 0,
      onPointerDown: (event: PointerEvent<HTMLElement>) => event.currentTarget.setPointerCapture(event.pointerId),
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        if (isHeld(event)) setWidth(within(widthAt(event)))
      },
      onPointerUp: (event: PointerEvent<HTMLElement>) => {
        if (isHeld(event)) storeWidth(widthAt(event))
      },
      onKeyDown: (event: KeyboardEvent) => {
        const by = { ArrowLeft: -keyboardStepPx, ArrowRight: keyboardStepPx }[event.key]
        if (by === undefined) return
        event.preventDefault()
        storeWidth((width ?? usual) + (side === 'left' ? by : -by))
      },
    } as const,
  }
}
