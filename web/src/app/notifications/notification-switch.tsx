import { Button, Switch } from '@mantine/core'
import { IconBellRinging } from '@tabler/icons-react'
import { useState } from 'react'
import { subscribeToPush, unsubscribeFromPush } from '../../lib/push.ts'
import { useTexts } from '../../lib/texts.ts'
import { bellPanelTexts } from './bell-panel-texts.ts'
import classes from './notifications.module.css'
import { areNotificationsEnabled, readNotificationPermission, setNotificationsEnabled } from './system-notifications.ts'

/** Whether this device shows system notifications. Permission is requested only on a click. */
export function NotificationSwitch({ userId }: { userId: number }) {
  const words = useTexts(bellPanelTexts)
  const [may, setMay] = useState(readNotificationPermission)
  const [isEnabled, setIsEnabled] = useState(() => areNotificationsEnabled(userId))
  const set = (next: boolean) => {
    setNotificationsEnabled(userId, next)
    setIsEnabled(next)
    // Without a push service, notifications still work while a tab is open.
    void (next ? subscribeToPush() : unsubscribeFromPush()).catch(() => undefined)
  }
  const requestPermission = async () => {
    const answer = await Notification.requestPermission()
    setMay(answer)
    if (answer === 'granted') set(true)
  }
  if (may === 'granted')
    return (
      <div className={classes.notices}>
        <Switch
          label={words.here}
          labelPosition="left"
          classNames={{ body: classes.switchBody ?? '', label: classes.switchLabel ?? '' }}
          checked={isEnabled}
          onChange={(event) => set(event.currentTarget.checked)}
        />
      </div>
    )
  if (may === 'default')
    return (
      <div className={classes.notices}>
        <p className={classes.ask}>
          <IconBellRinging size={18} stroke={1.75} aria-hidden="true" />
          <span>
            <b>{words.ask}</b>
            {words.askLine}
          </span>
        </p>
        <Button variant="light" size="xs" fullWidth onClick={() => void requestPermission()}>
          {words.turnOn}
        </Button>
      </div>
    )
  return (
    <div className={classes.notices}>
      <p className={classes.refused}>{may === 'denied' ? words.denied : words.impossible}</p>
    </div>
  )
}
