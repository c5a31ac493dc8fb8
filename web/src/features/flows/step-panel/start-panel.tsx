import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { variablesOfTrigger } from '@recado/contract/flows/flow-triggers'
import type { Flow } from '@recado/contract/flows/flows'
import { useTexts } from '../../../lib/texts.ts'
import { IfBlock } from '../rules/editor/if-block.tsx'
import { LimitsBlock } from '../rules/editor/limits-block.tsx'
import { WhenBlock } from '../rules/editor/when-block.tsx'
import { ruleTriggerKinds } from '../rules/rule-draft.ts'
import type { Sentences } from '../sentence/sentences.ts'
import { FlowVariableList } from './flow-variable-list.tsx'
import classes from './panel.module.css'
import { stepPanelTexts } from './texts.ts'
import { variablesOfFlow } from './variables-before.ts'

const triggerKinds = [...ruleTriggerKinds, 'flow'] as const

type Props = { document: FlowDocument; flow: Flow; sentences: Sentences; onChange: (document: FlowDocument) => void }

/** What starts a flow, under which conditions, and how often. */
export function StartPanel({ document, flow, sentences, onChange }: Props) {
  const words = useTexts(stepPanelTexts)
  const { triggers } = document
  return (
    <section className={classes.start} aria-label={words.start}>
      <WhenBlock
        flow={flow}
        triggers={triggers}
        sentences={sentences}
        kinds={triggerKinds}
        renderMore={(trigger, change) =>
          trigger.kind === 'flow' && (
            <div className={classes.extra}>
              <FlowVariableList
                variables={trigger.variables}
                offered={variablesOfFlow(document)}
                onChange={(variables) => change({ ...trigger, variables })}
              />
            </div>
          )
        }
        onChange={(next) => onChange({ ...document, triggers: next })}
      />
      <IfBlock
        conditions={document.conditions}
        sentences={sentences}
        variables={[...new Set(triggers.flatMap(variablesOfTrigger))]}
        onChange={(conditions) => onChange({ ...document, conditions })}
      />
      <LimitsBlock limits={document.limits} onChange={(limits) => onChange({ ...document, limits })} />
    </section>
  )
}
