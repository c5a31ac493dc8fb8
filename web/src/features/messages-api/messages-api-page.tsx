import { NativeSelect, Tabs } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { useLines } from '../../parts/line/use-lines.ts'
import { useRecords } from '../../records/use-records.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { type ApiCredential, listApiCredentials } from './api-credentials.ts'
import { keySource } from './keys/key-source.ts'
import classes from './messages-api.module.css'
import { texts } from './texts.ts'

// Each tab is loaded as a separate screen.
const DocsTab = lazy(() => import('./docs/docs-tab.tsx').then((tab) => ({ default: tab.DocsTab })))
const KeysTab = lazy(() => import('./keys-tab.tsx').then((tab) => ({ default: tab.KeysTab })))

const tabs = ['docs', 'keys'] as const
type Tab = (typeof tabs)[number]

/** The page about how programs send through the company's lines and receive events (design r). */
export function MessagesApiPage() {
  const words = useTexts(texts)
  const phone = useIsPhone()
  const navigate = useNavigate()
  const { tab } = useSearch({ strict: false }) as { tab?: Tab }
  const current: Tab = tab && tabs.includes(tab) ? tab : 'docs'
  const keys = useRecords(keySource)
  const lines = useLines()
  // Secrets of new keys are kept until the user leaves this page.
  const [createdSecrets, setCreatedSecrets] = useState<Record<number, string>>({})
  const [selectedId, setSelectedId] = useState<string | null>(null)
  const credentials = listApiCredentials(lines.data ?? [], keys.rows, createdSecrets)
  const credential = credentials.find(({ id }) => id === selectedId) ?? credentials[0]

  const list = (
    <Tabs.List className={classes.tabList ?? ''}>
      {tabs.map((one) => (
        <Tabs.Tab key={one} value={one}>
          {words.tabs[one]}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  )
  const choice = <CredentialSelect credentials={credentials} selected={credential} onChoose={setSelectedId} />
  return (
    <Tabs
      className={classes.page ?? ''}
      value={current}
      onChange={(next) => void navigate({ to: '/messages-api', search: { tab: next }, replace: true })}
    >
      <div className={classes.head}>
        <PageHeader title={words.title} isWide>
          {!phone && list}
          {!phone && current === 'docs' && choice}
        </PageHeader>
        {phone && list}
      </div>
      <Tabs.Panel value={current} className={classes.panel ?? ''}>
        <Suspense fallback={null}>
          {current === 'docs' && <DocsTab credential={credential} credentialSelect={phone ? choice : null} />}
          {current === 'keys' && (
            <KeysTab
              keys={keys}
              onCreated={({ id, key }) => {
                setCreatedSecrets({ ...createdSecrets, [id]: key })
                setSelectedId(`key-${id}`)
              }}
            />
          )}
        </Suspense>
      </Tabs.Panel>
    </Tabs>
  )
}

type ChoiceProps = {
  credentials: ApiCredential[]
  selected: ApiCredential | undefined
  onChoose: (id: string | null) => void
}
function CredentialSelect({ credentials, selected: selectedCredential, onChoose }: ChoiceProps) {
  const words = useTexts(texts)
  const of = (kind: ApiCredential['kind']) =>
    credentials.filter((one) => one.kind === kind).map(({ id, name }) => ({ value: id, label: name }))
  const groups = [
    { group: words.lines, items: of('line') },
    { group: words.keys, items: of('key') },
  ].filter(({ items }) => items.length > 0)
  return (
    <div className={classes.choice}>
      <span aria-hidden="true">{words.inExamples}</span>
      {/* A native select: Mantine's would be a tenth of this screen's size limit. */}
      <NativeSelect
        aria-label={words.inExamples}
        data={credentials.length > 0 ? groups : [{ value: '', label: words.none }]}
        value={selectedCredential?.id ?? ''}
        onChange={(event) => onChoose(event.currentTarget.value)}
        disabled={credentials.length === 0}
        leftSection={<IconKey size={16} stroke={1.75} />}
      />
    </div>
  )
}
