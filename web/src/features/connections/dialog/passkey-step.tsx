import { Button, Loader } from '@mantine/core'
import type { Connection } from '@recado/contract/connections'
import { linePasskeysApi } from '@recado/contract/health/line-passkeys'
import { IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { formatTime } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { InlineNotice } from '../../../ui/inline-notice.tsx'
import { CopyField } from '../form/copy-field.tsx'
import { InstructionSteps } from './instruction-steps.tsx'
import classes from './line-dialog.module.css'
import './passkey-error-texts.ts'
import { passkeyTexts } from './passkey-texts.ts'

export const isWaitingForPasskey = ({ status, reason }: Connection): boolean =>
  status === 'PAIRING' && (reason === 'passkey-sign' || reason === 'passkey-compare')

/** The signature arrives from another browser, without an event for this line. */
const pollMs = 2000

/** WhatsApp asked for a passkey: a person signs in another browser, then compares a code with the phone. */
export function PasskeyStep({ line }: { line: Connection }) {
  const words = useTexts(passkeyTexts)
  const [busy, setBusy] = useState(false)
  const params = { whatsappId: line.id }
  const { data: passkey } = useQuery({
    queryKey: ['line-passkey', line.id, line.reason],
    queryFn: ({ signal }) => callApi(linePasskeysApi.show, { params }, { signal }),
    refetchInterval: pollMs,
  })
  const decide = async (confirmed: boolean) => {
    setBusy(true)
    try {
      await callApi(linePasskeysApi.decide, { params, body: { confirmed } })
    } catch (error) {
      toast.error(error)
    }
    setBusy(false)
  }
  if (line.reason === 'passkey-compare' && passkey?.code)
    return (
      <div className={classes.trouble}>
        <h3>{words.compareTitle}</h3>
        <p className={classes.code} role="status" aria-label={words.codeIs([...passkey.code].join(' '))}>
          {passkey.code}
        </p>
        <p>{words.compareHint}</p>
        <div className={classes.deeds}>
          <Button loading={busy} onClick={() => void decide(true)}>
            {words.confirm}
          </Button>
          <Button variant="default" loading={busy} onClick={() => void decide(false)}>
            {words.differs}
          </Button>
        </div>
      </div>
    )
  return (
    <div className={classes.account}>
      <h3 className={classes.passkeyTitle}>{words.title}</h3>
      <InlineNotice kind="warn">{words.warning}</InlineNotice>
      {line.reason === 'passkey-sign' && passkey?.stage !== 'signed' ? (
        <>
          <InstructionSteps steps={words.steps} />
          <OneTimeAddress line={line} />
        </>
      ) : (
        <div className={classes.passkeyWaiting} role="status">
          <Loader size={18} />
          {words.signed}
        </div>
      )}
      <div className={classes.deeds}>
        <Button variant="default" loading={busy} onClick={() => void decide(false)}>
          {words.cancel}
        </Button>
      </div>
    </div>
  )
}

/** Only the person who asks for the address sees it: the server keeps a hash of it. */
function OneTimeAddress({ line }: { line: Connection }) {
  const words = useTexts(passkeyTexts)
  const [busy, setBusy] = useState(false)
  const [created, setCreated] = useState<{ openUrl: string; expiresAt: string }>()
  const create = async () => {
    setBusy(true)
    try {
      setCreated(await callApi(linePasskeysApi.createAddress, { params: { whatsappId: line.id } }))
    } catch (error) {
      toast.error(error)
    }
    setBusy(false)
  }
  if (!created)
    return (
      <Button className={classes.passkeyCreate ?? ''} loading={busy} onClick={() => void create()}>
        {words.create}
      </Button>
    )
  return (
    <div className={classes.webhook}>
      <CopyField
        label={words.address}
        value={created.openUrl}
        copyLabel={words.copy}
        help={words.validUntil(formatTime(created.expiresAt))}
      />
      <div className={classes.passkeyLinks}>
        <Button
          component="a"
          href={created.openUrl}
          target="_blank"
          rel="noopener noreferrer"
          leftSection={<IconExternalLink size={17} stroke={1.75} />}
        >
          {words.open}
        </Button>
        <Button variant="default" loading={busy} onClick={() => void create()}>
          {words.again}
        </Button>
      </div>
    </div>
  )
}
