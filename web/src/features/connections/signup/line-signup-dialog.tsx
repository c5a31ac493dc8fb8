import { Button, Group, Loader, Modal, Radio, Stack } from '@mantine/core'
import type { Connection } from '@recado/contract/connections'
import type { SignupNumber, SignupResult } from '@recado/contract/health/line-signup'
import { lineSignupApi } from '@recado/contract/health/line-signup'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { ApiError, callApi } from '../../../lib/api.ts'
import { useErrorText } from '../../../lib/errors.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { InlineNotice } from '../../../ui/inline-notice.tsx'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import classes from './line-signup.module.css'
import { lineSignupTexts } from './line-signup-texts.ts'
import './signup-error-texts.ts'
import { type SignupReturn, waitForSignupReturn } from './signup-return.ts'

/** What is connected: a new line with this name, or an existing one. `returned`: Meta's dialog has returned already. */
export type SignupRequest = { name: string; whatsappId: number | null; returned?: SignupReturn }

type Props = SignupRequest & { opened: boolean; onClose: () => void; onConnected: (line: Connection) => void }

/** Connects a number with Meta's Embedded Signup. Says before what changes on the phone. */
export function LineSignupDialog({ opened, onClose, ...request }: Props) {
  const words = useTexts(lineSignupTexts)
  const phone = useIsPhone()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size={560}
      fullScreen={phone}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': words.close }}
      title={words.title}
    >
      {opened && <SignupSteps {...request} onClose={onClose} />}
    </Modal>
  )
}

type Step =
  | { kind: 'explain' }
  | { kind: 'waiting'; url: string; state: string }
  | { kind: 'working' }
  | { kind: 'choose'; state: string; numbers: SignupNumber[] }
  | { kind: 'failed'; error: unknown; retry: (() => void) | null }
  | { kind: 'refused' }

/** After these errors the code is used up or shows nothing to connect: only a new dialog of Meta helps. */
const startOverCodes: string[] = [
  'ERR_SIGNUP_OFF',
  'ERR_SIGNUP_STATE',
  'ERR_SIGNUP_CODE',
  'ERR_SIGNUP_NO_ACCOUNT',
  'ERR_SIGNUP_NO_NUMBER',
]
const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : '')

function SignupSteps({ name, whatsappId, returned, onClose, onConnected }: Omit<Props, 'opened'>) {
  const words = useTexts(lineSignupTexts)
  const errorText = useErrorText()
  const [step, setStep] = useState<Step>({ kind: 'explain' })
  const startOver = () => setStep({ kind: 'explain' })

  async function run(work: () => Promise<SignupResult>, state: string, again: () => void): Promise<void> {
    setStep({ kind: 'working' })
    try {
      const { connection, numbers } = await work()
      if (!connection) return setStep({ kind: 'choose', state, numbers })
      toast.ok(words.connected(connection.name))
      onConnected(connection)
    } catch (error) {
      setStep({ kind: 'failed', error, retry: startOverCodes.includes(codeOf(error)) ? null : again })
    }
  }
  const complete = (state: string, phoneNumberId: string): Promise<void> =>
    run(
      () => callApi(lineSignupApi.complete, { body: { state, phoneNumberId } }),
      state,
      () => void complete(state, phoneNumberId),
    )
  async function exchange({ state, code }: SignupReturn): Promise<void> {
    if (!code) return setStep({ kind: 'refused' })
    const send = () => callApi(lineSignupApi.exchange, { body: { state, code } })
    // It is unknown whether a call without an answer arrived. The server exchanges a code once, and then continues.
    const again = (): Promise<void> =>
      run(
        () =>
          send().catch((error) => {
            if (codeOf(error) !== 'ERR_SIGNUP_STATE') throw error
            return callApi(lineSignupApi.complete, { body: { state, phoneNumberId: '' } })
          }),
        state,
        () => void again(),
      )
    await run(send, state, () => void again())
  }
  const exchangeFirst = useEffectEvent(() => {
    if (returned) void exchange(returned)
  })
  useEffect(() => exchangeFirst(), [])

  if (step.kind === 'explain') return <ExplainStep {...{ name, whatsappId, onClose }} onBegun={setStep} />
  if (step.kind === 'waiting')
    return <WaitingStep url={step.url} state={step.state} onReturn={(it) => void exchange(it)} onClose={onClose} />
  if (step.kind === 'choose')
    return <ChooseStep numbers={step.numbers} onChoose={(id) => void complete(step.state, id)} onClose={onClose} />
  if (step.kind === 'working')
    return (
      <div className={classes.steps}>
        <div className={classes.center} role="status">
          <Loader size={28} />
          {words.connecting}
        </div>
      </div>
    )
  const retry = step.kind === 'failed' ? step.retry : null
  return (
    <div className={classes.steps}>
      {step.kind === 'failed' && <InlineNotice kind="danger">{errorText(step.error)}</InlineNotice>}
      {step.kind === 'refused' && <InlineNotice kind="info">{words.refused}</InlineNotice>}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button onClick={retry ?? startOver}>{retry ? words.retry : words.startOver}</Button>
      </Group>
    </div>
  )
}

type ExplainProps = SignupRequest & { onClose: () => void; onBegun: (step: Step) => void }

function ExplainStep({ name, whatsappId, onClose, onBegun }: ExplainProps) {
  const words = useTexts(lineSignupTexts)
  const [history, setHistory] = useState('yes')
  const [busy, setBusy] = useState(false)
  const begin = async () => {
    setBusy(true)
    // Browsers open a window only on a click, so it is opened before the address is known.
    const popup = window.open('', 'recado-line-signup', 'popup,width=680,height=800')
    try {
      const { url, state } = await callApi(lineSignupApi.begin, {
        body: { history: history === 'yes', name, whatsappId },
      })
      popup?.location.replace(url)
      onBegun({ kind: 'waiting', url, state })
    } catch (error) {
      popup?.close()
      setBusy(false)
      onBegun({ kind: 'failed', error, retry: null })
    }
  }
  return (
    <div className={classes.steps}>
      <p>{words.intro}</p>
      <ul>
        {words.phone.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      <Radio.Group label={words.history} description={words.historyHelp} value={history} onChange={setHistory}>
        <Stack gap={8} mt={8}>
          <Radio value="yes" label={words.historyYes} />
          <Radio value="no" label={words.historyNo} />
        </Stack>
      </Radio.Group>
      <p>{words.ready}</p>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button loading={busy} onClick={() => void begin()}>
          {words.go}
        </Button>
      </Group>
    </div>
  )
}

type WaitingProps = { url: string; state: string; onReturn: (returned: SignupReturn) => void; onClose: () => void }

function WaitingStep({ url, state, onReturn, onClose }: WaitingProps) {
  const words = useTexts(lineSignupTexts)
  const take = useEffectEvent(onReturn)
  useEffect(() => waitForSignupReturn(state, (returned) => take(returned)), [state])
  return (
    <div className={classes.steps}>
      <div className={classes.center} role="status">
        <Loader size={28} />
        <h3>{words.waiting}</h3>
        <p>{words.waitingText}</p>
      </div>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          {words.cancel}
        </Button>
        {/* For a browser that blocked the window, or a person who closed it. */}
        <Button variant="default" component="a" href={url} target="_blank" rel="noopener noreferrer">
          {words.openAgain}
        </Button>
      </Group>
    </div>
  )
}

type ChooseProps = { numbers: SignupNumber[]; onChoose: (phoneNumberId: string) => void; onClose: () => void }

function ChooseStep({ numbers, onChoose, onClose }: ChooseProps) {
  const words = useTexts(lineSignupTexts)
  const [chosen, setChosen] = useState((numbers.find(({ onPhone }) => onPhone) ?? numbers[0])?.phoneNumberId ?? '')
  const describe = ({ name, onPhone }: SignupNumber) =>
    [name, onPhone === null ? '' : onPhone ? words.onPhone : words.notOnPhone].filter(Boolean).join(' · ')
  return (
    <div className={classes.steps}>
      <Radio.Group label={words.choose} value={chosen} onChange={setChosen}>
        <Stack gap={10} mt={8}>
          {numbers.map((one) => (
            <Radio
              key={one.phoneNumberId}
              value={one.phoneNumberId}
              label={one.number || one.phoneNumberId}
              description={describe(one)}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button onClick={() => onChoose(chosen)}>{words.connect}</Button>
      </Group>
    </div>
  )
}

/** If the operator has an app at Meta, the number can be connected without copying anything. */
export function SignupOffer({ isConnected, onSignup }: { isConnected: boolean; onSignup: () => void }) {
  const words = useTexts(lineSignupTexts)
  const { data } = useQuery({
    queryKey: ['line-signup'],
    queryFn: ({ signal }) => callApi(lineSignupApi.available, {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!data?.available) return null
  return (
    <section className={classes.offer}>
      <div>
        <b>{isConnected ? words.isConnected : words.offer}</b>
        <small>{isConnected ? words.againHelp : words.offerHelp}</small>
      </div>
      <Button variant={isConnected ? 'default' : 'filled'} onClick={onSignup}>
        {isConnected ? words.again : words.title}
      </Button>
    </section>
  )
}
