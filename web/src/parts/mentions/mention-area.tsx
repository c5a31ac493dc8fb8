import { Popover, Textarea, type TextareaProps } from '@mantine/core'
import { type KeyboardEvent, type RefObject, useId } from 'react'
import { MentionList, mentionOptionId } from './mention-list.tsx'
import type { useMentions } from './use-mentions.ts'

type Props = Omit<TextareaProps, 'onChange' | 'onKeyDown'> & {
  area: RefObject<HTMLTextAreaElement | null>
  mentions: ReturnType<typeof useMentions>
  onWrite: (text: string) => void
  /** Keys not handled by the list. */
  onKey?: (event: KeyboardEvent) => void
}

/** A text area with mentions after an `@`. */
export function MentionArea({ area, mentions, onWrite, onKey, ...more }: Props) {
  const id = useId()
  const { list } = mentions
  return (
    <Popover
      opened={list.open}
      position="top-start"
      width="target"
      trapFocus={false}
      withinPortal={false}
      withRoles={false}
    >
      <Popover.Target>
        <Textarea
          ref={area}
          maxLength={4000}
          onChange={(event) => {
            onWrite(event.currentTarget.value)
            mentions.look()
          }}
          onKeyDown={(event) => mentions.onKey(event) || onKey?.(event)}
          onBlur={mentions.close}
          {...(list.open && {
            'aria-autocomplete': 'list',
            'aria-controls': id,
            'aria-activedescendant': mentionOptionId(id, list.shown[list.at]),
          })}
          {...more}
        />
      </Popover.Target>
      <Popover.Dropdown p={0}>
        <MentionList id={id} list={list} onPick={mentions.pick} />
      </Popover.Dropdown>
    </Popover>
  )
}
