import { useNavigate, useSearch } from '@tanstack/react-router'

/** The setting of a single card. The URL contains it with the rest of the view; a change adds no history entry. */
export function useCardSetting(
  name: 'heat' | 'by' | 'day' | 'why',
): [string | undefined, (value: string | undefined) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const given = search[name]
  const keep = (value: string | undefined) =>
    void navigate({ to: '.', search: { ...search, [name]: value } as never, replace: true, resetScroll: false })
  return [typeof given === 'string' ? given : undefined, keep]
}
