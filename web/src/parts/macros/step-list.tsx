import type { PreparedStep } from '@recado/contract/macros/macro-steps'
import { useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import { describeStep, stepIcons } from './describe-step.ts'
import classes from './macros.module.css'
import { describeCode } from './run-macro.ts'
import { macroTexts } from './texts.ts'
import { useMacros } from './use-macros.ts'

const noReferences = { tags: [], queues: [], users: [], reasons: [], flows: [] }

/** The sentence of each step, for one ticket. */
export function useStepSentences(steps: PreparedStep[]): { text: string; hint?: string }[] {
  const words = useTexts(macroTexts)
  const me = useSession().user?.id ?? 0
  const references = useMacros()?.references ?? noReferences
  return steps.map((step) => describeStep(step, references, { words, me }))
}

/** The steps with their real values, and the reason beside those that the user may not do. */
export function StepList({ steps, errors }: { steps: PreparedStep[]; errors: (string | null)[] }) {
  const sentences = useStepSentences(steps)
  return (
    <ul className={classes.steps}>
      {steps.map((step, i) => {
        const Icon = stepIcons[step.kind]
        const error = errors[i]
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no id and are not reordered here.
          <li key={i} className={classes.step} data-refused={error ? true : undefined}>
            <span className={classes.tile}>
              <Icon size={16} stroke={1.75} aria-hidden="true" />
            </span>
            <span className={classes.sentence}>
              {sentences[i]?.text}
              {(error || sentences[i]?.hint) && <small>{error ? describeCode(error) : sentences[i]?.hint}</small>}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
