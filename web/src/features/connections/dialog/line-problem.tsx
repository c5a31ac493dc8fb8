import { Button } from '@mantine/core'
import { type Connection, connectionsApi } from '@recado/contract/connections'
import { IconCloud, IconPlugConnectedX, IconQrcode, IconRefresh } from '@tabler/icons-react'
import { useTexts } from '../../../lib/texts.ts'
import { useLineNextStep, useLineStatusReason } from '../../../parts/line/line-status-chip.tsx'
import { useSessionCall } from '../use-session-call.ts'
import classes from './line-dialog.module.css'
import { lineDialogTexts } from './line-dialog-texts.ts'

const passkeyEnds = ['passkey', 'passkey-expired', 'passkey-cancelled', 'passkey-failed']
/** With these reasons the phone has to be linked again; reconnecting would fail again. */
const reasonsNeedingNewCode = ['unlinked', 'qr-timeout', 'pairing-failed', ...passkeyEnds]
/** Reasons for which another kind of connection is the better advice. */
const reasonsSuggestingCloud = ['banned', ...passkeyEnds]

/** The problem, the advice, and the buttons for it. */
export function LineProblem({ line, onUseCloudApi }: { line: Connection; onUseCloudApi: () => void }) {
  const words = useTexts(lineDialogTexts)
  const why = useLineStatusReason()(line)
  const next = useLineNextStep()(line)
  const { busy, run } = useSessionCall(line)
  const anew = reasonsNeedingNewCode.includes(line.reason)
  return (
    <div className={classes.trouble}>
      <IconPlugConnectedX size={28} stroke={1.6} aria-hidden="true" />
      <h3>{why || words.isDown}</h3>
      {next && <p>{next}</p>}
      <div className={classes.deeds}>
        {!anew && (
          <Button
            loading={busy}
            leftSection={<IconRefresh size={17} stroke={1.75} />}
            onClick={() => void run(connectionsApi.restart)}
          >
            {words.retry}
          </Button>
        )}
        <Button
          variant={anew ? 'filled' : 'default'}
          loading={busy}
          leftSection={<IconQrcode size={17} stroke={1.75} />}
          onClick={() => void run(connectionsApi.renew)}
        >
          {words.newCode}
        </Button>
        {reasonsSuggestingCloud.includes(line.reason) && (
          <Button variant="default" leftSection={<IconCloud size={17} stroke={1.75} />} onClick={onUseCloudApi}>
            {words.useCloud}
          </Button>
        )}
      </div>
    </div>
  )
}
