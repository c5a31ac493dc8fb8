import type { FlowCondition } from '@recado/contract/flows/flow-conditions'
import { languages } from '@recado/contract/users'
import type { TicketCondition } from '@recado/contract/views/ticket-conditions'
import { useTexts } from '../../../../lib/texts.ts'
import { conditionFields, emptyCondition } from '../../../../parts/conditions/condition-draft.ts'
import { ConditionValue, OperatorToken } from '../../../../parts/conditions/condition-line.tsx'
import { type ConditionField, conditionTexts } from '../../../../parts/conditions/texts.ts'
import { Token } from '../../../../parts/token/token.tsx'
import type { Sentences } from '../../sentence/sentences.ts'
import {
  emptyRuleCondition,
  isConditionComplete,
  isTicketCondition,
  type RuleConditionField,
  ruleConditionFields,
} from '../rule-draft.ts'
import { Problem } from './problem.tsx'
import { ruleEditorTexts } from './texts.ts'
import { WordsToken } from './value-tokens.tsx'
import { emptyVariableCondition, type VariableCondition, VariableConditionTokens } from './variable-condition.tsx'

type Props = {
  condition: FlowCondition
  sentences: Sentences
  /** The variables that can be asked about; rules have none. */
  variables?: string[] | undefined
  onChange: (condition: FlowCondition) => void
}

const isRuleField = (field: string): field is RuleConditionField =>
  (ruleConditionFields as readonly string[]).includes(field)

/** A condition of a rule: those of views, and those about the message. */
export function RuleConditionLine({ condition, sentences, variables = [], onChange }: Props) {
  const words = useTexts(ruleEditorTexts)
  const { fields } = useTexts(conditionTexts)
  const hasVariables = variables.length > 0 || condition.field === 'variable'
  const choose = (field = '') => {
    if (field === 'variable') onChange(emptyVariableCondition(variables[0] ?? ''))
    else onChange(isRuleField(field) ? emptyRuleCondition(field) : emptyCondition(field as ConditionField))
  }
  return (
    <>
      <Token
        label={words.conditionField}
        choices={[
          ...(hasVariables ? [{ value: 'variable', name: words.variableField }] : []),
          ...ruleConditionFields.map((field) => ({ value: field, name: words.ruleFields[field] })),
          ...conditionFields.map((field) => ({ value: field, name: fields[field] })),
        ]}
        selected={[condition.field]}
        onChange={([field]) => choose(field)}
      />
      {isTicketCondition(condition) ? (
        <TicketConditionTokens condition={condition} onChange={onChange} />
      ) : condition.field === 'variable' ? (
        <VariableConditionTokens condition={condition} variables={variables} onChange={onChange} />
      ) : (
        <OwnTokens condition={condition} sentences={sentences} onChange={onChange} />
      )}
      {!isConditionComplete(condition) && <Problem level="error" text={words.findings.incomplete} />}
    </>
  )
}

type TicketProps = { condition: TicketCondition; onChange: (condition: TicketCondition) => void }
const TicketConditionTokens = ({ condition, onChange }: TicketProps) => (
  <>
    <OperatorToken condition={condition} onChange={onChange} />
    <ConditionValue condition={condition} onChange={onChange} />
  </>
)

type OwnProps = {
  condition: Exclude<FlowCondition, TicketCondition | VariableCondition>
  sentences: Sentences
  onChange: (condition: FlowCondition) => void
}
function OwnTokens({ condition, sentences, onChange }: OwnProps) {
  const words = useTexts(ruleEditorTexts)
  const { words: said } = sentences
  const operators: Record<typeof condition.field, string[]> = {
    words: words.says,
    file: words.brings,
    firstMessage: words.isFirst,
    hours: words.isOpen,
    language: words.writesIn,
  }
  const [yes = '', no = ''] = operators[condition.field]
  return (
    <>
      <Token
        label={words.comparison}
        choices={[
          { value: 'is', name: yes },
          { value: 'not', name: no },
        ]}
        selected={[condition.not ? 'not' : 'is']}
        onChange={([value]) => onChange({ ...condition, not: value === 'not' })}
      />
      {condition.field === 'words' && (
        <WordsToken
          label={words.words}
          text={condition.words.length > 0 ? condition.words.join(', ') : words.choose}
          words={condition}
          isInvalid={condition.words.length === 0}
          onChange={(searched) =>
            onChange({ ...condition, mode: searched?.mode ?? 'any', words: searched?.words ?? [] })
          }
        />
      )}
      {condition.field === 'language' && (
        <Token
          isValue
          isMultiple
          label={words.languages}
          choices={languages.map((one) => ({ value: one, name: said.languages[one] ?? one }))}
          selected={condition.in}
          isInvalid={condition.in.length === 0}
          onChange={(chosen) => onChange({ ...condition, in: chosen as typeof condition.in })}
        />
      )}
    </>
  )
}
