import { NativeSelect } from '@mantine/core'
import type { FlowCondition } from '@recado/contract/flows/flow-conditions'
import { useTexts } from '../../../lib/texts.ts'
import { ConditionGroupEditor } from '../../../parts/conditions/condition-group-editor.tsx'
import { RuleConditionLine } from '../rules/editor/rule-condition-line.tsx'
import classes from './panel.module.css'
import type { FieldsProps, StepOf } from './panel-context.ts'
import { stepPanelTexts } from './texts.ts'
import { AddButton, FieldGroup, RemoveButton, ValidInput, WholeNumberInput } from './value-fields.tsx'

const newCondition: FlowCondition = { field: 'words', mode: 'any', words: [], not: false }

export function BranchFields({ step, panel, onChange }: FieldsProps<'branch'>) {
  const words = useTexts(stepPanelTexts)
  const [first] = panel.variables
  const empty: FlowCondition =
    first === undefined ? newCondition : { field: 'variable', name: first, is: 'equals', value: '', not: false }
  return (
    <FieldGroup label={words.conditions} {...(step.conditions.of.length === 0 && { help: words.noConditions })}>
      <ConditionGroupEditor<FlowCondition>
        group={step.conditions}
        heading={words.heading}
        empty={empty}
        renderLine={(condition, change) => (
          <RuleConditionLine
            condition={condition}
            sentences={panel.sentences}
            variables={panel.variables}
            onChange={change}
          />
        )}
        // The groups are nested no deeper than the type states.
        onChange={(next) => onChange({ ...step, conditions: next as typeof step.conditions })}
      />
    </FieldGroup>
  )
}

const maxCases = 20

export function SwitchFields({ step, panel, onChange }: FieldsProps<'switch'>) {
  const words = useTexts(stepPanelTexts)
  const { cases, variable } = step
  const known = [...new Set([...panel.variables, ...(variable === null ? [] : [variable])])]
  const problemOf = (text: string, at: number) => {
    const value = text.trim()
    if (value === '') return words.required
    return cases.some((one, i) => i !== at && one.value === value) ? words.twice : null
  }
  return (
    <>
      <NativeSelect
        label={words.variable}
        data={[{ value: '', label: words.chooseVariable }, ...known]}
        value={variable ?? ''}
        error={variable === null ? (known.length === 0 ? words.noVariables : words.required) : undefined}
        onChange={({ currentTarget: { value } }) => onChange({ ...step, variable: value || null })}
      />
      <FieldGroup label={words.cases} help={words.casesHelp}>
        <ul className={classes.list}>
          {cases.map((one, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: cases have no id and are not reordered
            <li key={i} className={classes.item}>
              <div className={classes.wide}>
                <ValidInput
                  aria-label={words.value(i + 1)}
                  maxLength={200}
                  value={one.value}
                  problemOf={(text) => problemOf(text, i)}
                  onChange={(value) => onChange({ ...step, cases: cases.with(i, { ...one, value }) })}
                />
              </div>
              <RemoveButton
                name={one.value}
                disabled={cases.length === 1}
                onClick={() => onChange({ ...step, cases: cases.toSpliced(i, 1) })}
              />
            </li>
          ))}
        </ul>
        <AddButton
          disabled={cases.length >= maxCases}
          onClick={() => onChange({ ...step, cases: [...cases, { value: unusedValue(cases), next: null }] })}
        >
          {words.addCase}
        </AddButton>
      </FieldGroup>
    </>
  )
}

function unusedValue(cases: StepOf<'switch'>['cases']): string {
  for (let n = cases.length + 1; ; n++) if (!cases.some(({ value }) => value === String(n))) return String(n)
}

const maxShares = 5
const newShare = 10
const letters = ['A', 'B', 'C', 'D', 'E']

export function SplitFields({ step, onChange }: FieldsProps<'split'>) {
  const words = useTexts(stepPanelTexts)
  const { shares } = step
  const sum = shares.reduce((total, { share }) => total + share, 0)
  return (
    <FieldGroup label={words.shares} help={words.shareSum(sum)}>
      <ul className={classes.list}>
        {shares.map((one, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: shares have no id and are not reordered
          <li key={i} className={classes.item}>
            <span className={classes.number} aria-hidden="true">
              {letters[i]}
            </span>
            <div className={classes.wide}>
              <WholeNumberInput
                hidesLabel
                label={words.share(letters[i] ?? '')}
                min={1}
                max={100}
                suffix=" %"
                value={one.share}
                onChange={(share) => onChange({ ...step, shares: shares.with(i, { ...one, share }) })}
              />
            </div>
            <RemoveButton
              name={words.share(letters[i] ?? '')}
              disabled={shares.length === 2}
              onClick={() => onChange({ ...step, shares: shares.toSpliced(i, 1) })}
            />
          </li>
        ))}
      </ul>
      <AddButton
        disabled={shares.length >= maxShares}
        onClick={() => onChange({ ...step, shares: [...shares, { share: newShare, next: null }] })}
      >
        {words.addShare}
      </AddButton>
    </FieldGroup>
  )
}
