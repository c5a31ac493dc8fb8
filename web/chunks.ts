import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Rolldown } from 'vite'

type Graph = Rolldown.ChunkingContext

const source = (path: string) => join(import.meta.dirname, 'src', path)
const login = source('features/login/login-page.tsx')
const tickets = source('features/tickets/tickets-page.tsx')
const conversation = source('parts/conversation/conversation.tsx')
const virtualRows = source('records/use-virtual-rows.ts')
const form = source('records/record-form.tsx')
/** The frame around every screen, and its background tasks. */
const shell = [source('app/shell/shell.tsx'), source('app/shell/background-tasks.tsx')]
/**
 * Without the pages of rules, sequences and flows: there are five, and what they share would count as shared by most
 * screens.
 */
const isOfFlows = (file: string) => file.includes('/features/flows/')
const pages = [...globSync(source('features/**/*-page.tsx')).filter((page) => !isOfFlows(page)), conversation]
/** The folders outside of flows that name an icon: no other screen should load the many icons of steps. */
const iconFolders = new Map<string, Set<string>>()
for (const file of globSync(source('**/*.{ts,tsx}')).filter((one) => !isOfFlows(one)))
  for (const name of readFileSync(file, 'utf8').match(/\bIcon[A-Z]\w+/g) ?? [])
    iconFolders.set(name, (iconFolders.get(name) ?? new Set()).add(dirname(file)))

const icon = (names: string) => `@tabler/icons-react/dist/esm/icons/Icon(${names})\\.`
const part = (names: string) => `@mantine/core/esm/components/(${names})/`
const anyOf = (...patterns: string[]) => new RegExp(patterns.join('|'))

/** Packages that the login page uses, and every screen after it. */
const loginPagePackages = anyOf(
  icon('AlertCircle|ChevronDown|CircleCheck|CloudOff|Eye|EyeOff|InfoCircle|Language|Lock|Mail|Moon|Refresh|Sun'),
  part('Input|InputBase|TextInput|ActionIcon'),
  '@mantine/core/esm/core/(styles-api/use-resolved|utils/noop|MantineProvider/use-mantine-color-scheme)',
  '@mantine/hooks/esm/(use-id|use-color-scheme)/',
  '@tanstack/query-core/build/modern/queryObserver',
  '@tanstack/react-query/build/modern/(IsRestoring|QueryErrorReset|errorBoundary|suspense|useBaseQuery|useQuery\\.)',
)
const everyScreenPackages = anyOf(
  part('Menu|Popover|Tooltip|FocusTrap|Overlay|VisuallyHidden|Skeleton|Transition|Paper'),
  '@mantine/core/esm/components/(Accordion/AccordionChevron|Checkbox/CheckIcon|Radio/RadioIcon)',
  '@mantine/core/esm/components/Combobox/(ComboboxChevron|Combobox\\.module)',
  '@mantine/core/esm/(utils/Floating|core/(utils|DirectionProvider|MantineProvider))/',
  '@mantine/hooks/|@floating-ui/|@tanstack/(react-query|query-core)/(?!.*(queriesObserver|useQueries))',
)
/** List modules that screens without a list use too: otherwise they would load all list code for a title. */
const modulesOfScreensWithoutLists =
  /\/src\/(ui\/(page-header|phone-bar\/icon-hint-text|empty-state|disableable-menu-item|color-dot)|records\/search-and-paging|parts\/(select-option-queries|use-queues))\./
/** The contract without the modules that only a form or a few screens load. */
const contract =
  /contract\/src\/(?!rules|text|menu|error-catalog|campaigns|ai|integrations|money|schedules|sandbox|helps|files|views|contact-duplicates|macros|flows|api-access\/webhooks|tickets\/(?!closing\.)|routing\/(?!skills)|\w+\/(password-check|common-passwords|opening|wall-time-converter)\.)|\/lib\/lazy-schemas/

/**
 * Code splitting groups. By default the bundler makes one chunk per set of screens that share code. That made four
 * hundred chunks; a screen requested a hundred of them, and the requests cost more than most of the contents. A
 * module goes into the first group that matches, and no screen loads the code of another.
 * `screen-sizes.story.ts` checks the size of each screen.
 */
export const chunkGroups: Rolldown.CodeSplittingGroup[] = [
  // The page itself is one chunk. The service worker is also an entry, but stays separate.
  { name: 'start', tags: ['$initial'], test: /^(?!.*\/app\/worker\/)/ },
  // Code shared by the login page and the desk.
  chunkGroup(
    'door',
    (id, graph) => loginPagePackages.test(id) || (isLoadedBy(id, graph, login) && isPartOfDesk(id, graph)),
  ),
  { name: 'contract', test: contract, minShareCount: 2 },
  chunkGroup(
    'desk',
    (id, graph) =>
      /react-router\/dist\/esm\/useRouterState/.test(id) ||
      modulesOfScreensWithoutLists.test(id) ||
      isPartOfShell(id, graph),
  ),
  // Forms and the dashboard read dates. The dashboard has no list and most screens have no dates, so dates are a
  // separate chunk.
  { name: 'days', test: /\/records\/fields\/(parse-day|parse-moment|moment-input)\./ },
  {
    ...chunkGroup('icons', (id) => (iconFolders.get(/\/icons\/(Icon\w+)\.mjs$/.exec(id)?.[1] ?? '')?.size ?? 0) > 2),
    minShareCount: 3,
  },
  { name: 'kit', test: everyScreenPackages, minShareCount: 3 },
  chunkGroup('lists', (id, graph) => countPagesLoading(id, graph) > 7 && !isLoadedBy(virtualRows, graph, id)),
  // Tables are virtualized, which takes a package that cards and forms do not need.
  chunkGroup('tables', (id, graph) => countPagesLoading(id, graph) > 7),
  // The ticket list and the conversation load together; the board uses a part of them, and shows no priority or snooze.
  chunkGroup(
    'ticket',
    (id, graph) =>
      /\/parts\/(ticket\/(?!priority|snooze|pins)|conversation)\//.test(id) &&
      isPartOfConversation(id, graph) &&
      isLoadedBy(id, graph, tickets),
  ),
]

function chunkGroup(name: string, wants: (id: string, graph: Graph) => boolean): Rolldown.CodeSplittingGroup {
  // Dynamically imported modules keep their own chunk: in a group the bundler loses their exports.
  const onDemand = (id: string, graph: Graph) => (graph.getModuleInfo(id)?.dynamicImporters.length ?? 0) > 0
  return { debugName: name, name: (id, graph) => (!onDemand(id, graph) && wants(id, graph) ? name : null) }
}

const modulesByRoot = new Map<string, Set<string>>()
/** Whether `root` imports this module statically. Packages are matched by name instead, because they import whole barrels. */
function isLoadedBy(id: string, graph: Graph, root: string): boolean {
  const known = modulesByRoot.get(root)
  if (known) return known.has(id)
  const found = new Set<string>()
  const walk = (one: string) => {
    if (found.has(one) || one.includes('/node_modules/')) return
    found.add(one)
    for (const next of graph.getModuleInfo(one)?.importedIds ?? []) walk(next)
  }
  walk(root)
  modulesByRoot.set(root, found)
  return found.has(id)
}

let icons: Set<string> | undefined
/** The shell and the icons it uses. Otherwise the icons would be in another chunk, which itself loads this group. */
function isPartOfShell(id: string, graph: Graph): boolean {
  const found = shell.some((one) => isLoadedBy(id, graph, one))
  const named = () =>
    shell
      .flatMap((one) => [...(modulesByRoot.get(one) ?? [])])
      .flatMap((one) => graph.getModuleInfo(one)?.code?.match(/\bIcon[A-Z]\w+/g) ?? [])
  icons ??= new Set(named())
  return found || icons.has(/\/icons\/(Icon\w+)\.mjs$/.exec(id)?.[1] ?? '')
}

function countPagesLoading(id: string, graph: Graph): number {
  return pages.filter((page) => isLoadedBy(id, graph, page)).length
}

function isPartOfDesk(id: string, graph: Graph): boolean {
  return [...shell, form].some((one) => isLoadedBy(id, graph, one)) || countPagesLoading(id, graph) > 7
}

function isPartOfConversation(id: string, graph: Graph): boolean {
  return isLoadedBy(id, graph, conversation)
}
