import { useNetwork } from '@mantine/hooks'
import { IconWifiOff } from '@tabler/icons-react'
import { useIsConnected } from '../lib/live.ts'
import { defineTexts, useTexts } from '../lib/texts.ts'
import classes from './offline-bar.module.css'

const texts = defineTexts({
  es: {
    offline: 'Sin conexión. Reconectando.',
    keeps: 'Sin conexión. Guardamos lo que escribas y lo enviamos al volver.',
  },
  pt: {
    offline: 'Sem conexão. Reconectando.',
    keeps: 'Sem conexão. Guardamos o que você escrever e enviamos ao voltar.',
  },
  en: {
    offline: "You're offline. Reconnecting.",
    keeps: "You're offline. We'll save what you write and send it when you're back.",
  },
})

/**
 * A bar that is shown when the browser or the socket reports that the server is unreachable. `keepsMessages`: in a
 * conversation, sent messages wait.
 */
export function OfflineBar({ keepsMessages }: { keepsMessages: boolean }) {
  const words = useTexts(texts)
  const { online } = useNetwork()
  const connected = useIsConnected()
  if (online && connected) return null
  return (
    <div className={classes.root} role="status">
      <IconWifiOff size={18} stroke={1.75} aria-hidden="true" />
      {keepsMessages ? words.keeps : words.offline}
    </div>
  )
}
