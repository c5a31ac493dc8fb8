import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'

/** `?new` opens the form for a new row; going back or reloading does not open it again. */
export function useOpenFormFromAddress(mayCreate: boolean, open: (requested: string) => void): void {
  const { new: requested } = useSearch({ strict: false }) as { new?: unknown }
  const navigate = useNavigate()
  const openForm = useEffectEvent(() => {
    open(String(requested))
    void navigate({ to: '.', search: (({ new: _, ...rest }: Record<string, unknown>) => rest) as never, replace: true })
  })
  useEffect(() => {
    if (mayCreate && requested) openForm()
  }, [mayCreate, requested])
}

/** `?edit=ID` opens the form of that row as soon as the row is loaded, once. */
export function useOpenRowFromAddress<R extends { id: number }>(rows: R[], open: (row: R) => void): void {
  const { edit } = useSearch({ strict: false }) as { edit?: unknown }
  const navigate = useNavigate()
  const row = edit === undefined ? undefined : rows.find(({ id }) => String(id) === String(edit))
  const openRow = useEffectEvent(() => {
    if (!row) return
    open(row)
    void navigate({
      to: '.',
      search: (({ edit: _, ...rest }: Record<string, unknown>) => rest) as never,
      replace: true,
    })
  })
  const rowId = row?.id
  useEffect(() => {
    if (rowId !== undefined) openRow()
  }, [rowId])
}
