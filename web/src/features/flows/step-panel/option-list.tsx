import { useTexts } from '../../../lib/texts.ts'
import classes from './panel.module.css'
import { stepPanelTexts } from './texts.ts'
import { AddButton, RemoveButton, ValidInput } from './value-fields.tsx'

type Option = { id: string; title: string; description?: string }
type Props<O extends Option> = {
  options: O[]
  max: number
  maxTitle: number
  nameOf: (n: number) => string
  addLabel: string
  /** A new option with the id and the title. */
  create: (id: string, title: string) => O
  /** Options that may be removed although they are the last. */
  canBeEmpty?: boolean
  /** The label of the description, if options have one. */
  descriptionOf?: (n: number) => string
  onChange: (options: O[]) => void
}

export function unusedOptionId(options: readonly { id: string }[]): string {
  for (let n = 1; ; n++) if (!options.some(({ id }) => id === `o${n}`)) return `o${n}`
}

/** Buttons, rows or choices in their order. One that is removed takes its link with it. */
export function OptionList<O extends Option>(props: Props<O>) {
  const { options, max, maxTitle, nameOf, addLabel, create, canBeEmpty, descriptionOf, onChange } = props
  const words = useTexts(stepPanelTexts)
  const replace = (index: number, part: Partial<Option>) =>
    onChange(options.with(index, { ...(options[index] as O), ...part }))
  return (
    <>
      <ol className={classes.list}>
        {options.map((option, i) => (
          <li key={option.id} className={classes.item}>
            <span className={classes.number} aria-hidden="true">
              {i + 1}
            </span>
            <div className={classes.wide}>
              <ValidInput
                aria-label={nameOf(i + 1)}
                maxLength={maxTitle}
                value={option.title}
                problemOf={(text) => (text.trim() === '' ? words.required : null)}
                onChange={(title) => replace(i, { title })}
              />
              {descriptionOf && (
                <ValidInput
                  aria-label={descriptionOf(i + 1)}
                  placeholder={words.about}
                  maxLength={72}
                  value={option.description ?? ''}
                  problemOf={() => null}
                  onChange={(description) => replace(i, { description })}
                />
              )}
            </div>
            <RemoveButton
              name={option.title}
              disabled={!canBeEmpty && options.length === 1}
              onClick={() => onChange(options.toSpliced(i, 1))}
            />
          </li>
        ))}
      </ol>
      <AddButton
        disabled={options.length >= max}
        onClick={() => onChange([...options, create(unusedOptionId(options), nameOf(options.length + 1))])}
      >
        {addLabel}
      </AddButton>
    </>
  )
}
