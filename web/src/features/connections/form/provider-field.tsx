import { Input } from '@mantine/core'
import { type LineProvider, lineProviders } from '@recado/contract/connections'
import { useId } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { providerIcons } from '../../../parts/line/line-icons.ts'
import { lineFormTexts } from './line-form-texts.ts'
import classes from './provider-field.module.css'

type Props = { value: LineProvider; onChange: (provider: LineProvider) => void }

/** The three kinds of connection, each with its advantages. */
export function ProviderField({ value, onChange }: Props) {
  const words = useTexts(lineFormTexts)
  const name = useId()
  return (
    <fieldset className={classes.root}>
      <Input.Label component="legend" className={classes.legend ?? ''}>
        {words.provider}
      </Input.Label>
      {lineProviders.map((provider) => {
        const Icon = providerIcons[provider]
        const help = `${name}-${provider}`
        return (
          <label key={provider} className={classes.choice} data-chosen={provider === value || undefined}>
            <input
              type="radio"
              name={name}
              aria-describedby={help}
              checked={provider === value}
              onChange={() => onChange(provider)}
            />
            <Icon size={20} stroke={1.75} aria-hidden="true" />
            <b>{words.providers[provider]}</b>
            <small id={help} aria-hidden="true">
              {words.providerHelp[provider]}
            </small>
          </label>
        )
      })}
    </fieldset>
  )
}
