import { useRouterState } from '@tanstack/react-router'
import { useLanguage } from '../../lib/texts.ts'
import { useTitle } from '../../ui/use-title.ts'
import { labelled } from '../labels.ts'

/** The tab is called as its screen. */
export function usePageName(): void {
  const [language] = useLanguage()
  const path = useRouterState({ select: (state): string | undefined => state.matches.at(-1)?.fullPath })
  useTitle(labelled.find((screen) => screen.path === path)?.name[language])
}
