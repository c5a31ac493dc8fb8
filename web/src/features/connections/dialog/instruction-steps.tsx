import { Fragment } from 'react'
import classes from './line-dialog.module.css'

/** Instructions in order. Within each instruction, bold and plain text alternate. */
export function InstructionSteps({ steps }: { steps: readonly (readonly string[])[] }) {
  return (
    <ol className={classes.steps}>
      {steps.map((step) => (
        <li key={step.join('')}>
          {step.map((part, i) => (
            <Fragment key={part}>{i % 2 === 0 ? <b>{part}</b> : part}</Fragment>
          ))}
        </li>
      ))}
    </ol>
  )
}
