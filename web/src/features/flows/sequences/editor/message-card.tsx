import type { LineItem } from '@recado/contract/flows/flow-line'
import type { SayStep } from '@recado/contract/flows/flow-steps'
import type { ReactNode } from 'react'
import { useTexts } from '../../../../lib/texts.ts'
import editorClasses from '../../rules/editor/editor.module.css'
import { stepIcons } from '../../rules/editor/step-icons.ts'
import type { StepResult } from '../../runs/step-results.ts'
import type { Sentences } from '../../sentence/sentences.ts'
import { MessageBody } from './message-body.tsx'
import { ResultFoot } from './result-foot.tsx'
import classes from './sequence.module.css'
import { sequenceTexts } from './texts.ts'
import { Variants } from './variants.tsx'

export type VariantChanges = {
  onShare: (variant: number, percent: number) => void
  onAddVariant: () => void
  onRemoveVariant: (id: string) => void
}
type Props = {
  item: LineItem
  results: ReadonlyMap<string, StepResult>
  sentences: Sentences
  customer: string | null
  changes: VariantChanges
  onChange: (step: SayStep) => void
  menu: ReactNode
  /** What is wrong with it. */
  findings: ReactNode
}

/** A message of a sequence, or several variants of it. */
export function MessageCard({ item, results, sentences, customer, changes, onChange, menu, findings }: Props) {
  const words = useTexts(sequenceTexts)
  const [step, ...others] = item
  const Icon = stepIcons.say
  const variants = others.filter((one) => one.kind === 'say')
  return (
    <>
      <div className={classes.cardHead}>
        <span className={editorClasses.tile} data-speaks>
          <Icon size={16} stroke={1.75} aria-hidden="true" />
        </span>
        <b>{step?.kind === 'split' ? words.variants(variants.length) : titleOf(step, words)}</b>
        {menu}
      </div>
      <div className={classes.cardBody}>
        {step?.kind === 'split' && (
          <Variants
            split={step}
            variants={variants}
            results={results}
            sentences={sentences}
            customer={customer}
            onChange={onChange}
            onShare={changes.onShare}
            onAdd={changes.onAddVariant}
            onRemove={changes.onRemoveVariant}
          />
        )}
        {step?.kind === 'say' && (
          <MessageBody step={step} label={words.text} sentences={sentences} customer={customer} onChange={onChange} />
        )}
        {findings}
      </div>
      <ResultFoot result={results.get(step?.id ?? '')} />
    </>
  )
}

/** A message without own content is its template. */
const titleOf = (step: LineItem[number] | undefined, words: (typeof sequenceTexts)['es']): string =>
  step?.kind === 'say' && step.template && step.text === '' && step.fileId === null
    ? words.templateOf(step.template.name)
    : words.message
