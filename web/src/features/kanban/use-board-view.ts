import { useState } from 'react'
import { useSession } from '../../lib/session.tsx'
import { readStoredJson, writeStoredJson } from '../../lib/storage.ts'
import { type BoardFilter, emptyBoardFilter } from './kanban-board.ts'

/** The filter and the folded lanes, stored in this browser. Lane 0 is the first lane. */
export type BoardView = { filter: BoardFilter; folded: number[] }

/** Stored data may come from an older version: only valid parts are used. */
export function parseStoredBoardView(stored: unknown): BoardView {
  const storedView = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>
  const ids = (value: unknown) => (Array.isArray(value) ? value.filter((id) => Number.isInteger(id)) : [])
  return {
    filter: {
      ...emptyBoardFilter,
      queueIds: ids(storedView.queueIds),
      users: ids(storedView.users),
      tags: ids(storedView.tags),
      search: typeof storedView.search === 'string' ? storedView.search.slice(0, 200) : '',
    },
    folded: ids(storedView.folded),
  }
}

export function useBoardView() {
  const key = `kanban-${useSession().user?.id ?? 0}`
  const [view, setView] = useState(() => parseStoredBoardView(readStoredJson<unknown>(key, null)))
  const keep = (next: BoardView) => {
    setView(next)
    writeStoredJson(key, { ...next.filter, folded: next.folded })
  }
  return {
    ...view,
    setFilter: (change: Partial<BoardFilter>) => keep({ ...view, filter: { ...view.filter, ...change } }),
    toggleFold: (id: number) =>
      keep({
        ...view,
        folded: view.folded.includes(id) ? view.folded.filter((one) => one !== id) : [...view.folded, id],
      }),
  }
}
