import { type FlowCondition, variableComparisons } from '@recado/contract/flows/flow-conditions'
import { useTexts } from '../../../../lib/texts.ts'
import { Token, TokenInput } from '../../../../parts/token/token.tsx'
import { sentenceTexts } from '../../sentence/texts.ts'
import { ruleEditorTexts } from './texts.ts'

export type VariableCondition = Extract<FlowCondition, { field: 'variable' }>

export const emptyVariableCondition = (name: string): VariableCondition => ({
  field: 'variable',
  name,
  is: 'equals',
  value: '',
  not: false,
})

type Props = {
  condition: VariableCondition
  variables: string[]
  onChange: (condition: VariableCondition) => void
}

/** A condition on a variable of the flow, such as a part of a call's reply. */
export function VariableConditionTokens({ condition, variables, onChange }: Props) {
  const words = useTexts(ruleEditorTexts)
  const said = useTexts(sentenceTexts)
  const { name, is, value, not } = condition
  const isKnown = variables.includes(name)
  return (
    <>
      <Token
        isValue
        label={words.variableName}
        choices={[...(isKnown ? variables : [name, ...variables])].map((one) => ({ value: one, name: one }))}
        selected={[name]}
        isInvalid={!isKnown}
        onChange={([chosen]) => chosen !== undefined && onChange({ ...condition, name: chosen })}
      />
      <Token
        label={words.comparison}
        choices={variableComparisons.flatMap((one) => [
          { value: one, name: said.comparisons[one][0] ?? one },
          { value: `not ${one}`, name: said.comparisons[one][1] ?? one },
        ])}
        selected={[not ? `not ${is}` : is]}
        onChange={([chosen = is]) =>
          onChange({
            ...condition,
            not: chosen.startsWith('not '),
            is: variableComparisons.find((one) => chosen.endsWith(one)) ?? is,
          })
        }
      />
      {is !== 'set' && (
        <TokenInput
          label={words.comparedWith}
          maxLength={200}
          value={value}
          onChange={(next) => onChange({ ...condition, value: next })}
        />
      )}
    </>
  )
}
