import type { UserAccess } from '@recado/contract/rules'
import { type LabeledScreen, type MenuSection, type NavigationItem, screenRefusalReason } from '../lib/screen.ts'
import { defineTexts } from '../lib/texts.ts'
import { screenAddress } from './screens.ts'

export type MenuEntry = NavigationItem & { address: string; name: LabeledScreen['name'] }
export type MenuGroup = { section: MenuSection; entries: MenuEntry[] }

const sections: MenuSection[] = ['work', 'automation', 'admin', 'foot']
export const sectionTexts = defineTexts<Record<MenuSection, string>>({
  es: { work: 'Atención', automation: 'Automatización', admin: 'Administración', foot: '' },
  pt: { work: 'Atendimento', automation: 'Automação', admin: 'Administração', foot: '' },
  en: { work: 'Service', automation: 'Automation', admin: 'Administration', foot: '' },
})

export const screenName = (
  { name, nameByProfile }: Pick<LabeledScreen, 'name' | 'nameByProfile'>,
  who: Pick<UserAccess, 'profile'> | null,
): LabeledScreen['name'] => (who && nameByProfile?.[who.profile]) ?? name

/** The navigation menu for this user's permissions. */
export function buildNavigationMenu(
  screens: LabeledScreen[],
  who: UserAccess,
  plan: Parameters<typeof screenRefusalReason>[2],
): MenuGroup[] {
  const entries = screens
    .filter(({ gate }) => screenRefusalReason(gate, who, plan) === null)
    .flatMap((screen) =>
      screen.menu ? [{ ...screen.menu, address: screenAddress(screen), name: screenName(screen, who) }] : [],
    )
    .sort((a, b) => a.order - b.order)
  return sections
    .map((section) => ({ section, entries: entries.filter((entry) => entry.section === section) }))
    .filter((group) => group.entries.length > 0)
}

/** The items of the bottom bar on a phone; the other items are in the drawer. */
export const bottomBarEntries = (menu: MenuGroup[]): MenuEntry[] =>
  menu
    .flatMap((group) => group.entries)
    .filter((entry) => entry.bottomBarOrder !== undefined)
    .sort((a, b) => (a.bottomBarOrder ?? 0) - (b.bottomBarOrder ?? 0))
    .slice(0, 3)
