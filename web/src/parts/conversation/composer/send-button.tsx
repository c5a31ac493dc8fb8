import { Menu, Tooltip } from '@mantine/core'
import { IconCalendarEvent, IconChecks, IconChevronDown, IconSend } from '@tabler/icons-react'
import { useTexts } from '../../../lib/texts.ts'
import classes from '../../message/composer/composer.module.css'
import type { ComposerMode } from '../outgoing/composer-keys.ts'
import { texts } from './texts.ts'

type Props = {
  mode: ComposerMode
  isReady: boolean
  label: string
  onSend: () => void
  onSendAndResolve: () => void
  /** Absent if the plan has no scheduled messages. */
  onSchedule: (() => void) | undefined
}

export function SendButton({ mode, isReady, label, onSend, onSendAndResolve, onSchedule }: Props) {
  const words = useTexts(texts)
  if (mode === 'note')
    return (
      <button type="button" className={classes.save} aria-disabled={!isReady} onClick={onSend}>
        {words.saveNote}
      </button>
    )
  return (
    <>
      <Tooltip label={words.keys}>
        <kbd className={classes.hint}>↵</kbd>
      </Tooltip>
      <span className={classes.split}>
        <button type="button" className={classes.send} aria-disabled={!isReady} onClick={onSend}>
          <IconSend size={16} stroke={1.75} aria-hidden="true" />
          {label}
        </button>
        <Menu position="top-end">
          <Menu.Target>
            <button type="button" className={classes.more} aria-label={words.moreSend}>
              <IconChevronDown size={15} stroke={2} />
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              leftSection={<IconChecks size={16} stroke={1.75} />}
              disabled={!isReady}
              onClick={onSendAndResolve}
            >
              {words.sendAndResolve}
            </Menu.Item>
            {onSchedule && (
              <Menu.Item leftSection={<IconCalendarEvent size={16} stroke={1.75} />} onClick={onSchedule}>
                {words.schedule}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      </span>
    </>
  )
}
