import {
  type Icon,
  IconArrowBackUp,
  IconArrowsExchange,
  IconCheck,
  IconKeyboard,
  IconLanguage,
  IconLogout,
  IconNote,
  IconPlus,
  IconRefresh,
  IconRotateClockwise2,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useSession } from '../../lib/session.tsx'
import { useShortcuts } from '../../lib/shortcuts.ts'
import { useLanguage, useTexts } from '../../lib/texts.ts'
import { resolveKeys } from '../../parts/ticket/resolve-keys.ts'
import { languageChoices, useLanguageChoice } from '../../ui/language-choices.tsx'
import { useThemeToggle } from '../../ui/theme-toggle.tsx'
import { useRefreshScreen } from '../shell/refresh-button.tsx'
import { useMenu } from '../shell/use-menu.ts'
import type { PaletteEntry, PaletteGroup } from './entries.ts'
import { openNewTicket, openShortcutSheet } from './overlay-state.ts'
import { paletteTexts } from './texts.ts'
import { useViewEntries } from './use-view-entries.tsx'

const drawIcon = (Drawn: Icon) => <Drawn size={18} stroke={1.75} aria-hidden="true" />

/** Icons of the actions on the open ticket; each icon has one meaning in the whole app (design 5). */
const actionIcons: Record<string, Icon> = {
  a: IconCheck,
  [resolveKeys]: IconCheck,
  o: IconRotateClockwise2,
  t: IconArrowsExchange,
  r: IconArrowBackUp,
  n: IconNote,
}

/** Local entries: the open ticket, actions, saved views, and all screens of this user. */
export function useLocalEntries(): PaletteGroup[] {
  const words = useTexts(paletteTexts)
  const [language] = useLanguage()
  const navigate = useNavigate()
  const shortcuts = useShortcuts()
  const onTicket = shortcuts.filter(({ group, run }) => group === 'ticket' && run)
  const newTicket = shortcuts.find(({ keys, run }) => keys === 'c' && run)?.run ?? (() => openNewTicket())
  const pages = useMenu().flatMap((group) => group.entries)
  return [
    {
      name: words.ticket,
      entries: onTicket.map(({ keys, label, run }) => ({
        id: `key-${keys}`,
        label,
        icon: drawIcon(actionIcons[keys] ?? IconCheck),
        keys,
        run: () => run?.(),
      })),
    },
    {
      name: words.actions,
      entries: [
        { id: 'new', label: words.newTicket, icon: drawIcon(IconPlus), keys: 'c', run: newTicket },
        { id: 'shortcuts', label: words.shortcuts, icon: drawIcon(IconKeyboard), keys: '?', run: openShortcutSheet },
      ],
    },
    useViewEntries(),
    {
      name: words.pages,
      entries: pages.map((entry) => ({
        id: entry.address,
        label: entry.name[language],
        icon: drawIcon(entry.icon),
        run: () => void navigate({ to: entry.address }),
      })),
    },
    { name: words.preferences, entries: usePreferences() },
  ]
}

function usePreferences(): PaletteEntry[] {
  const words = useTexts(paletteTexts)
  const { logout } = useSession()
  const { refresh } = useRefreshScreen()
  const theme = useThemeToggle()
  const [language, choose] = useLanguageChoice()
  const others = languageChoices.filter(([one]) => one !== language)
  return [
    { id: 'refresh', label: words.refresh, icon: drawIcon(IconRefresh), run: refresh, staysHere: true },
    { id: 'theme', label: theme.label, icon: drawIcon(theme.icon), run: theme.toggle, staysHere: true },
    ...others.map(([one, name]) => ({
      id: one,
      label: words.language(name),
      icon: drawIcon(IconLanguage),
      run: () => choose(one),
      staysHere: true as const,
    })),
    { id: 'logout', label: words.logout, icon: drawIcon(IconLogout), run: () => void logout() },
  ]
}
