import { Button, Skeleton, Tabs } from '@mantine/core'
import { listWaysOut } from '@recado/contract/flows/flow-steps'
import { IconCopy, IconTrash } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { CountBadge } from '../../../ui/count-badge.tsx'
import { StartPanel } from '../step-panel/start-panel.tsx'
import { StepPanel } from '../step-panel/step-panel.tsx'
import type { NumbersOf } from './canvas-context.ts'
import { ChecksPanel } from './checks-panel.tsx'
import { type StepWords, wayLabelOf } from './describe-node.ts'
import { findStep, startSpot } from './edit-graph.ts'
import classes from './editor.module.css'
import type { EditorFinding } from './flow-findings.ts'
import { NextToken } from './next-token.tsx'
import { numbersIn, outlineOf } from './outline.ts'
import type { FlowEditing } from './use-flow-editing.ts'

const TestPhone = lazy(() => import('../test-phone/test-phone.tsx').then((module) => ({ default: module.TestPhone })))

export const panelTabs = ['step', 'test', 'checks'] as const
export type PanelTab = (typeof panelTabs)[number]

type Props = {
  editing: FlowEditing
  of: StepWords
  findings: readonly EditorFinding[]
  /** How many recorded tests take another way. */
  failingTests: number
  numbersOf: NumbersOf
  tab: PanelTab
  onTab: (tab: PanelTab) => void
  onGo: (stepId: string | null) => void
  onReach: (stepId: string | null) => void
  onCopy: () => void
}

/** What proves the flow beside it: the selected step, the customer's phone, and the checks. */
export function SidePanel(props: Props) {
  const { editing, of, findings, failingTests, tab, onTab, onGo, onReach } = props
  const { words, sentences } = of
  const { flow } = editing.rule
  const toCheck = findings.length + failingTests
  return (
    <Tabs className={classes.panel ?? ''} value={tab} onChange={(next) => onTab((next ?? 'step') as PanelTab)}>
      <Tabs.List className={classes.tabs ?? ''} aria-label={words.panel}>
        {panelTabs.map((one) => (
          <Tabs.Tab
            key={one}
            value={one}
            rightSection={
              one === 'checks' && toCheck > 0 ? (
                <>
                  <CountBadge value={toCheck} kind="warn" />
                  <span className="rc-sr">{words.checks.badge(toCheck)}</span>
                </>
              ) : undefined
            }
          >
            {words.tabs[one]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="step" className={classes.panelBody ?? ''}>
        <SelectedStep {...props} />
      </Tabs.Panel>
      <Tabs.Panel value="test" className={classes.panelBody ?? ''}>
        <Suspense fallback={<Skeleton height={320} m={16} width="auto" radius={16} />}>
          <TestPhone flow={flow} document={editing.document} sentences={sentences} onReach={onReach} />
        </Suspense>
      </Tabs.Panel>
      <Tabs.Panel value="checks" className={classes.panelBody ?? ''}>
        <ChecksPanel {...{ editing, flow, of, findings, failingTests, onGo }} />
      </Tabs.Panel>
    </Tabs>
  )
}

function SelectedStep({ editing, of, numbersOf, onCopy }: Props) {
  const { document, place, selected } = editing
  const { words, sentences } = of
  const { flow } = editing.rule
  const step = findStep(document, place ?? null)
  if (place === undefined && selected.length > 1) {
    const count = selected.filter((one) => one !== null).length
    return (
      <div className={classes.several}>
        <h2>{words.several(count)}</h2>
        <p>{words.severalHelp}</p>
        <Button variant="default" leftSection={<IconCopy size={16} stroke={1.75} />} onClick={onCopy}>
          {words.copySeveral}
        </Button>
        <Button
          variant="default"
          leftSection={<IconTrash size={16} stroke={1.75} />}
          onClick={() => editing.remove(selected, of)}
        >
          {words.removeSeveral}
        </Button>
      </div>
    )
  }
  if (!step)
    return (
      <>
        <StartPanel document={document} flow={flow} sentences={sentences} onChange={editing.changeDocument} />
        <Ways editing={editing} of={of} />
      </>
    )
  return (
    <>
      <StepPanel
        key={step.id}
        step={step}
        document={document}
        flow={flow}
        sentences={sentences}
        numbers={numbersOf(step.id) ?? undefined}
        onChange={editing.changeStep}
        onDuplicate={() => editing.duplicate(step.id, of)}
        onRemove={() => editing.remove([step.id], of)}
      />
      <Ways editing={editing} of={of} />
    </>
  )
}

/** Where each way out of the selected step goes on. */
function Ways({ editing, of }: Pick<Props, 'editing' | 'of'>) {
  const { document, place = null } = editing
  const step = findStep(document, place)
  const ways = step ? listWaysOut(step).map(({ way }) => way) : [startSpot.way]
  const numbers = numbersIn(outlineOf(document))
  if (ways.length === 0) return null
  return (
    <section className={classes.ways} aria-label={of.words.howItGoesOn}>
      <h3>{of.words.howItGoesOn}</h3>
      <ul>
        {ways.map((way) => (
          <li key={way}>
            <span>{step ? wayLabelOf(step, way, of.words) : of.words.ways.next}</span>
            <NextToken editing={editing} of={of} numbers={numbers} spot={{ stepId: place, way }} />
          </li>
        ))}
      </ul>
    </section>
  )
}
