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
