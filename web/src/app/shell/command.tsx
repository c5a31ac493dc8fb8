import '@mantine/spotlight/styles.css'
import {
  createSpotlight,
  Spotlight,
  type SpotlightActionGroupData,
  type SpotlightFilterFunction,
} from '@mantine/spotlight'
import { IconLogout, IconRefresh, IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import { useThemeToggle } from '../../ui/theme-toggle.tsx'
import { menuTexts } from '../menu-texts.ts'
import classes from './command.module.css'
import { useRefresh } from './refresh-button.tsx'
import { texts } from './texts.ts'
import { useMenu } from './use-menu.ts'

const [store, palette] = createSpotlight()

/** Ctrl K: every screen this person has, and a few things to do. Opens whenever `asked` grows. */
export function Command({ asked }: { asked: number }) {
  const words = useTexts(texts)
  const actions = useActions()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` is the wish itself.
  useEffect(() => palette.open(), [asked])
  return (
    <Spotlight
      store={store}
      actions={actions}
      shortcut={null}
      attributes={{ content: { 'aria-label': words.search } }}
      radius="lg"
      centered={false}
      yOffset="12dvh"
      filter={search}
      size={560}
      nothingFound={words.nothingFound}
      highlightQuery={false}
      classNames={{
        content: classes.content ?? '',
        search: classes.search ?? '',
        body: classes.body ?? '',
        action: classes.action ?? '',
        actionsGroup: classes.group ?? '',
        empty: classes.empty ?? '',
        actionsList: classes.list ?? '',
        actionLabel: classes.label ?? '',
      }}
      overlayProps={{ color: 'var(--rc-scrim)', backgroundOpacity: 1 }}
      transitionProps={{ duration: 160, transition: 'fade' }}
      searchProps={{
        leftSection: <IconSearch size={18} stroke={1.75} />,
        placeholder: words.search,
        'aria-label': words.search,
      }}
    />
  )
}

/** Accents and case are for writing, not for finding: "rapidas" finds "Respuestas rápidas". */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const search: SpotlightFilterFunction = (query, groups) =>
  (groups as SpotlightActionGroupData[])
    .map(({ group, actions }) => ({
      group,
      actions: actions.filter((one) => plain(one.label ?? '').includes(plain(query.trim()))),
    }))
    .filter(({ actions }) => actions.length > 0)

function useActions(): SpotlightActionGroupData[] {
  const words = useTexts(texts)
  const names = useTexts(menuTexts)
  const navigate = useNavigate()
  const { logout } = useSession()
  const { refresh } = useRefresh()
  const theme = useThemeToggle()
  const pages = useMenu().flatMap((group) => group.entries)
  return [
    {
      group: words.pages,
      actions: pages.map((entry) => ({
        id: entry.path,
        label: names[entry.name],
        leftSection: <entry.icon size={18} stroke={1.75} />,
        onClick: () => void navigate({ to: entry.path }),
      })),
    },
    {
      group: words.actions,
      actions: [
        { id: 'refresh', label: words.refresh, leftSection: <IconRefresh size={18} stroke={1.75} />, onClick: refresh },
        {
          id: 'theme',
          label: theme.label,
          leftSection: <theme.icon size={18} stroke={1.75} />,
          onClick: theme.toggle,
        },
        { id: 'logout', label: words.logout, leftSection: <IconLogout size={18} stroke={1.75} />, onClick: logout },
      ],
    },
  ]
}
