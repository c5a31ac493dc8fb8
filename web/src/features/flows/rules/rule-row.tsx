import { ActionIcon, Menu, Switch } from '@mantine/core'
import type { FlowSummary } from '@recado/contract/flows/flows'
import {
  IconAlertCircle,
  IconArrowDown,
  IconArrowUp,
  IconCopy,
  IconDots,
  IconGripVertical,
  IconPencil,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { openConfirm } from '../../../ui/confirm.tsx'
import { PersonAvatar } from '../../../ui/person-avatar.tsx'
import { useCreateFlow } from '../new-flow/use-create-flow.ts'
import { runsTexts } from '../runs/texts.ts'
import { useRunsDrawer } from '../runs/use-runs-drawer.tsx'
import type { Sentences } from '../sentence/sentences.ts'
import { DayBars } from './day-bars.tsx'
import { formatShortDay } from './format-short-day.ts'
import { RuleSentence } from './rule-sentence.tsx'
import { RuleStateChip } from './rule-state-chip.tsx'
import classes from './rules.module.css'
import { rulesTexts } from './texts.ts'
import { useRowDrag } from './use-row-drag.ts'
import { useRuleActions } from './use-rules.ts'

type Props = {
  rule: FlowSummary
  place: number
  count: number
  sentences: Sentences
  onDrop: (other: number, after: boolean) => void
  onStep: (by: number) => void
}

/** A rule in the list: its place, its switch, and the whole rule as one sentence. */
export function RuleRow({ rule, place, count, sentences, onDrop, onStep }: Props) {
  const words = useTexts(rulesTexts)
  const actions = useRuleActions()
  const runs = useRunsDrawer(rule)
  const { gripProps, rowProps } = useRowDrag({ id: rule.id, onDrop, onStep })
  const { id, name, state, failed, version, days, document } = rule
  const sum = days.reduce((total, n) => total + n, 0)
  const isOn = state === 'active'
  return (
    <li className={classes.row} data-rule={id} {...rowProps}>
      <span className={classes.place}>
        <button
          type="button"
          className={classes.grip}
          aria-label={words.grip(name, place)}
          title={words.gripHelp}
          {...gripProps}
        >
          <IconGripVertical size={16} stroke={1.75} aria-hidden="true" />
        </button>
        <span aria-hidden="true">{place}</span>
      </span>
      <Switch
        className={classes.switch ?? ''}
        aria-label={words.switchOf(name)}
        checked={isOn}
        disabled={!version}
        onChange={() => void actions.setActive(id, !isOn, isOn ? words.turnedOff : words.turnedOn)}
      />
      <span className={classes.what}>
        <Link className={classes.name ?? ''} to="/rules/$ruleId" params={{ ruleId: String(id) }}>
          {name}
        </Link>
        <RuleSentence document={document} sentences={sentences} />
        {state === 'stopped' && (
          <span className={classes.trouble} data-kind="danger">
            <IconAlertCircle size={15} stroke={1.75} aria-hidden="true" />
            {words.stoppedLine}
            <button
              type="button"
              className={classes.link}
              onClick={() => void actions.setActive(id, true, words.turnedOn)}
            >
              {words.resume}
            </button>
          </span>
        )}
        {state === 'active' && failed > 0 && (
          <span className={classes.trouble} data-kind="warn">
            <IconAlertCircle size={15} stroke={1.75} aria-hidden="true" />
            {words.failedLine(failed)}
          </span>
        )}
      </span>
      <span className={classes.days}>{version && <DayBars days={days} label={words.times(sum)} />}</span>
      <span className={classes.state}>
        <FailuresButton rule={rule} onOpen={() => runs.open('failed')}>
          <RuleStateChip state={state} failed={failed} />
        </FailuresButton>
      </span>
      <span className={classes.changed}>
        {version?.user && <PersonAvatar id={version.user.id} name={version.user.name} size={22} />}
        <span title={version?.user?.name}>
          {version ? words.version(version.number) : words.unpublished} ·{' '}
          {formatShortDay(version?.publishedAt ?? rule.updatedAt, words)}
          {version && rule.hasDraft && <small>{words.withDraft}</small>}
        </span>
      </span>
      <RuleMenu rule={rule} place={place} count={count} onStep={onStep} onRuns={() => runs.open('inside')} />
      {runs.drawer}
    </li>
  )
}

type FailuresProps = { rule: Pick<FlowSummary, 'state' | 'failed'>; onOpen: () => void; children: ReactNode }
/** The state, which opens what failed. */
export function FailuresButton({ rule: { state, failed }, onOpen, children }: FailuresProps) {
  if (failed === 0 || state === 'draft') return children
  return (
    <button type="button" className={classes.chipButton} onClick={onOpen}>
      {children}
    </button>
  )
}

type MenuProps = Pick<Props, 'rule' | 'place' | 'count' | 'onStep'> & { onRuns: () => void }
function RuleMenu({ rule, place, count, onStep, onRuns }: MenuProps) {
  const words = useTexts(rulesTexts)
  const runsWords = useTexts(runsTexts)
  const actions = useRuleActions()
  const { create } = useCreateFlow()
  const { id, name, document, version } = rule
  const remove = async () => {
    const isSure = await openConfirm({
      title: words.removeAsk(name),
      consequence: words.removeLine,
      verb: words.remove,
    })
    if (isSure) await actions.remove(id, words.removed)
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={32} className={classes.menu ?? ''} aria-label={words.optionsOf(name)}>
          <IconDots size={18} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component={Link}
          {...({ to: '/rules/$ruleId', params: { ruleId: String(id) } } as object)}
          leftSection={<IconPencil size={16} stroke={1.75} />}
        >
          {words.edit}
        </Menu.Item>
        {version && (
          <Menu.Item leftSection={<IconUsers size={16} stroke={1.75} />} onClick={onRuns}>
            {runsWords.menu}
          </Menu.Item>
        )}
        <Menu.Item
          disabled={place === 1}
          leftSection={<IconArrowUp size={16} stroke={1.75} />}
          onClick={() => onStep(-1)}
        >
          {words.up}
        </Menu.Item>
        <Menu.Item
          disabled={place === count}
          leftSection={<IconArrowDown size={16} stroke={1.75} />}
          onClick={() => onStep(1)}
        >
          {words.down}
        </Menu.Item>
        {document && (
          <Menu.Item
            leftSection={<IconCopy size={16} stroke={1.75} />}
            onClick={() => void create(words.copyOf(name).slice(0, 80), document)}
          >
            {words.duplicate}
          </Menu.Item>
        )}
        <Menu.Item color="red" leftSection={<IconTrash size={16} stroke={1.75} />} onClick={() => void remove()}>
          {words.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
