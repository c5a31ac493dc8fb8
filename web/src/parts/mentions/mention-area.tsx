import { Popover, Textarea, type TextareaProps } from '@mantine/core'
import { type KeyboardEvent, type RefObject, useId } from 'react'
import { MentionList, mentionOptionId } from './mention-list.tsx'
import type { useMentions } from './use-mentions.ts'

type Props = Omit<TextareaProps, 'onChange' | 'onKeyDown'> & {
  areaRef: RefObject<HTMLTextAreaElement | null>
  mentions: ReturnType<typeof useMentions>
  onChange: (text: string) => void
  /** Called with keys that the list did not handle. */
  onKey?: (event: KeyboardEvent) => void
}

/** A text area with mentions after an `@`. */
export function MentionArea({ areaRef, mentions, onChange, onKey, ...more }: Props) {
  const id = useId()
  const { list } = mentions
  return (
    <Popover
      opened={list.isOpen}
      position="top-start"
      width="target"
      trapFocus={false}
      withinPortal={false}
      withRoles={false}
    >
      <Popover.Target>
        <Textarea
          ref={areaRef}
          maxLength={4000}
          onChange={(event) => {
            onChange(event.currentTarget.value)
            mentions.updateQuery()
          }}
          onKeyDown={(event) => mentions.handleKey(event) || onKey?.(event)}
          onBlur={mentions.close}
          {...(list.isOpen && {
            'aria-autocomplete': 'list',
            'aria-controls': id,
            'aria-activedescendant': mentionOptionId(id, list.people[list.activeIndex]),
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
