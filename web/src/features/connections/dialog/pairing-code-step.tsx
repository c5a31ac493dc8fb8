import { Button, Loader, TextInput } from '@mantine/core'
import { type Connection, connectionsApi } from '@recado/contract/connections'
import { IconCheck, IconCloud, IconCopy, IconQrcode } from '@tabler/icons-react'
import { type SubmitEvent, useState } from 'react'
import { ApiError, callApi } from '../../../lib/api.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { lineTexts } from '../../../parts/line/line-texts.ts'
import { FieldError } from '../../../ui/text-field.tsx'
import { useCopyText } from '../../../ui/use-copy-text.ts'
import { InstructionSteps } from './instruction-steps.tsx'
import classes from './line-dialog.module.css'
import { lineDialogTexts } from './line-dialog-texts.ts'
import { OtherMethodButton, OtherMethods } from './qr-code-step.tsx'

type Props = { line: Connection; onShowQr: () => void; onUseCloudApi: () => void }

/** Linking without a camera: WhatsApp issues an eight-character code for a number, to be typed on its phone. */
export function PairingCodeStep({ line, onShowQr, onUseCloudApi }: Props) {
  const words = useTexts(lineDialogTexts)
  const common = useTexts(lineTexts)
  return (
    <div className={classes.root}>
      {line.status === 'PAIRING' ? (
        <div className={classes.waiting} role="status">
          <Loader size={22} />
          {common.status.PAIRING}
        </div>
      ) : line.pairingCode ? (
        <PairingCode code={line.pairingCode} />
      ) : (
        <PhoneNumberForm line={line} />
      )}
      <div>
        <InstructionSteps steps={words.codeSteps} />
        <OtherMethods>
          <OtherMethodButton icon={IconQrcode} onClick={onShowQr}>
            {words.useQr}
          </OtherMethodButton>
          <OtherMethodButton icon={IconCloud} onClick={onUseCloudApi}>
            {words.useCloud}
          </OtherMethodButton>
        </OtherMethods>
      </div>
    </div>
  )
}

/** Two groups of four characters, as the phone shows them. */
function PairingCode({ code }: { code: string }) {
  const words = useTexts(lineDialogTexts)
  const groups = [code.slice(0, 4), code.slice(4)]
  const { wasCopied: copied, copy } = useCopyText(groups.join('-'))
  return (
    <div className={classes.characters}>
      <p className={classes.code} role="status" aria-label={words.codeIs([...code].join(' '))}>
        {groups.map((group, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two halves, which may be alike
          <span key={i} aria-hidden="true">
            {group}
          </span>
        ))}
      </p>
      <Button
        variant="default"
        size="xs"
        leftSection={copied ? <IconCheck size={15} stroke={2} /> : <IconCopy size={15} stroke={2} />}
        onClick={copy}
      >
        {copied ? words.copied : words.copyCode}
      </Button>
      <p className={classes.small}>{words.codeHint}</p>
    </div>
  )
}

function PhoneNumberForm({ line }: { line: Connection }) {
  const words = useTexts(lineDialogTexts)
  const [number, setNumber] = useState(line.number ? `+${line.number}` : '')
  const [wrong, setWrong] = useState(false)
  const [busy, setBusy] = useState(false)
  const requestCode = async (event: SubmitEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      await callApi(connectionsApi.code, { params: { whatsappId: line.id }, body: { number } })
      setWrong(false)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'ERR_VALIDATION') setWrong(true)
      else toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className={classes.ask} noValidate onSubmit={(event) => void requestCode(event)}>
      <TextInput
        label={words.number}
        description={words.numberHelp}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        placeholder="+57 300 555 0192"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        data-autofocus
        value={number}
        error={wrong && <FieldError>{words.numberWrong}</FieldError>}
        onChange={(event) => setNumber(event.currentTarget.value)}
      />
      <Button type="submit" loading={busy}>
        {words.askCode}
      </Button>
    </form>
  )
}
