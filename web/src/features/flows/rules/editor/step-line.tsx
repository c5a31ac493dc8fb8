import type { FlowFinding, FlowRepair } from '@recado/contract/flows/check-flow'
import { type FlowStep, isSpeaking } from '@recado/contract/flows/flow-steps'
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { useTexts } from '../../../../lib/texts.ts'
import { describeStep } from '../../sentence/describe-step.ts'
import type { Sentences } from '../../sentence/sentences.ts'
import classes from './editor.module.css'
import { MessageBubble } from './message-bubble.tsx'
import { Problem, RepairButton } from './problem.tsx'
import { SentenceTokens } from './sentence-tokens.tsx'
import { stepIcons } from './step-icons.ts'
import { tokensOfStep } from './step-tokens.tsx'
import { type RuleEditorWords, ruleEditorTexts } from './texts.ts'

type Props = {
  step: FlowStep
  sentences: Sentences
  customer: string | null
  findings: FlowFinding[]
  onChange: (step: FlowStep) => void
  onRepair: (repair: FlowRepair) => void
  onRemove: () => void
  onKeyDown: (event: KeyboardEvent) => void
  /** What stands at its end; gets the step as a sentence. */
  children: (text: string) => ReactNode
}

const messageOf = (step: FlowStep): string =>
  step.kind === 'say' || step.kind === 'ask' || step.kind === 'person' ? step.text : ''

/** A step as a sentence of tokens, with its message as a bubble and what is wrong with it. */
export function StepLine(props: Props) {
  const { step, sentences, customer, findings, onChange, onKeyDown, children } = props
  const words = useTexts(ruleEditorTexts)
  const line = useRef<HTMLLIElement>(null)
  const Icon = stepIcons[step.kind]
  const text = describeStep(step, sentences)
  const message = messageOf(step)
  return (
    <li ref={line} className={classes.step} data-step={step.id} aria-label={text} onKeyDown={onKeyDown}>
      <span className={classes.tile} data-speaks={isSpeaking(step) || undefined}>
        <Icon size={16} stroke={1.75} aria-hidden="true" />
      </span>
      <span className={classes.grow}>
        <SentenceTokens
          pattern={sentences.words.steps[step.kind].says}
          slots={tokensOfStep({ step, sentences, words, onChange })}
        />
        {message && <MessageBubble text={message} customer={customer} />}
        {findings.map((finding) => (
          <Problem
            key={`${finding.kind} ${finding.way} ${finding.variable}`}
            level={finding.level}
            text={describeFinding(finding, words)}
          >
            <Repair
              {...props}
              finding={finding}
              onComplete={() => line.current?.querySelector<HTMLElement>('[data-invalid], button')?.click()}
            />
          </Problem>
        ))}
      </span>
      {children(text)}
    </li>
  )
}

const describeFinding = ({ kind, variable }: FlowFinding, words: RuleEditorWords): string =>
  kind === 'unset-variable' && variable !== null ? words.unsetVariable(variable) : words.findings[kind]

/** Free text can be sent for a day after the customer's last message; an hour is left for delays. */
const shortWaitMinutes = 23 * 60

type RepairProps = Pick<Props, 'step' | 'onChange' | 'onRepair' | 'onRemove'> & {
  finding: FlowFinding
  onComplete: () => void
}
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
