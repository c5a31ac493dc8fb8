import { Button, Tabs } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type Prompt, PromptWrite, promptsApi } from '@recado/contract/ai/prompts'
import type { Queue } from '@recado/contract/queues'
import { IconAlertCircle, IconCircle } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { BackTitle } from '../../../parts/back-title.tsx'
import { isInUse, useUsageTexts } from '../../../parts/integrations/usage-texts.ts'
import { FormFields } from '../../../records/form-fields.tsx'
import { useLeaveGuard } from '../../../records/use-leave-guard.ts'
import { useRecordForm } from '../../../records/use-record-form.ts'
import { writeRecord } from '../../../records/write-record.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { PromptStateChip } from '../prompt-state-chip.tsx'
import { texts as listTexts } from '../texts.ts'
import classes from './form.module.css'
import { type PromptDefaults, type PromptFormValues, toPromptBody, toPromptFormValues } from './prompt-form-values.ts'
import { texts } from './texts.ts'
import { TryPromptPane } from './try-prompt-pane.tsx'
import { usePromptFields } from './use-prompt-fields.tsx'
import { useTryPrompt } from './use-try-prompt.ts'

const CallLog = lazy(() =>
  import('../../../parts/integrations/call-log.tsx').then((module) => ({ default: module.CallLog })),
)
const PromptKnowledge = lazy(() =>
  import('../knowledge/prompt-knowledge.tsx').then((module) => ({ default: module.PromptKnowledge })),
)

type Props = {
  /** Null while the prompt is being created. */
  row: Prompt | null
  queues: Queue[]
  defaults: PromptDefaults
  onSaved: (saved: Prompt) => void
}

const formTabs = ['instructions', 'knowledge', 'agents', 'limits', 'calls'] as const
type Tab = (typeof formTabs)[number] | 'try'

export function PromptEditor({ row, queues, defaults, onSaved }: Props) {
  const words = useTexts(texts)
  const { words: record } = useTexts(listTexts)
  const used = useUsageTexts()
  const navigate = useNavigate()
  const [tab, setTab] = useState<Tab>('instructions')
  const narrow = useMediaQuery('(max-width: 56.24em)', undefined, { getInitialValueInEffect: false })
  const fields = usePromptFields(row, queues, defaults.model)
  const [saveState] = useState<{ saved: Prompt | null }>({ saved: null })
  const show = (name: string) => setTab((fields.find((field) => field.name === name)?.tab ?? 'instructions') as Tab)
  const { form, root, submit, saving, progress } = useRecordForm<PromptFormValues, Prompt>({
    row,
    initial: toPromptFormValues(row, words.example, defaults),
    schema: PromptWrite,
    fieldByErrorCode: { ERR_QUEUE_NOT_FOUND: 'queueId' },
    write: (values, before) => writeRecord(promptsApi, toPromptBody(values), before),
    onSaved: (saved) => {
      saveState.saved = saved
      onSaved(saved)
    },
    onProblem: show,
  })
  const trial = useTryPrompt({
    id: row?.id,
    /** Returns null when the draft has errors to correct first. */
    draft: () => {
      const { errors } = form.validate() as { errors: Record<string, unknown> }
      const [first] = Object.keys(errors)
      if (first === undefined) return toPromptBody(form.getValues())
      toast.warn(words.mendFirst, words.mendFirstLine)
      show(first)
      return null
    },
  })
  useLeaveGuard(() => form.isDirty())

  const savePrompt = async () => {
    if (form.values.queueId === null) toast.warn(words.chooseQueue)
    if (!(await submit()) || !saveState.saved) return
    // A typed key is shown as a mask after saving.
    form.setFieldValue('apiKey', saveState.saved.apiKey)
    form.resetDirty()
    toast.ok(row ? record.saved : record.created, saveState.saved.name)
    if (!row)
      await navigate({ to: '/prompts/$promptId', params: { promptId: String(saveState.saved.id) }, replace: true })
  }
  const shownTab = tab === 'try' && !narrow ? 'instructions' : tab
  const tabs: Tab[] = narrow ? [...formTabs, 'try'] : [...formTabs]
  const buttons = (
    <>
      <Button variant="default" onClick={() => void navigate({ to: '/prompts' })}>
        {words.cancel}
      </Button>
      <Button type="submit" form="prompt-form" loading={saving} aria-keyshortcuts="Control+Enter">
        {words.save}
      </Button>
    </>
  )
  const pane = <TryPromptPane trial={trial} name={form.values.name || words.bot} />
  return (
    <div className={classes.page}>
      <PageHeader
        title={
          <span className={classes.title}>
            <BackTitle to="/prompts">{row?.name ?? record.create}</BackTitle>
            {row && !narrow && <PromptStateChip prompt={row} />}
            {row && !narrow && isInUse(row.usedBy) && (
              <span className={classes.used} title={used.named(row.usedBy)}>
                {words.usedIn(used.counted(row.usedBy))}
              </span>
            )}
          </span>
        }
      >
        {!narrow && form.isDirty() && (
          <span className={classes.unsaved}>
            <IconCircle size={9} stroke={3} aria-hidden="true" />
            {words.unsaved}
          </span>
        )}
        {!narrow && buttons}
      </PageHeader>
      <div className={classes.panes}>
        <div className={classes.main}>
          <Tabs
            value={shownTab}
            onChange={(next) => next && setTab(next as Tab)}
            keepMounted
            keepMountedMode="display-none"
            classNames={{ root: classes.tabs ?? '', list: classes.tabList ?? '', panel: classes.panel ?? '' }}
          >
            <Tabs.List>
              {tabs.map((key) => (
                <Tabs.Tab
                  key={key}
                  value={key}
                  rightSection={fields.some(hasErrorIn(key, form.errors)) && <ErrorMark />}
                >
                  {words.tabs[key]}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <form
              id="prompt-form"
              ref={root}
              className={classes.form}
              noValidate
              aria-busy={saving}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
                event.preventDefault()
                void savePrompt()
              }}
              onSubmit={(event) => {
                event.preventDefault()
                void savePrompt()
              }}
            >
              {(['instructions', 'agents', 'limits'] as const).map((key) => (
                <Tabs.Panel key={key} value={key}>
                  <FormFields
                    {...{ form, progress }}
                    fields={fields.filter((field) => field.tab === key)}
                    tab={undefined}
                    onTabChange={noop}
                    sheet
                  />
                </Tabs.Panel>
              ))}
            </form>
            {/* Knowledge is stored separately, with each upload, so it is not part of the form. */}
            <Tabs.Panel value="knowledge">{shownTab === 'knowledge' && <KnowledgeTab row={row} />}</Tabs.Panel>
            <Tabs.Panel value="calls">{shownTab === 'calls' && <CallsTab row={row} />}</Tabs.Panel>
            {narrow && <Tabs.Panel value="try">{pane}</Tabs.Panel>}
          </Tabs>
          {narrow && shownTab !== 'try' && <footer className={classes.foot}>{buttons}</footer>}
        </div>
        {!narrow && <aside className={classes.try}>{pane}</aside>}
      </div>
    </div>
  )
}

/** Does nothing: the tabs are rendered above, so FormFields must not switch them. */
const noop = () => undefined

const hasErrorIn = (tab: string, errors: Record<string, unknown>) => (field: { name: string; tab?: string }) =>
  field.tab === tab && field.name in errors

const ErrorMark = () => <IconAlertCircle aria-hidden="true" size={14} stroke={2} className={classes.wrong ?? ''} />

/** Recent calls of the prompt. A prompt being created has none. */
function CallsTab({ row }: { row: Prompt | null }) {
  const words = useTexts(texts)
  if (!row) return <EmptyState title={words.saveFirst} line={words.callsLater} />
  return (
    <Suspense fallback={null}>
      <CallLog
        of={['prompt', row.id]}
        loadPage={(query, signal) => callApi(promptsApi.calls, { params: { id: row.id }, query }, { signal })}
      />
    </Suspense>
  )
}

/** Knowledge belongs to a saved prompt, because it is stored separately from the form. */
function KnowledgeTab({ row }: { row: Prompt | null }) {
  const words = useTexts(texts)
  if (!row) return <EmptyState title={words.saveFirst} line={words.saveFirstLine} />
  return (
    <Suspense fallback={null}>
      <PromptKnowledge promptId={row.id} />
    </Suspense>
  )
}
