import { useLocation } from '@tanstack/react-router'
import { useTexts } from '../../lib/texts.ts'
import { useTitle } from '../../ui/use-title.ts'
import { isAt } from '../menu.ts'
import { menuTexts } from '../menu-texts.ts'
import { useMenu } from './use-menu.ts'

/** The tab is called as the entry of the menu. */
export function usePageName(): void {
  const names = useTexts(menuTexts)
  const { pathname } = useLocation()
  const entry = useMenu()
    .flatMap((group) => group.entries)
    .find((one) => isAt(one, pathname))
  useTitle(entry && names[entry.name])
}
