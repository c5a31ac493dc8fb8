import type { AuthenticatorSetup } from '@recado/contract/passwords/two-factor'
import { useTexts } from '../../lib/texts.ts'
import { QrCode } from '../line/qr-code.tsx'
import { twoFactorTexts } from './texts.ts'
import classes from './two-factor.module.css'

/** Setup of an authenticator app, with a code to scan or to type. */
export function AuthenticatorSetupStep({ setup }: { setup: AuthenticatorSetup }) {
  const words = useTexts(twoFactorTexts)
  return (
    <div className={classes.enrol}>
      <p>{words.scan}</p>
      <div className={classes.qr}>
        <QrCode text={setup.address} label={words.picture} />
      </div>
      <p>
        {words.typed}
        <code className={classes.secret}>{setup.secret.replace(/.{4}(?=.)/g, '$& ')}</code>
      </p>
    </div>
  )
}
