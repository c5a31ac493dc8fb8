import { formatNumber } from '../../../lib/format.ts'
import classes from './campaign-layout.module.css'

type Props<K extends string> = {
  label: string
  value: K
  choices: { key: K; name: string; count?: number }[]
  onChange: (key: K) => void
}

/** Buttons of which one can be chosen; each shows its count. */
export function ChoiceButtons<K extends string>({ label, value, choices, onChange }: Props<K>) {
  return (
    <fieldset className={classes.choices}>
      <legend className={classes.unseen}>{label}</legend>
      {choices.map(({ key, name, count }) => (
        <button
          key={key}
          type="button"
          className={classes.choice}
          aria-pressed={key === value}
          onClick={() => onChange(key)}
        >
          {name}
          {count !== undefined && <b>{formatNumber(count)}</b>}
        </button>
      ))}
    </fieldset>
  )
}
