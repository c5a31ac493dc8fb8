import { Input, Menu, Textarea } from '@mantine/core'
import { IconBraces } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { useVariableText } from '../../../parts/use-variable-text.ts'
import { variableLabel, variableTexts } from '../../../parts/variable-names.ts'
import classes from './panel.module.css'
import { stepPanelTexts } from './texts.ts'

/** The variables of every message that flows are written with. */
const messageVariables = ['firstName', 'name', 'number', 'email', 'user', 'queue', 'ms', 'protocol', 'hora'] as const

type Props = {
  label: string
  value: string
  limit: number
  /** The flow's own variables. */
  variables: string[]
  isRequired?: boolean
  /** Why the text cannot be used. */
  error?: ReactNode
  help?: string
  rows?: number
  onChange: (text: string) => void
}

/** A text with its length, and a menu of what can be filled in. */
export function FlowTextField({ label, value, limit, variables, isRequired, error, help, rows = 2, onChange }: Props) {
  const words = useTexts(stepPanelTexts)
  const names = useTexts(variableTexts)
  const id = useId()
  const { area, shown, type, insert } = useVariableText(value, onChange)
  return (
    <div>
      <div className={classes.textHead}>
        <Input.Label htmlFor={id}>{label}</Input.Label>
        <Menu position="bottom-end" shadow="md" returnFocus={false}>
          <Menu.Target>
            <button type="button" className={classes.variables} aria-label={words.variablesOf(label)}>
              <IconBraces size={14} stroke={2} aria-hidden="true" />
              {words.variables}
            </button>
          </Menu.Target>
          <Menu.Dropdown className={classes.menu ?? ''}>
            {variables.length > 0 && <Menu.Label>{words.ofFlow}</Menu.Label>}
            {variables.map((name) => (
              <Menu.Item key={name} onClick={() => insert(`{{${name}}}`)}>
                {name}
              </Menu.Item>
            ))}
            <Menu.Label>{words.ofMessage}</Menu.Label>
            {messageVariables.map((name) => (
              <Menu.Item key={name} onClick={() => insert(variableLabel(name))}>
                {names[name]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <span className={classes.length} data-over={value.length > limit || undefined}>
          {value.length} / {limit}
        </span>
      </div>
      <Textarea
        id={id}
        ref={area}
        value={shown}
        autosize
        minRows={rows}
        maxRows={12}
        maxLength={limit}
        description={help}
        inputWrapperOrder={['input', 'error', 'description']}
        error={error ?? (isRequired && value.trim() === '' ? words.required : undefined)}
        onChange={type}
      />
    </div>
  )
}
