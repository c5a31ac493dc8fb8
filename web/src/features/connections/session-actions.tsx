import { Button } from '@mantine/core'
import { type Connection, connectionsApi } from '@recado/contract/connections'
import { lineTraits } from '@recado/contract/line-traits'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../lib/texts.ts'
import { openConfirm } from '../../ui/confirm.tsx'
import classes from './connections.module.css'
import { texts } from './texts.ts'
import { useSessionCall } from './use-session-call.ts'

type Props = { line: Connection; mayAct: boolean; mayPhone: boolean; onShowQr: () => void }

/** Actions on a line's session in its current state (spec, section 4). */
export function SessionActions({ line, mayAct, mayPhone: canUseTestPhone, onShowQr }: Props) {
  const words = useTexts(texts)
  const { busy, run } = useSessionCall(line)
  const disconnect = async () => {
    const sure =
      line.status !== 'CONNECTED' ||
      (await openConfirm({
        title: words.disconnectAsk(line.name),
        consequence: words.disconnectLine,
        verb: words.disconnect,
      }))
    if (sure) await run(connectionsApi.disconnect)
  }
  const named = (verb: string) => ({ size: 'xs', 'aria-label': `${verb}: ${line.name}` })
  // The official API has nothing to scan.
  const scanned = !lineTraits[line.provider].account
  const ranOut = line.status === 'TIMEOUT' && line.reason === 'qr-timeout'
  const phone = canUseTestPhone && lineTraits[line.provider].test && line.status === 'CONNECTED'
  return (
    <span className={classes.session}>
      {mayAct && line.status === 'qrcode' && (
        <Button variant="light" {...named(words.showQr)} onClick={onShowQr}>
          {words.showQr}
        </Button>
      )}
      {mayAct && line.status === 'DISCONNECTED' && (
        <Button variant="light" loading={busy} {...named(words.retry)} onClick={() => run(connectionsApi.restart)}>
          {words.retry}
        </Button>
      )}
      {mayAct && scanned && (line.status === 'DISCONNECTED' || ranOut) && (
        <Button
          variant={ranOut ? 'light' : 'default'}
          disabled={busy}
          {...named(words.newQr)}
          onClick={async () => (await run(connectionsApi.renew)) && onShowQr()}
        >
          {words.newQr}
        </Button>
      )}
      {mayAct && line.status === 'OPENING' && (
        <Button variant="default" disabled size="xs">
          {words.connecting}
        </Button>
      )}
      {phone && <OpenPhone id={line.id} />}
      {mayAct && ['CONNECTED', 'PAIRING', 'TIMEOUT'].includes(line.status) && (
        <Button variant="default" loading={busy} {...named(words.disconnect)} onClick={disconnect}>
          {words.disconnect}
        </Button>
      )}
    </span>
  )
}

function OpenPhone({ id }: { id: number }) {
  const words = useTexts(texts)
  return (
    <Button variant="default" size="xs" component={Link} {...({ to: '/phone', search: { line: id } } as object)}>
      {words.openPhone}
    </Button>
  )
}
