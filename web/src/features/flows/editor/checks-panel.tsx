import { Button } from '@mantine/core'
import type { Flow } from '@recado/contract/flows/flows'
import { repairFlow } from '@recado/contract/flows/repair-flow'
import {
  IconAlertTriangle,
  IconArrowBearRight,
  IconCircleCheck,
  IconForms,
  IconRepeat,
  IconUnlink,
  IconUserOff,
} from '@tabler/icons-react'
import { TestChecks } from '../test-phone/test-checks.tsx'
import classes from './checks-panel.module.css'
import { nameOfStep, type StepWords, wayNameOf } from './describe-node.ts'
import { findStep } from './edit-graph.ts'
import { countErrors, type EditorFinding, passedChecks } from './flow-findings.ts'
import type { FlowEditing } from './use-flow-editing.ts'

const icons: Partial<Record<EditorFinding['kind'], typeof IconRepeat>> = {
  'dead-end': IconArrowBearRight,
  loop: IconRepeat,
  endless: IconRepeat,
  'no-person': IconUserOff,
  unreachable: IconUnlink,
  incomplete: IconForms,
}

type Props = {
  editing: FlowEditing
  flow: Flow
  of: StepWords
  findings: readonly EditorFinding[]
  failingTests: number
  /** Shows a step; null: the start. */
  onGo: (stepId: string | null) => void
}

/** What would go wrong, each with a button that repairs it, and what is fine. */
export function ChecksPanel({ editing, flow, of, findings, failingTests, onGo }: Props) {
  const { words } = of
  const { document } = editing
  const errors = countErrors(findings) + failingTests
  const kinds = new Set(findings.map(({ kind }) => kind))
  const passed = Object.entries(passedChecks).filter(([, some]) => !some.some((kind) => kinds.has(kind)))
  return (
    <div className={classes.panel}>
      <p className={classes.sum} role="status">
        <b>{errors > 0 ? words.checks.blocking(errors) : words.checks.none}</b>{' '}
        {document.steps.length > 0 && words.checks.always(document.steps.length)}
      </p>
      {findings.length > 0 && (
        <ul className={classes.cards}>
          {findings.map((finding) => (
            <Card
              key={`${finding.kind} ${finding.stepId} ${finding.way} ${finding.variable}`}
              {...{ finding, editing, of, onGo }}
            />
          ))}
        </ul>
      )}
      <TestChecks flow={flow} document={document} />
      {passed.length > 0 && document.steps.length > 0 && (
        <ul className={classes.passed} aria-label={words.checks.passed}>
          {passed.map(([check]) => (
            <li key={check}>
              <IconCircleCheck size={16} stroke={1.75} aria-hidden="true" />
              {words.passed[check as keyof typeof passedChecks]}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

type CardProps = Pick<Props, 'editing' | 'of' | 'onGo'> & { finding: EditorFinding }
function Card({ finding, editing, of, onGo }: CardProps) {
  const { words } = of
  const { kind, level, stepId, way, variable, repair } = finding
  const { document } = editing
  const step = findStep(document, stepId)
  const said = kind === 'missing' ? words.missing : words.findings[kind]
  const Icon = icons[kind] ?? IconAlertTriangle
  const wayName = kind === 'dead-end' && step && way ? wayNameOf(step, way, words) : ''
  return (
    <li className={classes.card} data-level={level}>
      <Icon size={18} stroke={1.75} aria-hidden="true" />
      <div>
        <h3>{wayName ? words.viaWay(wayName, said.title) : said.title}</h3>
        <p>
          {said.line(step ? nameOfStep(step, of) : '')} {variable && words.variable(variable)}
        </p>
        <div className={classes.buttons}>
          {repair && (
            <Button
              size="compact-sm"
              variant={level === 'error' ? 'light' : 'default'}
              onClick={() =>
                editing.change({ document: repairFlow(document, repair), told: words.repairs[repair.kind] })
              }
            >
              {words.repairs[repair.kind]}
            </Button>
          )}
          <Button size="compact-sm" variant="subtle" color="gray" onClick={() => onGo(stepId)}>
            {step ? words.checks.go : words.checks.goToStart}
          </Button>
        </div>
      </div>
    </li>
  )
}
