import { ActionIcon, Menu, Switch } from '@mantine/core'
import type { FlowSummary } from '@recado/contract/flows/flows'
import { IconAlertCircle, IconCopy, IconDots, IconPencil, IconTrash, IconUsers } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { openConfirm } from '../../../ui/confirm.tsx'
import { useCreateFlow } from '../new-flow/use-create-flow.ts'
import { itemsOf } from '../rules/rule-draft.ts'
import { FailuresButton } from '../rules/rule-row.tsx'
import { RuleStateChip } from '../rules/rule-state-chip.tsx'
import ruleClasses from '../rules/rules.module.css'
import { rulesTexts } from '../rules/texts.ts'
import { useRuleActions } from '../rules/use-rules.ts'
import { formatShare } from '../runs/format-share.ts'
import { sumOfLine } from '../runs/step-results.ts'
import { runsTexts } from '../runs/texts.ts'
import { useRunsDrawer } from '../runs/use-runs-drawer.tsx'
import type { Sentences } from '../sentence/sentences.ts'
import { describeSequence } from './describe-sequence.ts'
import classes from './sequences.module.css'
import { StepBars } from './step-bars.tsx'
import { sequencesTexts } from './texts.ts'

type Props = { sequence: FlowSummary; sentences: Sentences }

/** A sequence in the list: how long it is, how far people come, and how many answer. */
export function SequenceRow({ sequence, sentences }: Props) {
  const words = useTexts(sequencesTexts)
  const rulesWords = useTexts(rulesTexts)
  const actions = useRuleActions('sequence')
  const runs = useRunsDrawer(sequence)
  const { id, name, state, failed, version, document, inside, steps } = sequence
  const isOn = state === 'active'
  const { began, answered } = document ? sumOfLine(document, steps) : { began: 0, answered: 0 }
  return (
    <li className={classes.row}>
      <Switch
        className={classes.switch ?? ''}
        aria-label={words.switchOf(name)}
        checked={isOn}
        disabled={!version}
        onChange={() => void actions.setActive(id, !isOn, isOn ? words.turnedOff : words.turnedOn)}
      />
      <span className={classes.what}>
        <Link className={ruleClasses.name ?? ''} to="/rules/sequences/$sequenceId" params={{ sequenceId: String(id) }}>
          {name}
        </Link>
        <span className={ruleClasses.sentence}>
          {document ? describeSequence(document, sentences, words) : words.tooLong}
          {version && sequence.hasDraft && ` · ${words.withDraft}`}
        </span>
        {state === 'stopped' && (
          <span className={ruleClasses.trouble} data-kind="danger">
            <IconAlertCircle size={15} stroke={1.75} aria-hidden="true" />
            {rulesWords.stoppedLine}
            <button
              type="button"
              className={ruleClasses.link}
              onClick={() => void actions.setActive(id, true, words.turnedOn)}
            >
              {rulesWords.resume}
            </button>
          </span>
        )}
      </span>
      <span className={classes.reached}>
        {began > 0 && document && <StepBars numbers={numbersOfSteps(sequence, document)} />}
      </span>
      <span className={`${classes.number} ${classes.inside}`}>
        {version && (
          <button type="button" className={classes.open} onClick={() => runs.open('inside')}>
            <span aria-hidden="true">
              {formatNumber(inside)}
              <span className={classes.unit}> {words.insideUnit}</span>
            </span>
            <span className="rc-sr">{words.insideOf(formatNumber(inside), name)}</span>
          </button>
        )}
      </span>
      <span className={`${classes.number} ${classes.answered}`}>
        {began > 0 && (
          <>
            {formatShare(answered, began)}
            <span className={classes.unit}> {words.answeredUnit}</span>
          </>
        )}
      </span>
      <span className={classes.state}>
        <FailuresButton rule={sequence} onOpen={() => runs.open('failed')}>
          <RuleStateChip state={state} failed={failed} />
        </FailuresButton>
      </span>
      <SequenceMenu sequence={sequence} onRuns={() => runs.open('inside')} />
      {runs.drawer}
    </li>
  )
}

/** Waits are not steps that one comes to. */
function numbersOfSteps({ steps }: FlowSummary, document: NonNullable<FlowSummary['document']>): number[] {
  const came = new Map(steps.map((one) => [one.stepId, one.came]))
  return itemsOf(document).flatMap(([step]) => (step && step.kind !== 'wait' ? [came.get(step.id) ?? 0] : []))
}

function SequenceMenu({ sequence, onRuns }: { sequence: FlowSummary; onRuns: () => void }) {
  const words = useTexts(sequencesTexts)
  const runsWords = useTexts(runsTexts)
  const actions = useRuleActions('sequence')
  const { create } = useCreateFlow()
  const { id, name, document, version } = sequence
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
          {...({ to: '/rules/sequences/$sequenceId', params: { sequenceId: String(id) } } as object)}
          leftSection={<IconPencil size={16} stroke={1.75} />}
        >
          {words.edit}
        </Menu.Item>
        {version && (
          <Menu.Item leftSection={<IconUsers size={16} stroke={1.75} />} onClick={onRuns}>
            {runsWords.menu}
          </Menu.Item>
        )}
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
