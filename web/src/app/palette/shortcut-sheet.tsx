import { Modal, Switch } from '@mantine/core'
import { formatKeyCaps, isSingleKey } from '../../lib/shortcut-keys.ts'
import { type Shortcut, type ShortcutGroup, useShortcuts, useShortcutsEnabled } from '../../lib/shortcuts.ts'
import { useTexts } from '../../lib/texts.ts'
import { useDelayedOpen } from '../../ui/use-delayed-open.ts'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { closeOverlay } from './overlay-state.ts'
import classes from './shortcut-sheet.module.css'
import { shortcutSheetTexts } from './texts.ts'

const order: ShortcutGroup[] = ['general', 'list', 'ticket']

/** All shortcuts that currently work on this screen. */
export function ShortcutSheet({ overlayId, isRequested }: { overlayId: number; isRequested: boolean }) {
  const words = useTexts(shortcutSheetTexts)
  const phone = useIsPhone()
  const opened = useDelayedOpen(isRequested)
  const shortcuts = useShortcuts()
  const [on, set] = useShortcutsEnabled()
  return (
    <Modal
      opened={opened}
      onClose={() => closeOverlay(overlayId)}
      size={620}
      fullScreen={phone}
      title={words.title}
      closeButtonProps={{ 'aria-label': words.close }}
    >
      <div className={classes.groups}>
        {order.map((group) => (
          <KeyGroup
            key={group}
            name={words.groups[group]}
            shortcuts={shortcuts.filter((one) => one.group === group)}
            isEnabled={on}
          />
        ))}
      </div>
      <div className={classes.foot}>
        <Switch
          label={words.single}
          description={words.singleLine}
          checked={on}
          onChange={(event) => set(event.currentTarget.checked)}
        />
      </div>
    </Modal>
  )
}

function KeyGroup({ name, shortcuts, isEnabled: on }: { name: string; shortcuts: Shortcut[]; isEnabled: boolean }) {
  const words = useTexts(shortcutSheetTexts)
  if (shortcuts.length === 0) return null
  return (
    <section className={classes.group}>
      <h3 className={classes.name}>{name}</h3>
      <dl className={classes.keys}>
        {shortcuts.map(({ keys, label }) => {
          const asleep = !on && isSingleKey(keys)
          return (
            <div key={keys} className={classes.key} data-asleep={asleep || undefined}>
              <dt>{label}</dt>
              <dd>
                {formatKeyCaps(keys).map((cap) => (
                  <kbd key={cap}>{cap}</kbd>
                ))}
                {asleep && <span className="rc-sr">, {words.off}</span>}
              </dd>
            </div>
          )
        })}
      </dl>
    </section>
  )
}
