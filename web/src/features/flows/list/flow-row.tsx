import { ActionIcon, Menu, Switch } from '@mantine/core'
import type { FlowDocument } from '@recado/contract/flows/flow-document'
import type { FlowSummary } from '@recado/contract/flows/flows'
import { IconAlertCircle, IconCopy, IconDots, IconPencil, IconTrash, IconUser, IconUsers } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { openConfirm } from '../../../ui/confirm.tsx'
import { PersonAvatar } from '../../../ui/person-avatar.tsx'
import { useCreateFlow } from '../new-flow/use-create-flow.ts'
import { DayBars } from '../rules/day-bars.tsx'
import { formatShortDay } from '../rules/format-short-day.ts'
import { FailuresButton } from '../rules/rule-row.tsx'
import { RuleStateChip } from '../rules/rule-state-chip.tsx'
import rules from '../rules/rules.module.css'
import { rulesTexts } from '../rules/texts.ts'
import { useRuleActions } from '../rules/use-rules.ts'
import { runsTexts } from '../runs/texts.ts'
import { useRunsDrawer } from '../runs/use-runs-drawer.tsx'
import { describeTrigger } from '../sentence/describe-trigger.ts'
import { joinWith } from '../sentence/pattern.ts'
import type { Sentences } from '../sentence/sentences.ts'
import classes from './flows.module.css'
import { flowsTexts } from './texts.ts'

type Words = (typeof flowsTexts)['es']

/** What starts a flow, after "when"; empty: nothing yet. */
export const describeStart = (document: FlowDocument | null, sentences: Sentences, words: Words): string =>
  document
    ? joinWith(
        document.triggers.map((trigger) => describeTrigger(trigger, sentences)),
        sentences.words.or,
      )
    : words.tooLong

/** A flow in the list: its switch, what starts it, how often, and who is inside. */
export function FlowRow({ flow, sentences }: { flow: FlowSummary; sentences: Sentences }) {
  const words = useTexts(flowsTexts)
  const rulesWords = useTexts(rulesTexts)
  const actions = useRuleActions('flow')
  const runs = useRunsDrawer(flow)
  const { id, name, state, failed, version, days, document, inside } = flow
  const isOn = state === 'active'
  const start = describeStart(document, sentences, words)
  return (
    <li className={classes.row}>
      <Switch
        className={classes.switch ?? ''}
        aria-label={words.switchOf(name)}
        checked={isOn}
        disabled={!version}
        onChange={() => void actions.setActive(id, !isOn, isOn ? words.turnedOff : words.turnedOn)}
      />
      <span className={rules.what}>
        <Link className={rules.name ?? ''} to="/flows/$flowId" params={{ flowId: String(id) }}>
          {name}
        </Link>
        <span className={rules.sentence}>
          {document && start ? (
            <>
              <b>{words.startsWhen}</b> {start} · {words.steps(document.steps.length)}
            </>
          ) : (
            start || words.noStart
          )}
        </span>
        {state === 'stopped' && (
          <span className={rules.trouble} data-kind="danger">
            <IconAlertCircle size={15} stroke={1.75} aria-hidden="true" />
            {rulesWords.stoppedLine}
            <button
              type="button"
              className={rules.link}
              onClick={() => void actions.setActive(id, true, words.turnedOn)}
            >
              {rulesWords.resume}
            </button>
          </span>
        )}
      </span>
      <span className={classes.days}>
        {version && <DayBars days={days} label={rulesWords.times(days.reduce((total, n) => total + n, 0))} />}
      </span>
      <span className={classes.inside}>
        {version && (
          <button type="button" className={classes.open} onClick={() => runs.open('inside')}>
            <IconUser size={14} stroke={1.75} aria-hidden="true" />
            <span aria-hidden="true">{formatNumber(inside)}</span>
            <span className="rc-sr">{words.insideOf(formatNumber(inside), name)}</span>
          </button>
        )}
      </span>
      <span className={classes.state}>
        <FailuresButton rule={flow} onOpen={() => runs.open('failed')}>
          <RuleStateChip state={state} failed={failed} />
        </FailuresButton>
      </span>
      <span className={`${classes.changed} ${rules.changed}`}>
        {version?.user && <PersonAvatar id={version.user.id} name={version.user.name} size={22} />}
        <span title={version?.user?.name}>
          {version ? rulesWords.version(version.number) : rulesWords.unpublished} ·{' '}
          {formatShortDay(version?.publishedAt ?? flow.updatedAt, rulesWords)}
          {version && flow.hasDraft && <small>{rulesWords.withDraft}</small>}
        </span>
      </span>
      <FlowMenu flow={flow} onRuns={() => runs.open('inside')} />
      {runs.drawer}
    </li>
  )
}

function FlowMenu({ flow, onRuns }: { flow: FlowSummary; onRuns: () => void }) {
  const words = useTexts(flowsTexts)
  const runsWords = useTexts(runsTexts)
  const actions = useRuleActions('flow')
  const { create } = useCreateFlow()
  const { id, name, document, version } = flow
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
          {...({ to: '/flows/$flowId', params: { flowId: String(id) } } as object)}
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
