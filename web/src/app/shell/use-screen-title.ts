import { useRouterState } from '@tanstack/react-router'
import { useLanguage } from '../../lib/texts.ts'
import { usePageTitle } from '../../ui/use-page-title.ts'
import { labeledScreens } from '../labeled-screens.ts'

/** The tab title is the screen's name. */
export function useScreenTitle(): void {
  const [language] = useLanguage()
  const path = useRouterState({ select: (state): string | undefined => state.matches.at(-1)?.fullPath })
  usePageTitle(labeledScreens.find((screen) => screen.path === path)?.name[language])
}
