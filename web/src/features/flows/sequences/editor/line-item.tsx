import type { FlowFinding } from '@recado/contract/flows/check-flow'
import type { FlowDocument } from '@recado/contract/flows/flow-document'
import type { LineItem } from '@recado/contract/flows/flow-line'
import { type FlowStep, isSpeaking } from '@recado/contract/flows/flow-steps'
import { repairFlow } from '@recado/contract/flows/repair-flow'
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { formatNumber } from '../../../../lib/format.ts'
import { useTexts } from '../../../../lib/texts.ts'
import editorClasses from '../../rules/editor/editor.module.css'
import { MessageBubble } from '../../rules/editor/message-bubble.tsx'
import { SentenceTokens } from '../../rules/editor/sentence-tokens.tsx'
import { StepFindings } from '../../rules/editor/step-findings.tsx'
import { stepIcons } from '../../rules/editor/step-icons.ts'
import { tokensOfStep } from '../../rules/editor/step-tokens.tsx'
import { ruleEditorTexts } from '../../rules/editor/texts.ts'
import { removeStepAt, replaceStep } from '../../rules/rule-draft.ts'
import { StepResultLine } from '../../runs/step-result-line.tsx'
import type { StepResult } from '../../runs/step-results.ts'
import { describeStep } from '../../sentence/describe-step.ts'
import type { Sentences } from '../../sentence/sentences.ts'
import { addVariant, removeVariant, setShare } from '../sequence-draft.ts'
import { MessageCard } from './message-card.tsx'
import classes from './sequence.module.css'
import { sequenceTexts } from './texts.ts'

type Props = {
  document: FlowDocument
  item: LineItem
  index: number
  findings: FlowFinding[]
  results: ReadonlyMap<string, StepResult>
  sentences: Sentences
  customer: string | null
  onChange: (document: FlowDocument) => void
  onKeyDown: (event: KeyboardEvent) => void
  /** What can be done with it; gets the step as a sentence. */
  menu: (text: string) => ReactNode
}

/** A step of a sequence: a message as a card, a wait on the line, and everything else as a small card. */
export function LineItemRow(props: Props) {
  const { document, item, index, findings, results, sentences, customer, onChange, onKeyDown, menu } = props
  const row = useRef<HTMLLIElement>(null)
  const [step] = item
  if (!step) return null
  const change = (next: FlowStep) => onChange(replaceStep(document, next))
  const text = describeStep(step, sentences)
  const problems = item.map((one) => (
    <StepFindings
      key={one.id}
      step={one}
      findings={findings.filter(({ stepId }) => stepId === one.id)}
      onChange={change}
      onRepair={(repair) => onChange(repairFlow(document, repair))}
      onRemove={() => onChange(one === step ? removeStepAt(document, index) : removeVariant(document, index, one.id))}
      onComplete={() => row.current?.querySelector<HTMLElement>('[data-invalid], button')?.click()}
    />
  ))
  const isMessage = step.kind === 'say' || step.kind === 'split'
  const kind = isMessage ? 'message' : step.kind === 'wait' ? 'wait' : 'other'
  return (
    <li ref={row} className={classes.item} data-kind={kind} data-step={step.id} aria-label={text} onKeyDown={onKeyDown}>
      {isMessage ? (
        <MessageCard
          item={item}
          results={results}
          sentences={sentences}
          customer={customer}
          changes={{
            onShare: (variant, percent) => onChange(setShare(document, index, variant, percent)),
            onAddVariant: () => onChange(addVariant(document, index)),
            onRemoveVariant: (id) => onChange(removeVariant(document, index, id)),
          }}
          onChange={change}
          menu={menu(text)}
          findings={problems}
        />
      ) : (
        <SmallStep
          step={step}
          sentences={sentences}
          customer={customer}
          result={results.get(step.id)}
          onChange={change}
          menu={menu(text)}
          findings={problems}
        />
      )}
    </li>
  )
}

type SmallProps = Pick<Props, 'sentences' | 'customer'> & {
  step: FlowStep
  result: StepResult | undefined
  onChange: (step: FlowStep) => void
  menu: ReactNode
  findings: ReactNode
}
function SmallStep({ step, sentences, customer, result, onChange, menu, findings }: SmallProps) {
  const words = useTexts(ruleEditorTexts)
  const own = useTexts(sequenceTexts)
  const Icon = stepIcons[step.kind]
  const isWait = step.kind === 'wait'
  const tokens = tokensOfStep({ step, sentences, words, onChange })
  return (
    <div className={classes.small}>
      <span className={isWait ? classes.knot : editorClasses.tile} data-speaks={isSpeaking(step) || undefined}>
        <Icon size={16} stroke={1.75} aria-hidden="true" />
      </span>
      <span className={editorClasses.grow}>
        {isWait ? (
          <span className={editorClasses.sentence}>
            {tokens.until}
            {result && result.inside > 0 && (
              <small className={classes.waiting}>{own.waiting(result.inside, formatNumber(result.inside))}</small>
            )}
          </span>
        ) : (
          <SentenceTokens pattern={sentences.words.steps[step.kind].says} slots={tokens} />
        )}
        {step.kind === 'person' && step.text && <MessageBubble text={step.text} customer={customer} />}
        {findings}
      </span>
      {!isWait && <StepResultLine result={result} />}
      {menu}
    </div>
  )
}
