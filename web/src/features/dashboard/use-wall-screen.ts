import { useNavigate, useSearch } from '@tanstack/react-router'

/** Whether the wall is shown. It stands in the address, so that a screen on a wall can be sent there. */
export function useWallScreen(): [boolean, (shown: boolean) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const go = (shown: boolean) => {
    void navigate({ to: '.', search: { ...search, wall: shown ? 'yes' : undefined } as never })
    // Some browsers have no full screen, or refuse it: the wall covers the page all the same.
    if (shown) void document.documentElement.requestFullscreen?.().catch(() => {})
    else if (document.fullscreenElement) void document.exitFullscreen()
  }
  return [search.wall === 'yes', go]
}
