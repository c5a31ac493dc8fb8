import { useTexts } from '../../../../lib/texts.ts'
import { type VariableKey, variableTexts } from '../../../../parts/variable-names.ts'
import classes from './editor.module.css'

type Props = { text: string; customer: string | null }

/** A message as the customer would read it. */
export const MessageBubble = (props: Props) => (
  <span className={classes.bubble}>
    <MessageWords {...props} />
  </span>
)

/** The words of a message; without a customer, what is filled in has its name. */
export function MessageWords({ text, customer }: Props) {
  const names = useTexts(variableTexts)
  const filledIn = (key: string): string => {
    if (customer && key === 'name') return customer
    if (customer && key === 'firstName') return customer.split(' ')[0] ?? customer
    return names[key as VariableKey] ?? key
  }
  return text.split(/(\{\{\s*\w{1,40}\s*\}\})/).map((part, i) => {
    const key = /^\{\{\s*(\w+)\s*\}\}$/.exec(part)?.[1]
    return key ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text
      <span key={i} className={classes.variable}>
        {filledIn(key)}
      </span>
    ) : (
      part
    )
  })
}
