import { useNavigate, useSearch } from '@tanstack/react-router'

/** Whether wall mode is on. The URL contains it, so that a wall screen can open wall mode directly. */
export function useWallScreen(): [boolean, (shown: boolean) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const go = (shown: boolean) => {
    void navigate({ to: '.', search: { ...search, wall: shown ? 'yes' : undefined } as never })
    // Some browsers lack or refuse full screen; wall mode covers the page in any case.
    if (shown) void document.documentElement.requestFullscreen?.().catch(() => {})
    else if (document.fullscreenElement) void document.exitFullscreen()
  }
  return [search.wall === 'yes', go]
}
