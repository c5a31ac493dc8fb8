import { Button, Loader } from '@mantine/core'
import { type AuthenticatorSetup, type TwoFactorState, twoFactorApi } from '@recado/contract/passwords/two-factor'
import { IconDeviceDesktop, IconShieldCheck, IconShieldOff } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, callApi } from '../../lib/api.ts'
import { useErrorText } from '../../lib/errors.ts'
import { formatDayTime } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { passwordTexts } from '../../parts/password-texts.ts'
import { AuthenticatorSetupStep } from '../../parts/two-factor/authenticator-setup-step.tsx'
import { RecoveryCodes } from '../../parts/two-factor/recovery-codes.tsx'
import { TwoFactorCodeField } from '../../parts/two-factor/two-factor-code-field.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { Sheet, SheetFooter } from '../../ui/sheet.tsx'
import { StatusChip } from '../../ui/status-chip.tsx'
import { PasskeyList } from './passkey-list.tsx'
import classes from './security.module.css'
import { securityTexts } from './security-texts.ts'

/** The current step: none, password prompt, QR code, recovery codes, or confirmation to disable. */
type SecurityStep =
  | { at: 'rest' }
  | { at: 'password' }
  | { at: 'enrol'; enrolment: AuthenticatorSetup }
  | { at: 'codes'; codes: string[] }
  | { at: 'renew' }
  | { at: 'end' }

type Props = { opened: boolean; onClose: () => void }

/** Login methods and recent logins. */
export function SecurityDialog({ opened, onClose }: Props) {
  const words = useTexts(securityTexts)
  const [step, setStep] = useState<SecurityStep>({ at: 'rest' })
  const close = () => {
    onClose()
    setStep({ at: 'rest' })
  }
  const state = useQuery({
    queryKey: ['security', 'two-factor'],
    queryFn: () => callApi(twoFactorApi.show),
    enabled: opened,
    staleTime: 0,
  })
  return (
    <Sheet opened={opened} onClose={close} title={words.title} size={480}>
      {step.at !== 'rest' ? (
        <SecuritySteps step={step} onStep={setStep} />
      ) : (
        <div className={classes.body}>
          {state.isPending && <Loader size="sm" />}
          {state.isError && <ErrorState error={state.error} onRetry={() => void state.refetch()} />}
          {state.data && <TwoFactorStatus state={state.data} onStep={setStep} />}
          <PasskeyList />
          <LoginHistory />
        </div>
      )}
    </Sheet>
  )
}

function TwoFactorStatus({ state, onStep }: { state: TwoFactorState; onStep: (step: SecurityStep) => void }) {
  const words = useTexts(securityTexts)
  const isOn = state.since !== null
  const Icon = isOn ? IconShieldCheck : IconShieldOff
  return (
    <section>
      <h3 className={classes.head}>
        <Icon size={18} stroke={1.75} aria-hidden="true" />
        {words.twoSteps}
        <StatusChip kind={isOn ? 'ok' : 'off'}>{isOn ? words.on : words.off}</StatusChip>
      </h3>
      <p className={classes.line}>{isOn ? words.onLine(state.recoveryCodesLeft) : words.offLine}</p>
      {state.required && <p className={classes.line}>{words.required}</p>}
      <div className={classes.buttons}>
        {!isOn && <Button onClick={() => onStep({ at: 'password' })}>{words.turnOn}</Button>}
        {isOn && (
          <Button variant="default" onClick={() => onStep({ at: 'renew' })}>
            {words.newCodes}
          </Button>
        )}
        {isOn && !state.required && (
          <Button variant="default" color="red" onClick={() => onStep({ at: 'end' })}>
            {words.turnOff}
          </Button>
        )}
      </div>
    </section>
  )
}

function SecuritySteps({
  step,
  onStep,
}: {
  step: Exclude<SecurityStep, { at: 'rest' }>
  onStep: (step: SecurityStep) => void
}) {
  const words = useTexts(securityTexts)
  const passwords = useTexts(passwordTexts)
  const errorText = useErrorText()
  const client = useQueryClient()
  const [currentPassword, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<unknown>(null)
  const showStatus = () => {
    void client.invalidateQueries({ queryKey: ['security'] })
    onStep({ at: 'rest' })
  }

  const act = async () => {
    if (step.at === 'codes') return showStatus()
    setBusy(true)
    setFailed(null)
    try {
      if (step.at === 'password')
        onStep({ at: 'enrol', enrolment: await callApi(twoFactorApi.begin, { body: { currentPassword } }) })
      else if (step.at === 'end') {
        await callApi(twoFactorApi.end, { body: { currentPassword, code } })
        toast.ok(words.ended)
        showStatus()
      } else {
        const given = await callApi(step.at === 'enrol' ? twoFactorApi.confirm : twoFactorApi.renew, { body: { code } })
        onStep({ at: 'codes', codes: given.recoveryCodes })
      }
      setPassword('')
      setCode('')
    } catch (error) {
      setFailed(error)
    }
    setBusy(false)
  }
  const wrong = failed ? errorText(failed) : undefined
  const isPassword = failed instanceof ApiError && failed.code === 'ERR_CURRENT_PASSWORD'
  const asksPassword = step.at === 'password' || step.at === 'end'
  const asksCode = step.at === 'enrol' || step.at === 'renew' || step.at === 'end'
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void act()
      }}
    >
      <div className={classes.body}>
        {step.at === 'enrol' ? (
          <AuthenticatorSetupStep setup={step.enrolment} />
        ) : (
          <p className={classes.line}>{words.steps[step.at]}</p>
        )}
        {step.at === 'codes' && <RecoveryCodes codes={step.codes} />}
        {asksPassword && (
          <PasswordField
            label={passwords.current}
            name="currentPassword"
            autoComplete="current-password"
            value={currentPassword}
            onChange={setPassword}
            error={isPassword || !asksCode ? wrong : undefined}
          />
        )}
        {asksCode && (
          <TwoFactorCodeField
            value={code}
            onChange={setCode}
            error={isPassword ? undefined : wrong}
            {...(step.at !== 'enrol' && { help: words.orRecovery })}
          />
        )}
      </div>
      <SheetFooter>
        {step.at !== 'codes' && (
          <Button variant="default" onClick={showStatus}>
            {words.cancel}
          </Button>
        )}
        <Button type="submit" loading={busy} {...(step.at === 'end' && { color: 'red' })}>
          {words.verbs[step.at]}
        </Button>
      </SheetFooter>
    </form>
  )
}

function LoginHistory() {
  const words = useTexts(securityTexts)
  const logins = useQuery({
    queryKey: ['security', 'logins'],
    queryFn: () => callApi(twoFactorApi.logins),
    staleTime: 0,
  })
  return (
    <section>
      <h3 className={classes.head}>
        <IconDeviceDesktop size={18} stroke={1.75} aria-hidden="true" />
        {words.logins}
      </h3>
      <p className={classes.line}>{words.loginsLine}</p>
      {logins.isError && <ErrorState error={logins.error} onRetry={() => void logins.refetch()} />}
      <ul className={classes.logins}>
        {logins.data?.logins.map((login) => (
          <li key={login.at}>
            <span>{login.from}</span>
            {login.current && <StatusChip kind="ok">{words.here}</StatusChip>}
            <small>{formatDayTime(login.at)}</small>
          </li>
        ))}
      </ul>
    </section>
  )
}
