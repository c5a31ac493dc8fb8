import { useNetwork } from '@mantine/hooks'
import { IconWifiOff } from '@tabler/icons-react'
import { useConnection } from '../../lib/live.ts'
import { useTexts } from '../../lib/texts.ts'
import classes from './offline-bar.module.css'
import { texts } from './texts.ts'

/** Said by the browser, or noticed by the socket. */
export function OfflineBar() {
  const words = useTexts(texts)
  const { online } = useNetwork()
  const connected = useConnection()
  if (online && connected) return null
  return (
    <div className={classes.root} role="status">
      <IconWifiOff size={18} stroke={1.75} aria-hidden="true" />
      {words.offline}
    </div>
  )
}
