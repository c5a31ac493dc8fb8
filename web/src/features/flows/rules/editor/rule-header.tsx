import { ActionIcon, Button } from '@mantine/core'
import type { Flow } from '@recado/contract/flows/flows'
import { IconArrowLeft, IconCheck, IconHistory, IconPencil, IconPlayerPause } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatTime } from '../../../../lib/format.ts'
import { useTexts } from '../../../../lib/texts.ts'
import { StatusChip } from '../../../../ui/status-chip.tsx'
import classes from './editor.module.css'
import { ruleEditorTexts } from './texts.ts'
import type { SaveState } from './use-rule-draft.ts'

type Props = {
  flow: Flow
  /** What the way back and the name are called; without it, those of a rule. */
  labels?: { back: string; name: string }
  onBack?: () => void
  /** Stands behind the state. */
  children?: ReactNode
  name: string
  saveState: SaveState
  areVersionsOpen: boolean
  isPublishing: boolean
  onRename: (name: string) => void
  onVersions: () => void
  onPublish: () => void
  onRetry: () => void
}

const icon = { size: 14, stroke: 2, 'aria-hidden': true }

/** Name, state and what can be done with the whole rule. */
export function RuleHeader(props: Props) {
  const { flow, name, saveState, areVersionsOpen, onRename, onVersions, onRetry, children } = props
  const words = useTexts(ruleEditorTexts)
  const navigate = useNavigate()
  const labels = props.labels ?? words
  const goBack = props.onBack ?? (() => void navigate({ to: '/rules' }))
  return (
    <header className={classes.header}>
      <ActionIcon size={32} aria-label={labels.back} onClick={goBack}>
        <IconArrowLeft size={19} stroke={1.75} />
      </ActionIcon>
      <h1 className="rc-sr">{name}</h1>
      <input
        className={classes.name}
        aria-label={labels.name}
        maxLength={80}
        // The field is as wide as its text where the browser can do that.
        size={Math.max(8, Math.min(name.length + 1, 48))}
        value={name}
        onChange={(event) => onRename(event.currentTarget.value)}
      />
      <StateChip flow={flow} />
      {children}
      <span className={classes.savedAt} data-state={saveState} role="status">
        {describeSaveState(saveState, flow.updatedAt, words)}
        {saveState === 'failed' && (
          <button type="button" className={classes.repair} onClick={onRetry}>
            {words.retry}
          </button>
        )}
      </span>
      <span className={classes.rest} />
      <Button
        variant="subtle"
        color="gray"
        className={classes.versionsButton ?? ''}
        leftSection={<IconHistory size={17} stroke={1.75} />}
        aria-expanded={areVersionsOpen}
        onClick={onVersions}
      >
        {words.versions}
      </Button>
      <PublishButton {...props} className={classes.headPublish} />
    </header>
  )
}

export function describeSaveState(state: SaveState, updatedAt: string, words: (typeof ruleEditorTexts)['es']): string {
  if (state === 'saved') return words.saved(formatTime(updatedAt))
  if (state === 'saving') return words.saving
  return state === 'failed' ? words.saveFailed : words.unsaved
}

type PublishProps = Pick<Props, 'flow' | 'isPublishing' | 'onPublish'> & { className?: string | undefined }
/** Also at the foot of a narrow screen. */
export function PublishButton({ flow, isPublishing, onPublish, className }: PublishProps) {
  const words = useTexts(ruleEditorTexts)
  return (
    <Button className={className ?? ''} loading={isPublishing} aria-keyshortcuts="Control+Enter" onClick={onPublish}>
      {words.publish((flow.version?.number ?? 0) + 1)}
    </Button>
  )
}

function StateChip({ flow: { state, version } }: { flow: Flow }) {
  const { states } = useTexts(ruleEditorTexts)
  const n = version?.number ?? 0
  if (state === 'active')
    return (
      <StatusChip kind="ok" icon={<IconCheck {...icon} />}>
        {states.active(n)}
      </StatusChip>
    )
  if (state === 'stopped')
    return (
      <StatusChip kind="danger" icon={<IconPlayerPause {...icon} />}>
        {states.stopped(n)}
      </StatusChip>
    )
  if (state === 'off') return <StatusChip kind="off">{states.off(n)}</StatusChip>
  return (
    <StatusChip kind="off" icon={<IconPencil {...icon} />}>
      {states.draft}
    </StatusChip>
  )
}
