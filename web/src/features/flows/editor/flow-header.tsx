import { ActionIcon, Button, SegmentedControl } from '@mantine/core'
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowLeft,
  IconCheck,
  IconHistory,
  IconListTree,
  IconPencil,
  IconSitemap,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { StatusChip } from '../../../ui/status-chip.tsx'
import rules from '../rules/editor/editor.module.css'
import { describeSaveState } from '../rules/editor/rule-header.tsx'
import { ruleEditorTexts } from '../rules/editor/texts.ts'
import { InsideButton } from '../runs/inside-button.tsx'
import type { StepWords } from './describe-node.ts'
import classes from './editor.module.css'
import type { FlowEditing } from './use-flow-editing.ts'

export type FlowView = 'canvas' | 'list'
type Props = {
  editing: FlowEditing
  of: StepWords
  /** Null: there is room for the list only. */
  view: FlowView | null
  onView: (view: FlowView) => void
  areVersionsOpen: boolean
  onVersions: () => void
  isPublishing: boolean
  onPublish: () => void
}

/** Name, state and what can be done with the whole flow. */
export function FlowHeader(props: Props) {
  const { editing, of, view, onView, areVersionsOpen, onVersions, isPublishing, onPublish } = props
  const { rule } = editing
  const { flow, draft, saveState } = rule
  const { words } = of
  const saveWords = useTexts(ruleEditorTexts)
  const navigate = useNavigate()
  return (
    <header className={rules.header}>
      <ActionIcon size={32} aria-label={words.back} onClick={() => void navigate({ to: '/flows' })}>
        <IconArrowLeft size={19} stroke={1.75} />
      </ActionIcon>
      <h1 className="rc-sr">{draft.name}</h1>
      <input
        className={rules.name}
        aria-label={words.name}
        maxLength={80}
        // The field is as wide as its text where the browser can do that.
        size={Math.max(8, Math.min(draft.name.length + 1, 32))}
        value={draft.name}
        onChange={(event) => rule.change({ name: event.currentTarget.value })}
      />
      <StateChip flow={flow} saveState={saveState} of={of} />
      <span className={classes.published}>{describePublished(flow, of)}</span>
      <InsideButton flow={flow} />
      <span className={rules.savedAt} data-state={saveState} role="status">
        {saveState === 'saved' ? (
          <span className="rc-sr">{describeSaveState(saveState, flow.updatedAt, saveWords)}</span>
        ) : (
          describeSaveState(saveState, flow.updatedAt, saveWords)
        )}
        {saveState === 'failed' && (
          <button type="button" className={rules.repair} onClick={() => void rule.flush()}>
            {saveWords.retry}
          </button>
        )}
      </span>
      <span className={rules.rest} />
      <ActionIcon
        size={32}
        className={classes.quiet ?? ''}
        aria-label={words.undo}
        aria-keyshortcuts="Control+Z"
        disabled={!editing.canUndo}
        onClick={() => editing.undo(words)}
      >
        <IconArrowBackUp size={18} stroke={1.75} />
      </ActionIcon>
      <ActionIcon
        size={32}
        className={classes.quiet ?? ''}
        aria-label={words.redo}
        aria-keyshortcuts="Control+Y"
        disabled={!editing.canRedo}
        onClick={() => editing.redo(words)}
      >
        <IconArrowForwardUp size={18} stroke={1.75} />
      </ActionIcon>
      {view && (
        <SegmentedControl
          size="sm"
          aria-label={words.view}
          value={view}
          onChange={(next) => onView(next as FlowView)}
          data={[
            { value: 'canvas', label: <ViewLabel icon={<IconSitemap size={15} stroke={2} />} text={words.canvas} /> },
            { value: 'list', label: <ViewLabel icon={<IconListTree size={15} stroke={2} />} text={words.list} /> },
          ]}
        />
      )}
      <Button
        variant="subtle"
        color="gray"
        className={rules.versionsButton ?? ''}
        leftSection={<IconHistory size={17} stroke={1.75} />}
        aria-expanded={areVersionsOpen}
        onClick={onVersions}
      >
        {saveWords.versions}
      </Button>
      <Button
        className={rules.headPublish ?? ''}
        loading={isPublishing}
        aria-keyshortcuts="Control+Enter"
        onClick={onPublish}
      >
        {words.publish}
      </Button>
    </header>
  )
}

const ViewLabel = ({ icon, text }: { icon: ReactNode; text: string }) => (
  <span className={classes.viewLabel}>
    {icon}
    {text}
  </span>
)

type Drafted = Pick<FlowEditing['rule'], 'flow' | 'saveState'> & { of: StepWords }
function StateChip({ flow: { version, hasDraft, state }, saveState, of: { words } }: Drafted) {
  const n = version?.number ?? 0
  if (version && !hasDraft && saveState === 'saved')
    return (
      <StatusChip kind={state === 'active' ? 'ok' : 'off'} icon={<IconCheck size={14} stroke={2} aria-hidden="true" />}>
        {words.upToDate(n)}
      </StatusChip>
    )
  return (
    <StatusChip kind="accent" icon={<IconPencil size={14} stroke={2} aria-hidden="true" />}>
      {words.draft(n + 1)}
    </StatusChip>
  )
}

/** Whether it runs, and in which version. */
function describePublished({ version, state }: FlowEditing['rule']['flow'], { words }: StepWords): string {
  if (!version) return words.unpublished
  const published = words.published(version.number)
  if (state === 'stopped') return `${published} · ${words.stopped}`
  return state === 'off' ? `${published} · ${words.off}` : published
}
