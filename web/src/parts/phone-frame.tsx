import { IconAntennaBars5, IconBattery3, IconWifi } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { formatTime } from '../lib/format.ts'
import classes from './phone-frame.module.css'

/** The customer's phone, light in both themes. */
export function PhoneFrame({ children }: { children: ReactNode }) {
  return (
    <div className={classes.phone} data-mantine-color-scheme="light">
      <div className={classes.screen}>
        <div className={classes.bar} aria-hidden="true">
          <PhoneClock />
          <span className={classes.signs}>
            <IconAntennaBars5 size={14} stroke={2} />
            <IconWifi size={14} stroke={2} />
            <IconBattery3 size={16} stroke={2} />
          </span>
        </div>
        {children}
      </div>
    </div>
  )
}

function PhoneClock() {
  const [now, setNow] = useState(() => formatTime(new Date()))
  useEffect(() => {
    const timer = setInterval(() => setNow(formatTime(new Date())), 5000)
    return () => clearInterval(timer)
  }, [])
  return <span>{now}</span>
}
