import { Button, Loader } from '@mantine/core'
import { type AuthenticatorSetup, twoFactorApi } from '@recado/contract/passwords/two-factor'
import { useEffect, useEffectEvent, useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { canUsePasskeys } from '../../lib/can-use-passkeys.ts'
import { useErrorText } from '../../lib/errors.ts'
import { useSession } from '../../lib/session.tsx'
import { defineTexts, useTexts } from '../../lib/texts.ts'
import { AuthenticatorSetupStep } from '../../parts/two-factor/authenticator-setup-step.tsx'
import { RecoveryCodes } from '../../parts/two-factor/recovery-codes.tsx'
import { twoFactorTexts } from '../../parts/two-factor/texts.ts'
import { TwoFactorCodeField } from '../../parts/two-factor/two-factor-code-field.tsx'
import { usePasskeyLogin } from '../../parts/two-factor/use-passkey-login.ts'
import { AuthPageLayout, AuthPageNote } from '../../ui/auth-page-layout.tsx'
import { InlineNotice } from '../../ui/inline-notice.tsx'

const texts = defineTexts({
  es: {
    title: 'Un paso más',
    line: 'Confirma que eres tú con el código de tu app de autenticación.',
    lost: '¿Perdiste el teléfono? Escribe uno de tus códigos de recuperación. Sin ellos, pide a quien administra tu empresa que la quite.',
    setUp: 'Protege tu cuenta',
    setUpLine: 'Tu empresa exige verificación en dos pasos. Se configura una sola vez.',
    enter: 'Entrar',
    passkey: 'Usar llave de acceso',
    stored: 'Ya los guardé, entrar',
    back: 'Volver',
  },
  pt: {
    title: 'Mais um passo',
    line: 'Confirme que é você com o código do seu app de autenticação.',
    lost: 'Perdeu o celular? Digite um dos seus códigos de recuperação. Sem eles, peça a quem administra sua empresa para desativar.',
    setUp: 'Proteja sua conta',
    setUpLine: 'Sua empresa exige verificação em duas etapas. Basta configurar uma vez.',
    enter: 'Entrar',
    passkey: 'Usar chave de acesso',
    stored: 'Já guardei, entrar',
    back: 'Voltar',
  },
  en: {
    title: 'One more step',
    line: 'Enter the code from your authenticator app.',
    lost: "Lost your phone? Enter one of your recovery codes. No codes? Ask your company's admin to turn this off.",
    setUp: 'Protect your account',
    setUpLine: 'Your company requires two-step verification. You only set it up once.',
    enter: 'Log in',
    passkey: 'Use a passkey',
    stored: "I've saved them, log in",
    back: 'Back',
  },
})

type Props = { email: string; password: string; isNew: boolean; hasPasskey: boolean; onBack: () => void }

/** The login step after the password: the second factor, or its setup for users without a second factor. */
export function TwoFactorStep({ email, password, isNew, hasPasskey, onBack }: Props) {
  const words = useTexts(texts)
  const common = useTexts(twoFactorTexts)
  const errorText = useErrorText()
  const { login } = useSession()
  const [enrolment, setEnrolment] = useState<AuthenticatorSetup | null>(null)
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<unknown>(null)
  const [newCodes, setNewCodes] = useState<{ codes: string[]; enter: () => Promise<void> } | null>(null)

  const passkey = usePasskeyLogin(setFailed)

  const begin = useEffectEvent(() =>
    callApi(twoFactorApi.atTheDoor, { body: { email, password } }).then(setEnrolment, setFailed),
  )
  useEffect(() => {
    if (isNew) void begin()
  }, [isNew])

  const submit = async () => {
    if (busy) return
    if (newCodes) return newCodes.enter()
    if (code.trim() === '') return setFailed('missing')
    setBusy(true)
    setFailed(null)
    try {
      setNewCodes(await login(email, password, code))
    } catch (error) {
      setFailed(error)
      setCode('')
    }
    setBusy(false)
  }
  if (newCodes)
    return (
      <AuthPageLayout title={common.codesTitle} line={words.setUpLine} onSubmit={() => void submit()}>
        <RecoveryCodes codes={newCodes.codes} />
        <Button type="submit" size="md" mt={4}>
          {words.stored}
        </Button>
      </AuthPageLayout>
    )
  return (
    <AuthPageLayout
      title={isNew ? words.setUp : words.title}
      line={isNew ? words.setUpLine : words.line}
      onSubmit={() => void submit()}
    >
      {failed !== null && failed !== 'missing' && <InlineNotice kind="danger">{errorText(failed)}</InlineNotice>}
      {isNew && (enrolment ? <AuthenticatorSetupStep setup={enrolment} /> : <Loader size="sm" />)}
      <TwoFactorCodeField
        value={code}
        onChange={setCode}
        error={failed === 'missing' ? common.codeMissing : undefined}
      />
      <Button type="submit" size="md" loading={busy} mt={4}>
        {words.enter}
      </Button>
      {hasPasskey && canUsePasskeys() && (
        <Button variant="default" size="md" loading={passkey.busy} onClick={passkey.loginWithPasskey}>
          {words.passkey}
        </Button>
      )}
      <AuthPageNote>
        {!isNew && `${words.lost} `}
        <Button variant="subtle" size="compact-sm" onClick={onBack}>
          {words.back}
        </Button>
      </AuthPageNote>
    </AuthPageLayout>
  )
}
