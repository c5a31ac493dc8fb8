import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { useSession } from '../../lib/session.tsx'
import { readJson, writeJson } from '../../lib/storage.ts'

/** Design 7. */
const narrowest = 320
const widest = 400
const step = 16

const within = (width: number) => Math.max(narrowest, Math.min(widest, Math.round(width)))

/** How wide somebody wants their list: a third of the room until they drag its edge, remembered on this browser. */
export function useListWidth() {
  const key = `tickets-width-${useSession().user?.id ?? 0}`
  const [width, setWidth] = useState<number | null>(() => readWidth(key))
  const keep = (next: number) => {
    setWidth(within(next))
    writeJson(key, within(next))
  }
  return {
    /** For the grid: what was chosen, or a third. */
    column: width === null ? `clamp(${narrowest}px, 33.3%, ${widest}px)` : `${width}px`,
    edge: {
      'aria-valuemin': narrowest,
      'aria-valuemax': widest,
      'aria-valuenow': width ?? widest,
      tabIndex: 0,
      onPointerDown: (event: PointerEvent<HTMLElement>) => event.currentTarget.setPointerCapture(event.pointerId),
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
        const left = event.currentTarget.parentElement?.getBoundingClientRect().left ?? 0
        setWidth(within(event.clientX - left))
      },
      onPointerUp: (event: PointerEvent<HTMLElement>) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
        const left = event.currentTarget.parentElement?.getBoundingClientRect().left ?? 0
        keep(event.clientX - left)
      },
      onKeyDown: (event: KeyboardEvent) => {
        const by = { ArrowLeft: -step, ArrowRight: step }[event.key]
        if (by === undefined) return
        event.preventDefault()
        keep((width ?? widest) + by)
      },
    } as const,
  }
}

function readWidth(key: string): number | null {
  const stored = readJson<unknown>(key, null)
  return typeof stored === 'number' ? within(stored) : null
}
