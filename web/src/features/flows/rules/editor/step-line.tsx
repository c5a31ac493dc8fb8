import type { FlowFinding, FlowRepair } from '@recado/contract/flows/check-flow'
import { type FlowStep, isSpeaking } from '@recado/contract/flows/flow-steps'
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { useTexts } from '../../../../lib/texts.ts'
import { describeStep } from '../../sentence/describe-step.ts'
import type { Sentences } from '../../sentence/sentences.ts'
import classes from './editor.module.css'
import { MessageBubble } from './message-bubble.tsx'
import { SentenceTokens } from './sentence-tokens.tsx'
import { StepFindings } from './step-findings.tsx'
import { stepIcons } from './step-icons.ts'
import { tokensOfStep } from './step-tokens.tsx'
import { ruleEditorTexts } from './texts.ts'

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
  const { step, sentences, customer, onChange, onKeyDown, children } = props
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
        <StepFindings
          {...props}
          onComplete={() => line.current?.querySelector<HTMLElement>('[data-invalid], button')?.click()}
        />
      </span>
      {children(text)}
    </li>
  )
}
