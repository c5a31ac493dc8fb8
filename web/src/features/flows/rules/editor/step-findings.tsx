import type { FlowFinding, FlowRepair } from '@recado/contract/flows/check-flow'
import type { FlowStep } from '@recado/contract/flows/flow-steps'
import { useTexts } from '../../../../lib/texts.ts'
import { Problem, RepairButton } from './problem.tsx'
import { type RuleEditorWords, ruleEditorTexts } from './texts.ts'

type Props = {
  step: FlowStep
  findings: FlowFinding[]
  onChange: (step: FlowStep) => void
  onRepair: (repair: FlowRepair) => void
  onRemove: () => void
  /** Opens what is not filled in. */
  onComplete: () => void
}

/** What is wrong with a step, each with the button that repairs it. */
export function StepFindings(props: Props) {
  const words = useTexts(ruleEditorTexts)
  return props.findings.map((finding) => (
    <Problem
      key={`${finding.kind} ${finding.way} ${finding.variable}`}
      level={finding.level}
      text={describeFinding(finding, words)}
    >
      <Repair {...props} finding={finding} />
    </Problem>
  ))
}

const describeFinding = ({ kind, variable }: FlowFinding, words: RuleEditorWords): string =>
  kind === 'unset-variable' && variable !== null ? words.unsetVariable(variable) : words.findings[kind]

/** Free text can be sent for a day after the customer's last message; an hour is left for delays. */
const shortWaitMinutes = 23 * 60

type RepairProps = Omit<Props, 'findings'> & { finding: FlowFinding }
function Repair({ finding, step, onChange, onRepair, onRemove, onComplete }: RepairProps) {
  const { repairs } = useTexts(ruleEditorTexts)
  const { kind, repair } = finding
  if (repair) return <RepairButton onClick={() => onRepair(repair)}>{repairs[repair.kind]}</RepairButton>
  if (kind === 'incomplete') return <RepairButton onClick={onComplete}>{repairs.complete}</RepairButton>
  if (kind === 'wait-beyond-window' && step.kind === 'wait' && step.until.kind === 'time')
    return (
      <RepairButton
        onClick={() => onChange({ ...step, until: { kind: 'time', minutes: shortWaitMinutes, inOpenHours: false } })}
      >
        {repairs.shorten}
      </RepairButton>
    )
  return finding.level === 'error' ? <RepairButton onClick={onRemove}>{repairs.remove}</RepairButton> : null
}
