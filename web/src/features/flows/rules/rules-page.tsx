import { Button, Tabs } from '@mantine/core'
import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { CountBadge } from '../../../ui/count-badge.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { useCreateFlow } from '../new-flow/use-create-flow.ts'
import { newSequence } from '../sequences/sequence-draft.ts'
import { emptyRule } from './rule-draft.ts'
import { RuleList } from './rule-list.tsx'
import classes from './rules.module.css'
import { rulesTexts } from './texts.ts'
import { useFlowList } from './use-rules.ts'

const SequenceList = lazy(() => import('../sequences/sequence-list.tsx').then((tab) => ({ default: tab.SequenceList })))
const LibraryList = lazy(() => import('../library/library-list.tsx').then((tab) => ({ default: tab.LibraryList })))

const tabs = ['rules', 'sequences', 'library'] as const
type Tab = (typeof tabs)[number]

/** What runs by itself: rules and sequences of messages, and a library to begin with. */
export function RulesPage() {
  const words = useTexts(rulesTexts)
  const navigate = useNavigate()
  const { tab } = useSearch({ strict: false }) as { tab?: Tab }
  const current: Tab = tab && tabs.includes(tab) ? tab : 'rules'
  const counts: Record<Tab, number | undefined> = {
    rules: useFlowList('rule').data?.flows.length,
    sequences: useFlowList('sequence').data?.flows.length,
    library: undefined,
  }
  const contents: Record<Tab, ReactNode> = {
    rules: <RuleList />,
    sequences: <SequenceList />,
    library: <LibraryList />,
  }
  return (
    <div className={classes.page}>
      <PageHeader title={words.title}>
        {current !== 'library' && counts[current] !== 0 ? (
          <CreateButton key={current} tab={current} />
        ) : (
          <span className={classes.noButton} />
        )}
      </PageHeader>
      <Tabs
        className={classes.tabs ?? ''}
        value={current}
        onChange={(next) =>
          void navigate({ to: '/rules', search: next === 'rules' ? {} : { tab: next }, replace: true })
        }
      >
        <Tabs.List className={classes.tabList ?? ''}>
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one} rightSection={counts[one] ? <CountBadge value={counts[one]} /> : undefined}>
              {words.tabs[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={current} className={classes.panel ?? ''}>
          <Suspense fallback={null}>{contents[current]}</Suspense>
        </Tabs.Panel>
      </Tabs>
    </div>
  )
}

type CreatedTab = Exclude<Tab, 'library'>
function CreateButton({ tab }: { tab: CreatedTab }) {
  const words = useTexts(rulesTexts)
  const { create, isBusy } = useCreateFlow()
  const created: Record<CreatedTab, { label: string; name: string; document: () => FlowDocument }> = {
    rules: { label: words.create, name: words.newName, document: () => emptyRule },
    sequences: { label: words.createSequence, name: words.newSequence, document: newSequence },
  }
  const { label, name, document } = created[tab]
  return (
    <Button
      leftSection={<IconPlus size={17} stroke={2} />}
      loading={isBusy}
      onClick={() => void create(name, document())}
    >
      {label}
    </Button>
  )
}
