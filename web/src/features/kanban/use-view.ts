import { useState } from 'react'
import { useSession } from '../../lib/session.tsx'
import { readJson, writeJson } from '../../lib/storage.ts'
import { type Filter, noFilter } from './board.ts'

/** What somebody chose to see, and which lanes they folded (0 is the first), remembered on this browser. */
export type View = { filter: Filter; folded: number[] }

/** What lies in a browser may be of another age: only what still makes sense is taken. */
export function restored(stored: unknown): View {
  const given = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>
  const ids = (value: unknown) => (Array.isArray(value) ? value.filter((id) => Number.isInteger(id)) : [])
  return {
    filter: {
      ...noFilter,
      queueIds: ids(given.queueIds),
      users: ids(given.users),
      tags: ids(given.tags),
      search: typeof given.search === 'string' ? given.search.slice(0, 200) : '',
    },
    folded: ids(given.folded),
  }
}

export function useView() {
  const key = `kanban-${useSession().user?.id ?? 0}`
  const [view, setView] = useState(() => restored(readJson<unknown>(key, null)))
  const keep = (next: View) => {
    setView(next)
    writeJson(key, { ...next.filter, folded: next.folded })
  }
  return {
    ...view,
    setFilter: (change: Partial<Filter>) => keep({ ...view, filter: { ...view.filter, ...change } }),
    fold: (id: number) =>
      keep({
        ...view,
        folded: view.folded.includes(id) ? view.folded.filter((one) => one !== id) : [...view.folded, id],
      }),
  }
}
