import type { CloudAccount } from '@recado/contract/cloud'
import { useTexts } from '../../../lib/texts.ts'
import { CopyField } from '../form/copy-field.tsx'
import { InstructionSteps } from './instruction-steps.tsx'
import classes from './line-dialog.module.css'
import { lineDialogTexts } from './line-dialog-texts.ts'

/** The values for Meta, ready to copy, and where to enter them. */
export function CloudWebhookInfo({ account }: { account: Pick<CloudAccount, 'webhookUrl' | 'verifyToken'> }) {
  const words = useTexts(lineDialogTexts)
  return (
    <section className={classes.webhook} aria-label={words.webhook}>
      <h3>{words.webhook}</h3>
      <InstructionSteps steps={words.webhookSteps} />
      <CopyField label={words.webhookUrl} value={account.webhookUrl} copyLabel={words.copyUrl} />
      <CopyField label={words.verifyToken} value={account.verifyToken} copyLabel={words.copyVerify} />
    </section>
  )
}
