import type { FlowCondition } from '@recado/contract/flows/flow-conditions'
import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { IconLock } from '@tabler/icons-react'
import { useTexts } from '../../../../lib/texts.ts'
import { ConditionGroupEditor } from '../../../../parts/conditions/condition-group-editor.tsx'
import type { Sentences } from '../../sentence/sentences.ts'
import classes from './editor.module.css'
import { RuleConditionLine } from './rule-condition-line.tsx'
import { ruleEditorTexts } from './texts.ts'

type Conditions = FlowDocument['conditions']
type Props = {
  conditions: Conditions
  sentences: Sentences
  /** The variables that a condition can ask about. */
  variables?: string[]
  onChange: (conditions: Conditions) => void
}
const newCondition: FlowCondition = { field: 'words', mode: 'any', words: [], not: false }

/** What must be true when the rule starts. What always holds stands among it. */
export function IfBlock({ conditions, sentences, variables, onChange }: Props) {
  const words = useTexts(ruleEditorTexts)
  return (
    <section className={classes.block} aria-labelledby="rule-if">
      <h2 id="rule-if">{words.blocks.conditions}</h2>
      <div className={classes.conditions}>
        <ConditionGroupEditor<FlowCondition>
          group={conditions}
          heading={words.heading}
          hasBoxedLines
          empty={newCondition}
          renderLine={(condition, change) => (
            <RuleConditionLine condition={condition} sentences={sentences} variables={variables} onChange={change} />
          )}
          // The groups are nested no deeper than the type states.
          onChange={(next) => onChange(next as Conditions)}
        >
          <p className={classes.locked} title={words.lockedHelp}>
            <IconLock size={15} stroke={1.75} aria-hidden="true" />
            <span className={classes.grow}>{words.locked}</span>
            <small>{words.always}</small>
          </p>
        </ConditionGroupEditor>
      </div>
    </section>
  )
}
