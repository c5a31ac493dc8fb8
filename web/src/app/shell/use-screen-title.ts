import { useRouterState } from '@tanstack/react-router'
import { useSession } from '../../lib/session.tsx'
import { useLanguage } from '../../lib/texts.ts'
import { usePageTitle } from '../../ui/use-page-title.ts'
import { labeledScreens } from '../labeled-screens.ts'
import { screenName } from '../menu.ts'

/** Sets the tab title to the screen's name. */
export function useScreenTitle(): void {
  const [language] = useLanguage()
  const path = useRouterState({ select: (state): string | undefined => state.matches.at(-1)?.fullPath })
  const { user } = useSession()
  const screen = labeledScreens.find((one) => one.path === path)
  usePageTitle(screen && screenName(screen, user)[language])
}
