import { useTexts } from '../../../lib/texts.ts'
import classes from './panel.module.css'
import { stepPanelTexts } from './texts.ts'
import { AddButton, FieldGroup, RemoveButton, VariableField } from './value-fields.tsx'

const maxVariables = 20

type Props = { variables: string[]; offered: string[]; onChange: (variables: string[]) => void }

/** The variables that another flow brings. */
export function FlowVariableList({ variables, offered, onChange }: Props) {
  const words = useTexts(stepPanelTexts)
  const unused = () => {
    for (let n = variables.length + 1; ; n++) if (!variables.includes(`dato_${n}`)) return `dato_${n}`
  }
  return (
    <FieldGroup label={words.flowVariables} help={words.flowVariablesHelp}>
      {variables.length > 0 && (
        <ul className={classes.list}>
          {variables.map((name, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: variables are not reordered
            <li key={i} className={classes.item}>
              <div className={classes.wide}>
                <VariableField
                  hidesLabel
                  label={words.variableName(i + 1)}
                  variables={offered.filter((one) => one === name || !variables.includes(one))}
                  value={name}
                  onChange={(next) => next !== null && !variables.includes(next) && onChange(variables.with(i, next))}
                />
              </div>
              <RemoveButton name={name} onClick={() => onChange(variables.toSpliced(i, 1))} />
            </li>
          ))}
        </ul>
      )}
      <AddButton disabled={variables.length >= maxVariables} onClick={() => onChange([...variables, unused()])}>
        {words.addVariable}
      </AddButton>
    </FieldGroup>
  )
}
