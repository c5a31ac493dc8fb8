import { useNavigate, useSearch } from '@tanstack/react-router'

/** What a single card is set to. It stands in the address beside the rest of the view, and no step back leads over it. */
export function useCardSetting(name: 'heat' | 'by' | 'day'): [string | undefined, (value: string | undefined) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const given = search[name]
  const keep = (value: string | undefined) =>
    void navigate({ to: '.', search: { ...search, [name]: value } as never, replace: true, resetScroll: false })
  return [typeof given === 'string' ? given : undefined, keep]
}
