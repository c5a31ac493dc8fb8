import type { Who } from '@recado/contract/rules'
import { type Labelled, type MenuPlace, refusal, type Section } from '../lib/screen.ts'
import { defineTexts } from '../lib/texts.ts'
import { addressOf } from './screens.ts'

export type MenuEntry = MenuPlace & { address: string; name: Labelled['name'] }
export type MenuGroup = { section: Section; entries: MenuEntry[] }

const sections: Section[] = ['work', 'admin']
export const sectionTexts = defineTexts<Record<Section, string>>({
  es: { work: 'Atención', admin: 'Administración' },
  pt: { work: 'Atendimento', admin: 'Administração' },
  en: { work: 'Service', admin: 'Administration' },
})

/** What this person finds in the menu. */
export function menuFor(screens: Labelled[], who: Who, plan: Parameters<typeof refusal>[2]): MenuGroup[] {
  const entries = screens
    .filter(({ gate }) => refusal(gate, who, plan) === null)
    .flatMap((screen) => (screen.menu ? [{ ...screen.menu, address: addressOf(screen), name: screen.name }] : []))
    .sort((a, b) => a.order - b.order)
  return sections
    .map((section) => ({ section, entries: entries.filter((entry) => entry.section === section) }))
    .filter((group) => group.entries.length > 0)
}

/** What stands at the bottom of a phone; the rest is one touch away. */
export const handyEntries = (menu: MenuGroup[]): MenuEntry[] =>
  menu
    .flatMap((group) => group.entries)
    .filter((entry) => entry.handy !== undefined)
    .sort((a, b) => (a.handy ?? 0) - (b.handy ?? 0))
    .slice(0, 3)
