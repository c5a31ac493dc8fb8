import { Button } from '@mantine/core'
import { useTexts } from '../../../../lib/texts.ts'
import { MessageField } from '../../../../parts/message-field.tsx'
import { keepEscape } from '../../../../parts/token/choice-list.tsx'
import { TokenPopover } from '../../../../parts/token/token.tsx'
import classes from './editor.module.css'
import { ruleEditorTexts } from './texts.ts'

type Props = {
  label: string
  text: string
  value: string
  limit: number
  isInvalid?: boolean
  onChange: (text: string) => void
}

/** A message to the customer, or a note, with what is filled in when it is sent. */
export function MessageToken({ label, text, value, limit, isInvalid, onChange }: Props) {
  const { done } = useTexts(ruleEditorTexts)
  return (
    <TokenPopover isValue label={label} text={text} isInvalid={isInvalid} width={400}>
      {(close) => (
        <div className={classes.popover} {...keepEscape}>
          <MessageField label={label} limit={limit} rows={4} value={value} onChange={onChange} isFocusedFirst />
          <Button size="xs" variant="light" onClick={close}>
            {done}
          </Button>
        </div>
      )}
    </TokenPopover>
  )
}
