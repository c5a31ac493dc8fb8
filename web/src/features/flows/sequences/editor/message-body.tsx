import type { SayStep } from '@recado/contract/flows/flow-steps'
import { isStepComplete } from '@recado/contract/flows/flow-steps'
import { TemplateToken } from '../../rules/editor/template-token.tsx'
import { slotsOfStep } from '../../sentence/describe-step.ts'
import type { Sentences } from '../../sentence/sentences.ts'
import { FileToken } from './file-token.tsx'
import { MessageText } from './message-text.tsx'
import classes from './sequence.module.css'

type Props = {
  step: SayStep
  label: string
  sentences: Sentences
  customer: string | null
  onChange: (step: SayStep) => void
}

/** What a message consists of: its text, a file, and the template that takes its place after 24 hours. */
export function MessageBody({ step, label, sentences, customer, onChange }: Props) {
  return (
    <>
      <MessageText
        label={label}
        value={step.text}
        isInvalid={!isStepComplete(step)}
        customer={customer}
        onChange={(text) => onChange({ ...step, text })}
      />
      <span className={classes.extras}>
        <FileToken fileId={step.fileId} onChange={(fileId) => onChange({ ...step, fileId })} />
        <TemplateToken step={step} text={slotsOfStep(step, sentences).template?.text ?? ''} onChange={onChange} />
      </span>
    </>
  )
}
